"""What a format of configuration files can do; the modules `jsonc` and `toml_tables` are two such formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["ConfigFormat", "NotEditable"]


class NotEditable(ValueError):
    """The text has another format, or something else where the entry should be."""


class ConfigFormat(Protocol):
    """Reads a text, and edits the entry at a path of names without changing another byte.

    Every function raises NotEditable.
    """

    def load(self, text: str) -> object:
        """Parse the whole text."""

    def has(self, text: str, path: Sequence[str]) -> bool:
        """True if there is a value at the path."""

    def set_member(self, text: str, path: Sequence[str], value_json: str) -> str:
        """Set the value at the path."""

    def remove_member(self, text: str, path: Sequence[str], *, prune: int = 0) -> str:
        """Remove the value, and up to `prune` objects around it that it leaves empty."""

    def restore_member(self, text: str, path: Sequence[str], original: str) -> str:
        """Replace the value by the one that the original has, byte for byte."""
