"""Pages of rows are of one version: a change in between is said, and the pages are never mixed."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.sheets import blocks
from laconic.servers.google.sheets.blocks import OURS, THEIRS
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

pytestmark = pytest.mark.usefixtures("impatient")
BOATS = "Boats and berths"


def insert_row(site: GoogleServer, id: str) -> None:
    """Somebody else inserts a row near the beginning."""
    row = {"range": {"dimension": "ROWS", "startIndex": 1, "endIndex": 2}}
    answer = site.ask("POST", f"/v4/spreadsheets/{id}:batchUpdate", {"requests": [{"insertDimension": row}]})
    assert answer.status_code == 200


def values(site: GoogleServer, id: str) -> list[list[Any]]:
    """All rows as they are."""
    found: list[list[Any]] = site.ask("GET", f"/v4/spreadsheets/{id}/values/Boats").json()["values"]
    return found


class Edits:
    """How many edits were done."""

    def __init__(self) -> None:
        self.count, self._told = 0, threading.Condition()

    def add(self) -> None:
        with self._told:
            self.count += 1
            self._told.notify_all()

    def beyond(self, count: int) -> None:
        """Wait for one more."""
        with self._told:
            assert self._told.wait_for(lambda: self.count > count, 120)


@contextmanager
def inserting(site: GoogleServer, id: str) -> Iterator[Edits]:
    """Another client inserts rows all the time."""
    done, stop = Edits(), threading.Event()

    def run() -> None:
        while not stop.wait(0.02):
            insert_row(site, id)
            done.add()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield done
    finally:
        stop.set()
        thread.join()


async def test_all_pages_are_of_the_version_of_the_first_while_another_client_edits(
    site: GoogleServer, tmp_path: Path
) -> None:
    book = {"spreadsheetId": site.id(BOATS)}
    before = values(site, book["spreadsheetId"])
    async with serving(site, tmp_path) as client:
        ask = {**book, "ranges": ["Boats"], "limit": 25}
        reply = await client.send("sheets_batchGetValues", ask)
        found, told = list[str](), 0
        with inserting(site, book["spreadsheetId"]) as edits:
            while True:
                assert not reply.failed, reply.text
                lines = [line.partition(" ")[2] for line in reply.text.splitlines() if line[:1].isdigit()]
                found += [line for line in lines if "\t" in line]
                told += THEIRS in reply.text
                if not reply.cursor:
                    break
                seen = edits.count
                await asyncio.to_thread(edits.beyond, seen)
                reply = await client.call("sheets_batchGetValues", cursor=reply.cursor, **book)
    assert found == ["\t".join(map(str, row)) for row in before] and told >= 3


async def test_a_word_is_found_in_one_version(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id(BOATS)}
    async with serving(site, tmp_path) as client:
        whole = await client.call("sheets_batchGetValues", find="a", limit=2000, **book)
        reply = await client.call("sheets_batchGetValues", find="a", limit=20, **book)
        found = list[str]()
        with inserting(site, book["spreadsheetId"]):
            while True:
                assert not reply.failed, reply.text
                found += [line for line in reply.text.splitlines() if "\t" in line]
                if not reply.cursor:
                    break
                reply = await client.call("sheets_batchGetValues", cursor=reply.cursor, **book)
    assert found == [line for line in whole.text.splitlines() if "\t" in line] and len(found) > 40


async def test_beyond_what_was_kept_a_change_is_refused_with_how_to_read_on(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "ROWS", 40)
    book = {"spreadsheetId": site.id(BOATS)}
    async with serving(site, tmp_path) as client:
        first = await client.call("sheets_batchGetValues", limit=20, **book)
        second = await client.call("sheets_batchGetValues", cursor=first.cursor, **book)
        same = await client.call("sheets_batchGetValues", cursor=second.cursor, **book)
        insert_row(site, book["spreadsheetId"])
        still = await client.call("sheets_batchGetValues", cursor=same.cursor, **book)
        mixed = await client.call("sheets_batchGetValues", cursor=still.cursor, **book)
        wanted = mixed.text.partition("with ranges ['")[2].partition("'")[0]
        onward = await client.call("sheets_batchGetValues", ranges=[wanted], limit=20, **book)
    assert not second.failed and not same.failed and "changed" not in first.text + second.text + same.text
    assert THEIRS in still.text and "\n61 " in still.text
    assert mixed.failed and "was changed since the page before, so rows may have moved" in mixed.text
    assert wanted.startswith("Boats!A81:") and "\n81 " in onward.text


async def test_who_changes_a_spreadsheet_reads_on_and_is_told(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id(BOATS)}
    async with serving(site, tmp_path) as client:
        first = await client.call("sheets_batchGetValues", limit=20, **book)
        write = {**book, "range": "Boats!C30", "values": [["mine"]]}
        await client.send("sheets_batchUpdateValues", write)
        second = await client.call("sheets_batchGetValues", cursor=first.cursor, **book)
        third = await client.call("sheets_batchGetValues", cursor=second.cursor, **book)
    assert OURS in second.text and "\tmine" in second.text and not third.failed and OURS not in third.text


async def test_a_long_range_by_its_address_says_where_the_rest_is(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "ROWS", 50)
    id = site.id(BOATS)
    before = values(site, id)
    address, lines = f"gdrive://sheets/{id}/values/Boats", list[str]()
    async with serving(site, tmp_path) as client:
        while address:
            text, *words = (await client.client.read_resource(address)).contents
            lines += [line for line in text.text.splitlines() if line]
            last, address = address, words[0].text.partition("Read on: ")[2].rstrip(".") if words else ""
        insert_row(site, id)
        refused = await client.call("read_on", uri=last.replace("?at=", "?at=0"))
    assert lines == ["\t".join(map(str, row)) for row in before] and "?at=" in last
    assert refused.failed and "was changed since the page before" in refused.text
