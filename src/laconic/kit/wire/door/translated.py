"""Whatever a request raises before its answer has started becomes an answer, also at the SDK's addresses."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.kit.answers.envelope import Envelope
from laconic.kit.redaction import Redactor
from laconic.kit.wire.door.failed import answer_to

__all__ = ["Translated"]


class Translated:
    """A layer around what the SDK does with a request, such as asking a verifier about a token."""

    def __init__(self, app: ASGIApp, redactor: Redactor, envelope: Envelope) -> None:
        self._app = app
        self._redactor = redactor
        self._envelope = envelope

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def write(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, write)
        except Exception as error:
            if has_begun:
                raise
            await answer_to(error, scope, self._redactor, self._envelope)(scope, receive, send)
