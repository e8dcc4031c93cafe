"""The same page in each envelope."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from laconic.kit import (
    META,
    PAGINATION,
    TABLE,
    About,
    Envelope,
    Meta,
    Page,
    PageFacts,
    Record,
    Settings,
    Toolset,
    Window,
)
from laconic.kit.testing import ERAS, connect
from laconic.upstream.errors import Absent
from tests.toolsets.other_keys import drive, taiga

STRUCTURED = Settings(output="structured")


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("001-3.2")
async def test_a_page_in_an_envelope_has_items_and_meta(era: str) -> None:
    async with connect(taiga, era=era, settings=STRUCTURED) as client:
        reply = await client.call("taiga_list_epics", offset=5)
    assert reply.structured["ok"] is True
    meta: dict[str, Any] = reply.structured["data"]["meta"]
    assert {key: meta[key] for key in ("limit", "offset", "total", "hasNext")} == {
        "limit": 5,
        "offset": 5,
        "total": 12,
        "hasNext": True,
    }
    assert reply.structured["data"]["items"][0] == {"id": 6, "subject": "Epic 6"}


@pytest.mark.requirement("001-11", "001-7")
async def test_a_record_and_a_failure_wear_the_same_envelope() -> None:
    async with connect(taiga, settings=STRUCTURED) as client:
        good = await client.call("taiga_get_epic", id=3)
        bad = await client.call("taiga_get_epic", id=99)
        down = await client.call("taiga_get_epic", id=500)
    assert good.structured == {"ok": True, "data": {"id": 3, "subject": "Epic 3"}}
    assert (bad.failed, bad.structured["ok"], bad.structured["error"]["category"]) == (
        True,
        False,
        "not_found",
    )
    assert len(bad.structured["error"]["_traceId"]) == 36
    assert down.structured["error"]["retryAfterMs"] == 12


@pytest.mark.requirement("004-P2-3")
@pytest.mark.requirement("003-3.6")
async def test_another_apis_token_is_wrapped_and_the_unknown_total_is_said() -> None:
    async with connect(drive, settings=STRUCTURED) as client:
        first = await client.call("drive_list_files")
        second = await client.call("drive_list_files", cursor=first.structured["pagination"]["next_cursor"])
        third = await client.call("drive_list_files", cursor=second.structured["pagination"]["next_cursor"])
    assert first.structured["pagination"]["has_more"] is True
    assert first.structured["pagination"]["count"] == 3
    assert "total" not in first.structured["pagination"]
    assert len(first.structured["pagination"]["next_cursor"]) <= 30
    assert [item["name"] for item in third.structured["items"]] == ["file-6", "file-7"]
    assert third.structured["pagination"]["has_more"] is False


async def test_the_text_says_that_the_total_is_not_known() -> None:
    async with connect(drive) as client:
        reply = await client.call("drive_list_files")
    assert reply.text.startswith("Showing 3 files; the total is not known.")
    assert "More items match. Pass cursor '" in reply.text


@pytest.mark.requirement("001-2")
async def test_a_dotted_name_is_answered_and_listed_only_when_asked_for() -> None:
    async with connect(taiga) as client:
        assert {tool["name"] for tool in await client.tools()} == {
            "taiga_list_epics",
            "taiga_get_epic",
            "read_on",
        }
        assert not (await client.call("taiga.list_epics")).failed
    async with connect(taiga, settings=Settings(dotted_names=True)) as client:
        assert {tool["name"] for tool in await client.tools()} == {
            "taiga.list_epics",
            "taiga.get_epic",
            "read_on",
        }
        assert not (await client.call("taiga.list_epics")).failed
        assert not (await client.call("taiga_list_epics")).failed


@pytest.mark.parametrize("toolset", [taiga, drive], ids=lambda toolset: toolset.name)
async def test_structured_answers_fit_the_schema_that_is_listed(toolset: Any) -> None:
    async with connect(toolset, settings=STRUCTURED) as client:
        for tool in await client.tools():
            if tool["name"] == "read_on":
                continue  # its answer is a long body: text in every mode
            arguments = {"id": 3} if tool["name"].endswith("epic") else {}
            reply = await client.send(tool["name"], arguments)
            Draft202012Validator(tool["outputSchema"]).validate(reply.structured)


class Dressed(Meta):
    """META, with the facts of a failure that its contract wants beside its code."""

    def paging(self, facts: PageFacts) -> dict[str, Any]:
        return {**super().paging(facts), "shown": len(facts.rows)}


def _paced(envelope: Envelope) -> Toolset:
    paced = Toolset("paced", envelope=envelope)

    class Story(Record):
        id: int

    @paced.read
    async def story_list(
        about: About, window: Window = Window(size=3, most=50, offset="listed")
    ) -> Page[Story]:
        """List stories."""
        about["_rateLimit"] = {"left": 7}
        return window.cut([Story(id=number) for number in range(8)], key=lambda story: (story.id,))

    @paced.read
    async def story_get(about: About, id: int) -> Story:
        """Read one story."""
        about["_rateLimit"] = {"left": 6}
        if id > 7:
            raise Absent("No such story.", status=404)
        about["id"] = "a field of the record stays"
        return Story(id=id)

    return paced


@pytest.mark.parametrize("envelope", [TABLE, META, PAGINATION, Dressed()])
async def test_a_tool_adds_fields_to_the_envelope_of_whatever_it_answers(envelope: Envelope) -> None:
    async with connect(_paced(envelope), settings=STRUCTURED) as client:
        schemas = {
            tool["name"]: tool["outputSchema"] for tool in await client.tools() if tool["name"] != "read_on"
        }
        page = await client.call("story_list")
        one = await client.call("story_get", id=3)
        bad = await client.call("story_get", id=9)
    assert [reply.structured["_rateLimit"]["left"] for reply in (page, one, bad)] == [7, 6, 6]
    assert bad.structured["error"]["httpStatus"] == 404
    assert one.structured.get("data", one.structured)["id"] == 3
    for reply, name in ((page, "story_list"), (one, "story_get"), (bad, "story_get")):
        Draft202012Validator(schemas[name]).validate(reply.structured)


async def test_further_fields_are_for_programs_only() -> None:
    async with connect(_paced(META), settings=Settings(output="both")) as client:
        reply = await client.call("story_list")
    assert "_rateLimit" in reply.structured and "_rateLimit" not in reply.text


async def test_an_author_makes_an_envelope_from_the_kits() -> None:
    async with connect(_paced(Dressed()), settings=STRUCTURED) as client:
        reply = await client.call("story_list")
    assert reply.structured["data"]["meta"] | {"nextCursor": ""} == {
        "limit": 3,
        "offset": 0,
        "total": 8,
        "hasNext": True,
        "nextCursor": "",
        "shown": 3,
    }


async def test_a_listed_offset_is_what_the_text_offers_and_a_cursor_still_works() -> None:
    async with connect(_paced(META), settings=Settings(output="both")) as client:
        listed = (await client.tools())[0]["inputSchema"]["properties"]
        first = await client.call("story_list")
        second = await client.call("story_list", offset=3)
        last = await client.call("story_list", offset=6)
        by_cursor = await client.call("story_list", cursor=first.structured["data"]["meta"]["nextCursor"])
    assert list(listed) == ["limit", "offset", "fields"]
    assert first.text.endswith("5 more items match. Pass offset 3 to see next page.")
    assert second.text.endswith("2 more items match. Pass offset 6 to see next page.")
    assert "Pass" not in last.text
    assert by_cursor.structured["data"]["items"] == second.structured["data"]["items"]
    assert by_cursor.text.endswith("Pass offset 6 to see next page.")


def _database(*, skips: bool) -> Toolset:
    """A list that is cut elsewhere, as by a database."""
    cut_elsewhere = Toolset("rows", envelope=META)

    class Row(Record):
        id: int

    @cut_elsewhere.read
    async def row_list(window: Window = Window(size=3, offset="listed")) -> Page[Row]:
        """List rows."""
        begin = window.position[0] + 1 if window.position else window.start if skips else 0
        rows = [Row(id=number) for number in range(begin, min(begin + window.count, 8))]
        after = (rows[-1].id,) if rows and rows[-1].id < 7 else None
        return window.page(rows, total=8, next=after) if skips else Page(rows, total=8, next=after)

    return cut_elsewhere


async def test_an_offset_works_on_a_list_that_is_cut_elsewhere() -> None:
    async with connect(_database(skips=True), settings=Settings(output="both")) as client:
        second = await client.call("row_list", offset=3)
        after = await client.call("row_list", cursor=second.structured["data"]["meta"]["nextCursor"])
        beyond = await client.call("row_list", offset=99)
    assert second.structured["data"]["items"] == [{"id": 3}, {"id": 4}, {"id": 5}]
    assert second.structured["data"]["meta"]["offset"] == 3
    assert second.text.endswith("2 more items match. Pass offset 6 to see next page.")
    assert "offset" not in after.structured["data"]["meta"]  # nobody knows
    assert beyond.structured["data"]["meta"]["offset"] == 99


async def test_a_list_that_cannot_skip_refuses_an_offset_and_offers_its_cursor() -> None:
    async with connect(_database(skips=False)) as client:
        first = await client.call("row_list")
        refused = await client.call("row_list", offset=3)
        second = await client.call("row_list", cursor=first.cursor)
    assert first.cursor and "offset" not in first.text
    assert refused.text == (
        "Error [VALIDATION_ERROR]: Invalid offset 3. This list cannot skip items: "
        "pass the cursor of the page before."
    )
    assert second.text.startswith("Showing 3 of 8 rows:\nid\n3\n")


async def test_an_offset_beyond_the_end_is_told_as_it_was_asked_for() -> None:
    async with connect(_paced(META), settings=Settings(output="both")) as client:
        reply = await client.call("story_list", offset=99)
    assert reply.structured["data"]["meta"] == {"limit": 3, "offset": 99, "total": 8, "hasNext": False}
    assert reply.text == "No storys here: the list of 8 ends before this page."


async def test_a_page_says_the_limit_of_its_window_however_few_items_it_has() -> None:
    async with connect(_paced(META), settings=STRUCTURED) as client:
        replies = [
            await client.call("story_list", **given)
            for given in ({"offset": 6}, {"limit": 40}, {"limit": 99})
        ]
    assert [reply.structured["data"]["meta"]["limit"] for reply in replies] == [3, 40, 50]
