"""The contract of a toolset: every check on every tool, as cases that pytest or a loop can run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cached_property
from inspect import isawaitable
from typing import Any, TypeVar

from laconic.kit.contract.checks import CHECKS, Check
from laconic.kit.contract.terms import Broken, Terms, Untried
from laconic.kit.contract.trial import Declared, Trial, on_trial
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.pipeline import Output
from laconic.kit.testing import ERAS, Over
from laconic.text import nearest

__all__ = ["Case", "Contract"]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Case:
    """One check of one tool, in one output mode and era."""

    contract: Contract
    check: Check
    spec: ToolSpec | None = None
    output: Output = "text"
    era: str = ERAS[-1]
    over: Over = "memory"

    @property
    def id(self) -> str:
        """Its name in a test report."""
        where = [self.output, self.era] if self.check.of == "call" else []
        over = [self.over] if self.over != "memory" else []
        return "-".join([*([self.spec.name] if self.spec else []), self.check.name, *where, *over])

    @property
    def excuse(self) -> str | None:
        """Why it may fail."""
        excused = self.contract.excused
        return excused.get(f"{self.check.name}:{self.spec.name}" if self.spec else "") or excused.get(
            self.check.name
        )

    def run(self) -> None:
        """Make the check.

        Raises:
            Broken: the rule is broken.
            Untried: it could not be tried, or is excused.
        """
        __tracebackhide__ = True
        asyncio.run(self.made())

    async def made(self) -> None:
        """Make the check where an event loop runs: several may be made at once.

        Raises:
            Broken: the rule is broken.
            Untried: it could not be tried, or is excused.
        """
        __tracebackhide__ = True
        try:
            await self._made()
        except Broken as broken:
            if self.excuse:
                of = f" of {self.spec.name}" if self.spec else ""
                raise Untried(f"contract: {self.check.name}{of} is excused: {self.excuse}") from None
            raise Broken(f"{broken}\n  rule: {self.check.rule}") from None
        except Untried as untried:
            raise Untried(f"contract: {untried}") from None
        if self.excuse:
            raise Broken(f"{self.id} is excused ({self.excuse}) and keeps the rule: drop the excuse.")

    async def _made(self) -> None:
        function: Callable[[Any], Any] = self.check.function
        if self.spec is None:
            function(self.contract)
        elif self.check.of == "declaration":
            function(Declared(self.contract, self.spec))
        else:
            async with on_trial(self.contract, self.spec, self.output, self.era, self.over) as trial:
                found = function(trial)
                if isawaitable(found):
                    await found


class Contract(Terms):
    """What every tool of some toolsets must keep; the terms are the arguments."""

    def cases(self) -> Iterator[Case]:
        """Every check on every tool, in every mode and era in which it makes sense."""
        self._refuse_unknown_excuses()
        checks = [check for check in CHECKS if check.given(self)]
        yield from (Case(self, check) for check in checks if check.of == "toolset")
        for spec in self.specs():
            for check in checks:
                if check.of == "declaration":
                    yield Case(self, check, spec)
                elif check.of == "call" and check.when(spec):
                    yield from (
                        Case(self, check, spec, out, era) for out in check.outputs for era in check.eras
                    )

    def parametrize(self, function: F) -> F:
        """Make a test function with the argument `case` run once for each case."""
        import pytest

        cases = [pytest.param(case, id=case.id) for case in self.cases()]
        marked: F = pytest.mark.parametrize("case", cases)(function)
        return marked

    def trial(
        self, tool: str, *, output: Output = "text", era: str = ERAS[-1]
    ) -> AbstractAsyncContextManager[Trial]:
        """Put one tool on trial in a fresh world, for a check of your own."""
        return on_trial(self, self._named[tool], output, era)

    @cached_property
    def _named(self) -> dict[str, ToolSpec]:
        return {spec.name: spec for spec in self.specs()}

    def _refuse_unknown_excuses(self) -> None:
        names = [check.name for check in CHECKS]
        for key in self.excused:
            name, _, tool = key.partition(":")
            if name not in names or (tool and tool not in self._named):
                near = nearest(name, names)
                hint = f" Did you mean {near[0]}?" if near and near[0] != name else ""
                raise ValueError(f"The excuse '{key}' is for no check of no tool.{hint}")
