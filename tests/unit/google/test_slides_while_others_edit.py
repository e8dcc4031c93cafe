"""Pages of a presentation are of one version: a change in between is said, and pages are never mixed."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.google.kept import texts
from laconic.servers.google.slides.opening import WORDS
from laconic.stores import SqliteStore
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

pytestmark = pytest.mark.usefixtures("impatient")
READ = "slides_getPresentation"
PLAN = "Harbour plan"
BOB = "bob@harbour.example"
REFUSED = [{"deleteObject": {"objectId": "no_such_thing"}}]


def edit(site: GoogleServer, number: int = 1) -> None:
    """Somebody else adds a slide at the beginning, and writes into the last one."""
    requests = [
        {"createSlide": {"objectId": f"news_{number}", "insertionIndex": 0}},
        {"insertText": {"objectId": "view_title", "text": f"News {number}: "}},
    ]
    answer = site.ask("POST", f"/v1/presentations/{site.id(PLAN)}:batchUpdate", {"requests": requests})
    assert answer.status_code == 200


async def pages(client: TestClient, site: GoogleServer, **first: Any) -> AsyncIterator[Any]:
    """Read to the end, page by page."""
    deck = {"presentationId": site.id(PLAN)}
    reply = await client.send(READ, {**deck, **first})
    while True:
        assert not reply.failed, reply.text
        yield reply
        if not reply.cursor:
            return
        reply = await client.call(READ, cursor=reply.cursor, **deck)


def slides(text: str) -> list[str]:
    """The lines of slides."""
    return [line for line in text.splitlines() if (line[:1].isdigit() and ": " in line) or line[:1] == "|"]


def whole_reads(site: GoogleServer) -> int:
    """How often a whole presentation was asked for."""
    asked = [one for one in site.app.seen if one.method == "GET" and one.path.startswith("v1/presentations/")]
    return sum("slides" in str(one.query) for one in asked)


async def test_all_pages_are_of_the_version_of_the_first_while_another_client_edits(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        before = slides((await client.call(READ, presentationId=site.id(PLAN))).text)
        found, told, count = list[str](), list[bool](), 0
        async for reply in pages(client, site, limit=1):
            found += slides(reply.text)
            told.append(WORDS.as_then in reply.text)
            count += 1
            edit(site, count)
        after = await client.call(READ, presentationId=site.id(PLAN))
    assert found == before and told == [False, True, True, True]
    assert after.text.startswith("8 slides:") and "News 4: " in after.text and "changed" not in after.text


async def test_pages_as_data_are_of_one_version(site: GoogleServer, tmp_path: Path) -> None:
    deck = {"presentationId": site.id(PLAN)}
    async with serving(site, tmp_path) as client:
        first = await client.call(READ, response_format="json", limit=3, **deck)
        edit(site)
        cursor = json.loads(first.text)["pagination"]["next_cursor"]
        last = await client.call(READ, cursor=cursor, **deck)
    assert [one["id"] for one in json.loads(last.text)["items"]] == ["view_slide"]
    assert WORDS.as_then in last.text and "News" not in last.text


async def test_the_rest_of_a_page_that_was_too_long_is_of_its_version(
    site: GoogleServer, tmp_path: Path
) -> None:
    found = list[str]()
    async with serving(site, tmp_path) as client:
        async for reply in pages(client, site, budget=500):
            edit(site, len(found) + 1)
            found.append(reply.text)
    assert len(found) > 1 and all(WORDS.as_then in one for one in found[1:])
    numbers = [line[0] for one in found for line in slides(one) if line[0] != "|"]
    assert numbers == ["1", "2", "3", "4"] and "News" not in "".join(found)


async def test_without_a_change_nothing_is_said_and_only_the_revision_is_asked_for(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        found = [reply.text async for reply in pages(client, site, limit=1)]
    assert len(found) == 4 and "changed" not in "".join(found)
    assert whole_reads(site) == 1 and len(site.asked) == 4


async def test_who_may_only_read_and_another_process_read_on_in_the_same_version(
    site: GoogleServer, tmp_path: Path
) -> None:
    deck, state = {"presentationId": site.id(PLAN)}, tmp_path / "shared.sqlite"
    async with serving(site, tmp_path) as owner:
        share = {"fileId": site.id(PLAN), "who": BOB, "role": "reader"}
        assert not (await owner.send("drive_share", share)).failed
    accounts = {"bob": {"key": site.key_file(tmp_path, BOB)}}
    async with serving(site, tmp_path, state=SqliteStore(state), accounts=accounts) as one:
        first = await one.call(READ, limit=2, **deck)
        image = next(
            element["image"]
            for slide in site.app.state.rows("decks")[site.id(PLAN)]["slides"]  # type: ignore[index]  # by text
            for element in slide["pageElements"]
            if "image" in element
        )
        image["contentUrl"] += "?another"  # which Google changes by itself
        same = await one.call(READ, cursor=first.cursor, **deck)
    edit(site)
    async with serving(site, tmp_path, state=SqliteStore(state), accounts=accounts) as other:
        after = await other.call(READ, cursor=first.cursor, **deck)
    assert "you may not change it" in first.text and "changed since" not in same.text
    assert WORDS.as_then in after.text and slides(after.text) == slides(same.text)
    assert [line for line in slides(after.text) if line[:1] == "4"]


async def test_who_changes_a_presentation_reads_on_in_the_new_version_and_is_told_once(
    site: GoogleServer, tmp_path: Path
) -> None:
    deck = {"presentationId": site.id(PLAN)}
    write = {"requests": [{"setText": {"object": "cost_title", "text": "Mine"}}]}
    async with serving(site, tmp_path) as client:
        first = await client.call(READ, limit=2, **deck)
        assert not (await client.send("slides_edit", {**deck, **write})).failed
        second = await client.call(READ, cursor=first.cursor, limit=1, **deck)
        third = await client.call(READ, cursor=second.cursor, **deck)
        edit(site)
        again = await client.call(READ, cursor=second.cursor, **deck)
    assert WORDS.ours in second.text and slides(second.text)[0] == "3 cost_slide: Mine (cost_title)"
    assert "changed" not in third.text and slides(third.text)[0].startswith("4 view_slide: The view")
    assert WORDS.as_then in again.text and slides(again.text) == slides(third.text)


async def test_who_changes_a_presentation_after_each_page_sees_each_slide_once(
    site: GoogleServer, tmp_path: Path
) -> None:
    found, deck = list[str](), {"presentationId": site.id(PLAN)}
    async with serving(site, tmp_path) as client:
        async for reply in pages(client, site, limit=1):
            found.append(slides(reply.text)[0].partition(":")[0])
            write = {"requests": [{"setText": {"object": "cost_title", "text": f"Mine {len(found)}"}}]}
            assert not (await client.send("slides_edit", {**deck, **write})).failed
    assert found == ["1 p", "2 plan_slide", "3 cost_slide", "4 view_slide"]


async def test_a_change_of_ours_that_was_refused_is_not_said_to_be_one(
    site: GoogleServer, tmp_path: Path
) -> None:
    deck = {"presentationId": site.id(PLAN)}
    async with serving(site, tmp_path) as client:
        first = await client.call(READ, limit=2, **deck)
        assert (await client.send("slides_edit", {**deck, "requests": REFUSED})).failed
        second = await client.call(READ, cursor=first.cursor, limit=1, **deck)
        edit(site)
        third = await client.call(READ, cursor=second.cursor, **deck)
    assert "changed" not in second.text
    assert WORDS.as_then in third.text and slides(third.text)[0].startswith("4 view_slide: The view")


async def test_a_version_that_is_not_kept_any_longer_is_refused_with_what_to_do(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "_VERSIONS", 1)
    deck = {"presentationId": site.id(PLAN)}
    async with serving(site, tmp_path) as client:
        first = await client.call(READ, limit=2, **deck)
        edit(site)
        again = await client.call(READ, limit=2, **deck)
        gone = await client.call(READ, cursor=first.cursor, **deck)
        rest = await client.call(READ, cursor=again.cursor, limit=9, **deck)
    assert gone.failed and WORDS.gone in gone.text and "Begin again." in gone.text
    assert not rest.failed and "changed" not in rest.text and "News 1: " in rest.text
