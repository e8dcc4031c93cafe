"""What classic tools answer is true: nothing looks done, or whole, that is not."""

import base64
import json
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.testing import TestClient, connect
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.classic.test_docs import Doc
from tests.unit.google.classic.test_drive import PLAN

BOOK, DECK = "Budget 2026", "Harbour plan"


def tab_of(doc: Doc) -> str:
    """The id of a second tab, which is added."""
    doc.send({"addDocumentTab": {"tabProperties": {"title": "More"}}})
    tabs = doc.site.ask("GET", f"/v1/documents/{doc.id}", includeTabsContent="true").json()["tabs"]
    return str(tabs[1]["tabProperties"]["tabId"])


@pytest.mark.requirement("004-P2-3")
@pytest.mark.parametrize("fields", ["files(id,name)", "files/name", "nextPageToken,files(name)", "*"])
async def test_a_list_with_fields_of_the_caller_goes_on_to_its_end(
    site: GoogleServer, classic: TestClient, fields: str
) -> None:
    names: list[str] = []
    more: dict[str, Any] = {}
    while True:
        page = json.loads((await classic.call("drive_listFiles", pageSize=3, fields=fields, **more)).text)
        names += [one["name"] for one in page["items"]]
        assert "total" not in page["pagination"]
        if not page["pagination"]["has_more"]:
            break
        more = {"pageToken": page["pagination"]["next_cursor"]}
    assert len(names) == len(set(names)) == 10


async def test_other_lists_with_fields_go_on_as_well(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id("Minutes October"), "pageSize": 1}
    first = json.loads((await classic.call("drive_listPermissions", fields="permissions(role)", **one)).text)
    token = first["pagination"]["next_cursor"]
    second = json.loads((await classic.call("drive_listPermissions", pageToken=token, **one)).text)
    assert first["items"] == [{"role": "owner"}] and first["pagination"]["has_more"]
    assert second["items"][0]["role"] != "owner"


async def test_fields_that_are_not_of_a_list_are_answered_with_some_that_are(
    site: GoogleServer, classic: TestClient
) -> None:
    told = await classic.call("drive_listFiles", fields="id,name")
    people = await classic.call("drive_listPermissions", fileId=site.id(PLAN), fields="role")
    assert told.failed and "Name the fields of a list as in files(id)." in told.text
    assert people.failed and "Name the fields of a list as in permissions(id)." in people.text


async def test_a_search_that_left_drives_out_has_no_total(site: GoogleServer, classic: TestClient) -> None:
    site.app.faults.add("incomplete", method="GET", path="drive/v3/files")
    found = json.loads((await classic.call("drive_listFiles", q="name contains 'pier'")).text)
    assert found["incompleteSearch"] and found["pagination"] == {"count": 1, "has_more": False}


@pytest.mark.parametrize(
    ("tool", "key", "name", "given"),
    [
        (
            "docs_replaceAllText",
            "documentId",
            "Minutes October",
            {"containsText": "zebra", "replaceText": ""},
        ),
        (
            "slides_replaceAllText",
            "presentationId",
            DECK,
            {"containsText": {"text": "zebra"}, "replaceText": ""},
        ),
        (
            "sheets_findReplace",
            "spreadsheetId",
            BOOK,
            {"find": "zebra", "replacement": "", "allSheets": True},
        ),
        (
            "sheets_trimWhitespace",
            "spreadsheetId",
            BOOK,
            {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2},
        ),
    ],
)
async def test_what_matches_nothing_is_not_said_to_be_done(
    site: GoogleServer, classic: TestClient, tool: str, key: str, name: str, given: dict[str, Any]
) -> None:
    done = await classic.send(tool, {key: site.id(name), **given})
    assert not done.failed and done.text == "Nothing matched, so nothing was changed."


async def test_the_name_of_a_range_that_is_not_there_is_refused(
    site: GoogleServer, classic: TestClient
) -> None:
    doc = Doc(site)
    tab = tab_of(doc)
    named = {"name": "greeting", "range": {"startIndex": 1, "endIndex": 6}}
    doc.send({"createNamedRange": named})
    before = doc.text
    one = {"documentId": doc.id}
    other = await classic.call("docs_replaceNamedRangeContent", namedRangeName="greetin", text="Ahoy", **one)
    there = await classic.call(
        "docs_replaceNamedRangeContent", namedRangeName="greeting", text="Ahoy", tabId=tab, **one
    )
    gone = await classic.call("docs_deleteNamedRange", name="greetings", **one)
    assert other.failed and gone.failed and doc.text == before and "greeting" in doc.data["namedRanges"]
    assert "Named range greetin not found. Named ranges: greeting." in other.text
    assert there.failed and "Named ranges: none." in there.text


async def test_what_is_not_on_the_slides_is_answered_with_what_is(
    site: GoogleServer, classic: TestClient
) -> None:
    one = {"presentationId": site.id(DECK)}
    element = await classic.call("slides_deleteObject", objectId="plan_titel", **one)
    index = await classic.call("slides_insertText", objectId="plan_title", text="x", insertionIndex=99, **one)
    page = await classic.call(
        "slides_createTextBox", pageObjectId="plan", text="x", x=0, y=0, width=90_000, height=90_000, **one
    )
    stale = await classic.call("slides_createSlide", writeControl={"requiredRevisionId": "old"}, **one)
    assert element.failed and "Did you mean 'plan_title'? Objects by slide: 1 p: i0" in element.text
    assert "plan_title: Its text has 13 units: 'What we build'." in index.text
    assert page.failed and "Slides: 1 p, 2 plan_slide, 3 cost_slide, 4 view_slide." in page.text
    assert stale.failed and "not old. Nothing was done. Read it again, then repeat the change." in stale.text


async def test_a_document_comes_as_json_if_that_is_asked_for(site: GoogleServer, classic: TestClient) -> None:
    small = {"documentId": site.id("Minutes October"), "response_format": "json"}
    doc = Doc(site, {"insertText": {"location": {"index": 1}, "text": "A line of the text.\n" * 300}})
    one = json.loads((await classic.call("docs_get", **small)).text)
    same = json.loads((await classic.call("docs_getDocument", **small)).text)
    long = await classic.call("docs_get", documentId=doc.id, response_format="json")
    summary = json.loads(long.text)
    assert one == same and one["content"].startswith("# Minutes")
    assert summary["documentId"] == doc.id and summary["resourceUri"] and "content" not in summary


async def test_a_new_presentation_is_answered_with_what_one_goes_on_with(
    site: GoogleServer, classic: TestClient
) -> None:
    made = json.loads((await classic.call("slides_createPresentation", title="Crew")).text)
    [slide] = made["slides"]
    kinds = [one["shape"]["placeholder"]["type"] for one in slide["pageElements"]]
    whole = (await classic.call("slides_get", presentationId=site.id(DECK))).text
    part = await classic.call("slides_get", presentationId=site.id(DECK), fields="slides(objectId)")
    layouts = json.loads(whole)["layouts"]
    assert made.keys() == {"presentationId", "title", "pageSize", "slides"}
    assert made["pageSize"]["width"]["magnitude"] == 9_144_000 and kinds == ["CENTERED_TITLE", "SUBTITLE"]
    assert "What we build" in whole and "masters" not in whole
    assert "TITLE_AND_BODY" in [one["layoutProperties"]["name"] for one in layouts]
    assert all(one.keys() <= {"objectId", "layoutProperties", "pageElements"} for one in layouts)
    assert json.loads(part.text)["slides"][1] == {"objectId": "plan_slide"}


async def test_an_export_of_bytes_is_told_of_and_comes_whole(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id("Minutes October"), "mimeType": "application/pdf"}
    path = f"/drive/v3/files/{one['fileId']}/export"
    there = site.ask("GET", path, mimeType="application/pdf").content
    told = await classic.call("drive_exportFile", **one)
    whole = await classic.call("drive_exportFile", returnMode="full", **one)
    text, file = whole.result.content
    size = f"'Minutes October' as application/pdf: {len(there):,} bytes."
    assert told.text == f"{size} returnMode full gives all of them, in base64."
    assert text.text == size and file.resource.mime_type == "application/pdf"
    assert base64.b64decode(file.resource.blob) == there


async def test_an_export_of_too_many_bytes_is_refused_as_a_whole(
    site: GoogleServer, classic: TestClient
) -> None:
    site.row("Minutes October")["exports"] = 1_000_001
    one = {"fileId": site.id("Minutes October"), "mimeType": "application/pdf"}
    told = await classic.call("drive_exportFile", returnMode="full", **one)
    other = await classic.call("drive_exportFile", **{**one, "mimeType": "text/csv"})
    assert told.failed and "1,000,001 bytes. An answer has at most 1,000,000." in told.text
    assert "--tools google=lean" in told.text
    assert (
        other.failed and "A document cannot become 'text/csv'. Known: text/markdown, text/plain" in other.text
    )


async def test_cells_that_are_asked_for_come_with_a_summary_or_it_says_how(
    site: GoogleServer, classic: TestClient
) -> None:
    one = {"spreadsheetId": site.id(BOOK), "includeGridData": True}
    few = await classic.call("sheets_getSpreadsheet", ranges=["Months!A1:B2"], **one)
    rows = [[f"A long line of the log, number {number}"] for number in range(200)]
    data = [{"range": "Months!A10", "values": rows}]
    await classic.call("sheets_batchUpdateValues", spreadsheetId=one["spreadsheetId"], data=data)
    many = await classic.call("sheets_getSpreadsheet", **one)
    assert "Month\tFees\nJanuary\t1500" in few.text
    assert "the log" not in many.text and "Its cells: pass returnMode full, or a few ranges." in many.text


async def test_what_the_practice_account_allowed_is_known() -> None:
    async with connect(google, settings=Settings(sandbox=True, tools={"google": "classic"})) as client:
        assert (await client.call("auth_listScopes")).text == "practice: drive"


@pytest.mark.parametrize(
    ("tool", "path", "key", "name", "given", "words"),
    [
        (
            "slides_deleteObject",
            "v1/pres",
            "presentationId",
            DECK,
            {"objectId": "none"},
            "(none) could not be",
        ),
        (
            "docs_insertPageBreak",
            "v1/doc",
            "documentId",
            "Minutes October",
            {"index": 9_999},
            "Index 9999 must",
        ),
        ("sheets_clearValues", "v4/", "spreadsheetId", BOOK, {"range": "Nope!A1"}, "Unable to parse range"),
    ],
)
async def test_a_refusal_stays_one_if_what_there_is_cannot_be_read(
    site: GoogleServer,
    classic: TestClient,
    tool: str,
    path: str,
    key: str,
    name: str,
    given: dict[str, Any],
    words: str,
) -> None:
    site.app.faults.add("bad_gateway", method="GET", path=path, times=9)
    told = await classic.send(tool, {key: site.id(name), **given})
    assert told.failed and words in told.text and "[VALIDATION_ERROR]" in told.text, told.text
