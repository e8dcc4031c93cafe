"""Each check catches a toolset that is bad on purpose: a check that cannot fail is worth nothing."""

from pathlib import Path

import pytest

from laconic.kit import Page, Record, Toolset, Window
from laconic.kit.contract import CHECKS, Contract
from tests.unit.kit.offences import OFFENCES, Offence, found, writing


@pytest.mark.parametrize(
    ("check", "offence"), [pytest.param(check, bad, id=f"{check}: {bad.__name__}") for check, bad in OFFENCES]
)
@pytest.mark.requirement("003-1.6")
def test_a_check_catches(
    check: str, offence: Offence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UPDATE_SNAPSHOTS", raising=False)
    monkeypatch.delenv("CI", raising=False)

    said = found(offence(tmp_path, monkeypatch), check)

    rule = next(known.rule for known in CHECKS if known.name == check)
    assert said and all(f"rule: {rule}" in one for one in said)


def test_every_check_has_an_offence() -> None:
    assert {check.name for check in CHECKS} == {check for check, _ in OFFENCES}


def test_every_check_says_its_rule_in_one_sentence() -> None:
    assert all(check.rule.endswith(".") for check in CHECKS)


class Good(Record, formats={"minimal": ("id",), "full": ("id", "name")}):
    """Something that is all right."""

    id: int
    name: str = "thing"


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    toolset = Toolset("good")

    @toolset.read(hint="thing_list")
    async def thing_list(window: Window = Window()) -> Page[Good]:
        """List things."""
        return window.cut([Good(id=number) for number in range(5)], key=lambda thing: (thing.id,))

    contract = Contract(toolset, samples={"thing_list": {}})

    assert not [said for check in CHECKS for said in found(contract, check.name)]


def test_nothing_is_found_in_a_list_that_names_what_it_lists_and_in_bodies_that_stay() -> None:
    samples = {"thing_list": {"room": "cellar"}, "room_choose": {"room": "attic"}}
    assert not found(Contract(writing.rooms(asked=True), samples=samples), "a_cursor_keeps_its_list")
    assert not found(writing.remembered(pinned=True), "a_cursor_keeps_its_list")
    assert not found(writing.written(writing.notes()), "a_body_is_read_back_as_written")
