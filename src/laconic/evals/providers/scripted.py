"""A scripted model: its replies are in the suite, right ones and wrong ones, to test the harness."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from laconic.evals.conversation import BadSuite
from laconic.evals.model import Asked, ModelFailed, Reply, ToolCard, Wanted
from laconic.evals.references import BadReference, resolved
from laconic.evals.suite import Turn

__all__ = ["Scripted"]


class Scripted:
    """Replies one turn of its script after the other, then nothing more."""

    def __init__(self, turns: Sequence[Turn], state: Mapping[str, Any]) -> None:
        self._turns = turns
        self._state = state  # what references in its calls are looked up in

    async def reply(self, asked: Asked, tools: Sequence[ToolCard]) -> Reply:
        """Return the next turn of the script."""
        place = len(asked.turns)
        turn = self._turns[min(place, len(self._turns) - 1)] if self._turns else Turn()
        if place >= len(self._turns) and turn.does != "repeat":
            return Reply()
        match turn.does:
            case "refuse":
                raise ModelFailed("refused", "The model refused to answer.")
            case "babble":
                raise ModelFailed("malformed", "The reply of the model is not what its API describes.")
            case "stall":
                await asyncio.Event().wait()  # until the time for a reply is over
        try:
            calls = [(one.tool, resolved(one.arguments, self._state)) for one in turn.calls]
        except BadReference as error:
            raise BadSuite(f"A script is wrong: {error}") from None
        wanted = (Wanted(f"call-{place}-{n}", tool, given) for n, (tool, given) in enumerate(calls))
        return Reply(turn.says, tuple(wanted))
