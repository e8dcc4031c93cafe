"""Formulas: arithmetic, text, comparison, references, SUM, AVERAGE, MIN, MAX, COUNT and IF; no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from laconic.sandbox.google.books.a1 import area_of
from laconic.sandbox.google.books.book import cell_at
from laconic.sandbox.google.books.cells import shown, value_of
from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["evaluated"]

Row = dict[str, Any]
_TOKEN: Final = re.compile(
    r"""\s*(?:("(?:[^"]|"")*")|(\d+\.?\d*)|((?:'(?:[^']|'')*'!|\w+!)?\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?)"""
    r"""|([A-Za-z_]\w*)|(<>|<=|>=|[-+*/^&=<>(),;]))"""
)
_DEEPEST: Final = 50


class FormulaError(Exception):
    """An error that a cell shows, such as #DIV/0!."""


def evaluated(book: Row, sheet: Row, formula: str, depth: int = 0) -> Any:
    """Return the value of a formula; what it cannot calculate is an error as a cell shows it."""
    if depth > _DEEPEST:
        return "#REF!"
    tokens: list[tuple[str, str]] = []
    place = 1
    while formula[place:].strip():
        match = _TOKEN.match(formula, place)
        if match is None:
            return "#REF!" if formula[place:].lstrip().startswith("#REF!") else "#ERROR!"
        kind = ("text", "number", "cells", "name", "sign")[
            [bool(g is not None) for g in match.groups()].index(True)
        ]
        tokens.append((kind, match[0].strip()))
        place = match.end()
    try:
        reader = _Formula(book, sheet, tokens, depth)
        value = reader.comparison()
        return value if not reader.tokens and not isinstance(value, list) else "#ERROR!"
    except FormulaError as error:
        return str(error)


class _Formula:
    """Reads the tokens of a formula from the left."""

    def __init__(self, book: Row, sheet: Row, tokens: list[tuple[str, str]], depth: int) -> None:
        self._book, self._sheet, self._depth = book, sheet, depth
        self.tokens = tokens

    def _sign(self, *signs: str) -> str:
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return ""

    def comparison(self) -> Any:
        left = self._joined()
        while sign := self._sign("=", "<>", "<=", ">=", "<", ">"):
            left = _compared(left, sign, self._joined())
        return left

    def _joined(self) -> Any:
        left = self._sum()
        while self._sign("&"):
            left = f"{shown(left)}{shown(self._sum())}"
        return left

    def _sum(self) -> Any:
        left = self._product()
        while sign := self._sign("+", "-"):
            right = _number(self._product())
            left = _number(left) + right if sign == "+" else _number(left) - right
        return left

    def _product(self) -> Any:
        left = self._power()
        while sign := self._sign("*", "/"):
            right = _number(self._power())
            if sign == "/" and right == 0:
                raise FormulaError("#DIV/0!")
            left = _number(left) * right if sign == "*" else _number(left) / right
        return left

    def _power(self) -> Any:
        left = self._single()
        return _number(left) ** _number(self._power()) if self._sign("^") else left

    def _single(self) -> Any:
        if self._sign("-"):
            return -_number(self._single())
        if self._sign("("):
            value = self.comparison()
            self._expect(")")
            return value
        if not self.tokens:
            raise FormulaError("#ERROR!")
        kind, text = self.tokens.pop(0)
        match kind:
            case "text":
                return text[1:-1].replace('""', '"')
            case "number":
                return float(text) if "." in text else int(text)
            case "cells":
                return self._cells(text)
            case "name":
                return self._named(text)
        raise FormulaError("#ERROR!")

    def _expect(self, sign: str) -> None:
        if not self._sign(sign):
            raise FormulaError("#ERROR!")

    def _cells(self, text: str) -> Any:
        try:
            own = (
                text
                if "!" in text
                else f"'{self._sheet['properties']['title'].replace(chr(39), chr(39) * 2)}'!{text}"
            )
            area = area_of(self._book, own.replace("$", ""))
        except GoogleRefusal:
            raise FormulaError("#REF!") from None
        values = [
            self._value(area.sheet, row, column)
            for row in range(area.top, area.end_row)
            for column in range(area.left, area.end_column)
        ]
        return values if ":" in text else values[0]

    def _value(self, sheet: Row, row: int, column: int) -> Any:
        cell = cell_at(sheet, row, column)
        if isinstance(cell, dict) and "f" in cell:
            value = evaluated(self._book, sheet, cell["f"], self._depth + 1)
            if isinstance(value, str) and value.startswith("#"):
                raise FormulaError(value)
            return value
        return value_of(cell)

    def _named(self, name: str) -> Any:
        if not self._sign("("):
            if name.upper() in ("TRUE", "FALSE"):
                return name.upper() == "TRUE"
            raise FormulaError("#NAME?")
        given: list[Any] = []
        while not self._sign(")"):
            given.append(self.comparison())
            if not self._sign(",", ";") and not (self.tokens and self.tokens[0][1] == ")"):
                raise FormulaError("#ERROR!")
        function = _FUNCTIONS.get(name.upper())
        if function is None:
            raise FormulaError("#NAME?")
        return function(given)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if value == "":
        return 0
    if not isinstance(value, int | float):
        raise FormulaError("#VALUE!")
    return value


def _compared(left: Any, sign: str, right: Any) -> bool:
    if isinstance(left, str) != isinstance(right, str):
        return sign == "<>"
    left, right = (left.lower(), right.lower()) if isinstance(left, str) else (left, right)
    match sign:
        case "=":
            return bool(left == right)
        case "<>":
            return bool(left != right)
        case "<":
            return bool(left < right)
        case ">":
            return bool(left > right)
    return bool(left <= right if sign == "<=" else left >= right)


def _numbers(given: list[Any]) -> list[Any]:
    flat = [one for value in given for one in (value if isinstance(value, list) else [value])]
    return [one for one in flat if isinstance(one, int | float) and not isinstance(one, bool)]


def _average(given: list[Any]) -> Any:
    found = _numbers(given)
    if not found:
        raise FormulaError("#DIV/0!")
    return sum(found) / len(found)


def _if(given: list[Any]) -> Any:
    if len(given) < 2:
        raise FormulaError("#N/A")
    return given[1] if given[0] else (given[2] if len(given) > 2 else False)


_FUNCTIONS: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "SUM": lambda given: sum(_numbers(given)),
    "AVERAGE": _average,
    "MIN": lambda given: min(_numbers(given), default=0),
    "MAX": lambda given: max(_numbers(given), default=0),
    "COUNT": lambda given: len(_numbers(given)),
    "IF": _if,
    "CONCATENATE": lambda given: "".join(shown(one) for one in given),
}
