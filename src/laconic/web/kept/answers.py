"""Answers that are kept: each with what it takes to give it again, through the same steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from fastapi import Response
from starlette.types import Scope

from laconic.kit.peer import Peer
from laconic.kit.pipeline import Answer
from laconic.stores.database.kept import Kept
from laconic.stores.database.watching import Mark

if TYPE_CHECKING:
    from laconic.stores import Shelf

__all__ = ["READS", "KeptAnswer", "KeptAnswers", "Way"]

READS: Final = frozenset({"GET", "HEAD"})

_MOST: Final = 16 * 2**20  # bytes of all answers of a process
_AROUND: Final = 1_200  # bytes that an answer takes besides its texts
_OF_BODY: Final = b"content-"  # headers that are about the body

RawHeaders = list[tuple[bytes, bytes]]
Way = Callable[[Mapping[str, Any], Mapping[str, Any], Peer], Awaitable[Answer]]


@dataclass(frozen=True)
class KeptAnswer:
    """An answer, and the way that its requests go through the steps."""

    way: Way
    path: Mapping[str, Any]  # what the address names
    etag: str
    headers: RawHeaders
    body: bytes

    @cached_property
    def short(self) -> RawHeaders:
        """The headers for a client that has the answer already."""
        return [pair for pair in self.headers if not pair[0].startswith(_OF_BODY)]


class KeptAnswers:
    """The answers of one process, by their addresses."""

    def __init__(self, shelf: Callable[[], Shelf], most: int = _MOST) -> None:
        self._shelf = shelf
        self.kept: Final[Kept[KeptAnswer]] = Kept(most)

    async def find(self, scope: Scope) -> KeptAnswer | None:
        """Return the answer to a request, if there is one and nothing changed since."""
        key = _key(scope)
        if key not in self.kept:
            return None
        return self.kept.get(await self._shelf().mark(), key)

    async def mark(self) -> Mark | None:
        """Return the mark of the library, before anything is read for an answer."""
        mark = await self._shelf().mark(learns=True)
        self.kept.start(mark)
        return mark

    def keep(self, mark: Mark | None, scope: Scope, way: Way, response: Response) -> None:
        """Keep the answer to a request, made from what was read after this mark."""
        etag = response.headers.get("etag")
        if mark is None or etag is None:
            return
        path, body, key = scope["path_params"], bytes(response.body), _key(scope)
        answer = KeptAnswer(way, path, etag, list(response.raw_headers), body)
        texts = [body, *key, *(text for pair in answer.headers for text in pair)]
        self.kept.keep(mark, key, answer, sum(map(len, texts)) + _AROUND)


def _key(scope: Scope) -> tuple[str, bytes]:
    return scope["path"], scope["query_string"]
