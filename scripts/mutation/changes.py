"""The changes that can be made to a module, each in one place of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Mutant", "mutants_of"]

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_COMPOSED = ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.NamedExpr | ast.UnaryOp
_COMPUTED: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
    ast.Div: "*",
    ast.Mod: "*",
    ast.BitOr: "&",
    ast.BitAnd: "|",
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    function: str
    line: int
    before: str
    after: str
    source: str
    on_import: bool
    """Whether the line runs when the module is imported: any test of it may notice."""

    @property
    def change(self) -> str:
        """What differs, on one line."""
        return f"{_short(self.before)} → {_short(self.after)}"


def mutants_of(source: str) -> list[Mutant]:
    """Return every mutant of a module."""
    return list(_Finder(source).mutants())


class _Finder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._raw = source.encode()
        starts = [0]
        for line in self._raw.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._starts = starts

    def mutants(self) -> Iterator[Mutant]:
        yield from self._inside(ast.parse(self._source), "", on_import=True)

    def _inside(self, node: ast.AST, name: str, *, on_import: bool) -> Iterator[Mutant]:
        for child in ast.iter_child_nodes(node):
            if _is_left_alone(child, node):
                continue
            for target, after in self._changes(child):
                yield self._mutant(target, after, name, on_import=on_import)
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            own = f".{child.name}" if isinstance(child, _NAMED) else ""
            yield from self._inside(child, f"{name}{own}".strip("."), on_import=on_import and not is_function)

    def _changes(self, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self._operand(node.left), self._operand(node.comparators[0])
            yield node, f"{left} {_COMPARED[type(node.ops[0])]} {right}"
        elif isinstance(node, ast.BoolOp):
            other = " or " if isinstance(node.op, ast.And) else " and "
            same = " and " if isinstance(node.op, ast.And) else " or "
            parts = [f"({self._text(value)})" for value in node.values]
            yield node, f"({other.join(parts)})"
            for index in range(len(parts)):
                yield node, f"({same.join(parts[:index] + parts[index + 1 :])})"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, f"bool({self._text(node.operand)})"
        elif isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED and not _is_text(node):
            left, right = self._operand(node.left), self._operand(node.right)
            yield node, f"({left} {_COMPUTED[type(node.op)]} {right})"
        elif isinstance(node, ast.Constant):
            yield from ((node, after) for after in _constants(node.value))
        elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare):
            yield node.test, f"(not ({self._text(node.test)}))"
        elif isinstance(node, ast.Return) and node.value is not None and not _is_false(node.value):
            yield node.value, "None"
        elif _is_dispensable(node):
            yield node, "pass"
        elif isinstance(node, ast.Break):
            yield node, "continue"
        elif isinstance(node, ast.Continue):
            yield node, "break"

    def _mutant(self, node: ast.AST, after: str, function: str, *, on_import: bool) -> Mutant:
        start, end = self._span(node)
        before = self._raw[start:end].decode()
        source = (self._raw[:start] + after.encode() + self._raw[end:]).decode()
        line: int = node.lineno  # type: ignore[attr-defined]  # statements and expressions have one
        return Mutant(function or "module", line, before, after, source, on_import)

    def _span(self, node: Any) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def _operand(self, node: ast.AST) -> str:
        return f"({self._text(node)})" if isinstance(node, _COMPOSED) else self._text(node)

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._raw[start:end].decode()


def _constants(value: object) -> list[str]:
    if isinstance(value, bool):
        return [str(not value)]
    if isinstance(value, int | float):
        return [repr(value + 1), *(["0"] if value not in (0, -1) else [])]
    return []


def _is_dispensable(node: ast.AST) -> bool:
    """True for a statement without which the module is still valid Python."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    return isinstance(node, ast.Raise | ast.AugAssign | ast.Delete)


def _is_false(node: ast.AST) -> bool:
    """True for a constant that is as good as None to an `if`; other changes of it are made."""
    return isinstance(node, ast.Constant) and not node.value


def _is_text(node: ast.BinOp) -> bool:
    texts = (ast.JoinedStr, ast.List, ast.Tuple)
    return any(
        isinstance(side, texts) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def _is_left_alone(child: ast.AST, parent: ast.AST) -> bool:
    """True for what no test here can notice: annotations, imports, code for type checkers and for Windows."""
    if isinstance(child, ast.Import | ast.ImportFrom | ast.arguments | ast.JoinedStr):
        return True
    if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
        return True
    if isinstance(parent, ast.If) and "win32" in ast.dump(parent.test):
        return child in parent.body
    if isinstance(parent, ast.AnnAssign):
        return child is parent.annotation
    if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
        return child is parent.returns or child in parent.decorator_list
    return False


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:87]}…"
