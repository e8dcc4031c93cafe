"""What others wrote since a caller read a document is not lost when the caller writes over it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.reading import opening
from laconic.servers.google.docs.reading.document import Document
from laconic.servers.google.docs.writing import carrying_out
from laconic.stores import SqliteStore
from tests.google_server import GoogleServer
from tests.unit.google.docs.test_tools import PLAN, batches, made, markdown
from tests.unit.google.serving import serving

NEW = PLAN.replace("Boats pay", "Ships pay")


@pytest.fixture
def bobs(tmp_path: Path) -> Path:
    """Where Bob's server keeps what is his."""
    folder = tmp_path / "bob"
    folder.mkdir()
    return folder


@asynccontextmanager
async def bob_of(site: GoogleServer, folder: Path, id: str) -> AsyncIterator[TestClient]:
    """Somebody else, with an account and a server of his own."""
    role = {"type": "user", "role": "writer", "emailAddress": "bob@harbour.example"}
    assert site.ask("POST", f"/drive/v3/files/{id}/permissions", role).status_code == 200
    accounts = {"bob": {"key": site.key_file(folder, "bob@harbour.example")}}
    async with serving(site, folder, accounts=accounts) as client:
        yield client


async def test_markdown_does_not_remove_what_others_wrote_since_it_was_read(
    site: GoogleServer, tmp_path: Path, bobs: Path
) -> None:
    fee = [{"find": "10", "replace": "12"}, {"section": "Dates", "after": "Not in July."}]
    async with serving(site, tmp_path) as client:
        id = await made(client)
        paper = {"documentId": id, "markdown": NEW}
        await client.call("docs_getDocument", documentId=id)
        async with bob_of(site, bobs, id) as bob:
            assert not (await bob.call("docs_edit", documentId=id, edits=fee)).failed
        before = markdown(site, id)
        refused = await client.call("docs_writeMarkdown", **paper)
        dry = await client.call("docs_writeMarkdown", **paper, dryRun=True)
        again = await client.call("docs_writeMarkdown", **paper)
        assert markdown(site, id) == before
        read = await client.call("docs_getDocument", documentId=id)  # not as it was kept seconds ago
        done = await client.call("docs_writeMarkdown", documentId=id, markdown=NEW.replace("10", "12"))
    assert refused.failed and "This part has changed since you read it" in refused.text
    assert "-| Anna | 10 |" in refused.text and "+| Anna | 12 |" in refused.text
    assert "+Not in July." in refused.text and "newline" not in refused.text
    assert "-Not in July." in dry.text and again.failed
    assert "Not in July." in read.text and not done.failed
    assert markdown(site, id) + "\n" == NEW.replace("10", "12")


async def test_a_section_is_written_while_others_change_other_ones(
    site: GoogleServer, tmp_path: Path, bobs: Path
) -> None:
    sections = {"Costs": "All free.", "Dates": "- May 2\n- June", "Plan": "# Plan\n\nGone."}
    async with serving(site, tmp_path) as client:
        id = await made(client)
        await client.call("docs_getDocument", documentId=id)
        async with bob_of(site, bobs, id) as bob:
            told = []
            for section, text in sections.items():
                edit = {"find": "Boats", "after": " now"}
                assert not (await bob.call("docs_edit", documentId=id, edits=[edit])).failed
                paper = {"documentId": id, "section": section}
                told.append(await client.call("docs_writeMarkdown", **paper, markdown=text))
            added = await client.call("docs_writeMarkdown", documentId=id, markdown="- July", append=True)
            await client.call("docs_getDocument", documentId=id, section="Dates")
            gone = await bob.call("docs_edit", documentId=id, edits=[{"find": "May 2\n", "replace": ""}])
        lost = await client.call(
            "docs_writeMarkdown", documentId=id, section="Dates", markdown="- May\n- June"
        )
        deletion = [{"section": "Dates", "replace": ""}]
        deleted = await client.call("docs_edit", documentId=id, edits=deletion)
    assert [one.failed for one in told] == [False, False, True], [one.text for one in told]
    assert "+Boats now now now pay" in told[2].text and not added.failed, added.text
    assert not gone.failed and lost.failed and "-- May 2" in lost.text and deleted.failed
    assert markdown(site, id).endswith("## Costs\n\nAll free.\n\n## Dates\n\n- June\n- July")


async def test_own_changes_are_known_and_a_new_document_too(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        noted = {"find": "fees, too", "replace": "fees"}
        style = {"range": {"startIndex": 6, "endIndex": 11}, "textStyle": {"bold": True}, "fields": "bold"}
        calls: list[tuple[str, dict[str, Any]]] = [
            (
                "docs_writeMarkdown",
                {"markdown": "## Dates\n\nJuly.[^1]\n\n[^1]: Or May.", "section": "Dates"},
            ),
            ("docs_edit", {"edits": [noted]}),
            ("docs_writeMarkdown", {"markdown": PLAN}),
            ("docs_edit", {"requests": [{"updateTextStyle": style}]}),
            ("docs_writeMarkdown", {"markdown": NEW}),
        ]
        for name, given in calls:
            done = await client.call(name, documentId=id, **given)
            assert not done.failed, done.text
        body = {"requests": [{"insertText": {"location": {"index": 1}, "text": "New "}}]}
        assert site.ask("POST", f"/v1/documents/{id}:batchUpdate", body).status_code == 200
        told = await client.call("docs_writeMarkdown", documentId=id, markdown=PLAN)
        same = await client.call("docs_writeMarkdown", documentId=id, markdown=f"# New {NEW[2:]}")
    assert told.failed and "changed since you last read or changed it. Read it again" in told.text
    assert same.text == "Nothing to change: it is like this already."


async def test_edits_that_are_sent_at_once_are_all_done(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "Start.")
        before = batches(site)
        edits = [{"find": "Start", "after": f" {number}"} for number in range(12)]
        calls = [client.call("docs_edit", documentId=id, edits=[edit]) for edit in edits]
        done = await asyncio.gather(*calls)
    assert not any(one.failed for one in done), [one.text for one in done]
    assert batches(site) == before + 12  # none was in vain
    assert sorted(markdown(site, id).rstrip(".").split()[1:], key=int) == [str(at) for at in range(12)]


async def test_edits_of_two_servers_at_once_are_all_done(
    site: GoogleServer, tmp_path: Path, bobs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "_ATTEMPTS", 40)
    monkeypatch.setattr(carrying_out, "_PAUSE", 0.01)
    async with serving(site, tmp_path) as client:
        id = await made(client, "Start.")
        async with bob_of(site, bobs, id) as bob:
            edits = [{"find": "Start", "after": f" {number}"} for number in range(8)]
            both = [
                (client, bob)[at % 2].call("docs_edit", documentId=id, edits=[edits[at]]) for at in range(8)
            ]
            done = await asyncio.gather(*both)
    assert not any(one.failed for one in done), [one.text for one in done]
    assert sorted(markdown(site, id).rstrip(".").split()[1:], key=int) == [str(at) for at in range(8)]


async def test_a_new_document_is_not_one_of_before_with_its_id(site: GoogleServer, tmp_path: Path) -> None:
    store = tmp_path / "shared.sqlite"
    ids = []
    for text in ("Before.", "After."):
        async with serving(site, tmp_path, state=SqliteStore(store)) as client:
            id = await made(client, f"{text} {text}")
            ids.append(id)
        assert markdown(site, id) == f"{text} {text}"
        site.reset()
    assert len(set(ids)) == 1


@pytest.mark.parametrize("noted", [False, True])
async def test_edits_are_done_while_somebody_types_all_the_time(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: bool
) -> None:
    typed = []

    async def read_while_typing(access: Access, id: str) -> Document:
        """Somebody is faster every time."""
        found = await opening.read(access, id)
        typed.append("x")
        body = {"requests": [{"insertText": {"location": {"index": 6}, "text": "x"}}]}
        assert site.ask("POST", f"/v1/documents/{id}:batchUpdate", body).status_code == 200
        return found

    dates = "- July[^1]\n\n[^1]: Or May." if noted else "- July"
    async with serving(site, tmp_path) as client:
        id = await made(client)
        await client.call("docs_getDocument", documentId=id)
        monkeypatch.setattr(carrying_out, "read", read_while_typing)
        monkeypatch.setattr(carrying_out, "_PAUSE", 0.0)
        done = await client.call("docs_writeMarkdown", documentId=id, section="Dates", markdown=dates)
        edit = await client.call("docs_edit", documentId=id, edits=[{"find": "Anna", "replace": "Berta"}])
        whole = await client.call("docs_writeMarkdown", documentId=id, markdown=PLAN)
    assert not done.failed and not edit.failed, done.text + edit.text
    assert whole.failed and f"+{'x' * (len(typed) - 1)}Boats" in whole.text
    new = PLAN.replace("Boats", "x" * len(typed) + "Boats").replace("Anna", "Berta")
    assert markdown(site, id) == new.replace("- May\n- June\n", dates)


async def test_a_section_is_said_to_have_changed_only_if_others_changed_the_document(
    site: GoogleServer, tmp_path: Path, bobs: Path
) -> None:
    section = {"section": "Dates"}
    async with serving(site, tmp_path) as client:
        id = await made(client)
        await client.call("docs_getDocument", documentId=id)
        for word in ("Not in July.", "Not in August."):
            own = [{**section, "after": word}]
            assert not (await client.call("docs_edit", documentId=id, edits=own)).failed
        ours = await client.call("docs_getDocument", documentId=id, **section)
        async with bob_of(site, bobs, id) as bob:
            fee = [{"find": "10", "replace": "12"}]
            assert not (await bob.call("docs_edit", documentId=id, edits=fee)).failed
            assert not (await client.call("docs_edit", documentId=id, edits=own)).failed
            theirs = await client.call("docs_getDocument", documentId=id, **section)
    assert "Not in August." in ours.text and "has changed" not in ours.text
    assert "The document has changed since you last read it." in theirs.text
