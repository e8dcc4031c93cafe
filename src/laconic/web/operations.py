"""Operations: everything about one route, declared once; FastAPI's route and its document follow from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, Signature, getdoc
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import Header, Path, Query, Request, Response
from pydantic import BaseModel

from laconic.kit import Caller, Effect, caller_of
from laconic.library.authors import author_of
from laconic.library.expecting import Expected
from laconic.library.records import ItemType
from laconic.servers.prompts.models.names import Address
from laconic.stores import By
from laconic.web.etags import expected_versions
from laconic.web.models.values import TagName
from laconic.web.opened import OpenLibrary
from laconic.web.people import source_of

__all__ = ["JSON", "Operation", "Run", "Visit", "WebReply"]

_EFFECTS: Final = {
    "GET": Effect.READ,
    "POST": Effect.CREATE,
    "PATCH": Effect.UPDATE,
    "PUT": Effect.UPDATE,
    "DELETE": Effect.DELETE,
}
JSON: Final = "application/json"
_IN_PATH: Final = re.compile(r"\{(\w+)\}")
_TWO_IDS: Final = r"^[0-9a-fA-F-]{36}\.[0-9a-fA-F-]{36}$"
_PATH: Final[Mapping[str, Any]] = {
    "id": Annotated[UUID, Path(description="The id of an item.")],
    "name": Annotated[Address, Path(description="A name, or to read also `name@3` or `name@label`.")],
    "type": Annotated[ItemType, Path(description="The kind of an item.")],
    "link": Annotated[str, Path(pattern=_TWO_IDS, description="The ids of two items, joined by a dot.")],
    "tag": Annotated[TagName, Path(description="The name of a tag.")],
    "version": Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a version.")],
}
_IF_MATCH: Final = Annotated[
    str | None, Header(alias="If-Match", description="The ETag that the item must still have.")
]
_IF_NONE: Final = Annotated[
    str | None, Header(alias="If-None-Match", description="The ETag of what you have: 304 if it is current.")
]


@dataclass(frozen=True)
class Visit:
    """One request, checked: what it names, what it sends, and who makes it."""

    opened: OpenLibrary
    request: Request
    path: Mapping[str, Any]
    query: Any = None
    body: Any = None
    if_match: str | None = None

    @cached_property
    def caller(self) -> Caller:
        """Who makes it."""
        return caller_of(self.request.scope)

    @cached_property
    def by(self) -> By:
        """Who makes it, for the history."""
        return author_of(self.caller, source_of(self.caller))

    @property
    def id(self) -> str:
        """The item that it names by its id."""
        return str(self.path["id"])

    def expected(self, updated_at: Any = None) -> Expected:
        """Return what the caller believes the item to be."""
        return Expected(expected_versions(self.if_match), updated_at)


@dataclass(frozen=True)
class WebReply:
    """What is answered: a record, or bytes of another type."""

    value: BaseModel | bytes | None = None
    version: int | None = None  # of the item, for its ETag
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None  # None: the operation's
    response: Response | None = None  # in the place of all this: a stream


Run = Callable[[Visit], Awaitable[WebReply]]


@dataclass(frozen=True)
class Operation:
    """One method of one path: what it takes, what it gives, and which statuses it may have besides."""

    method: str
    path: str
    name: str  # unique; the docs and clients made from them use it
    run: Run
    toolset: str
    gives: Any = None
    status: int = 200
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    fails: tuple[int, ...] = ()
    also: Mapping[int, type[BaseModel]] = field(default_factory=dict)  # statuses with a body of their own
    guarded: bool = False  # takes If-Match
    effect_is: Literal["read", "create", "update", "delete"] | None = None  # None: as its method says
    is_open: bool = False  # needs no token
    is_documented: bool = True
    is_stream: bool = False
    counted: bool = True  # by the rate limits
    is_kept: bool = False  # its address and the library alone decide its answer, whoever asks
    media: tuple[str, ...] = (JSON,)  # what it answers with; the first, unless something else is asked for
    noun: str = "item"  # what its description calls an item

    @property
    def effect(self) -> Effect:
        """What it does to the library."""
        return Effect(self.effect_is) if self.effect_is else _EFFECTS[self.method]

    @property
    def has_etag(self) -> bool:
        """True if what it answers can be asked for again; a stream has no end."""
        return self.method == "GET" and not self.is_stream

    @property
    def says(self) -> str:
        """What it does, in words."""
        said = " ".join((getdoc(self.run) or "").split())
        if self.noun == "item":
            return said
        return (
            said.replace("an item", f"a {self.noun}")
            .replace("An item", f"A {self.noun}")
            .replace(" item", f" {self.noun}")
        )

    @property
    def in_path(self) -> list[str]:
        """The names in its path."""
        return _IN_PATH.findall(self.path)

    @property
    def subject(self) -> str | None:
        """What the journal says it is about."""
        return "".join(f"{{{name}}}" for name in self.in_path) or None

    @cached_property
    def signature(self) -> Signature:
        """The parameters of its route, which FastAPI reads and documents."""
        takes: dict[str, Any] = {"request": Request}
        takes |= {name: _PATH[name] for name in self.in_path}
        if self.query is not None:
            takes["query"] = Annotated[self.query, Query()]
        if self.body is not None:
            takes["body"] = self.body
        optional = {"if_match": _IF_MATCH} if self.guarded else {}
        optional |= {"if_none_match": _IF_NONE} if self.method == "GET" else {}
        keyword = Parameter.KEYWORD_ONLY
        return Signature(
            [
                *(Parameter(name, keyword, annotation=kind) for name, kind in takes.items()),
                *(Parameter(name, keyword, annotation=kind, default=None) for name, kind in optional.items()),
            ]
        )
