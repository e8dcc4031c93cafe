"""A tool declared with confirm= needs a yes: the argument, or a person's."""

import asyncio
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal

import mcp_types as t
import pytest
from pydantic import BaseModel

from laconic.kit import Settings, Toolset
from laconic.kit.testing import ERAS, connect
from tests.toolsets.workshop import workshop


def _answering(action: str, content: dict[str, Any] | None = None, wait: float = 0.0) -> Any:
    async def answer(context: Any, params: Any) -> t.ElicitResult:
        await asyncio.sleep(wait)
        asked.append(params.message)
        return t.ElicitResult(action=action, content=content)  # type: ignore[arg-type]  # one of the three

    asked: list[str] = []
    answer.asked = asked  # type: ignore[attr-defined]  # for the test to read
    return answer


async def _is_gone(client: Any) -> bool:
    return bool((await client.call("job_get", id="JOB-0001")).failed)


@pytest.mark.parametrize("era", ERAS)
async def test_the_argument_suffices(era: str) -> None:
    answer = _answering("decline")
    async with connect(workshop, era=era, answer=answer) as client:
        reply = await client.call("job_delete", id="JOB-0001", confirm=True)
        assert reply.text == "Deleted JOB-0001."
        assert await _is_gone(client)
    assert answer.asked == []


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_is_told_the_argument(era: str) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.call("job_delete", id="JOB-0001")
        assert reply.failed
        assert "Delete JOB-0001 for good?" in reply.text
        assert "Pass confirm: true" in reply.text
        assert not await _is_gone(client)


@pytest.mark.parametrize("era", ERAS)
async def test_a_persons_yes_lets_it_through(era: str) -> None:
    answer = _answering("accept", {"confirm": True})
    async with connect(workshop, era=era, answer=answer) as client:
        reply = await client.call("job_delete", id="JOB-0001")
        assert reply.text == "Deleted JOB-0001."
    assert answer.asked == ["Delete JOB-0001 for good?"]


@pytest.mark.parametrize(
    ("action", "content"), [("decline", None), ("cancel", None), ("accept", {"confirm": False})]
)
@pytest.mark.parametrize("era", ERAS)
async def test_a_no_changes_nothing_and_says_not_to_insist(
    action: str, content: dict[str, Any] | None, era: str
) -> None:
    async with connect(workshop, era=era, answer=_answering(action, content)) as client:
        reply = await client.call("job_delete", id="JOB-0001")
        assert reply.failed
        assert "Do not try again" in reply.text
        assert not await _is_gone(client)


@pytest.mark.parametrize("era", ERAS)
async def test_nobody_is_asked_about_a_call_that_would_be_refused(era: str) -> None:
    answer = _answering("accept", {"confirm": True})
    async with connect(workshop, era=era, answer=answer) as client:
        reply = await client.send("job_delete", {"ident": "JOB-0001"})
    assert reply.failed
    assert answer.asked == []


async def test_the_deadline_waits_while_the_person_thinks() -> None:
    patient = Toolset("patient")

    @patient.delete(confirm="Sure?", deadline=0.1)
    async def patient_delete() -> str:
        """Delete."""
        return "Deleted."

    answer = _answering("accept", {"confirm": True}, wait=0.3)
    async with connect(patient, era="legacy", answer=answer) as client:
        reply = await client.call("patient_delete")
    assert reply.text == "Deleted."


class Care(BaseModel):
    careful: bool = True


def _careful() -> Toolset:
    shop = Toolset("shop", settings=Care)

    def question(arguments: Mapping[str, Any], care: Care) -> str | None:
        return f"Delete {arguments['id']}?" if care.careful or arguments["id"] == "all" else None

    @shop.delete(confirm=question)
    async def item_delete(id: str, dry_run: bool = False) -> str:
        """Delete."""
        return f"Would delete {id}." if dry_run else f"Deleted {id}."

    return shop


@pytest.mark.parametrize(
    ("careful", "id", "asked"), [(True, "one", True), (False, "one", False), (False, "all", True)]
)
async def test_a_function_decides_what_needs_a_yes(careful: bool, id: str, asked: bool) -> None:
    settings = Settings(sections={"shop": {"careful": careful}})

    async with connect(_careful(), settings=settings) as client:
        reply = await client.send("item_delete", {"id": id})

    assert reply.failed is asked
    assert (f"Delete {id}? This needs a yes." in reply.text) is asked


@pytest.mark.parametrize("case", ["snake", "camel"])
async def test_a_dry_run_needs_no_yes(case: Literal["snake", "camel"]) -> None:
    shop = Toolset("shop", case=case)

    @shop.delete(confirm="Delete {id}?")
    async def item_delete(id: str, dry_run: bool = False) -> str:
        """Delete."""
        return f"Would delete {id}." if dry_run else f"Deleted {id}."

    flag = "dryRun" if case == "camel" else "dry_run"
    async with connect(shop) as client:
        assert (await client.call("item_delete", id="one", **{flag: True})).text == "Would delete one."
        assert (await client.send("item_delete", {"id": "one", flag: False})).failed


@pytest.mark.parametrize("era", ERAS)
async def test_an_answer_that_does_not_fit_counts_as_no(era: str) -> None:
    async with connect(workshop, era=era, answer=_answering("accept", {"other": True})) as client:
        reply = await client.call("job_delete", id="JOB-0001")
        assert reply.failed
        assert not await _is_gone(client)


class Bed(Enum):
    """Where plants grow."""

    NORTH = "north"


async def test_a_question_has_the_value_that_was_sent_not_its_name_in_the_code() -> None:
    garden = Toolset("garden")

    @garden.delete(confirm="Dig up the {bed} bed?")
    async def bed_dig(bed: Bed) -> str:
        """Dig up a bed."""
        return "Dug."

    async with connect(garden) as client:
        asked = await client.call("bed_dig", bed="north")
    assert "Dig up the north bed?" in asked.text
