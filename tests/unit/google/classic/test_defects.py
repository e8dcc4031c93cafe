"""The thirteen defects of the earlier server, each shown to be absent."""

import json
import logging
import secrets
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import FakeClock, TestClient
from laconic.servers.google.kept import texts
from laconic.stores.keyvalue.memory import MemoryStore
from tests.google_server import GoogleServer
from tests.unit.google.classic.test_docs import Doc
from tests.unit.google.serving import serving

CLASSIC = {"tools": {"google": "classic"}}
READING = (
    "docs_get",
    "docs_getDocument",
    "drive_exportFile",
    "sheets_getSpreadsheet",
    "sheets_batchGetValues",
)


@pytest.mark.requirement("004-P1-2")
async def test_1_return_mode_is_in_the_published_schemas(site: GoogleServer, tmp_path: Path) -> None:
    for profile, names in (("classic", READING), ("lean", READING[1:]), ("full", READING[1:])):
        async with serving(site, tmp_path, tools={"google": profile}) as client:
            tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in await client.tools()}
        assert all(tools[name]["returnMode"]["enum"] == ["summary", "full"] for name in names), profile


async def test_2_a_long_answer_is_kept_whole_and_never_cut_inside_a_value(
    site: GoogleServer, tmp_path: Path
) -> None:
    doc = Doc(site, {"insertText": {"location": {"index": 1}, "text": "A line of the long text.\n" * 2_000}})
    async with serving(site, tmp_path, **CLASSIC) as client:
        full = await client.call("docs_getDocument", documentId=doc.id, returnMode="full")
        handle = full.text.partition("handle='")[2].partition("'")[0]
        end = await client.call("read_on", handle=handle, characters="50000-")
    assert len(full.text) < 25_000 and "A line of the long text." in end.text and "Second line" in end.text


async def test_3_the_address_of_values_leads_to_values(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path, **CLASSIC) as client:
        summary = await client.call("sheets_getSpreadsheet", spreadsheetId=id, response_format="json")
        uri = json.loads(summary.result.content[0].text)["resourceUri"].replace("{range}", "Months!A1:B2")
        values = await client.call("read_on", uri=uri)
        structure = await client.call("read_on", uri=f"gdrive://docs/{site.id('Minutes October')}/structure")
    assert "January\t1500" in values.text and "## Crane" in structure.text


async def test_4_an_export_does_not_replace_what_was_read_of_the_same_file(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Minutes October")
    async with serving(site, tmp_path, **CLASSIC) as client:
        before = await client.call("read_on", uri=f"gdrive://docs/{id}/content")
        exported = await client.call("drive_exportFile", fileId=id, mimeType="text/html")
        after = await client.call("read_on", uri=f"gdrive://docs/{id}/content")
    assert before.text == after.text and "<h1>" in exported.text and "<h1>" not in after.text


async def test_5_a_write_ends_what_was_kept(site: GoogleServer, tmp_path: Path) -> None:
    doc = Doc(site)
    async with serving(site, tmp_path, **CLASSIC) as client:
        await client.call("docs_getDocument", documentId=doc.id)
        await client.call("docs_replaceAllText", documentId=doc.id, containsText="Hello", replaceText="Ahoy")
        after = await client.call("docs_getDocument", documentId=doc.id)
    assert "Ahoy boats" in after.text


async def test_5_what_is_kept_ends_after_half_an_hour_and_takes_no_more_than_its_bytes(
    site: GoogleServer, tmp_path: Path
) -> None:
    clock, most = FakeClock(), 300_000
    store = MemoryStore(most, clock)
    docs = [
        Doc(
            site, {"insertText": {"location": {"index": 1}, "text": f"{secrets.token_hex(50_000)} No. {n}\n"}}
        )
        for n in range(8)
    ]  # which no packing makes much shorter than 50,000 bytes

    async def kept() -> list[bytes]:
        return [value for key in await store.keys() if (value := await store.get(key)) is not None]

    async with serving(site, tmp_path, state=store, **CLASSIC) as client:
        for number, doc in enumerate(docs):
            read = await client.call("docs_getDocument", documentId=doc.id)
            assert not read.failed
            assert 50_000 * min(number + 1, 4) < sum(map(len, await kept())) <= most
        clock.forward(30 * 60 + 1)
        assert max(map(len, await kept()), default=0) < 1_000
        again = await client.call("docs_getDocument", documentId=docs[0].id, returnMode="full")
    assert not again.failed and texts.LASTS == 30 * 60


async def test_6_a_wrong_address_is_an_error(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, **CLASSIC) as client:
        for uri in ("gdrive://docs/nothing/content", "gdrive://docs/x/chunk/9-1", "gdrive://boats/1"):
            assert (await client.call("read_on", uri=uri)).failed
            with pytest.raises(Exception, match=r"Unknown resource|does not see it"):
                await client.client.read_resource(uri)


async def test_7_templates_are_served_and_no_list_asks_google(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, **CLASSIC) as client:
        templates = (await client.client.list_resource_templates()).resource_templates
        await client.client.list_resources()
    assert sum(one.uri_template.startswith("gdrive:") for one in templates) == 6 and site.asked == []


async def test_8_headers_footnotes_and_other_tabs_are_read(site: GoogleServer, tmp_path: Path) -> None:
    doc = Doc(site, {"addDocumentTab": {"tabProperties": {"title": "More"}}})
    [header, note] = doc.send(
        {"createHeader": {"type": "DEFAULT"}}, {"createFootnote": {"location": {"index": 3}}}
    )
    tabs = site.ask("GET", f"/v1/documents/{doc.id}", includeTabsContent="true").json()["tabs"]
    tab = tabs[1]["tabProperties"]["tabId"]
    places = (
        ({"index": 1, "tabId": tab}, "on another tab"),
        ({"index": 0, "segmentId": header["createHeader"]["headerId"]}, "above all"),
        ({"index": 1, "segmentId": note["createFootnote"]["footnoteId"]}, "in a note"),
    )
    doc.send(*({"insertText": {"location": place, "text": text}} for place, text in places))
    async with serving(site, tmp_path, **CLASSIC) as client:
        read = await client.call("docs_getDocument", documentId=doc.id)
    assert all(text in read.text for _, text in places)


async def test_9_many_changes_are_one_write_with_a_guard(site: GoogleServer, tmp_path: Path) -> None:
    book, doc = site.id("Budget 2026"), Doc(site)
    requests = [{"addSheet": {"properties": {"title": f"New {n}"}}} for n in range(30)]
    stale = {"writeControl": {"requiredRevisionId": "long ago"}}
    async with serving(site, tmp_path) as client:
        await client.call("sheets_edit", spreadsheetId=book, requests=requests)
    assert len([one for one in site.asked if one.endswith(f"{book}:batchUpdate")]) == 1
    async with serving(site, tmp_path, **CLASSIC) as client:
        told = await client.call("docs_insertPageBreak", documentId=doc.id, index=1, **stale)
    assert told.failed and "pageBreak" not in doc.kinds()


async def test_10_headers_footnotes_and_other_tabs_can_be_edited(site: GoogleServer, tmp_path: Path) -> None:
    doc = Doc(site, {"addDocumentTab": {"tabProperties": {"title": "More"}}})
    [head, note] = doc.send(
        {"createHeader": {"type": "DEFAULT"}}, {"createFootnote": {"location": {"index": 3}}}
    )
    path = f"/v1/documents/{doc.id}"
    tabs = site.ask("GET", path, includeTabsContent="true").json()["tabs"]
    header, footnote = head["createHeader"]["headerId"], note["createFootnote"]["footnoteId"]
    places = ({"segmentId": header}, {"segmentId": footnote}, {"tabId": tabs[1]["tabProperties"]["tabId"]})
    starts = (0, 1, 1)
    doc.send(
        *(
            {"insertText": {"location": {"index": start, **place}, "text": "Bold"}}
            for start, place in zip(starts, places, strict=True)
        )
    )
    async with serving(site, tmp_path, **CLASSIC) as client:
        for start, place in zip(starts, places, strict=True):
            span = {"documentId": doc.id, "startIndex": start, "endIndex": start + 4}
            done = await client.call("docs_updateTextStyle", bold=True, **span, **place)
            assert not done.failed, done.text
        span = {"documentId": doc.id, "startIndex": 1, "endIndex": 2}
        elsewhere = await client.call("docs_deleteContentRange", **span, tabId="nowhere")
    first, second = (
        tab["documentTab"] for tab in site.ask("GET", path, includeTabsContent="true").json()["tabs"]
    )
    assert bold_texts(first["headers"][header]["content"]) == ["Bold"]
    assert bold_texts(first["footnotes"][footnote]["content"]) == ["Bold"]
    assert bold_texts(second["body"]["content"]) == ["Bold"]
    assert bold_texts(first["body"]["content"]) == [] and elsewhere.failed


def bold_texts(content: list[dict[str, Any]]) -> list[str]:
    """What is bold in a part of a document."""
    runs = [
        run["textRun"]
        for one in content
        for run in one.get("paragraph", {}).get("elements", ())
        if "textRun" in run
    ]
    return [run["content"].strip() for run in runs if run["textStyle"].get("bold")]


@pytest.mark.parametrize("cells", ["'Notes & plans'!a1:b2", "Fees", "a1:b2", "Months!A:A", "Months"])
async def test_11_ranges_with_quotes_names_and_small_letters_are_found(
    site: GoogleServer, tmp_path: Path, cells: str
) -> None:
    one = {"spreadsheetId": site.id("Budget 2026"), "range": cells}
    async with serving(site, tmp_path, **CLASSIC) as client:
        done = await client.call("sheets_repeatCell", bold=True, **one)
        wrong = await client.call("sheets_repeatCell", **{**one, "range": "Sheet1!A1"}, bold=True)
    assert not done.failed, done.text
    assert "Sheets (rows x columns): Months" in wrong.text


async def bold(client: TestClient, id: str, cells: str, **more: str) -> None:
    done = await client.call("sheets_repeatCell", spreadsheetId=id, range=cells, bold=True, **more)
    assert not done.failed, done.text


async def test_11_a_range_of_indices_needs_no_further_request(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path, **CLASSIC) as client:
        await bold(client, id, '{"sheetId": 0, "endRowIndex": 1, "endColumnIndex": 2}')
    assert site.asked == [f"POST v4/spreadsheets/{id}:batchUpdate"]


async def test_11_a_name_is_of_the_sheet_that_has_it_now_whatever_others_changed_just_before(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path, **CLASSIC) as client:
        await bold(client, id, "Months!A1")
        renamed = {"properties": {"sheetId": 0, "title": "Past"}, "fields": "title"}
        added = {"properties": {"title": "Months", "index": 0}}
        body = {"requests": [{"updateSheetProperties": renamed}, {"addSheet": added}]}
        assert site.ask("POST", f"/v4/spreadsheets/{id}:batchUpdate", body).status_code == 200
        await bold(client, id, "Months!B3")
        await bold(client, id, "C3")  # of the first sheet
        gone = await client.call(
            "sheets_mergeCells", spreadsheetId=id, range="Month!A1:B2", mergeType="MERGE_ALL"
        )
    new, old, *_ = site.app.state.rows("books")[id]["sheets"]  # type: ignore[index]  # by text
    assert new["properties"]["title"] == "Months" and old["properties"]["title"] == "Past"
    assert new["formats"][2][1]["textFormat"]["bold"] and new["formats"][2][2]["textFormat"]["bold"]
    assert 2 not in old["formats"] or not {1, 2} & set(old["formats"][2])
    assert gone.failed and "Sheets (rows x columns): Months" in gone.text


async def test_12_no_part_of_a_token_is_logged(
    site: GoogleServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with serving(site, tmp_path, **CLASSIC) as client:
            await client.call("auth_getStatus")
    token = site.token()
    assert token.startswith("ya29.") and "ya29." not in caplog.text


async def test_13_json_is_compact_and_repeats_no_id(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Budget 2026")
    async with serving(site, tmp_path, **CLASSIC) as client:
        files = await client.call("drive_listFiles")
        added = await client.call("sheets_addSheet", spreadsheetId=id, title="New")
    for text in (files.text, added.text):
        assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    assert id not in added.text
