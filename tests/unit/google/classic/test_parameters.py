"""Every parameter of every classic tool reaches Google, where its documentation says that it belongs."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.classic import test_docs, test_drive, test_sheets, test_slides
from tests.unit.google.classic.test_docs import CELL, HELLO, NAMED, PICTURE, TABLE, Doc
from tests.unit.google.classic.test_drive import PLAN
from tests.unit.google.classic.test_sheets import GRID, PLACE, ROWS, SOURCE, Book
from tests.unit.google.classic.test_slides import CELL as FIRST
from tests.unit.google.classic.test_slides import OBJECT, SIZE, Deck

RED = {"red": 1}
EVEN: Any = {"magnitude": 9, "unit": "PT"}
LINE = {"color": RED, "width": 2, "dashStyle": "DOT"}
DOTS = {
    "color": {"color": {"rgbColor": RED}},
    "width": {"magnitude": 2, "unit": "PT"},
    "dashStyle": "DOT",
}
SIDES = ("bottom", "left", "right", "innerHorizontal", "innerVertical")
FONT = dict.fromkeys(("italic", "underline", "strikethrough"), True)
TEXTS = {"type": "FIXED_RANGE", "startIndex": 0, "endIndex": 4}
THERE = {"supportsAllDrives": "true"}
Row = tuple[str, dict[str, Any], dict[str, Any]]  # a tool, its arguments, and what Google is sent besides
FILES: list[Row] = [
    ("auth_getStatus", {"fields": "user"}, {"fields": "user"}),
    ("auth_testFileAccess", {"fileId": PLAN, "fields": "name"}, {"fields": "name"}),
    (
        "drive_createFile",
        {
            "name": "n",
            "mimeType": "text/plain",
            "parents": ["root"],
            "description": "d",
            "supportsAllDrives": False,
        },
        {"parents": ["root"], "description": "d", **THERE},
    ),
    (
        "drive_updateFile",
        {
            "fileId": PLAN,
            "mimeType": "text/css",
            "parents": ["root"],
            "trashed": False,
            "properties": {"a": "b"},
        },
        {"mimeType": "text/css", "addParents": "root", "trashed": False, "properties": {"a": "b"}, **THERE},
    ),
    (
        "drive_copyFile",
        {"fileId": PLAN, "parents": ["root"], "properties": {"a": "b"}, "supportsAllDrives": True},
        {"parents": ["root"], "properties": {"a": "b"}, **THERE},
    ),
    (
        "drive_listFiles",
        {
            "q": "name contains 'pier'",
            "pageSize": 5,
            "pageToken": "",
            "orderBy": "name",
            "fields": "files(id)",
            "spaces": "drive",
            "corpora": "user",
            "includeItemsFromAllDrives": False,
            "supportsAllDrives": False,
            "includeTrashed": True,
            "response_format": "json",
        },
        {
            "q": "name contains 'pier'",
            "pageSize": "5",
            "orderBy": "name",
            "fields": "files(id),nextPageToken,incompleteSearch",
            "spaces": "drive",
            "corpora": "user",
            "includeItemsFromAllDrives": "true",
            **THERE,
        },
    ),
    (
        "drive_listComments",
        {
            "fileId": PLAN,
            "pageSize": 5,
            "pageToken": "",
            "includeDeleted": True,
            "startModifiedTime": "2026-01-01T00:00:00Z",
            "response_format": "markdown",
        },
        {"pageSize": "5", "includeDeleted": "true", "startModifiedTime": "2026-01-01T00:00:00Z"},
    ),
    (
        "drive_listPermissions",
        {
            "fileId": PLAN,
            "pageSize": 5,
            "pageToken": "",
            "fields": "permissions(id)",
            "supportsAllDrives": True,
            "response_format": "markdown",
        },
        {"pageSize": "5", "fields": "permissions(id),nextPageToken", **THERE},
    ),
    (
        "drive_getFile",
        {"fileId": PLAN, "fields": "id", "supportsAllDrives": True, "includeTrashed": False},
        {"fields": "id", **THERE},
    ),
    ("drive_createComment", {"fileId": PLAN, "content": "c", "anchor": "a"}, {"content": "c", "anchor": "a"}),
    (
        "drive_createPermission",
        {
            "fileId": PLAN,
            "role": "reader",
            "type": "user",
            "emailAddress": "bob@harbour.example",
            "sendNotificationEmail": True,
            "emailMessage": "Look.",
            "supportsAllDrives": True,
        },
        {"sendNotificationEmail": "true", "emailMessage": "Look.", **THERE},
    ),
    (
        "drive_createPermission",
        {"fileId": PLAN, "role": "reader", "type": "domain", "domain": "harbour.example"},
        {"type": "domain", "domain": "harbour.example"},
    ),
    (
        "drive_exportFile",
        {
            "fileId": "Minutes October",
            "mimeType": "text/html",
            "supportsAllDrives": True,
            "returnMode": "full",
            "response_format": "json",
        },
        {"mimeType": "text/html"},
    ),
    ("drive_deleteFile", {"fileId": PLAN, "supportsAllDrives": True}, THERE),
]
DOCS: list[Row] = [
    ("docs_updateTextStyle", {**HELLO, **FONT}, {"textStyle": FONT, "fields": ",".join(FONT)}),
    (
        "docs_updateParagraphStyle",
        {**HELLO, "alignment": "END", "spaceBelow": 9},
        {"paragraphStyle": {"alignment": "END", "spaceBelow": EVEN}, "fields": "alignment,spaceBelow"},
    ),
    (
        "docs_replaceAllText",
        {"containsText": "hello", "replaceText": "x", "matchCase": True},
        {"containsText": {"text": "hello", "matchCase": True}, "replaceText": "x"},
    ),
    (
        "docs_createParagraphBullets",
        {**HELLO, "bulletPreset": "NUMBERED_DECIMAL_NESTED"},
        {"bulletPreset": "NUMBERED_DECIMAL_NESTED"},
    ),
    (
        "docs_updateDocumentStyle",
        {"marginBottom": 9, "marginLeft": 9, "marginRight": 9},
        {
            "documentStyle": {"marginBottom": EVEN, "marginLeft": EVEN, "marginRight": EVEN},
            "fields": "marginBottom,marginLeft,marginRight",
        },
    ),
    (
        "docs_updateTableCellStyle",
        {
            **CELL,
            "rowSpan": 2,
            "columnSpan": 2,
            "borderLeft": LINE,
            "borderRight": LINE,
            "borderBottom": LINE,
            "paddingRight": 9,
            "paddingTop": 9,
            "paddingBottom": 9,
            "contentAlignment": "BOTTOM",
        },
        {
            "tableCellStyle": {
                **dict.fromkeys(("borderLeft", "borderRight", "borderBottom"), DOTS),
                **dict.fromkeys(("paddingRight", "paddingTop", "paddingBottom"), EVEN),
                "contentAlignment": "BOTTOM",
            },
            "tableRange": {
                "tableCellLocation": {"tableStartLocation": {"index": 2}, "rowIndex": 0, "columnIndex": 0},
                "rowSpan": 2,
                "columnSpan": 2,
            },
        },
    ),
    (
        "docs_updateTableColumnProperties",
        {"tableStartIndex": 2, "columnIndices": [1], "widthType": "EVENLY_DISTRIBUTED"},
        {"tableColumnProperties": {"widthType": "EVENLY_DISTRIBUTED"}, "fields": "widthType"},
    ),
    (
        "docs_updateTableRowStyle",
        {"tableStartIndex": 2, "rowIndices": [0], "tableHeader": True, "preventOverflow": True},
        {
            "tableRowStyle": {"tableHeader": True, "preventOverflow": True},
            "fields": "tableHeader,preventOverflow",
        },
    ),
    (
        "docs_createHeader",
        {"type": "DEFAULT", "sectionBreakIndex": 0},
        {"sectionBreakLocation": {"index": 0}},
    ),
    (
        "docs_createFooter",
        {"type": "DEFAULT", "sectionBreakIndex": 0},
        {"sectionBreakLocation": {"index": 0}},
    ),
    ("docs_deleteNamedRange", {"namedRangeId": "ID"}, {"namedRangeId": "ID"}),
    (
        "docs_replaceNamedRangeContent",
        {"namedRangeId": "ID", "text": "x"},
        {"namedRangeId": "ID", "text": "x"},
    ),
    (
        "docs_replaceNamedRangeContent",
        {"namedRangeName": "greeting", "text": "x", "tabId": "t.0"},
        {"tabsCriteria": {"tabIds": ["t.0"]}},
    ),
    (
        "docs_updateSectionStyle",
        {
            "startIndex": 0,
            "endIndex": 1,
            "columnSeparatorStyle": "BETWEEN_EACH_COLUMN",
            "flipPageOrientation": True,
            "marginBottom": 9,
            "marginRight": 9,
            "marginLeft": 9,
            "marginHeader": 9,
            "marginFooter": 9,
            "pageNumberStart": 3,
            "useFirstPageHeaderFooter": True,
        },
        {
            "sectionStyle": {
                "columnSeparatorStyle": "BETWEEN_EACH_COLUMN",
                "flipPageOrientation": True,
                **{f"margin{side}": EVEN for side in ("Bottom", "Right", "Left", "Header", "Footer")},
                "pageNumberStart": 3,
                "useFirstPageHeaderFooter": True,
            }
        },
    ),
    (
        "docs_get",
        {"includeTabsContent": True, "returnMode": "full", "response_format": "json"},
        {"includeTabsContent": "true"},
    ),
]
SHEETS: list[Row] = [
    (
        "sheets_repeatCell",
        {
            "range": "A1",
            "horizontalAlignment": "RIGHT",
            "verticalAlignment": "TOP",
            "wrapStrategy": "WRAP",
            **FONT,
            "fontSize": 9,
            "fontFamily": "Arial",
            "foregroundColor": RED,
            "numberFormatType": "DATE",
        },
        {
            "cell": {
                "userEnteredFormat": {
                    "horizontalAlignment": "RIGHT",
                    "verticalAlignment": "TOP",
                    "wrapStrategy": "WRAP",
                    "textFormat": {
                        **FONT,
                        "fontSize": 9,
                        "fontFamily": "Arial",
                        "foregroundColorStyle": {"rgbColor": RED},
                    },
                    "numberFormat": {"type": "DATE"},
                }
            }
        },
    ),
    (
        "sheets_updateBorders",
        {
            "range": "A1:B2",
            "style": "DOTTED",
            "color": RED,
            **dict.fromkeys(SIDES, True),
        },
        {side: {"style": "DOTTED", "colorStyle": {"rgbColor": RED}} for side in SIDES},
    ),
    (
        "sheets_createSpreadsheet",
        {"title": "t", "autoRecalc": "HOUR", "timeZone": "Europe/Berlin"},
        {"properties": {"title": "t", "autoRecalc": "HOUR", "timeZone": "Europe/Berlin"}},
    ),
    (
        "sheets_appendValues",
        {"range": "A1", "values": [["=1"]], "valueInputOption": "RAW", "insertDataOption": "INSERT_ROWS"},
        {"valueInputOption": "RAW", "insertDataOption": "INSERT_ROWS", "values": [["=1"]]},
    ),
    (
        "sheets_batchUpdateValues",
        {"data": [{"range": "H1", "values": [["=1"]]}], "valueInputOption": "RAW"},
        {"valueInputOption": "RAW"},
    ),
    (
        "sheets_addSheet",
        {
            "title": "t",
            "sheetType": "GRID",
            "gridColumnCount": 7,
            "frozenColumnCount": 1,
            "hidden": True,
            "tabColorGreen": 1,
            "tabColorBlue": 0.5,
            "rightToLeft": True,
        },
        {
            "properties": {
                "title": "t",
                "sheetType": "GRID",
                "gridProperties": {"columnCount": 7, "frozenColumnCount": 1},
                "hidden": True,
                "tabColorStyle": {"rgbColor": {"green": 1, "blue": 0.5}},
                "rightToLeft": True,
            }
        },
    ),
    (
        "sheets_updateSheetProperties",
        {
            "sheetId": 0,
            "index": 1,
            "hidden": True,
            "tabColorRed": 1,
            "tabColorGreen": 1,
            "frozenRowCount": 2,
            "rightToLeft": True,
        },
        {
            "properties": {
                "sheetId": 0,
                "index": 1,
                "hidden": True,
                "tabColorStyle": {"rgbColor": {"red": 1, "green": 1}},
                "gridProperties": {"frozenRowCount": 2},
                "rightToLeft": True,
            },
            "fields": "index,hidden,tabColorStyle,gridProperties.frozenRowCount,rightToLeft",
        },
    ),
    ("sheets_insertDimension", {**ROWS, "inheritFromBefore": True}, {"inheritFromBefore": True}),
    (
        "sheets_copyPaste",
        {**SOURCE, **PLACE, "pasteType": "PASTE_FORMAT", "pasteOrientation": "TRANSPOSE"},
        {"pasteType": "PASTE_FORMAT", "pasteOrientation": "TRANSPOSE"},
    ),
    (
        "sheets_cutPaste",
        {
            **SOURCE,
            "destinationSheetId": 0,
            "destinationRowIndex": 9,
            "destinationColumnIndex": 9,
            "pasteType": "PASTE_VALUES",
        },
        {
            "destination": {"sheetId": 0, "rowIndex": 9, "columnIndex": 9},
            "pasteType": "PASTE_VALUES",
        },
    ),
    (
        "sheets_findReplace",
        {
            "find": "J.n",
            "replacement": "x",
            "searchByRegex": True,
            "matchCase": True,
            "matchEntireCell": False,
            "includeFormulas": False,
            **GRID,
        },
        {
            "searchByRegex": True,
            "matchCase": True,
            "matchEntireCell": False,
            "includeFormulas": False,
            "range": GRID,
        },
    ),
    ("sheets_findReplace", {"find": "Jan", "replacement": "x", "allSheets": True}, {"allSheets": True}),
    (
        "sheets_getSpreadsheet",
        {"ranges": ["Months!A1"], "includeGridData": True, "returnMode": "full", "response_format": "json"},
        {"ranges": "Months!A1", "includeGridData": "true"},
    ),
    (
        "sheets_batchGetValues",
        {
            "ranges": ["Months!A1"],
            "majorDimension": "COLUMNS",
            "valueRenderOption": "FORMULA",
            "returnMode": "full",
            "response_format": "json",
        },
        {"ranges": "Months!A1", "majorDimension": "COLUMNS", "valueRenderOption": "FORMULA"},
    ),
    ("sheets_deleteNamedRange", {"namedRangeId": "fees"}, {"namedRangeId": "fees"}),
    (
        "sheets_trimWhitespace",
        GRID,
        {"range": GRID},
    ),
    ("sheets_autoResizeDimensions", ROWS, {"dimensions": ROWS}),
    ("sheets_unmergeCells", GRID, {"range": GRID}),
    ("sheets_clearBasicFilter", {"sheetId": 0}, {"sheetId": 0}),
    (
        "sheets_deleteDuplicates",
        {**GRID, "comparisonColumns": [{**ROWS, "dimension": "COLUMNS", "startIndex": 0, "endIndex": 2}]},
        {
            "range": GRID,
            "comparisonColumns": [{**ROWS, "dimension": "COLUMNS", "startIndex": 0, "endIndex": 2}],
        },
    ),
]
IN_CELL = {"objectId": "table_one", "cellLocation": FIRST}
PLACED = {"elementProperties": {"size": SIZE, "transform": {"translateX": 5}}}
AT = {
    "pageObjectId": "page_one",
    "size": SIZE,
    "transform": {"scaleX": 1, "scaleY": 1, "translateX": 5, "unit": "EMU"},
}
SLIDES: list[Row] = [
    (
        "slides_updateTextStyle",
        {**OBJECT, **FONT, "fontFamily": "Arial", "endIndex": 4},
        {"style": {**FONT, "fontFamily": "Arial"}, "textRange": TEXTS},
    ),
    (
        "slides_createTextBox",
        {
            "pageObjectId": "page_one",
            "text": "t",
            "x": 1,
            "y": 2,
            "width": 9_000,
            "height": 9_000,
            "italic": True,
        },
        {"style": {"italic": True}, "fields": "italic"},
    ),
    (
        "slides_updateShapeProperties",
        {**OBJECT, "outlineColor": RED},
        {"shapeProperties": {"outline": {"outlineFill": {"solidFill": {"color": {"rgbColor": RED}}}}}},
    ),
    (
        "slides_createPresentation",
        {"title": "t", "locale": "de", "pageSize": SIZE},
        {"title": "t", "locale": "de", "pageSize": SIZE},
    ),
    (
        "slides_createSlide",
        {
            "slideLayoutReference": {"predefinedLayout": "TITLE_ONLY"},
            "placeholderIdMappings": [{"layoutPlaceholder": {"type": "TITLE"}, "objectId": "title_new"}],
        },
        {"placeholderIdMappings": [{"layoutPlaceholder": {"type": "TITLE"}, "objectId": "title_new"}]},
    ),
    ("slides_insertText", {**IN_CELL, "text": "t"}, {"cellLocation": FIRST}),
    ("slides_deleteText", IN_CELL, {"cellLocation": FIRST, "textRange": {"type": "ALL"}}),
    (
        "slides_createParagraphBullets",
        {**IN_CELL, "textRange": {"endIndex": 4}, "bulletPreset": "BULLET_CHECKBOX"},
        {"cellLocation": FIRST, "textRange": TEXTS, "bulletPreset": "BULLET_CHECKBOX"},
    ),
    (
        "slides_deleteParagraphBullets",
        {**IN_CELL, "textRange": {"endIndex": 4}},
        {"cellLocation": FIRST, "textRange": TEXTS},
    ),
    (
        "slides_updatePageElementTransform",
        {**OBJECT, "transform": {"translateX": 5}, "applyMode": "ABSOLUTE"},
        {"transform": AT["transform"], "applyMode": "ABSOLUTE"},
    ),
    (
        "slides_createVideo",
        {"pageObjectId": "page_one", "source": "YOUTUBE", "id": "abcdefghijk", **PLACED},
        {"elementProperties": AT},
    ),
    (
        "slides_createTable",
        {"pageObjectId": "page_one", "rows": 1, "columns": 1, **PLACED},
        {"elementProperties": AT},
    ),
    (
        "slides_createImage",
        {"pageObjectId": "page_one", "url": PICTURE, **PLACED},
        {"elementProperties": AT, "url": PICTURE},
    ),
    (
        "slides_insertTableColumns",
        {"tableObjectId": "table_one", "cellLocation": FIRST, "insertRight": True, "number": 2},
        {"number": 2},
    ),
    ("slides_get", {}, {}),
    (
        "slides_unmergeTableCells",
        {"objectId": "table_one", "tableRange": {"location": FIRST}},
        {"tableRange": {"location": FIRST, "rowSpan": 1, "columnSpan": 1}},
    ),
]


def sent(site: GoogleServer, since: int, tool: str) -> list[Mapping[str, Any]]:
    """What Google was sent: of each request the query, and the fields of its body or of its batch."""
    found: list[Mapping[str, Any]] = []
    for one in list(site.app.seen)[since:]:
        body = json.loads(one.body) if one.body and one.path != "token" else {}
        query = {name: ",".join(values) for name, values in one.query.items()}
        batch = [fields for request in body.get("requests", ()) for fields in request.values()]
        found += [{**query, **fields} for fields in (batch or [body])]
    return found


def has(there: Any, wanted: Any) -> bool:
    """True if all that is wanted is there, however deep."""
    if isinstance(wanted, dict):
        return isinstance(there, dict) and all(has(there.get(name), one) for name, one in wanted.items())
    return bool(there == wanted)


def given_to(site: GoogleServer, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The arguments with the file that they are about; an id that only it has."""
    api = tool.partition("_")[0]
    if api == "docs":
        before = [TABLE] if "able" in tool else [NAMED] if "NamedRange" in tool else []
        doc = Doc(site, *before)
        ranges = doc.data.get("namedRanges", {}).values()
        own = next((one["namedRanges"][0]["namedRangeId"] for one in ranges), "")
        return {"documentId": doc.id, **arguments}, own
    if api == "sheets":
        return (
            {} if tool == "sheets_createSpreadsheet" else {"spreadsheetId": Book(site).id}
        ) | arguments, ""
    if api == "slides":
        is_new = tool == "slides_createPresentation"
        return ({} if is_new else {"presentationId": Deck(site).id}) | arguments, ""
    file = {"fileId": site.id(arguments["fileId"])} if "fileId" in arguments else {}
    return {**arguments, **file}, ""


@pytest.mark.parametrize(("tool", "arguments", "wanted"), [*FILES, *DOCS, *SHEETS, *SLIDES])
async def test_each_parameter_reaches_its_field(
    site: GoogleServer, classic: TestClient, tool: str, arguments: dict[str, Any], wanted: dict[str, Any]
) -> None:
    given, own = given_to(site, tool, arguments)
    given = {name: own if value == "ID" else value for name, value in given.items()}
    wanted = {name: own if value == "ID" else value for name, value in wanted.items()}
    since = len(site.app.seen)
    done = await classic.send(tool, given)
    assert not done.failed, done.text
    assert any(has(one, wanted) for one in sent(site, since, tool)), sent(site, since, tool)


async def test_talks_take_all_their_parameters(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id(PLAN)}
    which = {
        **one,
        "commentId": json.loads((await classic.call("drive_createComment", content="c", **one)).text)["id"],
    }
    for words in ("first", "second", "third"):
        made = json.loads(
            (await classic.call("drive_createReply", content=words, action="reopen", **which)).text
        )
    reply = {**which, "replyId": made["id"]}
    await classic.call("drive_deleteReply", **reply)
    page = json.loads((await classic.call("drive_listReplies", pageSize=1, **which)).text)
    token = page["pagination"]["next_cursor"]
    rest = json.loads((await classic.call("drive_listReplies", pageSize=1, pageToken=token, **which)).text)
    every = await classic.call("drive_listReplies", includeDeleted=True, response_format="markdown", **which)
    gone = await classic.call("drive_getReply", **reply)
    there = json.loads((await classic.call("drive_getReply", includeDeleted=True, **reply)).text)
    asked = await classic.call("drive_updateReply", content="x", action="resolve", **reply)
    await classic.call("drive_deleteComment", **which)
    comment = json.loads((await classic.call("drive_getComment", includeDeleted=True, **which)).text)
    listed = json.loads((await classic.call("drive_listComments", includeDeleted=True, **one)).text)
    assert [one["items"][0]["content"] for one in (page, rest)] == ["first", "second"]
    assert not rest["pagination"]["has_more"] and every.text.count("| reopen |") == 3
    assert gone.failed and there["deleted"] and "content" not in there
    assert (
        asked.failed and "Google takes an action only with a new reply: use drive_createReply." in asked.text
    )
    assert comment["deleted"] and listed["items"][0]["deleted"]


async def test_people_take_all_their_parameters(site: GoogleServer, classic: TestClient) -> None:
    one = {"fileId": site.id(PLAN), "supportsAllDrives": True}
    bob = {"role": "reader", "type": "user", "emailAddress": "bob@harbour.example"}
    made = json.loads((await classic.call("drive_createPermission", **one, **bob)).text)
    which = {**one, "permissionId": made["id"]}
    shown = json.loads((await classic.call("drive_getPermission", fields="role,type", **which)).text)
    writes = {"role": "writer", "removeExpiration": True, "transferOwnership": False}
    await classic.call("drive_updatePermission", **writes, **which)
    query = sent(site, -1, "")[-1]
    owned = await classic.call("drive_updatePermission", role="owner", transferOwnership=True, **which)
    alice = next(one["id"] for one in site.row(PLAN)["permissions"] if one["role"] == "writer")
    unknown = await classic.call("drive_createPermission", role="editor", type="user", **one)
    assert shown == {"role": "reader", "type": "user"} and not owned.failed
    assert query["removeExpiration"] == "true" and query["supportsAllDrives"] == "true"
    assert site.row(PLAN)["owner"] == "bob@harbour.example" and alice
    assert "Invalid role 'editor'. Valid values: owner, organizer, fileOrganizer, writer" in unknown.text


async def test_a_chart_takes_all_its_parameters(site: GoogleServer, classic: TestClient) -> None:
    deck, book = Deck(site), site.id("Budget 2026")
    site.app.state.rows("books")[book]["sheets"][0]["charts"] = [{"chartId": 7}]  # type: ignore[index]
    chart = {
        "pageObjectId": "page_one",
        "spreadsheetId": book,
        "chartId": 7,
        "linkingMode": "NOT_LINKED_IMAGE",
    }
    done = await classic.call("slides_createSheetsChart", presentationId=deck.id, **chart, **PLACED)
    wanted = {"chartId": 7, "linkingMode": "NOT_LINKED_IMAGE", "elementProperties": AT}
    assert not done.failed and has(sent(site, -1, "")[-1], wanted)


@pytest.mark.parametrize("name", ["defaultHeaderId", "firstPageHeaderId", "evenPageFooterId"])
async def test_what_google_sets_itself_is_refused_with_the_way_to_it(
    site: GoogleServer, classic: TestClient, name: str
) -> None:
    where = {"documentId": Doc(site).id, "startIndex": 0, "endIndex": 1}
    told = await classic.send("docs_updateSectionStyle", {**where, name: "kix.header"})
    assert told.failed and "when docs_createHeader or docs_createFooter makes one" in told.text


async def test_names_of_the_earlier_server_become_those_of_google(
    site: GoogleServer, classic: TestClient
) -> None:
    deck = Deck(site)
    place = {"presentationId": deck.id, "pageObjectId": "page_one", "x": 0, "y": 0, "width": 90_000}
    for name, own in (("STAR", "STAR_5"), ("ARROW", "RIGHT_ARROW"), ("CLOUD", "CLOUD")):
        done = await classic.call("slides_createShape", shapeType=name, height=90_000, **place)
        assert not done.failed and deck.last()["shape"]["shapeType"] == own
    points = await classic.call("slides_createShape", shapeType="STAR", height=90, **place)
    assert points.failed and "Invalid height 90: it is in EMU, and a point has 12,700 of them." in points.text


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("sheets_findReplace", {"allSheets": True, "sheetId": 0}, "Pass either allSheets, or sheetId"),
        ("sheets_findReplace", {"allSheets": True, "endRowIndex": 3}, "Pass either allSheets, or sheetId"),
        ("sheets_updateBorders", {"range": "A1", "style": "SOLID"}, "Nothing to change: set one of top"),
        (
            "sheets_addConditionalFormatRule",
            {"range": "A1", "condition": {"type": "BIGGER"}, "format": {}},
            "Invalid condition.type 'BIGGER'. Valid values: NUMBER_GREATER, NUMBER_GREATER_THAN_EQ",
        ),
    ],
)
async def test_what_says_nothing_or_two_things_is_refused(
    site: GoogleServer, classic: TestClient, tool: str, given: dict[str, Any], words: str
) -> None:
    book = Book(site)
    before = book.values("Months!A1:E9"), site.row("Budget 2026")["version"]
    more: dict[str, Any] = {"find": "a", "replacement": "b"} if tool == "sheets_findReplace" else {}
    if tool == "sheets_updateBorders":
        more = dict.fromkeys(("top", "bottom", "left", "right"), False)
    told = await classic.send(tool, {"spreadsheetId": book.id, **more, **given})
    assert told.failed and words in told.text
    assert before == (book.values("Months!A1:E9"), site.row("Budget 2026")["version"])


async def test_an_alternative_text_without_words_and_a_size_that_google_ignores_are_told(
    site: GoogleServer, classic: TestClient
) -> None:
    none = await classic.call("slides_updatePageElementAltText", presentationId=Deck(site).id, **OBJECT)
    usual = {"width": {"magnitude": 720, "unit": "PT"}, "height": {"magnitude": 405, "unit": "PT"}}
    big = await classic.call("slides_createPresentation", title="t", pageSize=SIZE)
    same = await classic.call("slides_createPresentation", title="t", pageSize=usual)
    assert none.failed and "Nothing to change: pass title or description." in none.text
    assert json.loads(big.text)["remark"] == "Google made it with its usual pageSize."
    assert "remark" not in json.loads(same.text)


ELSEWHERE = {  # parameters that are tried in other tests, or that Google refuses
    **dict.fromkeys(("drive_createReply", "drive_listReplies", "drive_getComment"), "talks"),
    **dict.fromkeys(("drive_getReply", "drive_updateReply", "drive_deleteReply"), "talks"),
    **dict.fromkeys(("drive_updateComment", "drive_deleteComment"), "comments and replies"),
    **dict.fromkeys(("drive_getPermission", "drive_updatePermission", "drive_deletePermission"), "people"),
    **dict.fromkeys(("slides_createSheetsChart", "slides_refreshSheetsChart"), "charts"),
    **dict.fromkeys(("docs_deleteHeader", "docs_deleteFooter", "docs_replaceImage"), "what has an id"),
    "docs_deletePositionedObject": "an image that floats",
    "docs_updateSectionStyle": "what Google sets itself",
    "docs_getDocument": "reading",
    "slides_ungroupObjects": "a group taken apart",
    "server_getInfo": "the account",
}


def test_each_parameter_of_each_tool_is_tried() -> None:
    tried: dict[str, set[str]] = {}
    for cases in (test_docs.CASES, test_sheets.CASES, test_slides.CASES, test_drive.CASES):
        for case in cases:
            tried.setdefault(case[0], set()).update(*(part for part in case if isinstance(part, dict)))
    for tool, arguments, _ in (*FILES, *DOCS, *SHEETS, *SLIDES):
        tried.setdefault(tool, set()).update(arguments)
    missing = {}
    for name, spec in google.select("classic").listed.items():
        listed = set(spec.names) - set(spec.unlisted) - {"documentId", "spreadsheetId", "presentationId"}
        left = listed - tried.get(name, set())
        if left and name not in ELSEWHERE:
            missing[name] = sorted(left)
    assert missing == {}
