"""Prompts: a template, its arguments, and which fields belong to which format."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from laconic.kit import Part, Record
from laconic.library.records import ShownLines
from laconic.servers.prompts.models.names import VARIABLE, at_most, is_variable

__all__ = ["Argument", "Edit", "Prompt", "Tag"]


class Argument(Part):
    """What a template expects to be given."""

    name: str
    description: Annotated[str, at_most(1000)] | None = None
    required: bool | None = None
    default: str | None = None
    choices: Annotated[list[str], Field(fail_fast=True)] | None = None

    @field_validator("name")
    @classmethod
    def _check(cls, name: str) -> str:
        name = name.strip()
        if not is_variable(name):
            raise ValueError(f"Expected: {VARIABLE}")
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


class Prompt(
    Record,
    key="name",
    formats={
        "minimal": ("title",),
        "summary": ("title", "description", "tags"),
        "shelved": ("state", "archived_at", "used_by"),
        "metadata": (
            *("id", "title", "description", "arguments", "tags", "version", "labels", "used_by"),
            *("updated_at", "last_used_at", "archived_at", "prompt_length", "prompt_preview"),
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
    labels: list[str] | None = None  # with their versions: `production@3`
    used_by: list[str] | None = None  # the prompts that include it
    version: int
    state: str = "active"
    created_at: datetime | None = None
    updated_at: datetime
    last_used_at: datetime | None = None
    uses: int = 0
    archived_at: datetime | None = None  # a time to come: until then it is active
    deleted_at: datetime | None = None
    prompt_length: int = 0
    prompt_preview: str = ""
    content_metadata: ShownLines | None = None


class Tag(Record, key="name", formats={"full": ("prompts",)}):
    """A tag, and how many prompts have it."""

    name: str
    prompts: int
