"""One setting in a TOML file: set in its place, with every other byte as it was."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

from laconic.kit.errors import Refused

__all__ = ["with_setting"]

_HEADER: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)


def with_setting(text: str, table: str, key: str, value: str) -> str:
    """Return a file's text with a string under a key of a top-level table; names are bare keys.

    Raises:
        Refused: the table or the key is written in a form that cannot be edited safely.
    """
    wanted = tomllib.loads(text.removeprefix("\ufeff"))
    present: Any = wanted.setdefault(table, {})
    if isinstance(present, dict) and present.get(key) == value:
        return text
    after = _edited(text, table, f"{key} = {json.dumps(value)}", key)
    if isinstance(present, dict) and _is_like(after, wanted | {table: {**present, key: value}}):
        return after
    raise Refused(
        f"laconic.toml has [{table}] in a form that cannot be edited safely.",
        advice=f"Write {key} = {json.dumps(value)} there yourself.",
    )


def _edited(text: str, table: str, line: str, key: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    header = re.search(rf"^[ \t]*\[[ \t]*{table}[ \t]*\][^\r\n]*(?:\r?\n|\Z)", text, re.MULTILINE)
    if header is None:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return f"{text}{gap}[{table}]{newline}{line}{newline}"
    below = _HEADER.search(text, header.end())
    end = below.start() if below else len(text)
    own = re.compile(rf"^[ \t]*{key}[ \t]*=[ \t]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*')", re.MULTILINE)
    present = own.search(text, header.end(), end)
    if present is not None:
        return text[: present.start()] + line + text[present.end() :]
    start = header[0] if header[0].endswith("\n") else header[0] + newline
    return text[: header.start()] + start + line + newline + text[header.end() :]


def _is_like(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text.removeprefix("\ufeff")) == wanted
    except tomllib.TOMLDecodeError:
        return False
