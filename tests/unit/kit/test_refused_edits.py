"""An edit or a range of lines that is refused names the arguments of the tool that was called."""

import re
from typing import Annotated, Any

import pytest

from laconic.kit import Part, Toolset
from laconic.kit.testing import Reply, connect
from laconic.text import line_range, replace_each, replace_once

TEXT = "# Notes\n\nBuy milk.\nBuy bread, Buy salt.\n"


class Edit(Part):
    """One edit."""

    old_str: Annotated[str, "As it is."]
    new_str: Annotated[str, "What replaces it."] = ""


def _notes(text: str = TEXT) -> Toolset:
    notes = Toolset("notes")

    @notes.update
    async def note_edit(new_str: Annotated[str, "New."], old_str: Annotated[str, "Old."]) -> str:
        """Replace a text."""
        return replace_once(text, old_str, new_str).text

    @notes.update
    async def note_edits(edits: Annotated[list[Edit], "Several."]) -> str:
        """Replace texts."""
        return replace_each(text, [(one.old_str, one.new_str) for one in edits]).text

    @notes.update
    async def note_tidy() -> str:
        """Replace texts that no argument names."""
        return replace_each(text, [("buy milk", "x"), ("Buy", "Get"), ("", "y")]).text

    @notes.read
    async def note_read(
        version: Annotated[int, "Which."] = 1,
        start_line: Annotated[int | None, "From."] = None,
        end_line: Annotated[int | None, "To."] = None,
    ) -> str:
        """Read lines."""
        return line_range(text, start_line, end_line).text

    @notes.read
    async def note_lines(lines: Annotated[str, "Such as 1-5."]) -> str:
        """Read a range of lines."""
        first, _, last = lines.partition("-")
        return line_range(text, int(first), int(last)).text

    return notes


async def _refused(tool: str, notes: Toolset | None = None, /, **arguments: Any) -> Reply:
    async with connect(notes or _notes()) as client:
        reply = await client.call(tool, **arguments)
    assert reply.failed and reply.error["code"] == "VALIDATION_ERROR"
    return reply


async def test_a_text_that_does_not_occur_names_its_argument_and_the_nearest_lines() -> None:
    reply = await _refused("note_edit", old_str="buy milk", new_str="buy milk")
    assert reply.text.splitlines() == [
        "Error [VALIDATION_ERROR]: old_str 'buy milk' does not occur.",
        'nearest: {"line":3,"text":"Buy milk","differs":["case"]}',
    ]
    assert (reply.error["field"], reply.error["changed"]) == ("old_str", False)
    assert reply.error["details"] == {"nearest": [{"line": 3, "text": "Buy milk", "differs": ["case"]}]}


async def test_a_text_that_is_like_nothing_there_is_answered_with_what_to_do() -> None:
    reply = await _refused("note_edit", old_str="zzz qqq", new_str="")
    assert reply.text.endswith("'zzz qqq' does not occur, nor anything like it: read the text again.")


async def test_a_text_that_occurs_several_times_tells_each_line_once_and_every_place() -> None:
    notes = Toolset("notes", case="camel")

    @notes.update
    async def note_edit(old_str: Annotated[str, "Old."]) -> str:
        """Replace a text."""
        return replace_once(TEXT, old_str, "").text

    reply = await _refused("note_edit", notes, oldStr="Buy")
    assert reply.text.startswith(
        "Error [VALIDATION_ERROR]: oldStr 'Buy' occurs 3 times, in lines 3, 4. Expected: once.\nplaces: "
    )
    places = reply.error["details"]["places"]
    assert [place["line"] for place in places] == [3, 4, 4]
    assert places[0]["context"] == "# Notes\n\nBuy milk.\nBuy bread, Buy salt.\n"


async def test_an_empty_text_is_refused_by_the_name_of_its_argument() -> None:
    reply = await _refused("note_edit", new_str="", old_str="")
    assert reply.text == "Error [VALIDATION_ERROR]: old_str is empty. Expected: the text to replace."


async def test_each_of_several_edits_is_named_as_the_caller_wrote_it() -> None:
    edits = [{"old_str": "milk"}, {"old_str": "buy"}, {"old_str": ""}, {"old_str": "salt."}]
    reply = await _refused("note_edits", edits=edits)
    assert [one["field"] for one in reply.error["problems"]] == ["edits[1].old_str", "edits[2].old_str"]
    assert "edits[1].old_str 'buy' does not occur." in reply.text
    assert "edits[2].old_str is empty." in reply.text
    assert {near["field"] for near in reply.error["details"]["nearest"]} == {"edits[1].old_str"}


async def test_edits_that_overlap_are_both_named() -> None:
    reply = await _refused("note_edits", edits=[{"old_str": "Buy milk"}, {"old_str": "milk."}])
    assert reply.text == "Error [VALIDATION_ERROR]: edits[1] and edits[0] overlap in line 3."


async def test_edits_that_no_argument_brought_are_numbered() -> None:
    reply = await _refused("note_tidy")
    assert reply.text.splitlines()[:3] == [
        "Error [VALIDATION_ERROR]: Edit 1: 'buy milk' does not occur.",
        "Edit 2: 'Buy' occurs 3 times, in lines 3, 4. Expected: once.",
        "Edit 3: the text to replace is empty.",
    ]
    assert "field" not in reply.error


async def test_many_places_are_kept_behind_a_handle() -> None:
    notes = _notes("".join(f"Buy item {n}.\n" for n in range(60)))
    async with connect(notes) as client:
        reply = await client.call("note_edit", old_str="Buy", new_str="Get")
        handle = re.search(r"more places: read_on with handle='(\w+)' and lines='(\d+)-'", reply.text)
        assert handle and len(reply.text.encode()) <= 600
        rest = await client.call("read_on", handle=handle[1], lines=f"{handle[2]}-")
    assert "occurs 60 times, in lines 1, 2, 3, 4, 5, 6 and more. Expected: once." in reply.text
    assert '"line":60,' in rest.text and len(reply.error["details"]["places"]) == 60


async def test_of_more_than_a_thousand_places_the_number_of_the_others_is_told() -> None:
    async with connect(_notes("Buy.\n" * 1_007)) as client:
        reply = await client.call("note_edit", old_str="Buy", new_str="Get")
        assert "occurs 1,007 times" in reply.text
        handle = re.search(r"handle='(\w+)'", reply.text)
        assert handle
        rest = await client.call("read_on", handle=handle[1], lines="1001-")
    assert '"line":1000,' in rest.text and '"line":1001,' not in rest.text
    assert 'places: {"not_listed":7}' in rest.text


async def test_many_edits_of_what_occurs_often_share_the_places_that_are_told() -> None:
    edits = [{"old_str": "Buy"}] * 50
    reply = await _refused("note_edits", _notes("Buy.\n" * 1_007), edits=edits)
    places = reply.error["details"]["places"]
    assert {one["not_listed"] for one in places if "not_listed" in one} == {987}
    assert "1,050 places: read_on" in reply.text


async def test_a_place_far_below_those_that_are_told_is_not_denied() -> None:
    edits = [{"old_str": "Buy"}] * 100
    reply = await _refused("note_edits", _notes("Buy " * 500 + "\nBuy"), edits=edits)
    assert "edits[0].old_str 'Buy' occurs 501 times, in lines 1, 2 and more. Expected: once." in reply.text


async def test_in_a_long_text_what_is_near_is_looked_for_of_the_first_edits_only() -> None:
    edits = [{"old_str": f"buy item {number}"} for number in range(4)]
    reply = await _refused("note_edits", _notes("Buy item.\n" * 100_000), edits=edits)
    near = {one["field"] for one in reply.error["details"]["nearest"]}
    assert near == {"edits[0].old_str", "edits[1].old_str"}
    assert "edits[3].old_str 'buy item 3' does not occur." in reply.text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"start_line": 9}, "Invalid start_line 9. Expected: from 1 to 5."),
        ({"version": 9, "start_line": 9, "end_line": 9}, "Invalid start_line 9. Expected: from 1 to 5."),
        ({"start_line": 4, "end_line": 2}, "Invalid end_line 2. Expected: at least start_line, 4."),
        ({"end_line": 0}, "Invalid end_line 0. Expected: from 1 to 5."),
    ],
)
async def test_lines_that_are_not_there_name_the_argument(arguments: dict[str, int], words: str) -> None:
    reply = await _refused("note_read", **arguments)
    assert reply.text == f"Error [VALIDATION_ERROR]: {words}"
    assert reply.error["field"] == words.split()[1]


async def test_a_range_in_one_argument_is_named_as_it_was_written() -> None:
    reply = await _refused("note_lines", lines="8-9")
    assert reply.text == "Error [VALIDATION_ERROR]: Invalid lines 8-9. Expected: a range from 1 to 5."
    assert reply.error["field"] == "lines"
