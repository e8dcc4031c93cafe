"""Cells: what a person enters becomes a value, and values are shown as a person sees them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any, Final

__all__ = ["as_entered", "entered", "is_empty", "shown", "value_of"]

_FIRST: Final = date(1899, 12, 30)
_NUMBER: Final = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?([eE][+-]?\d+)?")


def entered(text: Any) -> Any:
    """Return what a cell has after somebody typed something: a number, a truth, a date, a formula, a text."""
    if not isinstance(text, str):
        return text
    if text.startswith("="):
        return {"f": text}
    if text.startswith("'"):
        return text[1:]
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    stripped = text.strip()
    if stripped.endswith("%") and (number := _number(stripped[:-1])) is not None:
        return {"v": number / 100, "pattern": "0.00%" if "." in stripped else "0%"}
    if stripped.startswith("$") and (number := _number(stripped[1:])) is not None:
        return {"v": number, "pattern": "$#,##0.00"}
    try:
        day = date.fromisoformat(stripped) if len(stripped) == 10 else None
    except ValueError:
        day = None
    if day is not None:
        return {"v": (day - _FIRST).days, "pattern": "yyyy-mm-dd"}
    number = _number(stripped)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    if not text or not _NUMBER.fullmatch(text) or not any(sign.isdigit() for sign in text):
        return None
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() and "." not in text and "e" not in text.lower() else value


def value_of(cell: Any) -> Any:
    """Return the bare value of a cell that is no formula."""
    return cell.get("v", "") if isinstance(cell, dict) else cell


def is_empty(cell: Any) -> bool:
    """True if a cell shows nothing."""
    return cell == "" or cell is None or (isinstance(cell, dict) and "f" not in cell and value_of(cell) == "")


def as_entered(cell: Any) -> Any:
    """Return a cell as somebody would have typed it."""
    return cell["f"] if isinstance(cell, dict) and "f" in cell else value_of(cell)


def shown(value: Any, pattern: str = "") -> str:
    """Return a value as a person sees it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if not isinstance(value, int | float):
        return str(value)
    if pattern.endswith("%"):
        digits = 2 if "." in pattern else 0
        return f"{value * 100:.{digits}f}%"
    if pattern.startswith("$"):
        return f"${value:,.2f}"
    if pattern == "yyyy-mm-dd":
        return (_FIRST + timedelta(days=int(value))).isoformat()
    return f"{value:.10g}" if isinstance(value, float) else str(value)
