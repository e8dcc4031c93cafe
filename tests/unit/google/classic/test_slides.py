"""Each classic tool for presentations does over HTTP what its name says: the deck afterwards is looked at."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.google_server import GoogleServer

PICTURE = "https://harbour.example/crane.png"
SIZE = {"width": {"magnitude": 100, "unit": "PT"}, "height": {"magnitude": 50, "unit": "PT"}}
PLACE = {"pageObjectId": "page_one", "size": SIZE, "transform": {"scaleX": 1, "scaleY": 1, "unit": "EMU"}}
CELL = {"rowIndex": 0, "columnIndex": 0}
CELLS = {"location": CELL, "rowSpan": 1, "columnSpan": 2}
BLUE = {"blue": 1}
BOX = {"x": 100, "y": 200, "width": 300_000, "height": 400_000}


class Deck:
    """A presentation as the practice Google shows it to anybody who asks."""

    def __init__(self, site: GoogleServer) -> None:
        self.site = site
        self.id = site.ask("POST", "/v1/presentations", {"title": "Trial"}).json()["presentationId"]
        shape = {"shapeType": "RECTANGLE", "elementProperties": PLACE}
        self.send(
            {"createSlide": {"objectId": "page_one"}},
            {"createShape": {"objectId": "shape_one", **shape}},
            {"createShape": {"objectId": "shape_two", **shape}},
            {"insertText": {"objectId": "shape_one", "text": "Hello boats"}},
            {"createTable": {"objectId": "table_one", "elementProperties": PLACE, "rows": 2, "columns": 2}},
            {"insertText": {"objectId": "table_one", "cellLocation": CELL, "text": "Cell"}},
            {"createLine": {"objectId": "line_one", "elementProperties": PLACE, "category": "STRAIGHT"}},
            {"createImage": {"objectId": "image_one", "elementProperties": PLACE, "url": PICTURE}},
            {
                "createVideo": {
                    "objectId": "video_one",
                    "elementProperties": PLACE,
                    "source": "YOUTUBE",
                    "id": "abcdefghijk",
                }
            },
        )

    def send(self, *requests: dict[str, Any]) -> None:
        answer = self.site.ask(
            "POST", f"/v1/presentations/{self.id}:batchUpdate", {"requests": list(requests)}
        )
        assert answer.status_code == 200, answer.text

    @property
    def data(self) -> dict[str, Any]:
        return dict(self.site.ask("GET", f"/v1/presentations/{self.id}").json())

    @property
    def slides(self) -> list[str]:
        return [one["objectId"] for one in self.data["slides"]]

    @property
    def page(self) -> dict[str, Any]:
        return next(one for one in self.data["slides"] if one["objectId"] == "page_one")

    @property
    def order(self) -> list[str]:
        return [one["objectId"] for one in self.page["pageElements"]]

    def one(self, id: str) -> dict[str, Any]:
        return next(one for one in self.page["pageElements"] if one["objectId"] == id)

    def last(self) -> dict[str, Any]:
        return dict(self.page["pageElements"][-1])

    def runs(self, id: str = "shape_one") -> list[dict[str, Any]]:
        elements = self.one(id)["shape"].get("text", {}).get("textElements", [])
        return [one["textRun"] for one in elements if "textRun" in one]

    def text(self, id: str = "shape_one") -> str:
        return "".join(run["content"] for run in self.runs(id))

    def paragraph(self) -> dict[str, Any]:
        elements = self.one("shape_one")["shape"]["text"]["textElements"]
        return next(one["paragraphMarker"] for one in elements if "paragraphMarker" in one)

    def sites(self) -> list[int]:
        looks = self.one("line_one")["line"]["lineProperties"]
        return [looks[name]["connectionSiteIndex"] for name in ("startConnection", "endConnection")]

    @property
    def table(self) -> dict[str, Any]:
        return dict(self.one("table_one")["table"])

    @property
    def cell(self) -> dict[str, Any]:
        return dict(self.table["tableRows"][0]["tableCells"][0])


def fill(holder: dict[str, Any]) -> Any:
    return holder["solidFill"]["color"]["rgbColor"]["blue"]


OBJECT = {"objectId": "shape_one"}
TABLE = {"objectId": "table_one"}
OF_TABLE = {"tableObjectId": "table_one", "cellLocation": CELL}
SOLID = {"solidFill": {"color": BLUE}}
WIDE = {"magnitude": 2_000_000, "unit": "EMU"}
Case = tuple[str, dict[str, Any], Callable[[Deck], Any]]
CASES: list[Case] = [
    (
        "slides_updateTextStyle",
        {**OBJECT, "startIndex": 0, "endIndex": 5, "bold": True, "foregroundColor": BLUE, "fontSize": 20},
        lambda deck: (
            (run := deck.runs()[0])["content"] == "Hello"
            and run["style"]["bold"]
            and run["style"]["fontSize"]["magnitude"] == 20
            and run["style"]["foregroundColor"]["opaqueColor"]["rgbColor"]["blue"] == 1
        ),
    ),
    (
        "slides_updateParagraphStyle",
        {**OBJECT, "alignment": "CENTER", "lineSpacing": 1.5, "bulletStyle": "NUMBERED"},
        lambda deck: (
            (mark := deck.paragraph())["style"]["alignment"] == "CENTER"
            and mark["style"]["lineSpacing"] == 150
            and "bullet" in mark
        ),
    ),
    (
        "slides_updateShapeProperties",
        {**OBJECT, "backgroundColor": {**BLUE, "alpha": 0.5}, "outlineWeight": 3, "outlineDashStyle": "DOT"},
        lambda deck: (
            fill((looks := deck.one("shape_one")["shape"]["shapeProperties"])["shapeBackgroundFill"]) == 1
            and looks["outline"]["weight"]["magnitude"] in (3, 38_100)
            and looks["outline"]["dashStyle"] == "DOT"
        ),
    ),
    (
        "slides_updatePageProperties",
        {"pageObjectIds": ["page_one"], "backgroundColor": BLUE},
        lambda deck: fill(deck.page["pageProperties"]["pageBackgroundFill"]) == 1,
    ),
    (
        "slides_createTextBox",
        {"pageObjectId": "page_one", "text": "New", **BOX, "fontSize": 30, "bold": True},
        lambda deck: (
            (new := deck.last())["shape"]["shapeType"] == "TEXT_BOX"
            and new["transform"]["translateY"] == 200
            and deck.text(new["objectId"]) == "New\n"
            and deck.runs(new["objectId"])[0]["style"]["bold"]
        ),
    ),
    (
        "slides_createShape",
        {"pageObjectId": "page_one", "shapeType": "ELLIPSE", **BOX, "backgroundColor": BLUE},
        lambda deck: (
            (new := deck.last()["shape"])["shapeType"] == "ELLIPSE"
            and fill(new["shapeProperties"]["shapeBackgroundFill"]) == 1
        ),
    ),
    (
        "slides_createSlide",
        {
            "objectId": "page_new",
            "insertionIndex": 0,
            "slideLayoutReference": {"predefinedLayout": "TITLE_AND_BODY"},
        },
        lambda deck: deck.slides[0] == "page_new",
    ),
    ("slides_deleteObject", OBJECT, lambda deck: "shape_one" not in deck.order),
    (
        "slides_updateSlidesPosition",
        {"slideObjectIds": ["page_one"], "insertionIndex": 0},
        lambda deck: deck.slides[0] == "page_one",
    ),
    (
        "slides_duplicateObject",
        {**OBJECT, "objectIds": {"shape_one": "shape_copy"}},
        lambda deck: deck.text("shape_copy") == "Hello boats\n",
    ),
    (
        "slides_insertText",
        {**OBJECT, "text": "Oh. ", "insertionIndex": 0},
        lambda deck: deck.text() == "Oh. Hello boats\n",
    ),
    (
        "slides_deleteText",
        {**OBJECT, "textRange": {"startIndex": 5}},
        lambda deck: deck.text() == "Hello\n",
    ),
    (
        "slides_replaceAllText",
        {"containsText": {"text": "BOATS"}, "replaceText": "ships", "pageObjectIds": ["page_one"]},
        lambda deck: deck.text() == "Hello ships\n",
    ),
    ("slides_createParagraphBullets", OBJECT, lambda deck: "bullet" in deck.paragraph()),
    ("slides_deleteParagraphBullets", OBJECT, lambda deck: "bullet" not in deck.paragraph()),
    (
        "slides_updatePageElementTransform",
        {**OBJECT, "transform": {"translateX": 5_000}},
        lambda deck: deck.one("shape_one")["transform"]["translateX"] == 5_000,
    ),
    (
        "slides_createImage",
        {"pageObjectId": "page_one", "url": PICTURE, "elementProperties": {"size": SIZE}},
        lambda deck: deck.last()["image"]["sourceUrl"] == PICTURE,
    ),
    (
        "slides_createVideo",
        {"pageObjectId": "page_one", "source": "YOUTUBE", "id": "kjihgfedcba"},
        lambda deck: deck.last()["video"]["id"] == "kjihgfedcba",
    ),
    (
        "slides_createLine",
        {"pageObjectId": "page_one", "lineCategory": "BENT", "elementProperties": {"size": SIZE}},
        lambda deck: deck.last()["line"]["lineCategory"] == "BENT",
    ),
    (
        "slides_createTable",
        {"pageObjectId": "page_one", "rows": 3, "columns": 4},
        lambda deck: (deck.last()["table"]["rows"], deck.last()["table"]["columns"]) == (3, 4),
    ),
    (
        "slides_updateImageProperties",
        {
            "objectId": "image_one",
            "imageProperties": {"outline": {"dashStyle": "DASH", "outlineFill": SOLID}},
        },
        lambda deck: (
            (line := deck.one("image_one")["image"]["imageProperties"]["outline"])["dashStyle"] == "DASH"
            and fill(line["outlineFill"]) == 1
        ),
    ),
    (
        "slides_updateVideoProperties",
        {"objectId": "video_one", "videoProperties": {"autoPlay": True, "mute": True}},
        lambda deck: deck.one("video_one")["video"]["videoProperties"]["autoPlay"],
    ),
    (
        "slides_updateLineProperties",
        {"objectId": "line_one", "lineProperties": {"endArrow": "FILL_ARROW", "lineFill": SOLID}},
        lambda deck: (
            (line := deck.one("line_one")["line"]["lineProperties"])["endArrow"] == "FILL_ARROW"
            and fill(line["lineFill"]) == 1
        ),
    ),
    (
        "slides_insertTableRows",
        {**OF_TABLE, "insertBelow": True, "number": 2},
        lambda deck: deck.table["rows"] == 4,
    ),
    (
        "slides_insertTableColumns",
        {**OF_TABLE, "insertRight": True},
        lambda deck: deck.table["columns"] == 3,
    ),
    ("slides_deleteTableRow", OF_TABLE, lambda deck: deck.table["rows"] == 1),
    ("slides_deleteTableColumn", OF_TABLE, lambda deck: deck.table["columns"] == 1),
    (
        "slides_updateTableCellProperties",
        {
            **TABLE,
            "tableRange": CELLS,
            "tableCellProperties": {"tableCellBackgroundFill": SOLID, "contentAlignment": "MIDDLE"},
        },
        lambda deck: (
            fill((looks := deck.cell["tableCellProperties"])["tableCellBackgroundFill"]) == 1
            and looks["contentAlignment"] == "MIDDLE"
        ),
    ),
    (
        "slides_updateTableBorderProperties",
        {
            **TABLE,
            "tableRange": CELLS,
            "borderPosition": "TOP",
            "tableBorderProperties": {"dashStyle": "DASH"},
        },
        lambda deck: '"DASH"' in json.dumps(deck.table["horizontalBorderRows"][0]),
    ),
    (
        "slides_updateTableColumnProperties",
        {**TABLE, "columnIndices": [0], "tableColumnProperties": {"columnWidth": WIDE}},
        lambda deck: deck.table["tableColumns"][0]["columnWidth"]["magnitude"] == 2_000_000,
    ),
    (
        "slides_updateTableRowProperties",
        {**TABLE, "rowIndices": [0], "tableRowProperties": {"minRowHeight": WIDE}},
        lambda deck: (
            deck.table["tableRows"][0]["tableRowProperties"]["minRowHeight"]["magnitude"] == 2_000_000
        ),
    ),
    (
        "slides_mergeTableCells",
        {**TABLE, "tableRange": CELLS},
        lambda deck: deck.cell["columnSpan"] == 2,
    ),
    (
        "slides_unmergeTableCells",
        {**TABLE, "tableRange": CELLS},
        lambda deck: deck.cell.get("columnSpan", 1) == 1,
    ),
    (
        "slides_updatePageElementAltText",
        {**OBJECT, "title": "A box", "description": "With boats"},
        lambda deck: deck.one("shape_one")["title"] == "A box",
    ),
    (
        "slides_updatePageElementsZOrder",
        {"pageElementObjectIds": ["shape_one"], "operation": "BRING_TO_FRONT"},
        lambda deck: deck.order[-1] == "shape_one",
    ),
    (
        "slides_groupObjects",
        {"childrenObjectIds": ["shape_one", "shape_two"], "groupObjectId": "group_one"},
        lambda deck: "group_one" in deck.order and "shape_one" not in deck.order,
    ),
    (
        "slides_updateLineCategory",
        {"objectId": "line_one", "lineCategory": "CURVED"},
        lambda deck: deck.one("line_one")["line"]["lineCategory"] == "CURVED",
    ),
    ("slides_rerouteLine", {"objectId": "line_one"}, lambda deck: deck.sites() == [3, 1]),
]
ENDS = {"startConnection": "shape_one", "endConnection": "shape_two"}
JOINED = {name: {"connectedObjectId": id, "connectionSiteIndex": 0} for name, id in ENDS.items()}
FAR = {"scaleX": 1, "scaleY": 1, "translateX": 5_000_000, "unit": "EMU"}
BEFORE: dict[str, list[dict[str, Any]]] = {
    "slides_deleteParagraphBullets": [{"createParagraphBullets": {**OBJECT, "textRange": {"type": "ALL"}}}],
    "slides_unmergeTableCells": [{"mergeTableCells": {**TABLE, "tableRange": CELLS}}],
    "slides_rerouteLine": [
        {"updatePageElementTransform": {"objectId": "shape_two", "transform": FAR, "applyMode": "ABSOLUTE"}},
        {
            "updateLineProperties": {
                "objectId": "line_one",
                "lineProperties": JOINED,
                "fields": ",".join(ENDS),
            }
        },
    ],
}


@pytest.mark.parametrize(("name", "arguments", "holds"), CASES, ids=[case[0] for case in CASES])
async def test_it_does_what_its_name_says(
    site: GoogleServer,
    classic: TestClient,
    name: str,
    arguments: dict[str, Any],
    holds: Callable[[Deck], Any],
) -> None:
    deck = Deck(site)
    if name in BEFORE:
        deck.send(*BEFORE[name])
    done = await classic.send(name, {"presentationId": deck.id, **arguments})
    assert not done.failed, done.text
    assert deck.id not in done.text and holds(deck), done.text


async def test_a_deck_is_made_read_and_its_group_taken_apart(site: GoogleServer, classic: TestClient) -> None:
    deck = Deck(site)
    one = {"presentationId": deck.id}
    deck.send(
        {"groupObjects": {"childrenObjectIds": ["shape_one", "shape_two"], "groupObjectId": "group_one"}}
    )
    made = await classic.call("slides_createPresentation", title="Crew")
    apart = await classic.call("slides_ungroupObjects", objectIds=["group_one"], **one)
    read = await classic.call("slides_get", **one)
    assert not made.failed and site.row("Crew")["mimeType"].endswith("presentation")
    assert not apart.failed and "shape_one" in deck.order
    assert "Hello boats" in read.text


async def test_a_chart_of_a_spreadsheet_is_put_on_a_slide_and_refreshed(
    site: GoogleServer, classic: TestClient
) -> None:
    deck, book = Deck(site), site.id("Budget 2026")
    chart = {"presentationId": deck.id, "pageObjectId": "page_one", "spreadsheetId": book, "chartId": 7}
    sheet = site.app.state.rows("books")[book]["sheets"][0]  # type: ignore[index]  # by text
    absent = await classic.call("slides_createSheetsChart", **chart)
    sheet["charts"] = [{"chartId": 7}]
    made = await classic.call("slides_createSheetsChart", linkingMode="LINKED", **chart)
    shown = deck.last()
    which = {"presentationId": deck.id, "objectId": shown["objectId"]}
    fresh = await classic.call("slides_refreshSheetsChart", **which)
    sent = json.loads(next(one.body for one in reversed(site.app.seen) if one.method == "POST"))
    sheet["charts"] = []
    stale = await classic.call("slides_refreshSheetsChart", **which)
    none = await classic.call("slides_refreshSheetsChart", **{**which, "objectId": "shape_one"})
    assert absent.failed and "The chart (7) could not be found" in absent.text
    assert (shown["sheetsChart"]["spreadsheetId"], shown["sheetsChart"]["chartId"]) == (book, 7)
    assert made.text == f'{{"objectId":"{shown["objectId"]}"}}' and fresh.text == "Done."
    assert sent["requests"] == [{"refreshSheetsChart": {"objectId": shown["objectId"]}}]
    assert stale.failed and "The chart (7) could not be found" in stale.text
    assert none.failed and "shape_one" in none.text


async def test_a_line_that_joins_nothing_is_not_rerouted(site: GoogleServer, classic: TestClient) -> None:
    deck = Deck(site)
    before = deck.one("line_one")
    told = await classic.call("slides_rerouteLine", presentationId=deck.id, objectId="line_one")
    assert told.failed and "The line (line_one) is not connected at both ends" in told.text
    assert deck.one("line_one") == before
