"""Answers: what was saved or edited, the versions of a prompt, and what changed between two."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from laconic.kit import Record
from laconic.library.records import WrittenItem

__all__ = ["Edited", "PromptComparison", "PromptVersion", "Saved"]


class Saved(WrittenItem, key="name", formats={"minimal": ("id", "version", "changed")}, noun="prompt"):
    """What was saved of a prompt."""

    name: str
    changed: list[str] | None = None


class Edited(
    WrittenItem,
    key="name",
    formats={"minimal": ("version", "match_type", "line", "arguments", "diff")},
    bodies=("diff",),
    noun="edit",
):
    """What an edit changed, or would change."""

    name: str
    match_type: str
    line: int
    arguments: list[str] | None = None  # their names, if they changed
    diff: str = ""


class PromptVersion(
    Record,
    key="version",
    formats={"summary": ("at", "action", "by", "changed", "labels")},
    noun="version",
):
    """One version of a prompt."""

    version: int
    at: datetime
    action: str
    by: str
    changed: list[str] = Field(default_factory=list)
    labels: list[str] | None = None
    name: str = ""  # that it had then
    source: str = ""


class PromptComparison(
    Record,
    key="name",
    formats={"full": ("from_version", "to_version", "changes", "diff")},
    bodies=("diff",),
    noun="comparison",
):
    """What changed from one version of a prompt to another."""

    name: str
    from_version: int
    to_version: int
    changes: dict[str, list[Any]] = Field(default_factory=dict)  # by field: before and after
    diff: str = ""
