"""Faults while a document is changed: nothing is done twice, and the caller is told what is known."""

from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.docs.writing import carrying_out
from laconic.servers.google.docs.writing.sending import send
from tests.google_server import GoogleServer
from tests.unit.google.docs.test_tools import PLAN, batches, made, markdown
from tests.unit.google.serving import serving

EDIT = [{"find": "Anna", "after": " and Bert"}]
NOTED = "Paid[^a] and free[^b].\n\n[^a]: In May.\n\n[^b]: In June."
UNKNOWN = "It is not known whether anything was changed"


def fail(site: GoogleServer, id: str, what: Any, **more: Any) -> None:
    """Let the next batch for a document go wrong."""
    site.app.faults.add(what, method="POST", path=f"v1/documents/{id}", **more)


@pytest.mark.parametrize("what", ["bad_gateway", "cut"])
async def test_a_batch_that_did_not_arrive_is_sent_again_and_done_once(
    site: GoogleServer, tmp_path: Path, what: str
) -> None:
    async with serving(site, tmp_path, patience=5) as client:
        id = await made(client)
        before = batches(site)
        fail(site, id, what)
        done = await client.call("docs_edit", documentId=id, edits=EDIT)
    assert not done.failed, done.text
    assert batches(site) == before + 2 and markdown(site, id).count(" and Bert") == 1


@pytest.mark.parametrize("what", ["bad_gateway", "cut"])
async def test_a_batch_whose_answer_is_lost_is_not_sent_again_and_told(
    site: GoogleServer, tmp_path: Path, what: str
) -> None:
    async with serving(site, tmp_path, patience=5) as client:
        id = await made(client)
        before = batches(site)
        fail(site, id, what, after=True)
        told = await client.call("docs_edit", documentId=id, edits=EDIT)
    assert told.failed and "another revision now: it was probably done" in told.text and UNKNOWN in told.text
    assert batches(site) == before + 1 and markdown(site, id).count(" and Bert") == 1


async def test_where_not_even_the_revision_can_be_asked_for_nothing_is_promised(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        fail(site, id, "cut", after=True)
        for what in ("hang", "bad_gateway"):  # only the second time
            site.app.faults.add(what, method="GET", path=f"v1/documents/{id}")
        told = await client.call("docs_edit", documentId=id, edits=EDIT)
    assert told.failed and UNKNOWN in told.text and "probably" not in told.text
    assert markdown(site, id).count(" and Bert") == 1


async def test_edits_whose_footnotes_stay_empty_are_not_repeated_and_told(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "Start.")
        before = batches(site)
        dry = await client.call("docs_writeMarkdown", documentId=id, markdown=NOTED, append=True, dryRun=True)
        fail(site, id, "hang")  # the first batch is done
        fail(site, id, "bad_gateway", times=2)
        told = await client.call("docs_writeMarkdown", documentId=id, markdown=NOTED, append=True)
    assert "A second batch would write the texts of 2 footnotes." in dry.text
    assert told.failed and "done, but not the texts of 2 footnotes" in told.text and UNKNOWN not in told.text
    assert "Part of it was done" in told.text and "Do not repeat the edits" in told.text
    assert batches(site) == before + 3 and markdown(site, id).count("Paid") == 1


@pytest.mark.parametrize("after", [False, True])
async def test_footnotes_are_filled_once_after_a_fault(
    site: GoogleServer, tmp_path: Path, after: bool
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "Start.")
        before = batches(site)
        fail(site, id, "hang")  # the first batch is done
        fail(site, id, "cut", after=after)
        done = await client.call("docs_writeMarkdown", documentId=id, markdown=NOTED, append=True)
    assert not done.failed, done.text
    assert batches(site) == before + (2 if after else 3)
    assert markdown(site, id).endswith("[^1]: In May.\n[^2]: In June.") and "Paid[^1]" in markdown(site, id)


async def test_somebody_who_edits_between_the_two_batches_does_no_harm(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "Start.")
        late = ["Now: "]

        async def send_late(*given: Any, **more: Any) -> Any:
            """Somebody writes right before the second batch."""
            if late:
                body = {"requests": [{"insertText": {"location": {"index": 1}, "text": late.pop()}}]}
                assert site.ask("POST", f"/v1/documents/{id}:batchUpdate", body).status_code == 200
            return await send(*given, **more)

        monkeypatch.setattr(carrying_out, "send", send_late)
        done = await client.call("docs_writeMarkdown", documentId=id, markdown=NOTED, append=True)
    assert not done.failed, done.text
    assert markdown(site, id) == "Now: Start.\n\nPaid[^1] and free[^2].\n\n[^1]: In May.\n[^2]: In June."


async def test_a_document_whose_footnotes_stay_empty_is_not_called_empty(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        site.app.faults.add("hang", method="POST", path="v1/documents/")  # it is filled
        site.app.faults.add("bad_gateway", method="POST", path="v1/documents/", times=2)
        told = await client.call(
            "docs_createDocument", title="Noted", markdown=PLAN + "\nEnd[^1]\n\n[^1]: A note"
        )
    assert told.failed and f"The document {site.id('Noted')} was created: " in told.text
    assert "is empty" not in told.text and "done, but not the text of 1 footnote" in told.text
