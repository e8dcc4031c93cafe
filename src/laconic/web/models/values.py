"""Values of fields: what a text, a tag or an address may be, said where a request is checked."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from laconic.kit import Failure
from laconic.library.limits import DESCRIPTION, TITLE
from laconic.library.records import ItemType
from laconic.servers.notes.bookmarks import one_form
from laconic.servers.prompts.models import Argument
from laconic.stores import BadValue
from laconic.stores.shelf.names import tag_name, tag_names

__all__ = [
    "CONTENTS",
    "WHOLE",
    "Address",
    "ArgumentList",
    "Description",
    "Links",
    "NewLink",
    "Stamp",
    "TagName",
    "Tags",
    "Title",
    "Why",
    "Zoned",
    "filled",
]

CONTENTS: Final = {"prompt": 100_000, "note": 500_000, "bookmark": 512_000}  # characters


_NUL: Final = "It has a NUL character, which cannot be kept"


def _whole(text: str) -> str:
    if "\0" in text:
        raise ValueError(_NUL)
    return text


def filled(text: str) -> str:
    """Refuse a blank text."""
    if not text.strip():
        raise ValueError("Expected: a text that is not blank")
    return text


def _tags(given: list[str]) -> list[str]:
    try:
        return list(tag_names(given))
    except BadValue as error:
        raise ValueError(str(error)) from None


def _tag(given: str) -> str:
    try:
        return tag_name(given)
    except BadValue as error:
        raise ValueError(str(error)) from None


def _each_once(given: list[Argument]) -> list[Argument]:
    counts = Counter(argument.name for argument in given)
    if twice := sorted(name for name, count in counts.items() if count > 1):
        raise ValueError(f"Duplicate arguments: {', '.join(twice)}")
    if any("\\u0000" in argument.model_dump_json() for argument in given):
        raise ValueError(_NUL)
    return given


def _said(why: str | None) -> str | None:
    return (why or "").strip() or None


def _url(given: str) -> str:
    try:
        return one_form(given)
    except Failure as failure:
        raise ValueError(failure.message.removeprefix("Invalid url. ")) from None


def _aware(at: datetime) -> datetime:
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise ValueError("Expected: a time between the years 1 and 9999") from None


WHOLE: Final = AfterValidator(_whole)
"""After a limit of the length: one that is checked later would count items, not characters."""
Title = Annotated[str, Field(max_length=TITLE), WHOLE]
Description = Annotated[str, Field(max_length=DESCRIPTION), WHOLE]
# Each thing that is wrong in a list is told: a list of a million would keep the server busy for minutes.
Tags = Annotated[list[str], Field(max_length=1000), AfterValidator(_tags)]
TagName = Annotated[str, AfterValidator(_tag)]
ArgumentList = Annotated[list[Argument], Field(max_length=2000), AfterValidator(_each_once)]
Address = Annotated[str, WHOLE, AfterValidator(_url)]
Why = Annotated[Annotated[str, Field(max_length=500), WHOLE] | None, AfterValidator(_said)]
"""What a relationship is for; a blank text is none."""
Stamp = Annotated[datetime, AfterValidator(_aware)]
"""A time; without a zone it is taken as UTC."""
Zoned = Annotated[AwareDatetime, AfterValidator(_aware)]


class NewLink(BaseModel):
    """A relationship that an item should have."""

    target_id: UUID
    target_type: ItemType | None = None
    relationship_type: Literal["related"] = "related"
    description: Why = None


Links = Annotated[list[NewLink], Field(max_length=1000)]
