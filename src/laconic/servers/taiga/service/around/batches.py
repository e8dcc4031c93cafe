"""Batches: several items at once, each with a result of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from laconic.kit import BadArguments, Batch, Failure, Guard, RateLimited, Refused, UpstreamDown
from laconic.servers.taiga.api.account import SignedOut
from laconic.servers.taiga.models.items import WorkItem
from laconic.servers.taiga.models.kinds import EPIC, ISSUE, STORY, TASK
from laconic.servers.taiga.models.more import AnyItem
from laconic.servers.taiga.service.failures import told
from laconic.servers.taiga.service.items.work_items import UNCHANGED, WorkItems
from laconic.upstream import UpstreamError

Thing = TypeVar("Thing")
Named = Sequence[tuple[str, Thing]]
WORDS: Final = {EPIC: "epic", STORY: "user_story", TASK: "task", ISSUE: "issue"}


@dataclass(frozen=True)
class Change:
    """One change of a batch: what to change, or why it cannot be."""

    id: str
    values: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True)
class Batches:
    """Several items of one kind in one project."""

    items: WorkItems

    async def get(self, ids: Sequence[str]) -> Batch[AnyItem]:
        """Read several items at the same time."""
        return await settled([(one, one) for one in dict.fromkeys(ids)], self._got, "Found", at_once=True)

    async def _got(self, id: str) -> AnyItem:
        return self._any(await self.items.get(id))

    async def update(self, changes: Sequence[Change]) -> Batch[AnyItem]:
        """Change several items, one after the other."""
        named = [(one.id or f"item {place}", one) for place, one in enumerate(changes)]
        done = await settled(named, self._changed, "Updated")
        same = [one for one in done.items if one.remarks == [UNCHANGED]]
        return replace(done, items=[one for one in done.items if one not in same], unchanged=same)

    async def _changed(self, change: Change) -> AnyItem:
        _refuse(change.problem)
        values = dict(change.values)
        version = values.pop("version", None)
        if not values:
            raise BadArguments("It names nothing to change.")
        return self._any(await self.items.update(change.id, Guard("version", version), values))

    async def create(self, new: Sequence[Change]) -> Batch[AnyItem]:
        """Create several items, one after the other."""
        named = [(_label(place, one), one) for place, one in enumerate(new)]
        return await settled(named, self._created, "Created")

    async def _created(self, new: Change) -> AnyItem:
        _refuse(new.problem)
        return self._any(await self.items.create(new.values))

    def _any(self, item: WorkItem) -> AnyItem:
        return any_item(item, WORDS[self.items.kind], str(self.items.project.detail["name"]))


def any_item(item: WorkItem, kind: str, project: str) -> AnyItem:
    """Return an item of one kind as one of any kind."""
    values = {name: getattr(item, name) for name in type(item).model_fields if name in AnyItem.model_fields}
    return AnyItem(kind=kind, project=project, **values)


def _label(place: int, new: Change) -> str:
    subject = str(new.values.get("subject", ""))
    return f"item {place}" + (f" '{subject[:40]}'" if subject else "")


def _refuse(problem: str) -> None:
    if problem:
        raise BadArguments(problem)


async def settled(
    named: Named[Thing], do: Callable[[Thing], Awaitable[AnyItem]], word: str, *, at_once: bool = False
) -> Batch[AnyItem]:
    """Do something for each thing; after an error that all would have, the others are not tried."""
    if at_once:
        outcomes: list[Any] = await asyncio.gather(*(_outcome(do, one) for _, one in named))
    else:
        outcomes = []
        for _, one in named:
            last = next((found for found in outcomes if _is_for_all(found)), None)
            outcomes.append(_not_tried(last) if last else await _outcome(do, one))
    names = list(_distinct(name for name, _ in named))
    failed = {name: found for name, found in zip(names, outcomes, strict=True) if isinstance(found, Failure)}
    return Batch([found for found in outcomes if not isinstance(found, Failure)], failed, word)


async def _outcome(do: Callable[[Thing], Awaitable[AnyItem]], thing: Thing) -> AnyItem | Failure:
    try:
        return await do(thing)
    except Failure as failure:
        return failure
    except UpstreamError as error:
        return told(error)


def _is_for_all(found: Any) -> bool:
    """True for an error that every other thing would have as well."""
    return isinstance(found, RateLimited | UpstreamDown | SignedOut)


def _not_tried(last: Failure) -> Failure:
    words = "Not tried: one before it failed for a reason that concerns all."
    return Refused(words, code=last.code, category=last.category)


def _distinct(names: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for place, name in enumerate(names):
        yield f"{name} (item {place})" if name in seen else name
        seen.add(name)
