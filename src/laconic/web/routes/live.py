"""The live stream: server-sent events with names of what changed."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from starlette.responses import Response

from laconic.kit import BadArguments
from laconic.web.feed import KINDS
from laconic.web.heading import wants_headers
from laconic.web.lasting import TakenInTime, validity, while_valid
from laconic.web.operations import Operation, Visit, WebReply

__all__ = ["LiveRoutes"]

_MEDIA = "text/event-stream"


class LiveQuery(BaseModel):
    """Which kinds of changes."""

    on: Annotated[str, Field(description=f"Of {', '.join(KINDS)}, joined by commas; all, if left out.")] = ""


class LiveRoutes:
    """The route that tells of changes as they happen."""

    def __init__(self, toolset: str) -> None:
        self._toolset = toolset

    def operations(self) -> list[Operation]:
        """Return its operations."""
        return [
            Operation(
                *("GET", "/live", "live", self.live, self._toolset),
                query=LiveQuery,
                media=(_MEDIA,),
                is_stream=True,
                fails=(400,),
            )
        ]

    async def live(self, visit: Visit) -> WebReply:
        """Stream events that name what was changed, by tools and by requests, never contents."""
        kinds = [one.strip() for one in visit.query.on.split(",") if one.strip()] or list(KINDS)
        if unknown := [one for one in kinds if one not in KINDS]:
            raise BadArguments(f"Unknown kind '{unknown[0][:80]}'.", field="on", allowed=KINDS)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if wants_headers(visit.request):
            return WebReply(response=Response(media_type=_MEDIA, headers=headers))
        feed = visit.opened.feed
        feed.check()
        stream = feed.stream(kinds, visit.request.headers.get("last-event-id"))
        lasting = while_valid(stream, validity(visit.request.scope, visit.opened.tokens))
        return WebReply(response=TakenInTime(lasting, media_type=_MEDIA, headers=headers))
