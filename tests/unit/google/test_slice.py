"""One use through the whole path: sign in, find a file, read and change a spreadsheet, find an operation."""

from pathlib import Path

from laconic.kit.testing import tool_tokens
from tests.google_server import GoogleServer, google_server
from tests.unit.google.serving import serving

LEAN_TOKENS = 2_400  # of the lean list; the promise is 5,000
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
    assert written.text == "Wrote 1 cells: Months!B2."
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
    assert "'Notes & plans' (1000 x 26), 'Old' (1000 x 26). Named ranges: Fees." in named.text


async def test_what_is_wrong_deep_inside_is_told_before_anything_is_sent(
    site: GoogleServer, tmp_path: Path
) -> None:
    wrong = {"spreadsheetId": "x", "properties": {"gridProperties": {"rowCounts": 1}}}
    async with serving(site, tmp_path) as client:
        told = await client.send("tools_write", {"tool": "sheets_addSheet", "arguments": wrong})
    assert "Unknown argument 'properties.gridProperties.rowCounts'. Did you mean 'rowCount'?" in told.text
    assert site.app.seen == []


async def test_the_lists_stay_within_their_tokens(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        lean = await client.tools()
    async with serving(site, tmp_path, tools={"google": "full"}) as client:
        full = await client.tools()
    assert len(lean) <= 40 and sum(map(tool_tokens, lean)) <= LEAN_TOKENS
    assert len([tool for tool in full if tool["name"] != "read_on"]) == 257
    assert sum(map(tool_tokens, full)) <= FULL_TOKENS


async def test_several_hosts_share_one_account_and_no_other_sees_its_token(
    site: GoogleServer, tmp_path: Path
) -> None:

    with google_server() as other:
        async with serving(site, tmp_path, sheets=other.url) as client:
            await client.call("drive_listFiles")
            reply = await client.call("sheets_getSpreadsheet", spreadsheetId=other.id("Budget 2026"))
    assert "Budget 2026" in reply.text
