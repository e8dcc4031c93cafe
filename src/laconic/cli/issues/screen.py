"""The terminal: whether there is one, and what may be printed on it."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["age", "clean", "console", "is_terminal", "line", "moment", "say", "say_json"]

# A title from somebody's repository must not steer the terminal, nor turn the words around it.
_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def is_terminal() -> bool:
    """Whether a person reads along; else a program does, and gets tabs and no colours."""
    return sys.stdout.isatty()


def console() -> Console:
    """What prints on the terminal; it knows the width, and NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def say(text: str) -> None:
    """Print for a program; a sign takes the place of what the encoding does not have."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def say_json(value: Any) -> None:
    """Print data for a program."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def clean(text: str) -> str:
    """Take out what would steer the terminal; lines and tabs stay."""
    return _STEERING.sub("\ufffd", text.replace("\r\n", "\n"))


def line(text: str) -> str:
    """The same on one line."""
    return clean(" ".join(text.split()))


_UNITS: Final = ((60, "m"), (24, "h"), (60, "d"), (24, "mo"))  # how many of each before the next is used
_SECONDS: Final = {"m": 60, "h": 3600, "d": 86_400, "mo": 2_629_800, "y": 31_557_600}


def age(since: datetime | None, now: datetime | None = None) -> str:
    """How long ago, in two or three letters."""
    if since is None:
        return ""
    seconds = max(0.0, ((now or datetime.now(UTC)) - since).total_seconds())
    for most, unit in _UNITS:
        count = int(seconds // _SECONDS[unit])
        if count < most:
            return f"{count}{unit}" if count or unit != "m" else "now"
    return f"{int(seconds // _SECONDS['y'])}y"


def moment(at: datetime | None) -> str:
    """When, on this person's clock."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}" if at else ""
