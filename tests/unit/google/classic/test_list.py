"""The list of `classic`: the names, parameters, kinds and hints of the earlier server, in few tokens."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import tool_tokens
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

TOKENS = 14_000
KNOWN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "catalogue" / "google_tools.json").read_text(encoding="utf-8")
)


def test_every_earlier_tool_is_there_with_its_kind_and_parameters() -> None:
    tools = google.select("classic").listed
    for one in KNOWN:
        spec = tools[one["name"]]
        assert spec.effect.value == one["effect"], one["name"]
        assert set(one["parameters"]) <= set(spec.names), one["name"]
    assert set(tools) == {one["name"] for one in KNOWN} | {"docs_getDocument"} and len(tools) == 139


@pytest.mark.requirement("004-P2-2")
async def test_the_list_has_all_hints_and_stays_within_its_tokens(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, tools={"google": "classic"}) as client:
        tools = {tool["name"]: tool for tool in await client.tools() if tool["name"] != "read_on"}
    assert sum(map(tool_tokens, tools.values())) <= TOKENS
    assert all(len(tool["annotations"]) == 4 for tool in tools.values())
    assert all(tool["annotations"]["openWorldHint"] for tool in tools.values())
    earlier = {one["name"] for one in KNOWN}
    listed = google.select("classic").listed.items()
    kinds = Counter(spec.effect.value for name, spec in listed if name in earlier)
    assert kinds == {"read": 17, "create": 40, "update": 55, "delete": 26}


async def test_mistakes_are_told_before_anything_is_sent(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Budget 2026")}
    async with serving(site, tmp_path, tools={"google": "classic"}) as client:
        unknown = await client.call("sheets_mergeCells", range="A1:B2", mergeTyp="MERGE_ALL", **book)
        value = await client.call(
            "sheets_deleteDimension", sheetId=0, dimension="ROW", startIndex=0, endIndex=1, **book
        )
        colour = await client.call(
            "docs_updateTextStyle", documentId="x", startIndex=1, endIndex=2, foregroundColor={"red": 2}
        )
        nothing = await client.call("docs_updateTextStyle", documentId="x", startIndex=1, endIndex=2)
        none = await client.call("docs_deleteNamedRange", documentId="x")
        section = await client.call(
            "docs_updateSectionStyle", documentId="x", startIndex=1, endIndex=2, sectionType="NEXT_PAGE"
        )
        where = await client.call("sheets_findReplace", find="a", replacement="b", **book)
        deep = await client.call(
            "slides_updateLineProperties", presentationId="x", objectId="y", lineProperties={"wheight": {}}
        )
    assert "Unknown argument 'mergeTyp'. Did you mean 'mergeType'?" in unknown.text
    assert "Invalid dimension 'ROW'. Valid values: ROWS, COLUMNS." in value.text
    assert "foregroundColor.red" in colour.text
    assert "Nothing to change: pass bold, italic, underline" in nothing.text
    assert "namedRangeId" in none.text and none.failed
    assert "only when docs_insertSectionBreak makes it" in section.text
    assert "Pass sheetId, perhaps with a range in it, or allSheets." in where.text
    assert "Unknown argument 'lineProperties.wheight'. Did you mean 'weight'?" in deep.text
    assert not site.app.seen
