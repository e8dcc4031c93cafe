"""One case: make its state, let the model work with the real tools, look at what is there in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.evals.checks import Checked, check
from laconic.evals.model import Asked, Model, ModelFailed, Reply, Result, Wanted
from laconic.evals.references import BadReference, resolved
from laconic.evals.stage import Said, Stage, list_text
from laconic.evals.suite import Case, Limits, Planned, Suite

__all__ = ["BadSuite", "Conversation", "Outcome"]

_READ: Final = "{call}\n\n{answer}"


class BadSuite(Exception):
    """The suite itself is wrong: its state cannot be made, or a reference leads nowhere."""


@dataclass
class Outcome:
    """What a case came to."""

    outcome: str = "fail"  # pass, fail, or error: the model gave no reply that can be used
    reason: str = ""
    checks: list[Checked] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    answer: str = ""
    tokens: dict[str, int] = field(default_factory=dict)


class Conversation:
    """A model and the tools of one stage."""

    def __init__(self, suite: Suite, case: Case, stage: Stage, count: Callable[[str], int]) -> None:
        self._suite, self._case, self._stage, self._count = suite, case, stage, count
        self._state: dict[str, Any] = {"given": [], "reads": []}
        self._asked = Asked(stage.instructions, case.input.ask)
        self._done = Outcome(tokens={"tools": count(list_text(stage.tools)), "answers": 0, "in": 0, "out": 0})

    async def start(self) -> Mapping[str, Any]:
        """Make the starting state, and return what references are looked up in.

        Raises:
            BadSuite: that failed.
        """
        for planned in self._case.input.given:
            self._state["given"].append((await self._look(planned)).data)
        shown = []
        for planned in self._case.input.reads:
            said = await self._stage.call(planned.tool, self._resolved(planned.arguments))
            if said.failed:
                raise BadSuite(f"{self._case.id}: {planned.tool} failed: {said.text}")
            self._state["reads"].append((await self._look(planned)).data)
            shown.append(_READ.format(call=f"Answer of {planned.tool}:", answer=said.text))
        self._asked.question = "\n\n".join([*shown, self._case.input.ask])
        return self._state

    async def hold(self, model: Model, limits: Limits) -> Outcome:
        """Let the model work until it makes no more calls, then check.

        Raises:
            BadSuite: the final state cannot be read.
        """
        try:
            await self._talk(model, limits)
        except ModelFailed as error:
            is_wrong = error.kind in ("malformed", "refused")
            self._done.outcome = "fail" if is_wrong else "error"
            self._done.reason = f"{error.kind}: {error}"
            return self._done
        output = {"calls": self._done.calls, "answer": self._done.answer, "final": await self._final()}
        specs = [*self._suite.checks, *self._case.checks]
        self._done.checks = [one for spec in specs if (one := check(spec, self._case, output)) is not None]
        wrong = [f"{one.name}: {one.words}" for one in self._done.checks if not one.passed]
        self._done.reason = self._done.reason or "; ".join(wrong)
        self._done.outcome = "fail" if self._done.reason or not self._done.checks else "pass"
        return self._done

    async def _talk(self, model: Model, limits: Limits) -> None:
        while True:
            reply = await self._reply(model, limits)
            if not reply.calls:
                self._done.answer = reply.text
                return
            if len(self._done.calls) + len(reply.calls) > limits.max_calls:
                self._done.reason = f"endless: more than {limits.max_calls} calls"
                return
            results = [await self._executed(one) for one in reply.calls]
            self._asked.turns.append((reply, tuple(results)))

    async def _reply(self, model: Model, limits: Limits) -> Reply:
        try:
            async with asyncio.timeout(limits.timeout):
                reply = await model.reply(self._asked, self._stage.tools)
        except TimeoutError:
            raise ModelFailed("slow", f"No reply within {limits.timeout:g} s.") from None
        self._done.tokens["in"] += reply.tokens_in
        self._done.tokens["out"] += reply.tokens_out
        return reply

    async def _executed(self, call: Wanted) -> Result:
        said = Said(call.problem, None, True)
        if not call.problem:
            said = await self._stage.call(call.tool, call.arguments)
        self._done.tokens["answers"] += self._count(said.text)
        self._done.calls.append({"tool": call.tool, "arguments": call.arguments, "failed": said.failed})
        return Result(call.id, said.text, said.failed)

    async def _final(self) -> dict[str, Any]:
        """Look at what is there in the end; what is gone is None."""
        final: dict[str, Any] = {}
        for name, planned in self._case.input.after.items():
            said = await self._stage.look(planned.tool, self._resolved(planned.arguments))
            if said.is_unknown:
                raise BadSuite(f"{self._case.id}: {said.text}")
            final[name] = said.data if not said.failed else None
        return final

    async def _look(self, planned: Planned) -> Said:
        said = await self._stage.look(planned.tool, self._resolved(planned.arguments))
        if said.failed:
            raise BadSuite(f"{self._case.id}: {planned.tool} failed: {said.text}")
        return said

    def _resolved(self, arguments: Mapping[str, Any]) -> Any:
        try:
            return resolved(arguments, self._state)
        except BadReference as error:
            raise BadSuite(f"{self._case.id}: {error}") from None
