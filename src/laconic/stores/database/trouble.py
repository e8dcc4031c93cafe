"""Trouble: what the error of a driver means for the caller, and whether another attempt makes sense."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.stores.errors import StoreError

__all__ = ["Trouble"]


@dataclass(frozen=True)
class Trouble:
    """The error to raise; `again` if it may pass, `undone` if a failed commit has certainly kept nothing."""

    error: StoreError
    again: bool = False
    undone: bool = False
