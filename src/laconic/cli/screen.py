"""The terminal: whether there is one, and what is safe to print on it."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["age", "clean", "console", "is_terminal", "line", "moment", "write", "write_json"]

# A title from a repository must not control the terminal or change the direction of the text around it.
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def is_terminal() -> bool:
    """True if stdout is a terminal; otherwise output has tabs and no colours, for programs."""
    return sys.stdout.isatty()


def console() -> Console:
    """Return a console for the terminal; it respects the width and NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def write(text: str) -> None:
    """Print plain text; characters that the encoding lacks are replaced."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def write_json(value: Any) -> None:
    """Print data as JSON."""
    write(json.dumps(value, ensure_ascii=False, indent=2))


def clean(text: str) -> str:
    """Replace control characters; line breaks and tabs stay."""
    return _CONTROLS.sub("\ufffd", text.replace("\r\n", "\n"))


def line(text: str) -> str:
    """Return the cleaned text on one line."""
    return clean(" ".join(text.split()))


_UNITS: Final = ((60, "m"), (24, "h"), (60, "d"), (24, "mo"))  # how many of each before the next unit is used
_SECONDS: Final = {"m": 60, "h": 3600, "d": 86_400, "mo": 2_629_800, "y": 31_557_600}


def age(since: datetime | None, now: datetime | None = None) -> str:
    """Return how long ago, in two or three characters."""
    if since is None:
        return ""
    seconds = max(0.0, ((now or datetime.now(UTC)) - since).total_seconds())
    for most, unit in _UNITS:
        count = int(seconds // _SECONDS[unit])
        if count < most:
            return f"{count}{unit}" if count or unit != "m" else "now"
    return f"{int(seconds // _SECONDS['y'])}y"


def moment(at: datetime | None) -> str:
    """Return the local time with its distance from UTC, so that it means the same to every reader."""
    return at.astimezone().isoformat(" ", "minutes") if at else ""
