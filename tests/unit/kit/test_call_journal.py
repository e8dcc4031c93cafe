"""The journal of calls bears strange records: each costs itself alone."""

import asyncio
import logging
import os
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from laconic.kit import CallJournal
from laconic.kit.declaring.spec import Effect
from laconic.kit.journal.calls import LONGEST, CallRecord
from laconic.kit.redaction import learn_secrets
from laconic.stores import Journal, Reader

TOKEN = "ghp_" + "a1B2" * 9


class Unspeakable:
    """Has no words for itself."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def journal_in(folder: Path) -> CallJournal:
    return CallJournal(Journal(folder / "journal"), folder)


class Move(NamedTuple):
    """The tool of these calls."""

    name: str = "order_move"
    effect: Effect = Effect.UPDATE


def call(
    id: Any, outcome: str = "success", client: str = "", changes: Any = None
) -> tuple[Callable[[], CallRecord]]:
    return (lambda: (1.0, Move(), outcome, 1.0, 1, 1, client, "", (id,), changes),)


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
    for number in range(32):
        calls.add(call(Unspeakable() if number == 3 else str(number)), soon=True)
    await asyncio.sleep(0.05)  # a few rounds of the event loop
    assert len(written(tmp_path)) == 31


@pytest.mark.parametrize("changes", [None, "told"])
async def test_a_long_id_is_recorded_whole_and_found_again(tmp_path: Path, changes: str | None) -> None:
    ids = ["a-" + "name-" * 19 + "1", "a-" + "name-" * 19 + "2"]  # 98 characters
    calls = journal_in(tmp_path)
    for id in ids:
        calls.add(call(id, changes={id: {"field": (1, 2)}} if changes else None), soon=True)
    calls.flush()
    assert [record["ids"] for record in Reader(tmp_path / "journal", id=ids[1]).read()] == [[ids[1]]]


@pytest.mark.parametrize("letter", ["x", "\N{GRINNING FACE}", "\x01"])
async def test_many_long_ids_take_no_more_than_their_room(tmp_path: Path, letter: str) -> None:
    ids = tuple(f"{number}{letter * 300}" for number in range(30))
    calls = journal_in(tmp_path)
    calls.add((lambda: (1.0, Move(), "success", 1.0, 1, 1, "", "", ids, None),), soon=True)
    calls.flush()
    (record,) = written(tmp_path)
    assert record["ids"] == [id[:128] for id in ids[: len(record["ids"])]] and record["ids"]
    assert (tmp_path / "journal" / "1.jsonl").stat().st_size <= LONGEST


async def test_an_outcome_adds_no_facts_of_its_own(tmp_path: Path) -> None:
    calls = journal_in(tmp_path)
    calls.add(call("A", outcome='x","ids":["FAKE"],"more":"'), soon=True)
    calls.flush()
    (record,) = written(tmp_path)
    assert record["ids"] == ["A"] and "more" not in record


async def test_a_branch_with_a_long_name_takes_little_room(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/" + "b" * 1_100_000)
    calls = journal_in(tmp_path)
    calls.add(call("A"), soon=True)
    calls.flush()
    assert calls.store.size() < LONGEST
    assert written(tmp_path)[0]["branch"].startswith("bbbb")


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes with a name elsewhere")
async def test_a_pipe_in_place_of_the_branch_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    head = tmp_path / ".git" / "HEAD"
    head.write_text("ref: refs/heads/main")
    calls = journal_in(tmp_path)
    head.unlink()
    os.mkfifo(head)
    calls.add(call("A"), soon=True)
    calls.flush()
    assert "branch" not in written(tmp_path)[0]


async def test_secrets_in_a_branch_and_in_the_address_of_a_notice_are_hidden(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(f"ref: refs/heads/fix/{TOKEN}")
    calls = journal_in(tmp_path)
    calls.add(call("A"), soon=True)
    calls.tell(told="resource", uri=f"note://{TOKEN}")
    calls.flush()
    assert len(written(tmp_path)) == 2 and TOKEN not in str(written(tmp_path))


async def test_a_notice_whose_address_is_too_long_is_not_recorded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    calls = journal_in(tmp_path)
    calls.tell(told="resource", uri="note://" + "x" * 50_000)
    calls.tell(told="prompts")
    calls.flush()
    assert [record["told"] for record in written(tmp_path)] == ["prompts"]
    assert "A change notice is too long to be recorded." in caplog.text


async def test_a_secret_that_is_learned_later_is_hidden_from_then_on(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/for-zq81latervalue")
    calls = journal_in(tmp_path)
    calls.add(call("A", client="host zq81latervalue"), soon=True)
    calls.flush()
    learn_secrets(["zq81latervalue"])
    calls.add(call("B", client="host zq81latervalue"), soon=True)
    calls.flush()
    before, after = map(str, written(tmp_path))
    assert before.count("zq81latervalue") == 2 and "zq81latervalue" not in after


DEEP: list[Any] = []
for _ in range(2000):
    DEEP = [DEEP]


class State(Enum):
    """A fixed set of words."""

    OPEN = "open"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *[(one, one) for one in (None, True, 7, 1.5, "", "in-progress", "ann@example.org", ["a", 2])],
        *[(State.OPEN, "open"), (date(2026, 1, 2), "2026-01-02"), (("a", None), ["a", None])],
        *[(datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00+00:00")],
    ],
)
async def test_numbers_and_single_words_are_recorded(tmp_path: Path, value: Any, shown: Any) -> None:
    assert await recorded(tmp_path, value) == [None, shown]


@pytest.mark.parametrize(
    "value",
    [
        *[{"k": "word"}, {}, [{"k": "word"}], ["two words"], "two words", b"word", 10**5000, Unspeakable()],
        *[
            "x" * 65,
            "half \ud800",
            "\ud800",
            object(),
            Path("word"),
            DEEP,
            float("nan"),
            [1.5, float("inf")],
        ],
    ],
    ids=lambda value: type(value).__name__,
)
async def test_of_any_other_value_only_the_change_is_recorded(tmp_path: Path, value: Any) -> None:
    assert await recorded(tmp_path, value) is None


async def recorded(folder: Path, value: Any) -> Any:
    calls = journal_in(folder)
    calls.add(call("A", changes={"A": {"field": (None, value)}}), soon=True)
    calls.flush()
    (record,) = written(folder)
    return record["changed"]["A"]["field"]
