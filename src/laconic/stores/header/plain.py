"""Plain headers: the few forms that most headers consist of, read several times as fast as YAML.

Every line is a key with a value on the same line, or an item of a list or a key of a mapping below a key. A
header with anything else, even a comment, is left to the parser, so that both always agree.
"""

import re
from typing import Any, Final

from laconic.stores.header.yaml_scalars import meaning

__all__ = ["plain_values"]

_ODD: Final = (
    r"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"  # and white space but for blanks
)
_QUOTED: Final = rf"'(?P<single>(?:[^'{_ODD}]|'')*)'|\"(?P<double>[^\"\\{_ODD}]*)\""
_LINE: Final = re.compile(
    r"(?P<blanks> *)(?:(?P<dash>- +)|(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99}):(?: +|(?=\n)))"
    rf"(?:{_QUOTED}|\[(?P<flow>[^\[\]{{}}{_ODD}]*)\]|(?P<empty>\{{\}})"
    rf"|(?P<plain>[^-?:,\[\]{{}}#&*!|>'\"%@` {_ODD}][^{_ODD}]*))?\n"
)
_ITEM: Final = re.compile(rf" *(?:{_QUOTED}|(?P<plain>[^\W\d_][\w.+/-]*(?: +[^\W\d_][\w.+/-]*)*)) *(?:,|\Z)")


def plain_values(header: str) -> dict[str, Any] | None:
    """Return the values of a plain header; None if it is not one, or perhaps not."""
    values: dict[str, Any] = {}
    below: list[Any] | dict[str, Any] | None = None  # the list or mapping that the next line may continue
    name, width, at = "", 0, 0
    for line in _LINE.finditer(header):
        if line.start() != at:
            return None
        at = line.end()
        blanks, dash, key = line.group("blanks", "dash", "key")
        try:
            value = _value(line)
        except ValueError:
            return None
        if key and not blanks:
            if key in values:
                return None
            values[key], below = value, None
            name = "" if line.lastgroup != "key" else key
            continue
        if below is None and name:
            below = values[name] = [] if dash else {}
            width = len(blanks)
        if below is None or width != len(blanks) or isinstance(below, dict) is bool(dash):
            return None
        if isinstance(below, list):
            if line.lastgroup == "dash":
                return None
            below.append(value)
        elif key in below:
            return None
        else:
            below[key] = value
    return values if at == len(header) else None


def _value(line: re.Match[str]) -> Any:
    """Return the value on a line; raises ValueError if it may be something else."""
    form = line.lastgroup
    if form == "plain":
        return _scalar(line["plain"])
    if form == "single":
        return line["single"].replace("''", "'")
    if form == "double":
        return line["double"]
    if form == "flow":
        return _items(line["flow"])
    return {} if form == "empty" else None


def _scalar(text: str) -> Any:
    if text[-1] in ": " or ": " in text or " #" in text:
        raise ValueError(text)
    return meaning(text)


def _items(text: str) -> list[Any]:
    found: list[Any] = []
    at = 0
    while at < len(text) or text[-1:] == ",":
        item = _ITEM.match(text, at)
        if item is None:
            if not found and text.isspace():
                return found
            raise ValueError(text)
        found.append(_value(item))
        at = item.end()
    return found
