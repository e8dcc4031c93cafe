"""Whether this caller may make this call here."""

from __future__ import annotations

from laconic.kit.errors import Refused
from laconic.kit.pipeline import Answer, Call, Inner, Step


def scope(read_only: bool) -> Step:
    """Refuse a write if the server, or the caller's token, is read-only."""

    async def step(call: Call, inner: Inner) -> Answer:
        if call.spec.writes:
            if read_only:
                raise Refused(
                    f"This server is read-only: {call.spec.name} is switched off.",
                    advice="Nothing can be changed here; a person can start the server without --read-only.",
                )
            scopes = call.peer.caller.scopes
            if scopes is not None and "write" not in scopes:
                raise Refused(
                    f"Your token may only read: {call.spec.name} needs the scope 'write'.",
                    code="ACCESS_DENIED",
                    advice="Ask for a token that has it.",
                )
        return await inner(call)

    return step
