"""Each classic tool for documents does over HTTP what its name says: the document afterwards is looked at."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer

PICTURE = "https://harbour.example/crane.png"
TABLE = {"insertTable": {"location": {"index": 1}, "rows": 2, "columns": 2}}  # begins at 2
CELL = {"tableStartIndex": 2, "rowIndex": 0, "columnIndex": 0}
HELLO = {"startIndex": 1, "endIndex": 6}
NAMED = {"createNamedRange": {"name": "greeting", "range": HELLO}}
IMAGE = {"insertInlineImage": {"location": {"index": 1}, "uri": PICTURE}}


class Doc:
    """A document as the practice Google shows it to anybody who asks."""

    def __init__(self, site: GoogleServer, *before: dict[str, Any]) -> None:
        self.site = site
        self.id = site.ask("POST", "/v1/documents", {"title": "Trial"}).json()["documentId"]
        text = {"insertText": {"location": {"index": 1}, "text": "Hello boats\nSecond line\n"}}
        self.send(text, *before)

    def send(self, *requests: dict[str, Any]) -> list[dict[str, Any]]:
        answer = self.site.ask("POST", f"/v1/documents/{self.id}:batchUpdate", {"requests": list(requests)})
        assert answer.status_code == 200, answer.text
        return list(answer.json()["replies"])

    @property
    def data(self) -> dict[str, Any]:
        return dict(self.site.ask("GET", f"/v1/documents/{self.id}").json())

    @property
    def content(self) -> list[dict[str, Any]]:
        return list(self.data["body"]["content"])

    @property
    def paragraphs(self) -> list[dict[str, Any]]:
        return [one["paragraph"] for one in self.content if "paragraph" in one]

    @property
    def text(self) -> str:
        runs = (run for one in self.paragraphs for run in one["elements"])
        return "".join(run.get("textRun", {}).get("content", "") for run in runs)

    @property
    def table(self) -> dict[str, Any]:
        return next(one["table"] for one in self.content if "table" in one)

    def style(self) -> dict[str, Any]:
        return dict(self.paragraphs[0]["elements"][0]["textRun"]["textStyle"])

    def kinds(self) -> list[str]:
        runs = (run for one in self.paragraphs for run in one["elements"])
        return [key for run in runs for key in run if not key.endswith("Index")]

    def cell(self) -> dict[str, Any]:
        return dict(self.table["tableRows"][0]["tableCells"][0]["tableCellStyle"])


Case = tuple[str, list[dict[str, Any]], dict[str, Any], Callable[[Doc], Any]]
CASES: list[Case] = [
    (
        "docs_updateTextStyle",
        [],
        {**HELLO, "bold": True, "fontSize": 20, "foregroundColor": {"red": 1}},
        lambda doc: (
            doc.style()["bold"]
            and doc.style()["fontSize"] == {"magnitude": 20, "unit": "PT"}
            and doc.style()["foregroundColor"]["color"]["rgbColor"]["red"] == 1
        ),
    ),
    (
        "docs_updateParagraphStyle",
        [],
        {**HELLO, "namedStyleType": "HEADING_1", "lineSpacing": 1.5, "spaceAbove": 6},
        lambda doc: (
            (style := doc.paragraphs[0]["paragraphStyle"])["namedStyleType"] == "HEADING_1"
            and style["lineSpacing"] == 150
            and style["spaceAbove"]["magnitude"] == 6
        ),
    ),
    ("docs_deleteContentRange", [], HELLO, lambda doc: doc.text.startswith(" boats\n")),
    (
        "docs_replaceAllText",
        [],
        {"containsText": "BOATS", "replaceText": "ships"},
        lambda doc: doc.text.startswith("Hello ships\n"),
    ),
    ("docs_createParagraphBullets", [], HELLO, lambda doc: "bullet" in doc.paragraphs[0]),
    (
        "docs_deleteParagraphBullets",
        [{"createParagraphBullets": {"range": HELLO, "bulletPreset": "BULLET_CHECKBOX"}}],
        HELLO,
        lambda doc: "bullet" not in doc.paragraphs[0],
    ),
    ("docs_insertPageBreak", [], {"index": 1}, lambda doc: "pageBreak" in doc.kinds()),
    (
        "docs_updateDocumentStyle",
        [],
        {"marginTop": 50, "pageWidth": 400, "pageHeight": 500},
        lambda doc: (
            (style := doc.data["documentStyle"])["marginTop"]["magnitude"] == 50
            and style["pageSize"]["width"]["magnitude"] == 400
        ),
    ),
    ("docs_deleteTableColumn", [TABLE], CELL, lambda doc: doc.table["columns"] == 1),
    ("docs_deleteTableRow", [TABLE], CELL, lambda doc: doc.table["rows"] == 1),
    (
        "docs_insertTable",
        [],
        {"index": 1, "rows": 3, "columns": 2},
        lambda doc: (doc.table["rows"], doc.table["columns"]) == (3, 2),
    ),
    ("docs_insertTableColumn", [TABLE], {**CELL, "insertRight": True}, lambda doc: doc.table["columns"] == 3),
    ("docs_insertTableRow", [TABLE], {**CELL, "insertBelow": True}, lambda doc: doc.table["rows"] == 3),
    (
        "docs_mergeTableCells",
        [TABLE],
        {**CELL, "rowSpan": 1, "columnSpan": 2},
        lambda doc: doc.cell()["columnSpan"] == 2,
    ),
    (
        "docs_unmergeTableCells",
        [
            TABLE,
            {
                "mergeTableCells": {
                    "tableRange": {
                        "tableCellLocation": {"tableStartLocation": {"index": 2}},
                        "rowSpan": 1,
                        "columnSpan": 2,
                    }
                }
            },
        ],
        {**CELL, "rowSpan": 1, "columnSpan": 2},
        lambda doc: doc.cell().get("columnSpan", 1) == 1,
    ),
    (
        "docs_pinTableHeaderRows",
        [TABLE],
        {"tableStartIndex": 2, "pinnedHeaderRowsCount": 1},
        lambda doc: doc.table["tableRows"][0]["tableRowStyle"]["tableHeader"],
    ),
    (
        "docs_updateTableCellStyle",
        [TABLE],
        {**CELL, "backgroundColor": {"blue": 1}, "borderTop": {"width": 2}, "paddingLeft": 4},
        lambda doc: (
            doc.cell()["backgroundColor"]["color"]["rgbColor"]["blue"] == 1
            and doc.cell()["borderTop"]["width"]["magnitude"] == 2
            and doc.cell()["paddingLeft"]["magnitude"] == 4
        ),
    ),
    (
        "docs_updateTableColumnProperties",
        [TABLE],
        {"tableStartIndex": 2, "columnIndices": [0], "widthMagnitude": 90},
        lambda doc: (
            (column := doc.table["tableStyle"]["tableColumnProperties"][0])["widthType"] == "FIXED_WIDTH"
            and column["width"]["magnitude"] == 90
        ),
    ),
    (
        "docs_updateTableRowStyle",
        [TABLE],
        {"tableStartIndex": 2, "rowIndices": [0], "minRowHeight": 30},
        lambda doc: doc.table["tableRows"][0]["tableRowStyle"]["minRowHeight"]["magnitude"] == 30,
    ),
    ("docs_createFooter", [], {"type": "FOOTER_DEFAULT"}, lambda doc: len(doc.data["footers"]) == 1),
    ("docs_createHeader", [], {"type": "HEADER_DEFAULT"}, lambda doc: len(doc.data["headers"]) == 1),
    ("docs_createFootnote", [], {"index": 3}, lambda doc: len(doc.data["footnotes"]) == 1),
    ("docs_createNamedRange", [], {"name": "n", **HELLO}, lambda doc: "n" in doc.data["namedRanges"]),
    ("docs_deleteNamedRange", [NAMED], {"name": "greeting"}, lambda doc: not doc.data.get("namedRanges")),
    (
        "docs_insertSectionBreak",
        [],
        {"index": 1, "sectionType": "CONTINUOUS"},
        lambda doc: sum("sectionBreak" in one for one in doc.content) == 2,
    ),
    (
        "docs_insertPerson",
        [],
        {"index": 1, "email": "bob@harbour.example"},
        lambda doc: "person" in doc.kinds(),
    ),
    (
        "docs_insertInlineImage",
        [],
        {"index": 1, "uri": PICTURE, "width": 50, "height": 40},
        lambda doc: len(doc.data["inlineObjects"]) == 1,
    ),
    (
        "docs_replaceNamedRangeContent",
        [NAMED],
        {"namedRangeName": "greeting", "text": "Ahoy"},
        lambda doc: doc.text.startswith("Ahoy boats"),
    ),
    (
        "docs_updateSectionStyle",
        [],
        {"startIndex": 0, "endIndex": 1, "marginTop": 33, "contentDirection": "RIGHT_TO_LEFT"},
        lambda doc: doc.content[0]["sectionBreak"]["sectionStyle"]["marginTop"]["magnitude"] == 33,
    ),
]


@pytest.mark.parametrize(("name", "before", "arguments", "holds"), CASES, ids=[case[0] for case in CASES])
async def test_it_does_what_its_name_says(
    site: GoogleServer,
    classic: TestClient,
    name: str,
    before: list[dict[str, Any]],
    arguments: dict[str, Any],
    holds: Callable[[Doc], Any],
) -> None:
    doc = Doc(site, *before)
    done = await classic.send(name, {"documentId": doc.id, **arguments})
    assert not done.failed, done.text
    assert doc.id not in done.text and holds(doc), done.text


async def test_what_has_an_id_of_its_own_is_replaced_and_deleted(
    site: GoogleServer, classic: TestClient
) -> None:
    doc = Doc(site, IMAGE)
    one = {"documentId": doc.id}
    [image] = doc.data["inlineObjects"]
    header = json.loads((await classic.call("docs_createHeader", type="DEFAULT", **one)).text)["headerId"]
    footer = json.loads((await classic.call("docs_createFooter", type="DEFAULT", **one)).text)["footerId"]
    in_header = await classic.call(
        "docs_createNamedRange", name="h", startIndex=0, endIndex=1, segmentId=header, **one
    )
    new = f"{PICTURE}?new"
    replaced = await classic.call("docs_replaceImage", imageObjectId=image, uri=new, **one)
    await classic.call("docs_deleteHeader", headerId=header, **one)
    await classic.call("docs_deleteFooter", footerId=footer, **one)
    assert not in_header.failed and not replaced.failed, (in_header.text, replaced.text)
    assert new in json.dumps(doc.data["inlineObjects"])
    assert not doc.data.get("headers") and not doc.data.get("footers")


async def test_an_image_that_floats_is_deleted(site: GoogleServer, classic: TestClient) -> None:
    doc = Doc(site)
    tab = site.app.state.rows("documents")[doc.id]["tabs"][0]
    tab["positioned"]["kix.p"] = {"objectId": "kix.p", "positionedObjectProperties": {"embeddedObject": {}}}
    blocks = tab["segments"][""]["blocks"]
    blocks[1] = {**blocks[1], "positioned": ["kix.p"]}
    assert "kix.p" in doc.data["positionedObjects"]
    which = {"documentId": doc.id, "objectId": "kix.p"}
    done = await classic.call("docs_deletePositionedObject", **which)
    again = await classic.call("docs_deletePositionedObject", **which)
    assert done.text == "Done." and "positionedObjects" not in doc.data
    assert all("positionedObjectIds" not in one for one in doc.paragraphs)
    assert again.failed and "The positioned object with ID kix.p was not found" in again.text


async def test_a_document_is_summed_up_read_as_markdown_and_as_the_api_has_it(
    site: GoogleServer, classic: TestClient
) -> None:
    doc = Doc(site)
    summary = await classic.call("docs_get", documentId=doc.id)
    raw = await classic.call(
        "docs_get", documentId=doc.id, returnMode="full", response_format="json", includeTabsContent=True
    )
    same = await classic.call("docs_getDocument", documentId=doc.id)
    assert summary.text == same.text and "Hello boats" in summary.text
    assert json.loads(raw.text)["tabs"][0]["documentTab"]["body"]["content"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("docs_insertPageBreak", {"index": 99}),
        ("docs_updateTextStyle", {"startIndex": 90, "endIndex": 99, "bold": True}),
        ("docs_deleteContentRange", {"startIndex": 20, "endIndex": 99}),
        ("docs_deleteTableRow", {"tableStartIndex": 99, "rowIndex": 0, "columnIndex": 0}),
    ],
)
async def test_an_index_beyond_the_end_is_answered_with_the_end_and_the_text(
    site: GoogleServer, classic: TestClient, tool: str, given: dict[str, Any]
) -> None:
    doc = Doc(site)
    told = await classic.call(tool, documentId=doc.id, **given)
    assert told.failed and f"The body ends at {doc.content[-1]['endIndex']}" in told.text, told.text
    assert "'Hello boats\\nSecond line\\n" in told.text or "Second line" in told.text
