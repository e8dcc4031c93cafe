"""Arguments that were checked, as the steps and the function get them."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from laconic.data import dataclass

__all__ = ["Checked"]


@dataclass
class Checked:
    """Valid arguments: the function's own by Python name, and those of the kit."""

    values: dict[str, Any]
    wire: dict[str, Any]
    cursor: str | None = None
    limit: int | None = None
    offset: int = 0
    format: str | None = None
    fields: list[str] | None = None
    json: str | None = None  # "json": data as JSON in the text
    confirm: bool = False
    guard: Any = None
    key: str | None = None
    again: bool = False
    budget: int | None = None
    size: int = 0  # bytes of all of them as JSON; 0: not known
    notes: list[str] = field(default_factory=list)
