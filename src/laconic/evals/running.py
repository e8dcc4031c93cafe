"""A run: every case of a suite, so many samples of each, several at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from laconic.evals.conversation import Conversation, Outcome
from laconic.evals.model import Model
from laconic.evals.results import record_of
from laconic.evals.stage import Stages
from laconic.evals.suite import Case, Suite

__all__ = ["MakeModel", "run"]


class MakeModel(Protocol):
    """Makes the model of one case; a scripted one gets what its references are looked up in."""

    def __call__(self, case: Case, state: Mapping[str, Any]) -> Model:
        """Return the model."""


async def run(
    suite: Suite,
    stages: Stages,
    make: MakeModel,
    *,
    count: Callable[[str], int],
    known: Iterable[Mapping[str, Any]] = (),
    done: Callable[[dict[str, Any]], None] = lambda record: None,
) -> list[dict[str, Any]]:
    """Run what is not known yet, and return all records; each is told as soon as it is there.

    Raises:
        BadSuite: the starting state of a case cannot be made.
    """
    records = [dict(one) for one in known]
    have = {(one["case"], one["sample"]) for one in records if one["outcome"] != "error"}
    records = [one for one in records if (one["case"], one["sample"]) in have]
    wanted = [(case, n) for n in range(suite.eval.samples) for case in suite.test_cases]
    slots = asyncio.Semaphore(suite.eval.max_concurrency)

    async def one(case: Case, sample: int) -> None:
        async with slots:
            record = record_of(case.id, sample, await _case(suite, case, stages, make, count))
        records.append(record)
        done(record)

    try:
        async with asyncio.TaskGroup() as group:
            for case, sample in wanted:
                if (case.id, sample) not in have:
                    group.create_task(one(case, sample))
    except* Exception as errors:
        raise _first(errors) from None
    return records


def _first(errors: BaseException) -> BaseException:
    """Return one of several failures: what is wrong with a stage is wrong with all of them."""
    return _first(errors.exceptions[0]) if isinstance(errors, BaseExceptionGroup) else errors


async def _case(
    suite: Suite, case: Case, stages: Stages, make: MakeModel, count: Callable[[str], int]
) -> Outcome:
    async with stages() as stage:
        conversation = Conversation(suite, case, stage, count)
        state = await conversation.start()
        return await conversation.hold(make(case, state), suite.eval)
