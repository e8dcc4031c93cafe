"""Choosing: which tools and operations are served, and what Google is asked to allow."""

from pathlib import Path
from typing import Any

import pytest

from laconic.sandbox.tokens import read_token
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving
from tests.unit.google.test_accounts import service_key


async def found(site: GoogleServer, folder: Path, query: str, **settings: Any) -> set[str]:
    """Everything that is listed, or found for a query."""
    async with serving(site, folder, **settings) as client:
        listed = {tool["name"] for tool in await client.tools()}
        reply = await client.call("tools_find", query=query, limit=50)
    return listed | {line.split(" ")[0] for line in reply.text.splitlines()}


async def test_a_denied_tool_is_neither_listed_nor_found_nor_called(
    site: GoogleServer, tmp_path: Path
) -> None:
    deny = ("drive_delete*", "*_emptyTrash", "sheets_deleteSheet")
    names = await found(site, tmp_path, "delete files, empty the trash, delete a tab", deny=deny)
    gone = {"drive_deleteFile", "drive_files_delete", "drive_files_emptyTrash", "sheets_deleteSheet"}
    assert not gone & names and "drive_revisions_delete" in names
    call = {"tool": "drive_files_delete", "arguments": {"fileId": site.id("Pier plan.txt")}}
    async with serving(site, tmp_path, deny=deny) as client:
        assert (await client.send("tools_delete", call)).failed
    assert site.row("Pier plan.txt") and not [one for one in site.asked if one.startswith("DELETE")]


async def test_only_what_is_allowed_is_there(site: GoogleServer, tmp_path: Path) -> None:
    names = await found(site, tmp_path, "read cells", allow=("sheets_*", "drive_listFiles"))
    own = {name for name in names if not name.startswith(("tools_", "read_on", "["))}
    assert "drive_listFiles" in own and {name for name in own if not name.startswith("sheets_")} == {
        "drive_listFiles"
    }


@pytest.mark.parametrize(
    ("options", "scopes"),
    [
        ({}, {"drive"}),
        ({"read_only": True}, {"drive.readonly"}),
        ({"read_only": True, "services": ["sheets"]}, {"spreadsheets.readonly"}),
        ({"services": ["docs", "slides"], "tools": {"google": "docs"}}, {"documents", "presentations"}),
    ],
)
async def test_google_is_asked_for_no_more_than_what_is_served_needs(
    site: GoogleServer, tmp_path: Path, options: dict[str, Any], scopes: set[str]
) -> None:
    accounts = {"robot": {"key": service_key(site, tmp_path)}}
    read = {"tool": "docs_get", "arguments": {"documentId": "1x"}}
    async with serving(site, tmp_path, accounts=accounts, **options) as client:
        if "docs" in options.get("services", ()):
            await client.send("docs_get", read["arguments"])  # type: ignore[arg-type]  # a mapping
        else:
            await client.call("sheets_getSpreadsheet", spreadsheetId="1x")
    header = next(one.headers["authorization"] for one in site.app.seen if "authorization" in one.headers)
    claims = read_token(header.removeprefix("Bearer ya29."), site.app.sign_in.secret)
    assert claims is not None
    assert {one.rpartition("/auth/")[2] for one in claims["scope"].split()} == scopes
