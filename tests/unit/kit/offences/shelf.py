"""The parts of bad toolsets, and their list."""

from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Envelope, Record, Toolset
from laconic.kit.answers.envelope import PageFacts
from laconic.kit.contract import Broken, Contract, Untried

Offence = Callable[[Path, pytest.MonkeyPatch], Contract]
OFFENCES: list[tuple[str, Offence]] = []


def breaks(check: str) -> Callable[[Offence], Offence]:
    """Register a bad toolset under the check that must catch it."""

    def register(offence: Offence) -> Offence:
        OFFENCES.append((check, offence))
        return offence

    return register


class Thing(Record):
    """Something with a name."""

    id: int
    name: str = "thing"


class Shelf:
    """Three things."""

    def __init__(self) -> None:
        self.things = [Thing(id=number) for number in (1, 2, 3)]


def shelf(**options: Any) -> Toolset:
    """A toolset without tools, and with a shelf to declare them on."""
    toolset = Toolset("shelf", "Things.", provides=(Shelf,), **options)

    @toolset.factory
    async def open_shelf(section: Mapping[str, Any]) -> AsyncIterator[Shelf]:
        yield Shelf()

    return toolset


def count(things: Mapping[type, Any]) -> int:
    return len(things[Shelf].things)


class Mute(Envelope):
    """Leaves out failures and totals."""

    def failure(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return {"error": True}

    def page(self, facts: PageFacts) -> dict[str, Any]:
        return {"columns": facts.columns, "rows": facts.rows}


class Nameless(Record):
    """Something that does not say its id."""

    id: int

    def write_text(self, format: str | None) -> str | None:
        return "a thing"

    @classmethod
    def write_heading(cls, shown: int, total: int | None, *, start: int = 0, is_last: bool = True) -> str:
        return "Things:"


def found(contract: Contract, check: str) -> list[str]:
    """What a check has to say of a contract."""
    said: list[str] = []
    for case in contract.cases():
        if case.check.name == check:
            try:
                case.run()
            except Broken as broken:
                said.append(str(broken))
            except Untried:
                pass
    return said
