"""Tools that do what tools should not, or do it slowly, and a server for them on either wire of stdio.

`python -m tests.wire.odd lean` or `… sdk`.
"""

import asyncio
import math
import sys
from pathlib import Path
from typing import Annotated, Any

from laconic.kit import Answer, Changes, Peer, Progress, Text, Toolset
from tests.conformance.fixtures import NAME, conformance, typed
from tests.toolsets.workshop import workshop

odd = Toolset("odd", "Tools that try the wire.")
held: list[str] = []  # what was started, ended or stopped, in this process


def touch(mark: str) -> None:
    if mark:
        Path(mark).touch()


@odd.read
async def odd_say(text: Annotated[str, "What to say."] = "something") -> str:
    """Answer at once."""
    return text


@odd.read(deadline=60)
async def odd_hold(
    seconds: Annotated[float, "How long."] = 60, mark: Annotated[str, "A file to touch."] = ""
) -> str:
    """Wait for a while."""
    held.append("started")
    touch(mark)
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        held.append("stopped")
        touch(mark and f"{mark}.stopped")
        raise
    return f"Held for {seconds:g} s."


@odd.read
async def odd_nap(seconds: Annotated[float, "How long; never longer than a moment."] = 0) -> str:
    """Answer a little later; a longer wait would use up all concurrent calls of a caller."""
    await asyncio.sleep(min(max(seconds, 0), 0.02))
    return "Awake."


@odd.read
async def odd_stubborn() -> str:
    """Answer, cancelled or not."""
    held.append("started")
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        held.append("stubborn")
    return "All the same."


@odd.read(deadline=60)
async def odd_shout(
    progress: Progress, times: Annotated[int, "How often."] = 10, size: Annotated[int, "How long."] = 10
) -> str:
    """Report progress, over and over."""
    for number in range(times):
        await progress(number, times, "x" * size)
        held.append(f"said {number}")
    return "Said."


@odd.read
async def odd_number() -> dict[str, float]:
    """Return a number that JSON does not have."""
    return {"value": math.nan}


@odd.read
async def odd_answer() -> Answer:
    """Return a finished answer with such a number."""
    return Answer([Text("")], {"value": math.nan})


@odd.read
async def odd_deep(depth: Annotated[int, "How deep."] = 5000) -> dict[str, Any]:
    """Return a deeply nested value."""
    inner: dict[str, Any] = {}
    for _ in range(depth):
        inner = {"in": inner}
    return inner


@odd.read
async def odd_exit() -> str:
    """Exit, as a program does."""
    sys.exit(3)


@odd.read
async def odd_question(peer: Peer) -> str:
    """Ask something that cannot be written."""
    await peer.ask({"it": ("elicitation/create", {"message": "?", "requestedSchema": {"x": math.nan}})})
    return "never"


@odd.read(deadline=60)
async def odd_ask(peer: Peer, who: Annotated[str, "Whose name."] = "you") -> str:
    """Ask for a name."""
    return f"{who}: {typed((await peer.ask({'name': NAME}))['name'], 'name')}"


@odd.update
async def odd_change(changes: Changes) -> str:
    """Report that the tools changed."""
    await changes.tell("tools")
    return "Told."


TOOLSETS = (odd, workshop, conformance)


def main(wire: str) -> None:
    from laconic.kit import Endpoint

    endpoint = Endpoint(TOOLSETS, name="odd")
    if wire == "sdk":
        from laconic.kit.wire.stdio import serve_stdio

        asyncio.run(serve_stdio(endpoint))
        return
    from laconic.kit.wire.about import ServerCard
    from laconic.kit.wire.lean.opening import open_stdio
    from laconic.kit.wire.lean.serving import serve_lean

    opened = open_stdio(ServerCard.of(endpoint), 0, 1)
    if opened is not None:
        asyncio.run(serve_lean(endpoint, opened))


if __name__ == "__main__":
    main(sys.argv[1])
