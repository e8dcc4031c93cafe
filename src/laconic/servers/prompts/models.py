"""What a prompt is, and which of its fields belong to which format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
)

from laconic.kit import Part, Record

__all__ = ["Address", "Argument", "Edit", "Edited", "Name", "Prompt", "Saved", "Span"]

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_VARIABLE: Final = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST: Final = 100


def _named(name: str) -> str:
    """Return a name, checked here: a pattern in the schema would cost tokens and explain nothing."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise ValueError("Expected: lower-case words joined by hyphens, such as code-review")
    if len(name) > _LONGEST:
        raise ValueError(f"Expected: at most {_LONGEST} characters")
    return name


def _addressed(address: str) -> str:
    name, at, version = address.strip().partition("@")
    return f"{_named(name)}@{_named(version)}" if at else _named(name)


Name = Annotated[str, AfterValidator(_named)]
Address = Annotated[str, AfterValidator(_addressed)]
"""A name, or a name with a version or a label: `code-review@3`."""


class Argument(Part):
    """What a template expects to be given."""

    name: str
    description: Annotated[str | None, Field(max_length=1000)] = None
    required: bool | None = None
    default: str | None = None
    choices: list[str] | None = None

    @field_validator("name")
    @classmethod
    def _check(cls, name: str) -> str:
        name = name.strip()
        if not _VARIABLE.fullmatch(name) or len(name) > _LONGEST:
            raise ValueError("Expected: a lower-case letter, then letters, digits and _")
        return name

    @model_serializer(mode="wrap")
    def _given(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what is not known of it."""
        return {name: value for name, value in write(self).items() if value is not None}

    @property
    def is_required(self) -> bool:
        """True if it must be given."""
        return bool(self.required) and self.default is None

    def kept(self) -> dict[str, object]:
        """Return what is kept of it."""
        return {**self.model_dump(exclude_none=True), "required": self.is_required}


class Edit(Part):
    """One replacement of several."""

    old_str: str
    new_str: str


class Span(Part):
    """Which lines of a template are shown."""

    total_lines: int
    start_line: int
    end_line: int
    is_partial: bool


class Prompt(
    Record,
    key="name",
    formats={
        "minimal": ("title",),
        "summary": ("title", "description", "tags"),
        "metadata": (
            *("id", "title", "description", "arguments", "tags", "labels", "version"),
            *("updated_at", "last_used_at", "prompt_length", "prompt_preview"),
        ),
        "full": (
            *("id", "title", "description", "arguments", "tags", "version", "updated_at"),
            *("content_metadata", "content"),
        ),
    },
    bodies=("content",),
):
    """A template under a name."""

    id: str
    name: str
    title: str | None = None
    description: str | None = None
    content: str | None = None
    arguments: list[Argument] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    labels: list[str] = Field(default_factory=list)
    version: int
    updated_at: datetime
    last_used_at: datetime | None = None
    prompt_length: int = 0
    prompt_preview: str = ""
    content_metadata: Span | None = None


class Saved(Record, key="name", formats={"minimal": ("id", "version", "changed")}, noun="prompt"):
    """What was saved of a prompt."""

    name: str
    id: str
    version: int
    updated_at: datetime
    changed: list[str] | None = None
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> Sequence[str]:
        """Return what the caller should know besides."""
        return self.remarks


class Edited(
    Record,
    key="name",
    formats={"minimal": ("version", "match_type", "line", "arguments", "diff")},
    bodies=("diff",),
    noun="edit",
):
    """What an edit changed, or would change."""

    name: str
    id: str
    version: int
    updated_at: datetime
    match_type: str
    line: int
    arguments: list[str] | None = None  # their names, if they changed
    diff: str = ""
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> Sequence[str]:
        """Return what the caller should know besides."""
        return self.remarks
