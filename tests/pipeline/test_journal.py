"""Each call leaves a record in the journal: what it changed, and never a text or a secret."""

import asyncio
import errno
import logging
import os
import time
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from laconic.kit import Caller, CallJournal, Changed, Endpoint, Toolset
from laconic.kit.journal.calls import LONGEST
from laconic.kit.peer import SilentPeer
from laconic.stores import Journal, Reader

TOKEN = "ghp_" + "a1B2" * 9


def shop() -> Toolset:
    """A toolset whose tools tell what they changed."""
    toolset = Toolset("shop")

    @toolset.update(subject="order:{id}")
    async def order_move(changed: Changed, id: str, to: str) -> str:
        """Move an order."""
        changed(id, "remarks", state=("new", to), count=(1, None), tags=([], ["a", "b"]))
        return "Moved."

    @toolset.update
    def order_move_all(changed: Changed, count: int) -> str:
        """Move many orders."""
        for number in range(count):
            changed(f"ORDER-{number:06}", state=("new", "sent"))
        return "Moved."

    @toolset.update(subject="order:{id}")
    async def order_touch(id: str) -> str:
        """Do something unknown to an order."""
        return "Touched."

    @toolset.read(subject="order:{id}")
    async def order_get(id: str) -> str:
        """Read an order."""
        return "x" * 400

    @toolset.delete
    async def order_drop(id: str) -> str:
        """Fail."""
        raise OSError("broken")

    return toolset


class Served:
    """The shop with a journal."""

    def __init__(self, folder: Path, look: float = 0.05, **options: Any) -> None:
        self.calls = CallJournal(Journal(folder / "journal", look=look), folder, **options)
        self.endpoint = Endpoint([shop()], journal=self.calls)
        self.reader = Reader(folder / "journal")

    async def call(self, name: str, **arguments: Any) -> list[dict[str, Any]]:
        """Call a tool, and return what is recorded then; a read is not waited for."""
        await self.endpoint.call_tool(name, arguments, SilentPeer())
        if name == "order_get":
            return self.reader.read()
        async with asyncio.timeout(20):
            return await anext(self.reader.follow(0.001))


async def test_a_tool_tells_which_fields_it_changed_and_of_texts_only_that(tmp_path: Path) -> None:
    served = Served(tmp_path)
    (record,) = await served.call("order_move", id="ORDER-1", to="sent")
    expected = {"remarks": None, "state": ["new", "sent"], "count": [1, None], "tags": [[], ["a", "b"]]}
    assert record["changed"] == {"ORDER-1": expected}
    assert record["ids"] == ["ORDER-1"]


@pytest.mark.parametrize("text", ["x" * 65, "two\nlines", "Call Ann", "tab\there", "no\u00a0break"])
async def test_a_value_that_is_a_text_is_left_out(tmp_path: Path, text: str) -> None:
    (record,) = await Served(tmp_path).call("order_move", id="ORDER-1", to=text)
    assert record["changed"]["ORDER-1"]["state"] is None


async def test_secrets_in_values_and_ids_are_hidden(tmp_path: Path) -> None:
    served = Served(tmp_path)
    await served.call("order_move", id=f"token={TOKEN}", to=TOKEN)
    await served.call("order_touch", id=TOKEN)
    text = (tmp_path / "journal" / "1.jsonl").read_text(encoding="utf-8")
    assert "order_touch" in text and TOKEN not in text


async def test_without_a_word_from_the_tool_the_subject_names_the_id(tmp_path: Path) -> None:
    (record,) = await Served(tmp_path).call("order_touch", id="ORDER-7")
    assert record["ids"] == ["ORDER-7"] and "changed" not in record


async def test_a_large_batch_is_told_as_far_as_there_is_room(tmp_path: Path) -> None:
    (record,) = await Served(tmp_path).call("order_move_all", count=500)
    assert (tmp_path / "journal" / "1.jsonl").stat().st_size <= LONGEST
    assert len(record["ids"]) > 20 and len(record["ids"]) + record["more"] == 500


async def test_a_failed_write_is_recorded_by_its_code(tmp_path: Path) -> None:
    (record,) = await Served(tmp_path).call("order_drop", id="ORDER-1")
    assert (record["tool"], record["outcome"]) == ("order_drop", "INTERNAL_ERROR")


async def test_reads_wait_for_the_next_write_and_keep_their_order(tmp_path: Path) -> None:
    served = Served(tmp_path)
    assert await served.call("order_get", id="ORDER-1") == []
    read, written = await served.call("order_touch", id="ORDER-1")
    assert (read["tool"], read["out"], read["in"]) == ("order_get", 100, 4)
    assert read["at"] <= written["at"]


async def test_reads_are_written_within_seconds_if_nothing_else_is(tmp_path: Path) -> None:
    served = Served(tmp_path)
    await served.call("order_get", id="ORDER-1")
    async with asyncio.timeout(20):
        async for (record,) in served.reader.follow(0.01):
            assert record["ids"] == ["ORDER-1"]
            return


async def test_many_reads_are_written_together(tmp_path: Path) -> None:
    served = Served(tmp_path)
    for number in range(32):
        assert await served.call("order_get", id=f"ORDER-{number}") == []  # the answer does not wait for it
    await asyncio.sleep(0.05)  # a few rounds of the event loop
    assert len(served.reader.read()) == 32


async def test_reads_can_be_left_out(tmp_path: Path) -> None:
    served = Served(tmp_path, reads=False)
    await served.call("order_get", id="ORDER-1")
    await served.endpoint.close()
    assert served.reader.read() == []


async def go_on(served: Served) -> None:
    """Make calls that must succeed, whatever becomes of their records."""
    for _ in range(3):
        answer = await served.endpoint.call_tool("order_touch", {"id": "ORDER-1"}, SilentPeer())
        served.calls.flush()
        assert answer.text == "Touched."


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_calls_go_on_without_a_journal_and_warn_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "journal").write_text("in the way")
    served = Served(tmp_path)
    await go_on(served)
    assert warnings_in(caplog) == [
        "The journal cannot be written: Not a directory. Calls go on without a record."
    ]
    (tmp_path / "journal").unlink()
    assert len(await served.call("order_touch", id="ORDER-1")) == 1


@pytest.mark.parametrize(
    ("work", "cause", "words"),
    [
        ("write", errno.ENOSPC, "No space left on device"),
        ("write", errno.EDQUOT, "Disk quota exceeded"),
        ("write", errno.EIO, "Input/output error"),
        ("open", errno.EROFS, "Read-only file system"),
        ("open", errno.EACCES, "Permission denied"),
    ],
)
async def test_calls_go_on_with_one_warning_whatever_the_disk_refuses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, work: str, cause: int, words: str
) -> None:
    served = Served(tmp_path)

    def refuse(*_: object) -> int:
        raise OSError(cause, os.strerror(cause))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, work, refuse)
        await go_on(served)
    assert warnings_in(caplog) == [f"The journal cannot be written: {words}. Calls go on without a record."]
    assert len(await served.call("order_touch", id="ORDER-1")) == 1


async def test_a_journal_that_is_deleted_while_it_is_open_begins_again_without_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served = Served(tmp_path, look=0)
    await served.call("order_touch", id="ORDER-1")
    rmtree(tmp_path / "journal")
    await go_on(served)
    assert [record["ids"] for record in Reader(tmp_path / "journal").read()] == [["ORDER-1"]] * 3
    assert warnings_in(caplog) == []


@pytest.mark.parametrize(("name", "recorded"), [("ann", "ann"), ("local", None)])
async def test_a_record_tells_who_called_and_when(tmp_path: Path, name: str, recorded: str | None) -> None:
    served = Served(tmp_path)
    before = time.time()
    await served.endpoint.call_tool("order_touch", {"id": "ORDER-1"}, SilentPeer(Caller(name)))
    served.calls.flush()
    (record,) = served.reader.read()
    assert record.get("caller") == recorded
    assert before - 1 <= record["at"] <= time.time() + 1  # seconds since 1970, not of this machine's start
