"""Compact JSON: a value in as few letters as possible."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["compact"]

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)


def compact(value: Any) -> str:
    """Return a value as compact JSON; what is no JSON is written as text."""
    return _ENCODER.encode(value)
