"""Whether this caller may make this call here."""

from __future__ import annotations

from collections.abc import Awaitable

from laconic.kit.errors import Refused
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for


def scope(read_only: bool) -> Step:
    """Refuse a write if the server, or the caller's token, is read-only."""

    @only_for(lambda spec: spec.writes and not spec.reads_with)  # of those, `reading` decides
    def step(call: Call, inner: Inner) -> Awaitable[Answer]:
        if read_only:
            raise Refused(
                f"This server is read-only: {call.spec.name} is switched off.",
                advice="Nothing can be changed here; a person can start the server without --read-only.",
            )
        if not call.peer.caller.may_write:
            raise call.peer.caller.refusal(call.spec.name)
        return inner(call)

    return step
