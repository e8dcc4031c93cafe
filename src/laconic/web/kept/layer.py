"""The layer that answers from what is kept: after the entrance, before a route is looked for."""

from __future__ import annotations

from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from laconic.kit import caller_of
from laconic.web.etags import is_known
from laconic.web.failing import failed_answer
from laconic.web.kept.answers import READS, KeptAnswer, KeptAnswers
from laconic.web.people import peer_of
from laconic.web.rates import rate_headers

__all__ = ["FromKept"]


class FromKept:
    """Gives an answer again, through the steps that every request goes through; passes on all others."""

    def __init__(self, app: ASGIApp, answers: KeptAnswers, tools: Collection[str]) -> None:
        self._app = app
        self._answers = answers
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        is_read = scope["type"] == "http" and scope["method"] in READS
        kept = await self._answers.find(scope) if is_read else None
        if kept is None:
            await self._app(scope, receive, send)
            return
        answer = await kept.way({}, kept.path, peer_of(caller_of(scope)))
        limits = rate_headers(answer.counts) if answer.counts else {}
        if answer.failure is not None:
            refused = failed_answer(answer, self._tools)
            refused.headers.update(limits)
            await refused(scope, receive, send)
            return
        status, headers, body = _said(kept, scope)
        headers = headers + [(name.encode(), value.encode()) for name, value in limits.items()]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _said(kept: KeptAnswer, scope: Scope) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return the status, the headers and the body for a client that may have the answer already."""
    known = next((value for name, value in scope["headers"] if name == b"if-none-match"), None)
    if known is not None and is_known(known.decode("latin-1"), kept.etag):
        return 304, kept.short, b""
    return 200, kept.headers, kept.body
