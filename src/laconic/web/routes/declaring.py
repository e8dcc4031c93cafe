"""Declaring: an operation of a collection, whose address and words follow from the kind of its items."""

from __future__ import annotations

from typing import Any

from laconic.web.collections.collection import Collection
from laconic.web.operations import Operation, Run

__all__ = ["declare"]


def declare(of: Collection, method: str, path: str, name: str, run: Run, **more: Any) -> Operation:
    """Return an operation below the path of a collection; `{item}` in its name is the kind of its items."""
    full_name = name.replace("{item}", of.word)
    return Operation(method, f"{of.path}{path}", full_name, run, of.toolset, noun=of.word, **more)
