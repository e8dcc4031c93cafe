"""Formats: what reads or lists comes as JSON or as text, whichever is asked for."""

import json
from pathlib import Path

import pytest

from tests.google_samples import FILES, SAMPLES
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

LISTS = (
    "drive_listFiles",
    "drive_listPermissions",
    "drive_listComments",
    "docs_find",
    "sheets_batchGetValues",
)
READS = ("docs_getDocument", "drive_exportFile", "sheets_getSpreadsheet", "slides_getPresentation")
COMMENT = {"fileId": FILES["Pier plan.txt"], "content": "Hm."}


@pytest.mark.requirement("004-P3-1", "004-P2-3")
async def test_what_reads_and_every_list_is_json_or_text(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        for name in (*LISTS, *READS):
            text = await client.send(name, {**SAMPLES[name], "response_format": "markdown"})
            data = await client.send(name, {**SAMPLES[name], "response_format": "json"})
            assert not text.failed and not text.text.startswith("{"), name
            found = json.loads(data.result.content[0].text)
            if name in LISTS:
                assert found["pagination"]["count"] == len(found["items"]), name
                assert ("next_cursor" in found["pagination"]) == found["pagination"]["has_more"], name


@pytest.mark.requirement("004-P3-1", "004-P2-3")
async def test_every_classic_list_is_json_or_text(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path, tools={"google": "classic"}) as client:
        talk = json.loads((await client.send("drive_createComment", COMMENT)).text)
        file = {"fileId": COMMENT["fileId"]}
        thread = {**file, "commentId": talk["id"]}
        await client.send("drive_createReply", {**thread, "content": "Yes."})
        calls = {"Files": {}, "Comments": file, "Permissions": file, "Replies": thread}
        for name, given in calls.items():
            text = await client.send(f"drive_list{name}", {**given, "response_format": "markdown"})
            data = await client.send(f"drive_list{name}", given)
            found = json.loads(data.text)
            assert found["items"] and found["pagination"]["count"] == len(found["items"]), name
            assert not text.failed and not text.text.startswith("{"), name
