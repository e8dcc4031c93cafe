"""One use through the whole path: sign in, find a file, read and change a spreadsheet, find an operation."""

from pathlib import Path

import pytest

from laconic.kit import Endpoint
from laconic.kit.checkups import diagnoses
from laconic.kit.testing import tool_tokens
from laconic.servers.google.catalogue.index import entries
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer, google_server
from tests.unit.google.serving import serving, settings

LEAN_TOKENS = 5_000
FULL_TOKENS = 23_000


async def test_a_table_is_found_read_and_changed(site: GoogleServer, tmp_path: Path) -> None:
    budget = site.id("Budget 2026")
    async with serving(site, tmp_path) as client:
        found = await client.call("drive_listFiles", name="budget")
        table = await client.call("sheets_batchGetValues", spreadsheetId=budget, ranges=["Months!A1:B3"])
        written = await client.call(
            "sheets_batchUpdateValues", spreadsheetId=budget, range="Months!B2", values=[["=1000+1"]]
        )
        again = await client.call("sheets_batchGetValues", spreadsheetId=budget, ranges=["Months!A2:B2"])

    line = f"{budget}\tBudget 2026\tspreadsheet\t2026-10-03"
    assert found.text == f"1 file:\nid\tname\ttype\tmodified\tsize\n{line}"
    assert table.text == "3 rows:\nMonths!A:B\n1 Month\tFees\n2 January\t1500\n3 February\t1650"
    assert written.text == "Wrote 1 cell: Months!B2."
    assert again.text.endswith("2 January\t1001")
    assert site.tokens == 1
    values = f"v4/spreadsheets/{budget}/values"
    assert site.asked == [
        "GET drive/v3/files",
        f"GET {values}:batchGet",
        f"POST {values}:batchUpdate",
        f"GET {values}:batchGet",
    ]


async def test_any_operation_is_found_described_and_called(site: GoogleServer, tmp_path: Path) -> None:
    budget = site.id("Budget 2026")
    call = {"tool": "sheets_addSheet", "arguments": {"spreadsheetId": budget, "properties": {"title": "Old"}}}
    async with serving(site, tmp_path) as client:
        found = await client.call("tools_find", query="add a tab to a spreadsheet", limit=1)
        described = await client.call("tools_describe", names=["sheets_addSheet"])
        done = await client.send("tools_write", call)
        named = await client.call("sheets_getSpreadsheet", spreadsheetId=budget)
    assert found.text.startswith("sheets_addSheet (create): Add a tab, a new sheet, to a spreadsheet.")
    assert described.text.startswith("sheets_addSheet(spreadsheetId: string, properties?: {gridP")
    assert '"title":"Old"' in done.text
    assert "'Notes & plans' (1000 x 26, sheetId 101), 'Old' (1000 x 26, sheetId 202)." in named.text


async def test_what_is_wrong_deep_inside_is_told_before_anything_is_sent(
    site: GoogleServer, tmp_path: Path
) -> None:
    wrong = {"spreadsheetId": "x", "properties": {"gridProperties": {"rowCounts": 1}}}
    async with serving(site, tmp_path) as client:
        told = await client.send("tools_write", {"tool": "sheets_addSheet", "arguments": wrong})
    assert "Unknown argument 'properties.gridProperties.rowCounts'. Did you mean 'rowCount'?" in told.text
    assert not site.app.seen


async def test_the_lists_stay_within_their_tokens(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        lean = await client.tools()
    async with serving(site, tmp_path, tools={"google": "full"}) as client:
        full = await client.tools()
    assert len(lean) <= 40 and sum(map(tool_tokens, lean)) <= LEAN_TOKENS
    assert len([tool for tool in full if tool["name"] in entries()]) == 257
    assert sum(map(tool_tokens, full)) <= FULL_TOKENS


@pytest.mark.parametrize(
    ("profile", "start", "tokens"),
    [
        ("drive", "drive_", 2_000),
        ("sheets", "sheets_", 1_400),
        ("docs", "docs_", 1_200),
        ("slides", "slides_", 6_000),
    ],
)
async def test_one_api_can_be_served_alone(
    site: GoogleServer, tmp_path: Path, profile: str, start: str, tokens: int
) -> None:
    async with serving(site, tmp_path, tools={"google": profile}) as client:
        tools = [tool for tool in await client.tools() if not tool["name"].startswith(("tools_", "read_on"))]
        named = {tool["name"] for tool in tools} - {"drive_listFiles", "server_getInfo"}
    assert named and all(name.startswith(start) for name in named)
    assert sum(map(tool_tokens, tools)) <= tokens


async def test_a_read_only_server_has_no_tools_that_write(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, read_only=True) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}
        found = await client.call("tools_find", query="delete a file for good", limit=50)
        write = await client.send("drive_deleteFile", {"fileId": "x"})
    assert hints and all(one["readOnlyHint"] for one in hints.values())
    assert "(delete)" not in found.text and "(update)" not in found.text and write.failed


async def test_the_doctor_says_which_accounts_can_sign_in(site: GoogleServer, tmp_path: Path) -> None:
    gone = site.key_file(tmp_path, "bob@harbour.example")
    site.app.state.rows("grants").pop("bob@harbour.example drive")  # type: ignore[call-overload]  # by text
    accounts = {"work": {"key": site.key_file(tmp_path)}, "gone": {"key": gone}}
    endpoint = Endpoint([google], settings=settings(site, tmp_path, accounts=accounts))
    found = [one async for one in diagnoses(google, endpoint.supplies)]
    await endpoint.close()
    assert [(one.what, one.ok) for one in found] == [("account work", True), ("account gone", False)]
    assert found[0].detail == "signed in as alice@harbour.example."
    assert "The sign-in of the account 'gone' has ended." in found[1].detail


async def test_several_hosts_share_one_account_and_no_other_sees_its_token(
    site: GoogleServer, tmp_path: Path
) -> None:

    with google_server() as other:
        async with serving(site, tmp_path, sheets=other.url) as client:
            await client.call("drive_listFiles")
            reply = await client.call("sheets_getSpreadsheet", spreadsheetId=other.id("Budget 2026"))
    assert "Budget 2026" in reply.text
