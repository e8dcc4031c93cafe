"""Scopes: the least that an account is asked to allow, for the APIs that are served."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

_OF_API: Final = {"docs": "documents", "sheets": "spreadsheets", "slides": "presentations"}


def scopes_for(services: Collection[str], more: Collection[str], *, read_only: bool) -> list[str]:
    """Return the scopes to ask for; that of Drive covers the content of all its files."""
    end = ".readonly" if read_only else ""
    if "drive" in services:
        return [f"drive{end}", *more]
    return [*(f"{_OF_API[service]}{end}" for service in services), *more]
