"""Bodies: what is sent to create and to change items. Keys that are not known are ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, field_validator

from laconic.kit import UNSET
from laconic.library.placing import Placing
from laconic.servers.prompts.models import Name
from laconic.web.models.values import (
    CONTENTS,
    WHOLE,
    Address,
    ArgumentList,
    Description,
    Links,
    Stamp,
    Tags,
    Title,
    filled,
)

__all__ = [
    "BookmarkChange",
    "ItemChange",
    "NewBookmark",
    "NewItem",
    "NewNote",
    "NewPrompt",
    "NoteChangeBody",
    "PromptChange",
    "PromptReplacement",
    "TextReplacement",
]

_Template = Annotated[str, Field(max_length=CONTENTS["prompt"]), WHOLE]
_Note = Annotated[str, Field(max_length=CONTENTS["note"]), WHOLE]
_Page = Annotated[str, Field(max_length=CONTENTS["bookmark"]), WHOLE]
_Heading = Annotated[Title, AfterValidator(filled)]


class _Placed(BaseModel):
    """What may be said of every item besides its fields."""

    archived_at: Stamp | None = None
    relationships: Links | None = None

    @property
    def placing(self) -> Placing:
        """What was said."""
        given, links = self.relationships, None
        if given is not None:
            links = {str(one.target_id): one.description for one in given}
        archived = self.archived_at if "archived_at" in self.model_fields_set else UNSET
        kinds = {str(one.target_id): one.target_type for one in given or () if one.target_type is not None}
        return Placing(links, archived, kinds)


class NewItem(_Placed):
    """What every new item may have."""

    description: Description | None = None
    tags: Tags | None = None

    @property
    def placing(self) -> Placing:
        """What was said; a new item has nothing to clear."""
        given = super().placing
        return given if self.archived_at is not None else replace(given, archived_at=UNSET)


class NewPrompt(NewItem):
    """A prompt to keep; arguments that are not given come from the template."""

    name: Name
    title: Title | None = None
    content: _Template
    arguments: ArgumentList | None = None


class NewNote(NewItem):
    """A note to keep."""

    title: _Heading
    content: _Note | None = None


class NewBookmark(NewItem):
    """A bookmark to keep; its page is not read."""

    url: Address
    title: Title | None = None
    content: _Page | None = None


class ItemChange(_Placed):
    """New values for an item: what is left out stays; null clears a title, a description or the archive."""

    description: Description | None = None
    tags: Tags | None = None
    expected_updated_at: Stamp | None = None

    def given(self, *names: str) -> dict[str, Any]:
        """Return the fields that were sent, null included; UNSET for the others."""
        return {name: getattr(self, name) if name in self.model_fields_set else UNSET for name in names}


class PromptChange(ItemChange):
    """New values for a prompt; its template and its arguments are checked together."""

    name: Name | None = None
    title: Title | None = None
    content: _Template | None = None
    arguments: ArgumentList | None = None

    @field_validator("name", mode="before")
    @classmethod
    def _named(cls, name: object) -> object:
        if name is None:
            raise ValueError("Expected: a name; a prompt always has one")
        return name


class NoteChangeBody(ItemChange):
    """New values for a note."""

    title: _Heading | None = None
    content: _Note | None = None

    @field_validator("title", mode="before")
    @classmethod
    def _titled(cls, title: object) -> object:
        if title is None:
            raise ValueError("Expected: a title; a note always has one")
        return title


class BookmarkChange(ItemChange):
    """New values for a bookmark."""

    url: Address | None = None
    title: Title | None = None
    content: _Page | None = None

    @field_validator("url", mode="before")
    @classmethod
    def _addressed(cls, url: object) -> object:
        if url is None:
            raise ValueError("Expected: an address; a bookmark always has one")
        return url


class TextReplacement(BaseModel):
    """A text to replace, which must occur exactly once."""

    old_str: Annotated[str, Field(min_length=1, max_length=CONTENTS["bookmark"]), WHOLE]
    new_str: Annotated[str, Field(max_length=CONTENTS["bookmark"]), WHOLE]


class PromptReplacement(TextReplacement):
    """A text to replace in a template, and the arguments that it has then."""

    arguments: ArgumentList | None = None
