"""The data under `metadata`, for programs that read it there."""

from typing import Any

import pytest

from laconic.kit import META, TABLE, Batch, Envelope, Page, Record, Settings, Toolset, Window
from tests.wire.talking import talking


class Sheet(Record):
    """Its fields have the names of the keys of a page."""

    id: str
    rows: int = 7
    total: int = 99
    next: str = "2"


def sheets(envelope: Envelope, effects: list[str]) -> Toolset:
    toolset = Toolset("sheets", "Sheets.", envelope=envelope)

    @toolset.create
    async def sheets_make() -> Sheet:
        """Make a sheet."""
        effects.append("made")
        return Sheet(id="1")

    @toolset.read
    async def sheets_facts() -> dict[str, Any]:
        """Read facts."""
        return {"rows": 3, "total": 4}

    @toolset.read
    async def sheets_list(window: Window = Window()) -> Page[Sheet]:
        """List sheets."""
        return window.cut([Sheet(id="1"), Sheet(id="2")], key=lambda sheet: (sheet.id,))

    @toolset.read
    async def sheets_batch() -> Batch[Sheet]:
        """Read several sheets."""
        return Batch([Sheet(id="1")], failures={"2": "It is lost."})

    return toolset


async def called(tool: str, envelope: Envelope = TABLE, **arguments: Any) -> Any:
    effects: list[str] = []
    settings = Settings(output="both", metadata=True)
    async with talking(settings=settings, toolsets=[sheets(envelope, effects)]) as talk:
        result = (await talk.ask(talk.call(1, tool, **arguments)))["result"]
        assert effects == (["made"] if tool == "sheets_make" else [])
        return result


async def metadata(tool: str, envelope: Envelope = TABLE, **arguments: Any) -> Any:
    result = await called(tool, envelope, **arguments)
    assert not result["isError"]
    return result["metadata"]


async def test_a_record_or_mapping_keeps_its_own_names() -> None:
    record = {"id": "1", "rows": 7, "total": 99, "next": "2"}
    assert await metadata("sheets_make") == record
    assert await metadata("sheets_facts") == {"rows": 3, "total": 4}
    assert await metadata("sheets_make", META) == {"ok": True, "data": record}


async def test_a_list_has_objects_and_the_former_names() -> None:
    first = {"id": "1", "rows": 7, "total": 99, "next": "2"}
    page = await metadata("sheets_list", limit=1)
    assert page.pop("nextCursor")
    assert page == {"sheets": [first], "totalCount": 2}
    batch = await metadata("sheets_batch")
    assert batch == {"sheets": [first], "totalCount": 2, "failed": {"2": "It is lost."}}


@pytest.mark.parametrize("envelope", [TABLE, META])
async def test_a_failure_is_under_metadata_as_it_is(envelope: Envelope) -> None:
    result = await called("sheets_list", envelope, limit="many")
    assert result["isError"] and result["metadata"] == result["structuredContent"]
