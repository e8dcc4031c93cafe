"""Plain headers: the few forms that most headers consist of, read several times as fast as YAML.

Every line is a key with a value on the same line, or an item of a list or a key of a mapping below a key. A
header with anything else, even a comment, is left to the parser, so that both always agree.
"""

import re
from typing import Any, Final

from laconic.lazily import regex
from laconic.stores.header.yaml_scalars import meaning

__all__ = ["ITEM", "LINE", "is_plain", "plain_values", "unquoted"]

_ODD: Final = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"  # and all blanks but a space
_QUOTED: Final = rf"('(?:[^'{_ODD}]|'')*'|\"[^\"\\{_ODD}]*\")"
LINE: Final = regex(
    r"^( *)(?:(- +)|([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: +|(?=\n)))"
    rf"(?:{_QUOTED}|(\[[^\[\]{{}}{_ODD}]*\]|\{{\}})|([^-?:,\[\]{{}}#&*!|>'\"%@` {_ODD}][^{_ODD}]*))?\n",
    re.MULTILINE,
)
ITEM: Final = regex(rf" *(?:{_QUOTED}|([^\W\d_][\w.+/-]*(?: +[^\W\d_][\w.+/-]*)*)) *(?:,|\Z)")


def plain_values(header: str) -> dict[str, Any] | None:
    """Return the values of a plain header; None if it is not one, or perhaps not."""
    lines = LINE.findall(header)
    if len(lines) != header.count("\n") or header[-1:] not in ("", "\n"):
        return None  # some line is not a plain one
    values: dict[str, Any] = {}
    below: list[Any] | dict[str, Any] | None = None  # the list or mapping that the next line may continue
    name, width = "", 0
    for blanks, dash, key, quoted, inline, plain in lines:
        if plain:
            if plain[-1] in ": " or ": " in plain or " #" in plain:
                return None
            value: Any = meaning(plain)
        elif inline:
            value = _items(inline)
            if value is None:
                return None
        else:
            value = unquoted(quoted) if quoted else None
        if key and not blanks:
            if key in values:
                return None
            values[key], below = value, None
            name = "" if plain or inline or quoted else key
            continue
        if below is None and name:
            below = values[name] = [] if dash else {}
            width = len(blanks)
        if below is None or width != len(blanks) or isinstance(below, dict) is bool(dash):
            return None
        if isinstance(below, list):
            if not (plain or inline or quoted):
                return None
            below.append(value)
        elif key in below:
            return None
        else:
            below[key] = value
    return values


def is_plain(header: str) -> bool:
    """True if a header is certainly a plain one."""
    return plain_values(header) is not None


def unquoted(text: str) -> str:
    """Return what a text in quotes means."""
    return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1]


def _items(text: str) -> list[Any] | dict[str, Any] | None:
    """Return a list in brackets, or an empty mapping; None if it may be something else."""
    if text == "{}":
        return {}
    found: list[Any] = []
    inner, at = text[1:-1], 0
    if not inner.strip(" "):
        return found
    while at < len(inner) or inner[-1] == ",":
        item = ITEM.match(inner, at)
        if item is None:
            return None
        found.append(unquoted(item[1]) if item[1] else meaning(item[2]))
        at = item.end()
    return found
