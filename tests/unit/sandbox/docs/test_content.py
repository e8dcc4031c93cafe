"""The practice Docs: styles, lists, tables, segments and elements change as they are described."""

from typing import Any

from tests.google_server import GoogleServer
from tests.unit.sandbox.docs.paper import Paper, append, bullets, cell, delete, insert, span, style, table


def runs(paper: Paper, block: int = 1) -> list[tuple[str, dict[str, Any]]]:
    found = paper.tab()["body"]["content"][block]["paragraph"]["elements"]
    return [(one["textRun"]["content"], one["textRun"]["textStyle"]) for one in found]


def test_runs_part_and_join_as_their_styles_do(site: GoogleServer) -> None:
    paper = Paper(site, text="abcdef")
    paper.do(style(2, 4, bold=True))
    assert runs(paper) == [("a", {}), ("bc", {"bold": True}), ("def\n", {})]
    paper.do(insert(4, "x"))
    assert runs(paper)[1] == ("bcx", {"bold": True})
    paper.do(style(2, 5, "bold"))
    assert runs(paper) == [("abcxdef\n", {})]
    paper.do(style(1, 8, "*", italic=True))
    assert runs(paper) == [("abcxdef\n", {"italic": True})]
    paper.do(style(1, 2, italic=False))
    assert runs(paper) == [("a", {}), ("bcxdef\n", {"italic": True})]


def test_a_link_brings_its_looks_and_takes_them_along(site: GoogleServer) -> None:
    paper = Paper(site, text="abcd")
    paper.do(style(2, 4, link={"url": "https://x.example"}))
    look = runs(paper)[1][1]
    assert look["underline"] and look["foregroundColor"]["color"]["rgbColor"]["blue"] == 0.8
    paper.do(insert(4, "y"), insert(3, "x"))
    assert [text for text, _ in runs(paper)] == ["a", "bxc", "yd\n"]
    paper.do(style(2, 5, "link"))
    assert runs(paper) == [("abxcyd\n", {})]


def test_a_whole_item_of_a_list_styles_its_bullet(site: GoogleServer) -> None:
    paper = Paper(site, text="ab\ncd")
    paper.do(bullets(1, 6), style(1, 3, bold=True))
    first, second = (one["paragraph"] for one in paper.tab()["body"]["content"][1:])
    assert first["bullet"]["textStyle"] == {"bold": True} and second["bullet"]["textStyle"] == {}
    assert first["elements"][0]["textRun"] == {"content": "ab\n", "textStyle": {"bold": True}}


def test_paragraphs_take_named_styles_and_headings_get_ids(site: GoogleServer) -> None:
    paper = Paper(site, text="ab\ncd")
    heading = {"namedStyleType": "HEADING_1", "alignment": "CENTER"}
    given = {"range": span(1, 2), "paragraphStyle": heading, "fields": "namedStyleType,alignment"}
    paper.do({"updateParagraphStyle": given}, insert(2, "\n"))
    first, second, third = (one["paragraph"]["paragraphStyle"] for one in paper.tab()["body"]["content"][1:])
    assert first["headingId"] != second["headingId"] and "headingId" not in third
    assert first["alignment"] == second["alignment"] == "CENTER"
    back = {"range": span(1, 2), "paragraphStyle": {}, "fields": "namedStyleType,alignment"}
    paper.do({"updateParagraphStyle": back})
    plain = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT"}
    assert paper.tab()["body"]["content"][1]["paragraph"]["paragraphStyle"] == plain
    fixed = {"range": span(1, 2), "paragraphStyle": {"headingId": "h.x"}, "fields": "headingId"}
    assert "read-only" in paper.refused({"updateParagraphStyle": fixed})
    broken = {"range": span(5, 6), "paragraphStyle": {"pageBreakBefore": True}, "fields": "pageBreakBefore"}
    assert "body and outside of tables" in paper.refused(table(1, 1, 1), {"updateParagraphStyle": broken})


def test_a_list_goes_on_if_the_preset_is_the_same(site: GoogleServer) -> None:
    paper = Paper(site, text="a\nb\nc\nd")
    paper.do(bullets(1, 2), bullets(3, 4), bullets(5, 6, "NUMBERED_DECIMAL_NESTED"))
    tab = paper.tab()
    ids = [one["paragraph"].get("bullet", {}).get("listId") for one in tab["body"]["content"][1:]]
    assert ids[0] == ids[1] != ids[2] and ids[3] is None
    assert tab["lists"][ids[2]]["listProperties"]["nestingLevels"][1]["glyphFormat"] == "%0.%1."
    paper.do({"deleteParagraphBullets": {"range": span(1, 8)}})
    look = paper.tab()["body"]["content"][1]["paragraph"]
    assert "bullet" not in look and look["paragraphStyle"]["indentStart"] == {"magnitude": 36, "unit": "PT"}


def test_rows_and_columns_move_what_is_merged(site: GoogleServer) -> None:
    paper = Paper(site)
    area = {"tableCellLocation": cell(2, 0, 0), "rowSpan": 2, "columnSpan": 2}
    paper.do(table(1, 3, 3), insert(5, "x"), {"mergeTableCells": {"tableRange": area}})

    def spans(row: int = 0, column: int = 0) -> tuple[int, int]:
        look = paper.tab()["body"]["content"][2]["table"]["tableRows"][row]["tableCells"][column]
        return look["tableCellStyle"]["rowSpan"], look["tableCellStyle"]["columnSpan"]

    assert spans() == (2, 2)
    odd = {"tableCellLocation": cell(2, 1, 1), "rowSpan": 2, "columnSpan": 2}
    assert "rectangle" in paper.refused({"mergeTableCells": {"tableRange": odd}})
    paper.do({"insertTableRow": {"tableCellLocation": cell(2, 0, 2), "insertBelow": True}})
    paper.do({"insertTableColumn": {"tableCellLocation": cell(2, 3, 0), "insertRight": True}})
    assert spans() == (3, 3)
    paper.do({"deleteTableRow": {"tableCellLocation": cell(2, 0, 3)}})
    assert spans() == (2, 3) and "x" in paper.lines()[2]
    paper.do({"deleteTableColumn": {"tableCellLocation": cell(2, 2, 0)}})
    assert spans() == (2, 2)
    paper.do({"unmergeTableCells": {"tableRange": area}})
    assert spans() == (1, 1)
    paper.do({"deleteTableColumn": {"tableCellLocation": cell(2, 0, 0)}})
    assert paper.lines()[2].count("[") == 4 and "x" not in paper.lines()[2]


def test_cells_rows_and_columns_are_styled(site: GoogleServer) -> None:
    paper = Paper(site)
    line = {"width": {"magnitude": 2, "unit": "PT"}, "dashStyle": "SOLID", "color": {}}
    where = {"tableCellLocation": cell(2, 0, 0), "rowSpan": 1, "columnSpan": 1}
    start = {"index": 2}
    paper.do(
        table(1, 2, 2),
        {
            "updateTableCellStyle": {
                "tableRange": where,
                "tableCellStyle": {"borderRight": line},
                "fields": "borderRight",
            }
        },
        {
            "updateTableCellStyle": {
                "tableStartLocation": start,
                "tableCellStyle": {"contentAlignment": "MIDDLE"},
                "fields": "*",
            }
        },
        {
            "updateTableRowStyle": {
                **{"tableStartLocation": start, "rowIndices": [1], "fields": "min_row_height"},
                "tableRowStyle": {"minRowHeight": {"magnitude": 20, "unit": "PT"}},
            }
        },
        {
            "updateTableColumnProperties": {
                **{"tableStartLocation": start, "columnIndices": [0], "fields": "*"},
                "tableColumnProperties": {
                    "width": {"magnitude": 90, "unit": "PT"},
                    "widthType": "FIXED_WIDTH",
                },
            }
        },
        {"pinTableHeaderRows": {"tableStartLocation": start, "pinnedHeaderRowsCount": 1}},
    )
    found = paper.tab()["body"]["content"][2]["table"]
    rows = found["tableRows"]
    assert [row["tableRowStyle"].get("tableHeader") for row in rows] == [True, None]
    assert rows[1]["tableRowStyle"]["minRowHeight"]["magnitude"] == 20
    assert [one["widthType"] for one in found["tableStyle"]["tableColumnProperties"]] == [
        "FIXED_WIDTH",
        "EVENLY_DISTRIBUTED",
    ]
    assert all(
        one["tableCellStyle"]["contentAlignment"] == "MIDDLE" for row in rows for one in row["tableCells"]
    )
    assert "borderRight" not in rows[0]["tableCells"][0]["tableCellStyle"]
    assert "3 cannot be pinned" in paper.refused(
        {"pinTableHeaderRows": {"tableStartLocation": start, "pinnedHeaderRowsCount": 3}}
    )
    assert "No table begins at index 3" in paper.refused(
        {"pinTableHeaderRows": {"tableStartLocation": {"index": 3}}}
    )
    spanned = {"tableRange": where, "tableCellStyle": {"rowSpan": 2}, "fields": "rowSpan"}
    assert "read-only" in paper.refused({"updateTableCellStyle": spanned})


def test_a_border_is_shared_with_the_neighbour(site: GoogleServer) -> None:
    paper = Paper(site)
    line = {"width": {"magnitude": 2, "unit": "PT"}, "dashStyle": "SOLID", "color": {}}
    where = {"tableCellLocation": cell(2, 0, 0), "rowSpan": 1, "columnSpan": 1}
    given = {"tableRange": where, "tableCellStyle": {"borderRight": line}, "fields": "borderRight"}
    paper.do(table(1, 1, 2), {"updateTableCellStyle": given})
    left, right = (
        one["tableCellStyle"]
        for one in paper.tab()["body"]["content"][2]["table"]["tableRows"][0]["tableCells"]
    )
    assert left["borderRight"] == right["borderLeft"] == line


def test_headers_footers_and_footnotes_are_segments_of_their_own(site: GoogleServer) -> None:
    paper = Paper(site, text="ab")
    head, foot, note = paper.do(
        {"createHeader": {"type": "DEFAULT"}},
        {"createFooter": {"type": "DEFAULT"}},
        {"createFootnote": {"location": {"index": 3}}},
    )
    header, footer = head["createHeader"]["headerId"], foot["createFooter"]["footerId"]
    footnote = note["createFootnote"]["footnoteId"]
    assert paper.lines(footnote) == ["0  \n"] and paper.lines(header) == ["0 \n"]
    paper.do(
        insert(0, "H", segmentId=header), append("F", segmentId=footer), insert(1, "n", segmentId=footnote)
    )
    assert (paper.lines(header), paper.lines(footer), paper.lines(footnote)) == (
        ["0 H\n"],
        ["0 F\n"],
        ["0  n\n"],
    )
    assert "body alone" in paper.refused(
        {"createFootnote": {"location": {"index": 0, "segmentId": footnote}}}
    )
    assert "inside a footnote" in paper.refused(table(0, 1, 1, segmentId=footnote))
    assert paper.tab()["documentStyle"]["defaultHeaderId"] == header
    paper.do({"deleteHeader": {"headerId": header}}, {"deleteFooter": {"footerId": footer}}, delete(3, 4))
    tab = paper.tab()
    assert (
        not {"headers", "footers", "footnotes"} & set(tab) and "defaultHeaderId" not in tab["documentStyle"]
    )
    assert "was not found" in paper.refused({"deleteHeader": {"headerId": header}})


def test_footnotes_are_numbered_in_their_order(site: GoogleServer) -> None:
    paper = Paper(site, text="abc")
    paper.do({"createFootnote": {"location": {"index": 3}}}, {"createFootnote": {"location": {"index": 2}}})

    def numbers() -> list[str]:
        elements = paper.tab()["body"]["content"][1]["paragraph"]["elements"]
        return [one["footnoteReference"]["footnoteNumber"] for one in elements if "footnoteReference" in one]

    assert numbers() == ["1", "2"]
    paper.do(delete(2, 3))
    assert numbers() == ["1"]


def test_a_section_has_its_own_header_and_style(site: GoogleServer) -> None:
    paper = Paper(site, text="abcd")
    paper.do({"insertSectionBreak": {"location": {"index": 3}, "sectionType": "NEXT_PAGE"}})
    [reply] = paper.do({"createHeader": {"type": "DEFAULT", "sectionBreakLocation": {"index": 4}}})
    margin = {"marginTop": {"magnitude": 10, "unit": "PT"}}
    styled = {"range": span(5, 6), "sectionStyle": margin, "fields": "marginTop"}
    paper.do({"updateSectionStyle": styled})
    first, second = (
        one["sectionBreak"]["sectionStyle"] for one in paper.tab()["body"]["content"] if "sectionBreak" in one
    )
    assert (
        second["defaultHeaderId"] == reply["createHeader"]["headerId"]
        and second["marginTop"] == margin["marginTop"]
    )
    assert "marginTop" not in first and "defaultHeaderId" not in paper.tab()["documentStyle"]
    paper.do({"updateDocumentStyle": {"documentStyle": margin, "fields": "marginTop"}})
    assert "marginTop" not in paper.tab()["body"]["content"][2]["sectionBreak"]["sectionStyle"]
    unset = {"range": span(5, 6), "sectionStyle": {}, "fields": "marginTop"}
    assert "must have a value" in paper.refused({"updateSectionStyle": unset})
    fixed = {"range": span(5, 6), "sectionStyle": {"sectionType": "CONTINUOUS"}, "fields": "sectionType"}
    assert "read-only" in paper.refused({"updateSectionStyle": fixed})
    assert "no section break at index 3" in paper.refused(
        {"createFooter": {"sectionBreakLocation": {"index": 3}}}
    )


def test_a_named_style_is_changed(site: GoogleServer) -> None:
    paper = Paper(site, text="ab")
    bold = {"namedStyleType": "HEADING_1", "textStyle": {"bold": True}}
    paper.do(
        {"updateNamedStyle": {"namedStyle": bold, "fields": "named_style_type,text_style,text_style.bold"}}
    )
    heading = next(
        one for one in paper.tab()["namedStyles"]["styles"] if one["namedStyleType"] == "HEADING_1"
    )
    assert heading["textStyle"]["bold"] is True and heading["textStyle"]["fontSize"]["magnitude"] == 20
    assert "must be given" in paper.refused(
        {"updateNamedStyle": {"namedStyle": bold, "fields": "textStyle.bold"}}
    )


def test_images_people_links_and_dates_are_elements(site: GoogleServer) -> None:
    paper = Paper(site)
    at = {"location": {"index": 1}}
    [*_, image] = paper.do(
        {
            "insertDate": {
                **at,
                "dateElementProperties": {
                    "timestamp": "2026-11-18T10:00:00Z",
                    "dateFormat": "DATE_FORMAT_ISO8601",
                },
            }
        },
        {"insertRichLink": {**at, "richLinkProperties": {"uri": "https://drive.google.com/file/d/x"}}},
        {"insertPerson": {**at, "personProperties": {"email": "bob@harbour.example"}}},
        {
            "insertInlineImage": {
                **at,
                "uri": "https://x.example/a.png",
                "objectSize": {"width": {"magnitude": 30, "unit": "PT"}},
            }
        },
    )
    id = image["insertInlineImage"]["objectId"]
    tab = paper.tab()
    assert paper.lines()[1] == "1 <inlineObjectElement><person><richLink><dateElement>\n"
    _, person, _, date, _ = tab["body"]["content"][1]["paragraph"]["elements"]
    assert person["person"]["personProperties"]["name"] == "Bob"
    assert date["dateElement"]["dateElementProperties"]["displayText"] == "2026-11-18"
    embedded = tab["inlineObjects"][id]["inlineObjectProperties"]["embeddedObject"]
    assert embedded["size"] == {
        "width": {"magnitude": 30, "unit": "PT"},
        "height": {"magnitude": 20, "unit": "PT"},
    }
    paper.do(
        {
            "replaceImage": {
                "imageObjectId": id,
                "uri": "https://x.example/b.png",
                "imageReplaceMethod": "CENTER_CROP",
            }
        }
    )
    properties = paper.tab()["inlineObjects"][id]["inlineObjectProperties"]["embeddedObject"][
        "imageProperties"
    ]
    assert properties["sourceUri"] == "https://x.example/b.png"
    paper.do(delete(1, 2))
    assert "inlineObjects" not in paper.tab()
    assert "was not found" in paper.refused(
        {"replaceImage": {"imageObjectId": id, "uri": "https://x.example/b.png"}}
    )
    assert "Invalid timestamp" in paper.refused(
        {"insertDate": {**at, "dateElementProperties": {"timestamp": "soon"}}}
    )


def test_a_positioned_object_is_deleted(site: GoogleServer) -> None:
    paper = Paper(site, text="ab")
    tab = site.app.state.rows("documents")[paper.id]["tabs"][0]  # type: ignore[index]  # by text
    tab["positioned"]["kix.p"] = {"objectId": "kix.p", "positionedObjectProperties": {"embeddedObject": {}}}
    block = tab["segments"][""]["blocks"][1]
    tab["segments"][""]["blocks"][1] = {**block, "positioned": ["kix.p"]}
    assert paper.tab()["body"]["content"][1]["paragraph"]["positionedObjectIds"] == ["kix.p"]
    paper.do({"deletePositionedObject": {"objectId": "kix.p"}})
    assert "positionedObjects" not in paper.tab()
    assert "positionedObjectIds" not in paper.tab()["body"]["content"][1]["paragraph"]
    assert "was not found" in paper.refused({"deletePositionedObject": {"objectId": "kix.p"}})
