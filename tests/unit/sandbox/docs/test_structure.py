"""The practice Docs: tabs, named ranges, dropdowns and replacements."""

from typing import Any

import pytest

from tests.google_server import GoogleServer
from tests.unit.sandbox.docs.paper import Paper, append, delete, insert, span, style, table


def named(paper: Paper, name: str = "N") -> list[tuple[int, int]]:
    group = paper.tab().get("namedRanges", {}).get(name, {}).get("namedRanges", [])
    return [(one["ranges"][0]["startIndex"], one["ranges"][0]["endIndex"]) for one in group]


def name(start: int, end: int) -> dict[str, Any]:
    return {"createNamedRange": {"name": "N", "range": span(start, end)}}


@pytest.mark.parametrize(
    ("request_", "range"),
    [
        (insert(1, "xx"), (5, 7)),
        (insert(3, "xx"), (5, 7)),  # at its start: before it
        (insert(4, "xx"), (3, 7)),
        (insert(5, "xx"), (3, 5)),  # at its end: after it
        (delete(1, 2), (2, 4)),
        (delete(2, 4), (2, 3)),
        (delete(4, 6), (3, 4)),
        (delete(2, 6), None),
        (table(1, 1, 1), (9, 11)),
    ],
    ids=str,
)
def test_a_named_range_moves_with_edits(
    site: GoogleServer, request_: dict[str, Any], range: tuple[int, int] | None
) -> None:
    paper = Paper(site, text="abcdefg")
    paper.do(name(3, 5), request_)
    assert named(paper) == ([range] if range else [])


def test_named_ranges_are_replaced_and_deleted_by_id_or_name(site: GoogleServer) -> None:
    paper = Paper(site, text="one two")
    first, second = paper.do(name(1, 4), name(5, 8))
    paper.do({"replaceNamedRangeContent": {"namedRangeName": "N", "text": "x"}})
    assert paper.text == "=x x\n" and named(paper) == [(1, 2), (3, 4)]
    id = first["createNamedRange"]["namedRangeId"]
    paper.do({"replaceNamedRangeContent": {"namedRangeId": id, "text": "longer"}})
    assert paper.text == "=longer x\n" and named(paper) == [(1, 7), (8, 9)]
    paper.do({"replaceNamedRangeContent": {"namedRangeName": "none", "text": "x"}})
    paper.do({"deleteNamedRange": {"namedRangeId": id}})
    assert named(paper) == [(8, 9)]
    assert "was not found" in paper.refused({"deleteNamedRange": {"namedRangeId": id}})
    assert "Exactly one" in paper.refused({"deleteNamedRange": {}})
    paper.do({"deleteNamedRange": {"name": "N"}})
    assert "namedRanges" not in paper.tab() and second


def test_all_occurrences_are_replaced_in_all_tabs_and_segments(site: GoogleServer) -> None:
    paper = Paper(site, text="Cat cat\nconcat")
    [head, tab] = paper.do({"createHeader": {"type": "DEFAULT"}}, {"addDocumentTab": {}})
    other = tab["addDocumentTab"]["tabProperties"]["tabId"]
    paper.do(insert(0, "cat", segmentId=head["createHeader"]["headerId"]), append("cat", tabId=other))
    paper.do(table(1, 1, 1), insert(5, "cat"))

    def replaced(text: str, new: str, **more: Any) -> int:
        criteria = {"text": text, **more.pop("match", {})}
        [reply] = paper.do({"replaceAllText": {"containsText": criteria, "replaceText": new, **more}})
        return int(reply["replaceAllText"].get("occurrencesChanged", 0))

    assert replaced("cat", "dog", tabsCriteria={"tabIds": [other]}) == 1
    assert replaced("cat", "dog", match={"matchCase": True}) == 4
    assert replaced("cat", "") == 1
    assert replaced("(d)o(g)", "x", match={"searchByRegex": True}) == 5
    assert replaced("no such", "y") == 0
    assert paper.text == "=\n[['5 x\\n']] x\nconx\n"
    assert "must not be empty" in paper.refused({"replaceAllText": {"containsText": {"text": ""}}})
    wrong = {"containsText": {"text": "(", "searchByRegex": True}, "replaceText": "x"}
    assert "Invalid regular expression" in paper.refused({"replaceAllText": wrong})


def test_a_replacement_has_the_style_of_what_it_replaces(site: GoogleServer) -> None:
    paper = Paper(site, text="one two")
    paper.do(
        style(5, 8, bold=True), {"replaceAllText": {"containsText": {"text": "two"}, "replaceText": "three"}}
    )
    elements = paper.tab()["body"]["content"][1]["paragraph"]["elements"]
    assert [one["textRun"]["content"] for one in elements if one["textRun"]["textStyle"]] == ["three"]


def test_tabs_are_added_nested_moved_and_deleted(site: GoogleServer) -> None:
    paper = Paper(site, text="first")

    def add(**properties: Any) -> str:
        [reply] = paper.do({"addDocumentTab": {"tabProperties": properties}})
        return str(reply["addDocumentTab"]["tabProperties"]["tabId"])

    def titles(tabs: list[Any] | None = None) -> list[Any]:
        listed = paper.read()["tabs"] if tabs is None else tabs
        return [one["tabProperties"]["title"] + str(titles(one.get("childTabs", []))) for one in listed]

    second = add(title="B", iconEmoji="🚢")
    below = add(title="C", parentTabId=second)
    deepest = add(title="D", parentTabId=below)
    add(title="A", index=0)
    assert titles() == ["A[]", "Tab 1[]", "B[\"C['D[]']\"]"]
    deep = paper.read()["tabs"][2]["childTabs"][0]["childTabs"][0]["tabProperties"]
    assert deep == {"tabId": deepest, "title": "D", "index": 0, "nestingLevel": 2, "parentTabId": below}
    assert "deeper than three" in paper.refused(
        {"addDocumentTab": {"tabProperties": {"parentTabId": deepest}}}
    )
    assert "one emoji" in paper.refused({"addDocumentTab": {"tabProperties": {"iconEmoji": "ab"}}})
    assert "between 0 and 3" in paper.refused({"addDocumentTab": {"tabProperties": {"index": 9}}})
    moved = {"tabId": second, "title": "Z", "index": 0}
    paper.do({"updateDocumentTabProperties": {"tabProperties": moved, "fields": "title,index"}})
    assert titles()[0].startswith("Z")
    cycle = {"tabProperties": {"tabId": second, "parentTabId": below}, "fields": "parentTabId"}
    assert "below itself" in paper.refused({"updateDocumentTabProperties": cycle})
    paper.do({"deleteTab": {"tabId": second}})
    assert titles() == ["A[]", "Tab 1[]"]
    paper.do(insert(1, "x", tabId="t.0"), insert(1, "y"))
    assert [paper.tab(number)["body"]["content"][1]["endIndex"] for number in (0, 1)] == [3, 8]
    last = paper.read()["tabs"][0]["tabProperties"]["tabId"]
    assert "last tab" in paper.refused({"deleteTab": {"tabId": "t.0"}}, {"deleteTab": {"tabId": last}})
    assert "was not found" in paper.refused({"deleteTab": {"tabId": second}})


def test_dropdowns_have_definitions_with_options(site: GoogleServer) -> None:
    paper = Paper(site, text="ab")
    options = [
        {"displayValue": "Open", "optionId": "dropdownItem.open"},
        {"displayValue": "Done", "optionId": "dropdownItem.done"},
    ]
    define = {
        "dropdownDefinitionProperties": {"title": "State", "options": options},
        "dropdownDefinitionId": "kix.state",
    }
    [made] = paper.do({"createDropdownDefinition": {"dropdownDefinition": define}})
    assert made["createDropdownDefinition"]["dropdownDefinition"]["dropdownDefinitionId"] == "kix.state"
    [reply] = paper.do({"insertDropdown": {"location": {"index": 2}, "dropdownDefinitionId": "kix.state"}})
    dropdown = reply["insertDropdown"]["dropdown"]
    assert dropdown["dropdownProperties"]["displayValue"] == "Open" and paper.lines()[1] == "1 a<dropdown>b\n"
    id = dropdown["dropdownId"]
    choice = {
        "dropdownId": id,
        "dropdownProperties": {"selectedOptionId": "dropdownItem.done"},
        "fields": "selectedOptionId",
    }
    paper.do({"updateDropdownProperties": choice})

    def shown() -> str:
        element = paper.tab()["body"]["content"][1]["paragraph"]["elements"][1]
        return str(element["dropdown"]["dropdownProperties"]["displayValue"])

    assert shown() == "Done"
    assert "is in use" in paper.refused({"deleteDropdownDefinition": {"dropdownDefinitionId": "kix.state"}})
    fewer = {
        "dropdownDefinitionId": "kix.state",
        "dropdownDefinitionProperties": {"options": options[:1]},
        "fields": "options",
    }
    assert "replacement" in paper.refused({"updateDropdownDefinitionProperties": fewer})
    swap = {"dropdownItem.done": "dropdownItem.open"}
    paper.do({"updateDropdownDefinitionProperties": {**fewer, "selectedOptionIdReplacements": swap}})
    assert shown() == "Open"
    wrong = {
        "location": {"index": 2},
        "dropdownDefinitionId": "kix.state",
        "selectedOptionId": "dropdownItem.no",
    }
    assert "no option" in paper.refused({"insertDropdown": wrong})
    assert "Invalid dropdown definition ID" in paper.refused(
        {"createDropdownDefinition": {"dropdownDefinition": define}}
    )
    paper.do(delete(2, 3), {"deleteDropdownDefinition": {"dropdownDefinitionId": "kix.state"}})
    assert "dropdownDefinitions" not in paper.tab()
