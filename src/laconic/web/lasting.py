"""Lasting: a stream is open for as long as the token that opened it is valid."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

from starlette.responses import StreamingResponse
from starlette.types import Message, Scope, Send

from laconic.kit import caller_of
from laconic.kit.redaction import redacted_log
from laconic.library.authors import is_personal
from laconic.library.tokens import PersonalTokens

__all__ = ["TakenInTime", "validity", "while_valid"]

log = redacted_log("laconic.web")

_EVERY: Final = 5.0  # seconds between two looks at a token
_PATIENCE: Final = 20.0  # seconds for a client to take an event, once all buffers are full


def validity(scope: Scope, tokens: PersonalTokens) -> Callable[[], Awaitable[bool]]:
    """Return what says whether the token of a request is still valid; true where none is needed."""
    access = getattr(scope.get("user"), "access_token", None)
    personal = access.token if access is not None and is_personal(caller_of(scope)) else None

    async def is_valid() -> bool:
        if access is None:
            return True
        if access.expires_at is not None and access.expires_at <= time.time():
            return False
        try:
            return personal is None or await tokens.verify(personal) is not None
        except Exception:
            log.warning("the token of a stream could not be looked up", exc_info=True)
            return True

    return is_valid


async def while_valid(
    events: AsyncGenerator[bytes], is_valid: Callable[[], Awaitable[bool]], every: float = _EVERY
) -> AsyncGenerator[bytes]:
    """Yield events until a look at the token, every so many seconds, finds that it is no longer valid."""
    looked = time.monotonic()
    async with aclosing(events):
        async for event in events:
            now = time.monotonic()
            if now - looked >= every:
                if not await is_valid():
                    return
                looked = now
            yield event


class TakenInTime(StreamingResponse):
    """A stream that ends if its client reads nothing: it would hold a place, and never learn of its end."""

    def __init__(self, events: AsyncGenerator[bytes], patience: float = _PATIENCE, **more: Any) -> None:
        super().__init__(events, **more)
        self._events = events
        self._patience = patience

    async def stream_response(self, send: Send) -> None:
        """Send the events, each in time."""

        async def in_time(message: Message) -> None:
            async with asyncio.timeout(self._patience):
                await send(message)

        async with aclosing(self._events):
            try:
                await super().stream_response(in_time)
            except TimeoutError:
                log.info("a stream was ended: its client took no events")
