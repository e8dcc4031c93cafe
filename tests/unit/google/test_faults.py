"""Faults: what is sent again, what never is, and what a caller is told."""

from pathlib import Path
from typing import Any

import pytest

from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts are as short as possible."""
    monkeypatch.setattr("laconic.upstream.retrying.Retrying.pause", lambda self, error, asked: 0.01)


def calls(site: GoogleServer) -> dict[str, dict[str, Any]]:
    budget = site.id("Budget 2026")
    return {
        "drive_listFiles": {},
        "sheets_getSpreadsheet": {"spreadsheetId": budget},
        "sheets_batchUpdateValues": {"spreadsheetId": budget, "range": "Months!H1", "values": [[1]]},
        "drive_updateFile": {"fileId": budget, "starred": True},
        "sheets_appendValues": {"spreadsheetId": budget, "range": "Months!A1", "values": [[1]]},
        "drive_copyFile": {"fileId": budget},
        "drive_comment": {"fileId": budget, "text": "Hm."},
        "drive_share": {"fileId": budget, "who": "x@harbour.example"},
        "sheets_createSpreadsheet": {"title": "Once"},
    }


REPEATED = ["drive_listFiles", "sheets_getSpreadsheet", "sheets_batchUpdateValues", "drive_updateFile"]
ONCE = ["sheets_appendValues", "drive_copyFile", "drive_comment", "drive_share", "sheets_createSpreadsheet"]


@pytest.mark.parametrize("tool", REPEATED)
async def test_what_may_be_repeated_is_sent_again_after_a_fault(
    site: GoogleServer, tmp_path: Path, tool: str
) -> None:
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("bad_gateway", path="drive/" if tool.startswith("drive") else "v4/")
        reply = await client.send(tool, calls(site)[tool])
    assert not reply.failed, reply.text
    assert len(site.asked) == 2


@pytest.mark.parametrize("tool", ONCE)
async def test_what_may_not_be_repeated_is_sent_once_and_its_effect_is_not_known(
    site: GoogleServer, tmp_path: Path, tool: str
) -> None:
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("cut", path="drive/" if tool.startswith("drive") else "v4/", after=True)
        reply = await client.send(tool, calls(site)[tool])
    assert reply.failed and "It is not known whether anything was changed" in reply.text
    assert len(site.asked) == 1


@pytest.mark.parametrize("given", [{"type": "folder"}, {"type": "text"}, {"content": "Low tide at six."}])
async def test_a_create_whose_answer_is_lost_is_repeated_with_its_id_and_makes_one_file(
    site: GoogleServer, tmp_path: Path, given: dict[str, str]
) -> None:
    path = "upload/drive/v3/files" if "content" in given else "drive/v3/files"
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("cut", method="POST", path=path, after=True)
        reply = await client.send("drive_createFile", {"name": "Tides", **given})
    made = [row["id"] for row in site.app.state.rows("files").values() if row["name"] == "Tides"]
    assert not reply.failed, reply.text
    assert len(made) == 1 and made[0] in reply.text
    assert [one.split(" ")[0] for one in site.asked].count("POST") == 2


@pytest.mark.parametrize("tool", ["drive_deleteFile", "drive_permissions_delete"])
async def test_a_deletion_whose_answer_is_lost_is_repeated_and_done(
    site: GoogleServer, tmp_path: Path, tool: str
) -> None:
    minutes = {"fileId": site.id("Minutes October")}
    ask = {"tool": tool, "arguments": {**minutes, "permissionId": "anyoneWithLink"}}
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("cut", method="DELETE", after=True)
        if tool == "drive_deleteFile":
            reply = await client.call(tool, permanent=True, **minutes)
        else:
            reply = await client.send("tools_delete", ask)
    assert not reply.failed, reply.text
    assert [one.split(" ")[0] for one in site.asked] == ["DELETE", "DELETE"]


async def test_a_shared_drive_whose_answer_is_lost_is_asked_for_again_by_its_request_id(
    site: GoogleServer, tmp_path: Path
) -> None:
    ask = {"tool": "drive_drives_create", "arguments": {"requestId": "1", "name": "Boats"}}
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("bad_gateway", path="drive/v3/drives")
        before = await client.send("tools_write", ask)
        site.app.faults.add("cut", path="drive/v3/drives", after=True)
        ask["arguments"] = {"requestId": "2", "name": "Piers"}
        lost = await client.send("tools_write", ask)
    assert not before.failed and '"Boats"' in before.text, before.text
    assert lost.error["code"] == "RESOURCE_ALREADY_EXISTS" and "with that request id exists" in lost.text
    names = [row["name"] for row in site.app.state.rows("drives").values()]
    assert names.count("Boats") == names.count("Piers") == 1


@pytest.mark.parametrize("tool", [*REPEATED, *ONCE])
async def test_too_many_requests_are_waited_for_whatever_they_are(
    site: GoogleServer, tmp_path: Path, tool: str
) -> None:
    async with serving(site, tmp_path, patience=5) as client:
        site.app.faults.add("throttle", path="drive/" if tool.startswith("drive") else "v4/")
        reply = await client.send(tool, calls(site)[tool])
    assert not reply.failed, reply.text
    assert len(site.asked) == 2


async def test_a_limit_that_lasts_is_told_and_changed_nothing(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        site.app.faults.add("throttle", path="v4/", times=9, seconds=50)
        call = calls(site)["sheets_appendValues"]
        reply = await client.send("sheets_appendValues", call)
    assert reply.error["code"] == "RATE_LIMIT_EXCEEDED" and "Quota exceeded" in reply.text
    assert "not known" not in reply.text


async def test_our_own_pace_keeps_within_googles_quota(site: GoogleServer, tmp_path: Path) -> None:
    site.app.allowance.amounts["sheets reads"] = 60
    async with serving(site, tmp_path) as client:
        call = calls(site)["sheets_getSpreadsheet"]
        replies = [await client.send("sheets_getSpreadsheet", {**call, "budget": 500 + n}) for n in range(61)]
    assert not any(reply.failed for reply in replies[:60])
    assert replies[60].error["code"] == "RATE_LIMIT_EXCEEDED"
    assert len(site.asked) == 60  # Google was not even asked


async def test_what_the_practice_google_does_not_do_is_refused_by_name(
    site: GoogleServer, tmp_path: Path
) -> None:
    banding = {"spreadsheetId": site.id("Budget 2026"), "bandedRange": {"range": {"sheetId": 0}}}
    async with serving(site, tmp_path) as client:
        bands = await client.send("tools_write", {"tool": "sheets_addBanding", "arguments": banding})
        labels = await client.send(
            "tools_read", {"tool": "drive_files_listLabels", "arguments": {"fileId": "x"}}
        )
    assert "The practice Google does not do sheets.spreadsheets.batchUpdate#addBanding." in bands.text
    assert "not known" not in bands.text
    assert "The practice Google does not do drive.files.listLabels." in labels.text


async def test_a_wrong_mask_is_told_with_its_place(site: GoogleServer, tmp_path: Path) -> None:
    ask = {
        "tool": "sheets_get",
        "arguments": {"spreadsheetId": site.id("Budget 2026"), "fields": "sheets.colour"},
    }
    async with serving(site, tmp_path) as client:
        told = await client.send("tools_read", ask)
    assert "Invalid field selection colour" in told.text


async def test_a_google_that_is_not_there_is_told(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, drive="http://127.0.0.1:9") as client:
        told = await client.call("drive_listFiles")
    assert told.error["code"] == "UNAVAILABLE" and "127.0.0.1:9 cannot be reached" in told.text
