"""The practice Slides: every request does what Google says it does, or is refused with a reason."""

import re
import struct
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.sandbox.google.decks.flow import Flow, units
from laconic.sandbox.google.slides.operations import SLIDE_KINDS
from tests.google_server import GoogleServer

Row = dict[str, Any]
ALL = {"type": "ALL"}
ONE = {"scaleX": 1, "scaleY": 1, "unit": "EMU"}


class Deck:
    """A presentation of the instance, as somebody who edits it sees it."""

    def __init__(self, site: GoogleServer, id: str) -> None:
        self.site, self.id = site, id

    def ask(self, *requests: Row, **control: str) -> Any:
        body = {"requests": list(requests), **({"writeControl": control} if control else {})}
        return self.site.ask("POST", f"/v1/presentations/{self.id}:batchUpdate", body)

    def do(self, *requests: Row) -> list[Row]:
        reply = self.ask(*requests)
        assert reply.status_code == 200, reply.text
        found: list[Row] = reply.json()["replies"]
        return found

    def refused(self, request: Row) -> str:
        before = self.get()
        reply = self.ask({"createSlide": {}}, request)
        assert reply.status_code == 400 and self.get() == before, reply.text
        return str(reply.json()["error"]["message"])

    def get(self, **query: str) -> Row:
        found: Row = self.site.ask("GET", f"/v1/presentations/{self.id}", **query).json()
        return found

    def element(self, id: str) -> Row:
        for slide in self.get()["slides"]:
            notes = slide["slideProperties"]["notesPage"]
            for one in (*slide["pageElements"], *notes["pageElements"]):
                if one["objectId"] == id:
                    found: Row = one
                    return found
        raise KeyError(id)

    def text(self, id: str) -> str:
        content = self.element(id)["shape"].get("text", {})
        return "".join(one.get("textRun", {}).get("content", "") for one in content.get("textElements", []))

    def cells(self, id: str) -> list[list[str]]:
        return [
            [Flow(cell.get("text")).text for cell in line["tableCells"]]
            for line in self.element(id)["table"]["tableRows"]
        ]


@pytest.fixture
def deck(served: GoogleServer) -> Deck:
    served.reset()
    return Deck(served, served.id("Harbour plan"))


def box(deck: Deck, id: str, text: str = "", kind: str = "TEXT_BOX", **move: float) -> None:
    about = {"pageObjectId": "p", "transform": {**ONE, **move}}
    about["size"] = {name: {"magnitude": 100, "unit": "PT"} for name in ("width", "height")}
    deck.do({"createShape": {"objectId": id, "shapeType": kind, "elementProperties": about}})
    if text:
        deck.do({"insertText": {"objectId": id, "text": text}})


def test_a_new_presentation_has_a_title_slide_and_the_usual_layouts(served: GoogleServer) -> None:
    made = served.ask("POST", "/v1/presentations", {"title": "New"}).json()
    names = {one["layoutProperties"]["name"] for one in made["layouts"]}
    kinds = [one["shape"]["placeholder"]["type"] for one in made["slides"][0]["pageElements"]]
    file = served.ask("GET", f"/drive/v3/files/{made['presentationId']}").json()
    assert kinds == ["CENTERED_TITLE", "SUBTITLE"] and len(names) == 11 and "TITLE_AND_TWO_COLUMNS" in names
    assert file["mimeType"] == "application/vnd.google-apps.presentation" and file["name"] == "New"


def test_a_slide_takes_its_placeholders_from_the_layout(deck: Deck) -> None:
    mappings = [{"layoutPlaceholder": {"type": "BODY", "index": 1}, "objectId": "right"}]
    reference = {"predefinedLayout": "TITLE_AND_TWO_COLUMNS"}
    given = {"insertionIndex": 1, "slideLayoutReference": reference, "placeholderIdMappings": mappings}
    [reply] = deck.do({"createSlide": given})
    slide = deck.get()["slides"][1]
    assert slide["objectId"] == reply["createSlide"]["objectId"]
    assert [one["shape"]["placeholder"]["type"] for one in slide["pageElements"]] == ["TITLE", "BODY", "BODY"]
    assert slide["pageElements"][2]["objectId"] == "right"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"createSlide": {"objectId": "abcd"}}, "5 to 50 characters"),
        ({"createSlide": {"objectId": "-abcde"}}, "must start with"),
        ({"createSlide": {"objectId": "plan_body"}}, "should be unique among all pages"),
        ({"createSlide": {"insertionIndex": 9}}, "out of bounds: there are 5 slides"),
        ({"createSlide": {"slideLayoutReference": {"layoutId": "none"}}}, "The layout (none)"),
        ({"createSlide": {"placeholderIdMappings": [{"objectId": "title_1"}]}}, "when the slide layout is"),
        ({"insertText": {"objectId": "nobody", "text": "x"}}, "The object (nobody) could not be found."),
        ({"insertText": {"objectId": "plan_title", "text": "x", "insertionIndex": 14}}, "text length (13)"),
        ({"insertText": {"objectId": "view_image", "text": "x"}}, "does not allow text editing"),
        ({"insertText": {"objectId": "cost_table", "text": "x"}}, "the cell location must be specified"),
        (
            {"insertText": {"objectId": "cost_table", "text": "x", "cellLocation": {"rowIndex": 3}}},
            "the table has 3 rows and 3 columns",
        ),
        ({"deleteText": {"objectId": "plan_title"}}, "type of the text range"),
        (
            {"deleteText": {"objectId": "plan_title", "textRange": {"type": "FIXED_RANGE", "endIndex": 14}}},
            "The end index (14) should not be greater than the existing text length (13).",
        ),
        ({"createTable": {"rows": 0, "columns": 2}}, "at least one row"),
        ({"createShape": {"shapeType": "CLOUD"}}, "The page () could not be found."),
        ({"createImage": {"url": "http://localhost/x.png"}}, "problem retrieving the image"),
        ({"createVideo": {"source": "YOUTUBE"}}, "source and the id"),
        ({"deleteObject": {"objectId": "layout-2"}}, "cannot be deleted"),
        (
            {"updateTextStyle": {"objectId": "plan_title", "textRange": ALL, "style": {}}},
            "At least one field",
        ),
        (
            {"updateTextStyle": {"objectId": "plan_title", "textRange": ALL, "fields": "bald"}},
            "Invalid field: bald",
        ),
        (
            {"updateImageProperties": {"objectId": "view_image", "fields": "brightness"}},
            "The field brightness is read-only.",
        ),
        ({"updateShapeProperties": {"objectId": "cost_table", "fields": "*"}}, "is not a shape"),
        ({"groupObjects": {"childrenObjectIds": ["plan_body", "plan_title"]}}, "cannot be grouped"),
        ({"groupObjects": {"childrenObjectIds": ["view_image", "plan_title"]}}, "on the same page"),
        ({"updateSlidesPosition": {"slideObjectIds": ["cost_slide", "plan_slide"]}}, "existing presentation"),
        (
            {"updatePageElementTransform": {"objectId": "view_image", "transform": {"unit": "PT"}}},
            "not invertible",
        ),
        ({"rerouteLine": {"objectId": "view_image"}}, "is not a line"),
        ({"deleteComment": {"commentId": "none"}}, "The comment (none)"),
        (
            {"duplicateObject": {"objectId": "view_image", "objectIds": {"none": "other"}}},
            "The object (none)",
        ),
        ({"replaceAllText": {"replaceText": "x"}}, "should not be empty"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_changed(deck: Deck, request_: Row, words: str) -> None:
    message = deck.refused(request_)
    assert message.startswith("Invalid requests[1].") and words in message


def test_indices_count_utf16_units_and_the_last_newline_stays(deck: Deck) -> None:
    box(deck, "smile", "A😀B\x00\ue000\nC")
    assert deck.text("smile") == "A😀B\nC\n"
    deck.do({"insertText": {"objectId": "smile", "text": "x", "insertionIndex": 2}})  # inside the pair
    assert deck.text("smile") == "A😀xB\nC\n"
    half = {"type": "FIXED_RANGE", "startIndex": 2, "endIndex": 4}
    deck.do({"deleteText": {"objectId": "smile", "textRange": half}})
    assert deck.text("smile") == "AB\nC\n"
    deck.do({"deleteText": {"objectId": "smile", "textRange": {"type": "FROM_START_INDEX", "startIndex": 1}}})
    assert deck.text("smile") == "A\n"
    deck.do({"deleteText": {"objectId": "smile", "textRange": ALL}})
    assert "text" not in deck.element("smile")["shape"]
    assert "startIndex 0 must be less" in deck.refused(
        {"deleteText": {"objectId": "smile", "textRange": ALL}}
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), st.text("aé\n😀\t", max_size=5)), max_size=12)
)
def test_any_edits_of_a_text_agree_with_a_list_of_units(edits: list[tuple[int, int, str]]) -> None:
    flow, plain = Flow(None), list[str]()
    for at, count, text in edits:
        place = min(at, len(plain))
        if 0 < place < len(plain) and "\udc00" <= plain[place] <= "\udfff":
            place += 1
        flow.insert(place, text)
        plain[place:place] = units(text)
        end = min(place + count, len(plain))
        if end < len(plain) and "\udc00" <= plain[end] <= "\udfff":
            end += 1
        if count and place < end:
            flow.delete(place, end)
            del plain[place:end]
        flow = Flow(flow.content({}))
    assert [cell.unit for cell in flow.cells] == [*plain, "\n"]
    content = flow.content({}) or {"textElements": []}
    ends = [one["endIndex"] for one in content["textElements"] if "textRun" in one]
    assert not ends or ends[-1] == len(plain) + 1


def test_styles_are_kept_per_run_and_reset_by_the_mask(deck: Deck) -> None:
    two = {"type": "FIXED_RANGE", "startIndex": 5, "endIndex": 7}
    style = {"bold": True, "fontFamily": "Lora", "link": {"url": "https://harbour.example"}}
    given = {"objectId": "plan_title", "textRange": two, "style": style}
    deck.do({"updateTextStyle": {**given, "fields": "bold,font_family,link"}})
    runs = [one for one in deck.element("plan_title")["shape"]["text"]["textElements"] if "textRun" in one]
    assert [one["textRun"]["content"] for one in runs] == ["What ", "we", " build\n"]
    assert runs[1]["textRun"]["style"]["weightedFontFamily"] == {"fontFamily": "Lora", "weight": 400}
    deck.do({"updateTextStyle": {"objectId": "plan_title", "textRange": ALL, "style": {}, "fields": "*"}})
    runs = [one for one in deck.element("plan_title")["shape"]["text"]["textElements"] if "textRun" in one]
    assert [one["textRun"]["content"] for one in runs] == ["What we build\n"]


def bullets(deck: Deck, id: str) -> list[str]:
    marks = [one.get("paragraphMarker") for one in deck.element(id)["shape"]["text"]["textElements"]]
    return [one.get("bullet", {}).get("glyph", "") for one in marks if one]


def test_tabs_become_levels_and_lists_go_on(deck: Deck) -> None:
    assert bullets(deck, "plan_body") == ["●", "○", "○", "●", "●"]
    assert "\t" not in deck.text("plan_body")
    box(deck, "steps", "One\n\ta\n\tb\nTwo")
    numbered = {"objectId": "steps", "textRange": ALL, "bulletPreset": "NUMBERED_DIGIT_ALPHA_ROMAN"}
    deck.do({"createParagraphBullets": numbered})
    assert bullets(deck, "steps") == ["1.", "a.", "b.", "2."]
    deck.do({"insertText": {"objectId": "steps", "text": "\nThree", "insertionIndex": 11}})
    assert deck.text("steps") == "One\na\nb\nTwo\nThree\n" and bullets(deck, "steps")[-1] == "3."
    middle = {"type": "FIXED_RANGE", "startIndex": 4, "endIndex": 5}
    deck.do({"deleteParagraphBullets": {"objectId": "steps", "textRange": middle}})
    assert bullets(deck, "steps") == ["1.", "", "a.", "2.", "3."]
    last = {"type": "FIXED_RANGE", "startIndex": 13, "endIndex": 14}
    style = {"alignment": "CENTER"}
    deck.do(
        {
            "updateParagraphStyle": {
                "objectId": "steps",
                "textRange": last,
                "style": style,
                "fields": "alignment",
            }
        }
    )
    marks = [
        one["paragraphMarker"]["style"].get("alignment")
        for one in deck.element("steps")["shape"]["text"]["textElements"]
        if "paragraphMarker" in one
    ]
    assert marks == [None, None, None, None, "CENTER"]


def test_text_is_replaced_everywhere_also_in_tables_and_notes(deck: Deck) -> None:
    replace = {"containsText": {"text": "THE"}, "replaceText": "a"}
    [reply] = deck.do({"replaceAllText": replace})
    assert reply == {"replaceAllText": {"occurrencesChanged": 6}}
    assert deck.text("view_title") == "a view from a pier\n"
    [none] = deck.do({"replaceAllText": {"containsText": {"text": "THE", "matchCase": True}}})
    assert none == {"replaceAllText": {}}
    pattern = {"text": r"(\d+),(\d+)", "searchByRegex": True}
    [found] = deck.do(
        {"replaceAllText": {"containsText": pattern, "replaceText": "?", "pageObjectIds": ["cost_slide"]}}
    )
    assert found["replaceAllText"]["occurrencesChanged"] == 2 and deck.cells("cost_table")[1][2] == "?"
    assert "could not be found" in deck.refused(
        {"replaceAllText": {"containsText": {"text": "x"}, "pageObjectIds": ["none"]}}
    )


def test_the_shape_of_the_notes_comes_with_their_first_text(deck: Deck) -> None:
    slide = deck.get()["slides"][0]["slideProperties"]["notesPage"]
    id = slide["notesProperties"]["speakerNotesObjectId"]
    assert slide["pageElements"] == []
    deck.do({"insertText": {"objectId": id, "text": "Hello"}})
    assert deck.text(id) == "Hello\n"


def test_slides_are_duplicated_moved_skipped_and_deleted(deck: Deck) -> None:
    ids = {"plan_slide": "plan_copy", "plan_body": "copy_body"}
    [reply] = deck.do({"duplicateObject": {"objectId": "plan_slide", "objectIds": ids}})
    assert reply["duplicateObject"]["objectId"] == "plan_copy"
    deck.do(
        {"updateSlidesPosition": {"slideObjectIds": ["p", "plan_copy"], "insertionIndex": 5}},
        {
            "updateSlideProperties": {
                "objectId": "plan_copy",
                "slideProperties": {"isSkipped": True},
                "fields": "isSkipped",
            }
        },
        {"deleteObject": {"objectId": "plan_slide"}},
    )
    slides = deck.get()["slides"]
    assert [one["objectId"] for one in slides] == ["cost_slide", "view_slide", "p", "plan_copy"]
    assert slides[-1]["slideProperties"]["isSkipped"]
    notes = slides[-1]["slideProperties"]["notesPage"]
    assert deck.text("copy_body").startswith("North pier")
    assert deck.text(notes["notesProperties"]["speakerNotesObjectId"]).startswith("Say that")
    everything = re.findall(r'"objectId": ?"([^"]+)"', str(deck.get()).replace("'", '"'))
    owned = [one for one in everything if one not in ("p",)]
    assert len(owned) == len(set(owned))


def test_tables_grow_shrink_merge_and_split(deck: Deck) -> None:
    at = {"tableObjectId": "cost_table", "cellLocation": {"rowIndex": 1, "columnIndex": 1}}
    deck.do({"insertTableRows": {**at, "insertBelow": True, "number": 2}}, {"insertTableColumns": at})
    assert deck.cells("cost_table") == [
        ["Work", "", "Weeks", "Cost"],
        ["Piles", "", "6", "42,000"],
        ["", "", "", ""],
        ["", "", "", ""],
        ["Deck", "", "4", "18,500"],
    ]
    span = {"location": {"rowIndex": 1, "columnIndex": 2}, "rowSpan": 2, "columnSpan": 2}
    deck.do({"mergeTableCells": {"objectId": "cost_table", "tableRange": span}})
    assert deck.cells("cost_table")[1:3] == [["Piles", "", "6\n42,000"], ["", ""]]
    wrong = {"objectId": "cost_table", "cellLocation": {"rowIndex": 2, "columnIndex": 3}, "text": "x"}
    assert "is merged into the one at row 1, column 2" in deck.refused({"insertText": wrong})
    cut = {"location": {"rowIndex": 2}, "rowSpan": 2, "columnSpan": 3}
    assert "not rectangular" in deck.refused(
        {"mergeTableCells": {"objectId": "cost_table", "tableRange": cut}}
    )
    deck.do({"deleteTableRow": {"tableObjectId": "cost_table", "cellLocation": {"rowIndex": 3}}})
    deck.do({"unmergeTableCells": {"objectId": "cost_table", "tableRange": span}})
    assert deck.cells("cost_table")[1:3] == [["Piles", "", "6\n42,000", ""], ["", "", "", ""]]
    two = {"rowIndex": 0, "columnIndex": 0}
    whole = {"location": two, "rowSpan": 4, "columnSpan": 1}
    deck.do(
        {"mergeTableCells": {"objectId": "cost_table", "tableRange": whole}},
        {"deleteTableRow": {"tableObjectId": "cost_table", "cellLocation": two}},
    )
    with pytest.raises(KeyError):
        deck.element("cost_table")


def test_tables_have_borders_widths_and_backgrounds(deck: Deck) -> None:
    red = {"solidFill": {"color": {"rgbColor": {"red": 1}}}}
    area = {"location": {"rowIndex": 1}, "rowSpan": 1, "columnSpan": 3}
    base = {"objectId": "cost_table", "tableRange": area}
    look = {"tableBorderProperties": {"tableBorderFill": red}, "fields": "tableBorderFill.solidFill.color"}
    fill = {"tableCellProperties": {"tableCellBackgroundFill": red}, "fields": "tableCellBackgroundFill"}
    wide = {
        "tableColumnProperties": {"columnWidth": {"magnitude": 99, "unit": "PT"}},
        "fields": "column_width",
    }
    tall = {"tableRowProperties": {"minRowHeight": {"magnitude": 99, "unit": "PT"}}, "fields": "minRowHeight"}
    deck.do(
        {"updateTableBorderProperties": {**base, **look, "borderPosition": "BOTTOM"}},
        {"updateTableCellProperties": {**base, **fill}},
        {"updateTableColumnProperties": {"objectId": "cost_table", "columnIndices": [1], **wide}},
        {"updateTableRowProperties": {"objectId": "cost_table", "rowIndices": [0], **tall}},
        {"insertTableRows": {"tableObjectId": "cost_table", "cellLocation": {}, "insertBelow": False}},
    )
    table = deck.element("cost_table")["table"]
    reds = [
        (row, column)
        for row, line in enumerate(table["horizontalBorderRows"])
        for column, one in enumerate(line["tableBorderCells"])
        if one["tableBorderProperties"]["tableBorderFill"]["solidFill"]["color"]["rgbColor"] == {"red": 1}
    ]
    assert reds == [(3, 0), (3, 1), (3, 2)]
    assert (
        "solidFill"
        in table["tableRows"][2]["tableCells"][0]["tableCellProperties"]["tableCellBackgroundFill"]
    )
    assert table["tableColumns"][1]["columnWidth"] == {"magnitude": 99, "unit": "PT"}
    assert table["tableRows"][1]["rowHeight"]["magnitude"] == 99 * 12_700
    narrow = {"columnWidth": {"magnitude": 1, "unit": "PT"}}
    message = deck.refused(
        {
            "updateTableColumnProperties": {
                "objectId": "cost_table",
                "tableColumnProperties": narrow,
                "fields": "*",
            }
        }
    )
    assert "at least 406400 EMU" in message


def test_elements_are_moved_ordered_grouped_and_ungrouped(deck: Deck) -> None:
    for name, left in (("box_a", 1), ("box_b", 2), ("box_c", 3)):
        box(deck, name, kind="RECTANGLE", translateX=left)

    def order() -> list[str]:
        return [one["objectId"] for one in deck.get()["slides"][0]["pageElements"]][2:]

    def move(what: str, *ids: str) -> Row:
        return {"pageElementObjectIds": list(ids), "operation": what}

    deck.do({"updatePageElementsZOrder": move("BRING_TO_FRONT", "box_a")})
    assert order() == ["box_b", "box_c", "box_a"]
    deck.do({"updatePageElementsZOrder": move("BRING_FORWARD", "box_b")})
    assert order() == ["box_c", "box_b", "box_a"]
    deck.do({"updatePageElementsZOrder": move("SEND_BACKWARD", "box_a", "box_b")})
    assert order() == ["box_b", "box_a", "box_c"]
    step = {"objectId": "box_a", "transform": {**ONE, "translateX": 5}, "applyMode": "RELATIVE"}
    deck.do({"updatePageElementTransform": step})
    assert deck.element("box_a")["transform"]["translateX"] == 6
    [reply] = deck.do(
        {"groupObjects": {"childrenObjectIds": ["box_b", "box_a"], "groupObjectId": "both_boxes"}}
    )
    assert reply == {"groupObjects": {"objectId": "both_boxes"}} and order() == ["both_boxes", "box_c"]
    assert "must not be in a group" in deck.refused(
        {"updatePageElementsZOrder": move("SEND_TO_BACK", "box_a")}
    )
    twice = {"scaleX": 2, "scaleY": 2, "unit": "EMU"}
    deck.do(
        {
            "updatePageElementTransform": {
                "objectId": "both_boxes",
                "transform": twice,
                "applyMode": "ABSOLUTE",
            }
        },
        {"duplicateObject": {"objectId": "both_boxes", "objectIds": {"box_a": "copy_a"}}},
        {"ungroupObjects": {"objectIds": ["both_boxes"]}},
    )
    assert deck.element("box_a")["transform"] == {**twice, "translateX": 12}
    deck.do({"deleteObject": {"objectId": "copy_a"}})
    assert not any("elementGroup" in one for one in deck.get()["slides"][0]["pageElements"])


def test_lines_find_the_shortest_way(deck: Deck) -> None:
    box(deck, "left_box", kind="RECTANGLE")
    box(deck, "right_box", kind="RECTANGLE", translateX=5_000_000)
    about = {"pageObjectId": "p", "transform": ONE}
    ends = {
        "startConnection": {"connectedObjectId": "left_box", "connectionSiteIndex": 0},
        "endConnection": {"connectedObjectId": "right_box", "connectionSiteIndex": 0},
    }
    line = {"objectId": "line_1", "category": "BENT", "elementProperties": about}
    deck.do({"createLine": line})
    assert "not connected at both ends" in deck.refused({"rerouteLine": {"objectId": "line_1"}})
    look = {"objectId": "line_1", "lineProperties": {**ends, "dashStyle": "DOT"}}
    deck.do(
        {"updateLineProperties": {**look, "fields": "startConnection,endConnection,dashStyle"}},
        {"updateLineCategory": {"objectId": "line_1", "lineCategory": "CURVED"}},
        {"rerouteLine": {"objectId": "line_1"}},
    )
    found = deck.element("line_1")
    ways = found["line"]["lineProperties"]
    assert (
        ways["startConnection"]["connectionSiteIndex"] == 3
        and ways["endConnection"]["connectionSiteIndex"] == 1
    )
    assert found["line"]["lineType"] == "CURVED_CONNECTOR_3" and found["transform"]["translateX"] == 1_270_000


def test_pictures_videos_and_charts_are_recorded(deck: Deck) -> None:
    about = {"pageObjectId": "p"}
    book = deck.site.id("Budget 2026")
    chart = {"spreadsheetId": book, "chartId": 7, "elementProperties": about}
    assert "The chart (7) could not be found" in deck.refused({"createSheetsChart": chart})
    books = deck.site.app.state.rows("books")
    books[book]["sheets"][0]["charts"] = [{"chartId": 7}]  # type: ignore[index]  # by text
    new = "https://pictures.harbour.example/new.png"
    video = {"objectId": "film_1", "source": "YOUTUBE", "id": "abc", "elementProperties": about}
    deck.do(
        {"replaceImage": {"imageObjectId": "view_image", "url": new}},
        {"createVideo": video},
        {
            "updateVideoProperties": {
                "objectId": "film_1",
                "videoProperties": {"mute": True},
                "fields": "mute",
            }
        },
        {"createSheetsChart": {**chart, "objectId": "chart_1", "linkingMode": "LINKED"}},
        {"refreshSheetsChart": {"objectId": "chart_1"}},
        {"createSheetsChart": {**chart, "objectId": "chart_2"}},
    )
    assert deck.element("view_image")["image"]["sourceUrl"] == new
    assert deck.element("view_image")["description"] == "Boats at the north pier"
    assert deck.element("film_1")["video"]["videoProperties"] == {"mute": True}
    assert deck.element("chart_1")["sheetsChart"]["chartId"] == 7 and "image" in deck.element("chart_2")
    box(deck, "photo_1", "{{photo}}")
    box(deck, "chart_3", "{{chart}}")
    one = {"containsText": {"text": "{{photo}}"}, "imageUrl": new}
    two = {"containsText": {"text": "{{chart}}"}, "spreadsheetId": book, "chartId": 7}
    replies = deck.do({"replaceAllShapesWithImage": one}, {"replaceAllShapesWithSheetsChart": two})
    assert [next(iter(reply.values())) for reply in replies] == [{"occurrencesChanged": 1}] * 2


def test_looks_of_shapes_and_pages(deck: Deck) -> None:
    box(deck, "red_box", kind="RECTANGLE")
    red = {"solidFill": {"color": {"rgbColor": {"red": 1}}}}
    page = {"objectId": "p", "pageProperties": {"pageBackgroundFill": red}, "fields": "pageBackgroundFill"}
    fill = {"shapeBackgroundFill": red}
    shape = {"objectId": "red_box", "shapeProperties": fill, "fields": "shapeBackgroundFill.solidFill.color"}
    image = {"outline": {"propertyState": "RENDERED"}}
    deck.do(
        {"updatePageProperties": page},
        {"updateShapeProperties": shape},
        {"updateImageProperties": {"objectId": "view_image", "imageProperties": image, "fields": "outline"}},
    )
    found = deck.element("red_box")["shape"]["shapeProperties"]["shapeBackgroundFill"]
    assert found["solidFill"]["color"] == {"rgbColor": {"red": 1}}
    assert deck.get()["slides"][0]["pageProperties"]["pageBackgroundFill"] == red


def test_comments_have_anchors_replies_and_authors(deck: Deck) -> None:
    words = {"objectId": "plan_title", "textRange": {"type": "FIXED_RANGE", "startIndex": 5, "endIndex": 7}}
    cell = {"objectId": "cost_table", "tableRange": {"location": {}, "rowSpan": 1, "columnSpan": 2}}
    [one] = deck.do({"insertComment": {"content": "Who?", "shapeTextAnchor": words}})
    thread = one["insertComment"]["commentThread"]
    [two] = deck.do({"insertComment": {"content": "Sure?", "tableAnchor": cell}})
    assert thread["plainTextQuote"] == "we"
    assert two["insertComment"]["commentThread"]["plainTextQuote"] == "Work Weeks"
    id = {"commentId": thread["commentId"]}
    [reply] = deck.do({"addCommentReply": {**id, "post": {"content": "Us."}}})
    post = reply["addCommentReply"]["post"]["postId"]
    deck.do({"updateCommentPost": {**id, "postId": post, "content": "All of us."}})
    deck.do({"addCommentReply": {**id, "post": {"commentAction": "RESOLVE"}}})
    seen = deck.get(commentsViewMode="COMMENTS_VIEW_MODE_INCLUDED")["comments"]
    assert [(one["status"], len(one["replies"])) for one in seen] == [("RESOLVED", 2), ("OPEN", 0)]
    assert "comments" not in deck.get()
    page = deck.site.ask(
        "GET",
        f"/v1/presentations/{deck.id}/pages/plan_slide",
        commentsViewMode="COMMENTS_VIEW_MODE_INCLUDED",
    ).json()
    assert page["commentAnchors"][0]["objectAnchors"][0]["objectId"] == "plan_title"
    deck.do({"deleteCommentReply": {**id, "postId": post}}, {"deleteComment": id})
    assert len(deck.get(commentsViewMode="COMMENTS_VIEW_MODE_INCLUDED")["comments"]) == 1


def test_a_batch_can_require_a_revision(deck: Deck) -> None:
    old = deck.get()["revisionId"]
    done = deck.ask({"createSlide": {}}, requiredRevisionId=old).json()
    assert done["writeControl"]["requiredRevisionId"] == deck.get()["revisionId"] != old
    stale = deck.ask({"createSlide": {}}, requiredRevisionId=old)
    assert stale.status_code == 400 and "does not match the latest revision" in stale.text


def test_every_kind_of_request_is_done() -> None:
    assert len(SLIDE_KINDS) == 49


def test_a_thumbnail_is_a_picture_for_half_an_hour(deck: Deck) -> None:
    path = f"/v1/presentations/{deck.id}/pages/cost_slide/thumbnail"
    for size, width in (("SMALL", 200), ("MEDIUM", 800), ("LARGE", 1600)):
        found = deck.site.ask("GET", path, **{"thumbnailProperties.thumbnailSize": size}).json()
        picture = deck.site.http.get(found["contentUrl"]).content
        assert (
            (found["width"], found["height"])
            == struct.unpack(">II", picture[16:24])
            == (width, width * 9 // 16)
        )
    start = picture.index(b"IDAT") + 4
    length = struct.unpack(">I", picture[start - 8 : start - 4])[0]
    rows = zlib.decompress(picture[start : start + length])
    assert len(rows) == 900 * 1601 and len(set(rows)) > 2
    now = deck.site.app.clock()
    deck.site.app.clock = lambda: now + 1_801
    assert deck.site.http.get(found["contentUrl"]).status_code == 403


def test_a_deck_is_exported_copied_and_found_by_its_text(deck: Deck) -> None:
    deck.do({"insertText": {"objectId": "plan_title", "text": "Soon: "}})
    text = deck.site.ask("GET", f"/drive/v3/files/{deck.id}/export", mimeType="text/plain").text
    assert "Soon: What we build\nNorth pier: 12 berths" in text and "Work\tWeeks\tCost" in text
    copy = deck.site.ask("POST", f"/drive/v3/files/{deck.id}/copy", {"name": "Second"}).json()
    other = Deck(deck.site, copy["id"])
    other.do({"deleteText": {"objectId": "plan_title", "textRange": ALL}})
    assert deck.text("plan_title") == "Soon: What we build\n" and other.get()["title"] == "Second"
    found = deck.site.ask("GET", "/drive/v3/files", q="fullText contains 'Soon'").json()["files"]
    assert [one["name"] for one in found] == ["Harbour plan"]


def test_only_those_who_may_edit_can_and_other_files_are_refused(deck: Deck) -> None:
    sheet = deck.site.ask("GET", f"/v1/presentations/{deck.site.id('Budget 2026')}")
    page = deck.site.ask("GET", f"/v1/presentations/{deck.id}/pages/none")
    assert sheet.status_code == 400 and sheet.json()["error"]["status"] == "FAILED_PRECONDITION"
    assert page.status_code == 404
