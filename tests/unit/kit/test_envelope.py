"""The same page in each envelope."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from laconic.kit import Settings
from laconic.kit.testing import ERAS, connect
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
    assert down.structured["error"]["retryAfterMs"] == 1200


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
