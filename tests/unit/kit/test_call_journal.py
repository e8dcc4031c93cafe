"""The journal of calls bears strange records: each costs itself alone."""

import logging
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import CallJournal
from laconic.kit.journal import CallRecord
from laconic.stores import Journal, Reader


class Unspeakable:
    """Has no words for itself."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def journal_in(folder: Path) -> CallJournal:
    return CallJournal(Journal(folder / "journal"), folder)


def call(id: Any, outcome: str = "success", **more: Any) -> CallRecord:
    return CallRecord(1.0, "order_move", "update", outcome, 1.0, 1, 1, ids=(id,), **more)


def written(folder: Path) -> list[dict[str, Any]]:
    return Reader(folder / "journal").read()


async def test_a_record_that_cannot_be_written_costs_no_other_and_warns_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    calls = journal_in(tmp_path)
    for id in ["A", Unspeakable(), Unspeakable(), "B"]:
        calls.add(call(id), soon=True)
    calls.flush()
    assert [record["ids"] for record in written(tmp_path)] == [["A"], ["B"]]
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["A call cannot be recorded: RuntimeError. Calls go on without a record."]


async def test_a_call_whose_record_is_the_last_to_wait_does_not_fail(tmp_path: Path) -> None:
    calls = journal_in(tmp_path)
    for number in range(128):
        calls.add(call(Unspeakable() if number == 3 else str(number)), soon=True)
    assert len(written(tmp_path)) == 127


async def test_an_outcome_adds_no_facts_of_its_own(tmp_path: Path) -> None:
    calls = journal_in(tmp_path)
    calls.add(call("A", outcome='x","ids":["FAKE"],"more":"'), soon=True)
    calls.flush()
    (record,) = written(tmp_path)
    assert record["ids"] == ["A"] and "more" not in record
