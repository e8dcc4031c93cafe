"""YAML scalars: what a plain word means here, and how to write a string that every parser reads as a string.

Strings are written as js-yaml 3.14 does: plain where safe, otherwise in single quotes; `>-` for long lines,
`|-` for several lines; double quotes for unprintable characters. Only emoji differ: they are not escaped.
"""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from laconic.lazily import regex

PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED = "", "'", '"', "|", ">"

_WORDS: Final = {word: None for word in ("", "~", "null", "Null", "NULL")} | {
    word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")
}
_WHOLE: Final = regex("0|-?[1-9][0-9]{0,17}")  # longer ones are ids, not quantities
_NO_TEXT: Final = frozenset(["", *"~-0123456789nNtTfF"])  # how all of these begin

# What some parser of YAML 1.1 or 1.2 does not read as a string.
_FOREIGN: Final = regex(
    r"(?P<word>(?i:y|n|yes|no|on|off|true|false|null|~|))"
    r"|(?P<date>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s]\s*[0-9].*)?)"
    r"|(?P<number>[-+]?(?:0[bB][01_]+|0[oO][0-7_]+|0[xX][0-9a-fA-F_]+|\.(?i:inf|nan)"
    r"|\.?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]*)?(?::[0-9_.]*)*))"
    r"|(?P<mark><<|=|<{7,} .*)"
)
_UNPRINTABLE: Final = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_ODD: Final = regex(f"[{_UNPRINTABLE}]")
_ODD_IN_A_LINE: Final = regex(f"(?!\n)[{_UNPRINTABLE}]")
_TO_ESCAPE: Final = regex(f'["\\\\{_UNPRINTABLE}]')
_START: Final = r"(?![-?:,\[\]{}#&*!|=>'\"%@` ])"
_SAFE: Final = regex(_START + r"(?:[^,\[\]{}: ]| (?!#))+(?<! )")
_LEGAL: Final = regex(_START + r"(?:[^: ]|:(?=[^ ])| (?!#))+(?<! )")  # outside [] and {}
_ESCAPES: Final = dict(zip('\0\a\b\t\n\v\f\r\x1b"\\\x85\xa0\u2028\u2029', '0abtnvfre"\\N_LP', strict=True))


def meaning(text: str) -> str | int | bool | None:
    """Read a plain scalar: true, false, null and integers get their type, everything else is a string.

    So `yes`, `000123`, `1e3`, `1.10` and `2025-01-01` stay as written.
    """
    if text[:1] not in _NO_TEXT:  # most are decided by their first letter
        return text
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _WHOLE.fullmatch(text) else text


_TAGS: Final[dict[str, Callable[[str], Any]]] = {
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:bool": meaning,
    "tag:yaml.org,2002:null": meaning,
}


def foreign(text: str) -> str | None:
    """Return what some YAML parser would read the plain text as; None if all read a string."""
    found = _FOREIGN.fullmatch(text)
    return found.lastgroup if found else None


def usual(text: str, width: int | None) -> str:
    """Choose the style for a string; without a width, it must stay on one line."""
    if (_ODD if width is None else _ODD_IN_A_LINE).search(text):
        return DOUBLE
    lines = text.split("\n")
    if width is not None and any(len(line) > width and line[0] != " " for line in lines):
        return FOLDED
    if len(lines) > 1:
        return LITERAL
    return PLAIN if _SAFE.fullmatch(text) and foreign(text) is None else SINGLE


def can_write(style: str, text: str, before: str) -> bool:
    """True if a string can be written in the style of the string it replaces.

    A date or a `yes` may replace another one without quotes: a parser that misreads it already did so before.
    """
    if style == DOUBLE:
        return True
    if _ODD_IN_A_LINE.search(text) or not text.strip("\n "):
        return style == SINGLE and not _ODD.search(text)
    if style in (LITERAL, FOLDED):
        return True
    if style == SINGLE or "\n" in text:
        return "\n" not in text
    known = foreign(text) in (None, foreign(before)) and isinstance(meaning(text), str)
    return known and _LEGAL.fullmatch(text) is not None


def write(text: str, style: str, indent: int, width: int) -> str:
    """Write a string; the lines of a block are indented by `indent` columns."""
    if style == SINGLE:
        return "'" + text.replace("'", "''") + "'"
    if style == DOUBLE:
        return '"' + _TO_ESCAPE.sub(_escape, text) + '"'
    if style in (LITERAL, FOLDED):
        return _block(text, style, indent, width)
    return text


def number(value: float) -> str:
    """Write a number; a decimal or very long one gets a tag, which distinguishes it from a string.

    Raises:
        TypeError: it is infinite or not a number.
    """
    if not math.isfinite(value):
        raise TypeError(f"{value} cannot be written into a header.")
    text = repr(value)
    return text if isinstance(meaning(text), int) else f"!!{type(value).__name__} {text}"


def tagged(tag: str, text: str) -> Any:
    """Read a scalar with an explicit tag; unknown tags are ignored."""
    read = _TAGS.get(tag, str)
    try:
        return read(text)
    except ValueError:
        return text


def _escape(found: re.Match[str]) -> str:
    letter = found[0]
    if letter in _ESCAPES:
        return "\\" + _ESCAPES[letter]
    return f"\\x{ord(letter):02X}" if ord(letter) < 256 else f"\\u{ord(letter):04X}"


def _block(text: str, style: str, indent: int, width: int) -> str:
    chomp = "+" if text.endswith("\n\n") or text == "\n" else "" if text.endswith("\n") else "-"
    explicit = "2" if text.lstrip("\n").startswith(" ") else ""  # a parser could not detect the indentation
    lines = (_fold(text, width) if style == FOLDED else text).removesuffix("\n").split("\n")
    return f"{style}{explicit}{chomp}\n" + "\n".join(" " * indent * bool(line) + line for line in lines)


def _fold(text: str, width: int) -> str:
    """Break long lines at spaces; a real line break becomes two, except next to an indented line."""
    first, *_ = text.split("\n", 1)
    folded = _wrap(first, width)
    indented = text[0] in "\n "
    for breaks, line in re.findall("(\n+)([^\n]*)", text[len(first) :]):
        doubled = line != "" and not indented and not line.startswith(" ")
        folded += breaks + "\n" * doubled + _wrap(line, width)
        indented = line.startswith(" ")
    return folded


def _wrap(line: str, width: int) -> str:
    if line.startswith(" "):
        return line
    done: list[str] = []
    for word in re.split(r"(?<=[^ ]) (?=[^ ])", line):
        if done and len(done[-1]) + 1 + len(word) <= width:
            done[-1] += " " + word
        else:
            done.append(word)
    return "\n".join(done)
