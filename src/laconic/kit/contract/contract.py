"""The contract of a toolset: every check on every tool, as cases that pytest or a loop can run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from inspect import isawaitable
from textwrap import indent
from traceback import format_exception
from typing import Any, TypeVar

from laconic.kit.contract.checks import CHECKS, Check
from laconic.kit.contract.terms import Broken, Terms, Untried
from laconic.kit.contract.trial import Declared, Trial, on_trial
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.pipeline import Output
from laconic.kit.testing import ERAS, Over
from laconic.text import did_you_mean, nearest

__all__ = ["Case", "Cases", "Contract"]

F = TypeVar("F", bound=Callable[..., Any])
_AT_ONCE = 8  # worlds at once: some of them wait for an upstream that is down


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
        """The name of the case in a test report."""
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

    async def made(self, trial: Trial | None = None) -> None:
        """Make the check in a running event loop: several may be made at once.

        Args:
            trial: the tool in a world that other checks have used; by default in a fresh one.

        Raises:
            Broken: the rule is broken.
            Untried: it could not be tried, or is excused.
        """
        __tracebackhide__ = True
        try:
            await self._made(trial)
        except Broken as broken:
            if self.excuse:
                of = f" of {self.spec.name}" if self.spec else ""
                raise Untried(f"{self.check.name}{of} is excused: {self.excuse}") from None
            raise Broken(f"{broken}\n  rule: {self.check.rule}") from None
        if self.excuse:
            raise Broken(f"{self.id} is excused ({self.excuse}) and keeps the rule: remove the excuse.")

    async def _made(self, trial: Trial | None) -> None:
        function: Callable[[Any], Any] = self.check.function
        if self.spec is None:
            function(self.contract)
        elif self.check.of == "declaration":
            function(Declared(self.contract, self.spec))
        else:
            async with nullcontext(trial) if trial else self.on_trial(self.spec) as tried:
                found = function(tried)
                if isawaitable(found):
                    await found

    def on_trial(self, spec: ToolSpec) -> AbstractAsyncContextManager[Trial]:
        """Put the tool on trial in a fresh world, in the mode and era of this case."""
        return on_trial(self.contract, spec, self.output, self.era, self.over)

    @property
    def world(self) -> tuple[object, ...]:
        """The world of the case: cases that change nothing may share one."""
        shares = self.check.of == "call" and not self.check.fresh and self.spec and self.spec.hints.read_only
        return (self.output, self.era, self.over) if shares else (self.id,)


@dataclass(frozen=True)
class Cases:
    """All cases of one tool, made as one test; those of the toolset itself have no tool.

    Checks of a read-only tool share a world, except the check that the tool changes nothing.
    """

    cases: tuple[Case, ...]
    untried: list[str] = field(default_factory=list)  # why cases were not made; our pytest plugin counts them

    @classmethod
    def by_tool(cls, cases: Iterable[Case]) -> list[Cases]:
        """Group cases by the tool they check."""
        tools: dict[str, list[Case]] = {}
        for case in cases:
            tools.setdefault(case.spec.name if case.spec else "", []).append(case)
        return [cls(tuple(of_tool)) for of_tool in tools.values()]

    @property
    def id(self) -> str:
        """The name of the cases in a test report."""
        spec = self.cases[0].spec
        return spec.name if spec else "toolset"

    def run(self) -> None:
        """Make every check, even if one fails.

        Raises:
            Broken: rules are broken; each is given with the name of its case.
            Untried: none of the cases could be tried.
        """
        __tracebackhide__ = True
        asyncio.run(self.made())

    async def made(self) -> None:
        """Make every check in a running event loop.

        Raises:
            Broken: rules are broken; each is given with the name of its case.
            Untried: none of the cases could be tried.
        """
        __tracebackhide__ = True
        turn, worlds = asyncio.Semaphore(_AT_ONCE), self._by_world()
        outcomes = await asyncio.gather(*(_outcomes(cases, turn) for cases in worlds))
        found = [(case, error) for in_world in outcomes for case, error in in_world if error is not None]
        self.untried[:] = [error.not_made for _, error in found if isinstance(error, Untried)]
        if broken := [(case, error) for case, error in found if not isinstance(error, Untried)]:
            raise Broken("\n".join(_report(case, error) for case, error in broken)) from None
        if len(self.untried) == len(self.cases):
            raise Untried(self.untried[0])

    def _by_world(self) -> list[list[Case]]:
        worlds: dict[tuple[object, ...], list[Case]] = {}
        for case in self.cases:
            worlds.setdefault(case.world, []).append(case)
        return list(worlds.values())


Outcome = tuple[Case, Exception | None]


async def _outcomes(cases: list[Case], turn: asyncio.Semaphore) -> list[Outcome]:
    """Make cases that share a world, one after the other."""
    spec = cases[0].spec
    async with turn:
        if spec is None or len(cases) == 1:
            return [await _outcome(case) for case in cases]
        try:
            async with cases[0].on_trial(spec) as trial:
                return [await _outcome(case, trial) for case in cases]
        except Exception as error:
            return [(case, error) for case in cases]


async def _outcome(case: Case, trial: Trial | None = None) -> Outcome:
    try:
        await case.made(trial)
    except Exception as error:
        return case, error
    return case, None


def _report(case: Case, error: Exception) -> str:
    """Return what went wrong in one case; of an unexpected error, the whole traceback."""
    text = str(error) if isinstance(error, Broken) else "".join(format_exception(error))
    return f"{case.id}\n{indent(text, '  ')}"


class Contract(Terms):
    """What every tool of some toolsets must keep; its arguments are the terms."""

    def cases(self) -> Iterator[Case]:
        """Return every check of every tool, in every mode and era where it applies."""
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
        import pytest  # optional: cases run without it as well

        cases = [pytest.param(case, id=case.id) for case in self.cases()]
        marked: F = pytest.mark.parametrize("case", cases)(function)
        return marked

    def per_tool(self, function: F) -> F:
        """Make a test function with the argument `cases` run once for each tool, and once for the toolset."""
        import pytest  # optional: cases run without it as well

        tools = [pytest.param(cases, id=cases.id) for cases in Cases.by_tool(self.cases())]
        marked: F = pytest.mark.parametrize("cases", tools)(function)
        return marked

    def trial(
        self, tool: str, *, output: Output = "text", era: str = ERAS[-1]
    ) -> AbstractAsyncContextManager[Trial]:
        """Put one tool on trial in a fresh world, for your own checks."""
        return on_trial(self, self._named[tool], output, era)

    @cached_property
    def _named(self) -> dict[str, ToolSpec]:
        return {spec.name: spec for spec in self.specs()}

    def _refuse_unknown_excuses(self) -> None:
        names = [check.name for check in CHECKS]
        for key in self.excused:
            name, _, tool = key.partition(":")
            if name not in names or (tool and tool not in self._named):
                near = [one for one in nearest(name, names) if one != name]
                hint = did_you_mean(near)
                raise ValueError(f"The excuse '{key}' names no check of any tool.{hint}")
