"""Summaries: the same six keys from all four tools in every profile; 25,000 characters; half an hour."""

import json
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.kept import KeptText
from laconic.servers.google.kept.texts import Kept
from laconic.stores import MemoryStore
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

KEYS = {"title", "documentId", "characterCount", "sectionCount", "resourceUri", "hint"}
PATTERNS = {
    "docs_getDocument": "gdrive://docs/{id}/chunk/{{start}}-{{end}}",
    "drive_exportFile": "gdrive://files/{id}/content/{{start}}-{{end}}",
    "sheets_getSpreadsheet": "gdrive://sheets/{id}/values/{{range}}",
    "sheets_batchGetValues": "gdrive://sheets/{id}/values/{{range}}",
}
LINE = "The harbour master counts boats. "


def long_files(site: GoogleServer) -> dict[str, dict[str, Any]]:
    """What the four tools are called with: each file is too long to come at once."""
    made = site.ask("POST", "/v1/documents", {"title": "Long"}).json()["documentId"]
    text = {"insertText": {"location": {"index": 1}, "text": LINE * 1_000}}
    assert site.ask("POST", f"/v1/documents/{made}:batchUpdate", {"requests": [text]}).status_code == 200
    book = {"spreadsheetId": site.id("Boats and berths")}
    return {
        "docs_getDocument": {"documentId": made},
        "drive_exportFile": {"fileId": made, "mimeType": "text/plain"},
        "sheets_getSpreadsheet": book,
        "sheets_batchGetValues": {**book, "ranges": ["Boats"] * 9},
    }


@pytest.mark.parametrize("tool", PATTERNS)
@pytest.mark.parametrize("profile", ["lean", "classic", "full"])
async def test_a_summary_has_the_six_keys_in_every_profile(
    site: GoogleServer, tmp_path: Path, profile: str, tool: str
) -> None:
    async with serving(site, tmp_path, tools={"google": profile}) as client:
        given = long_files(site)[tool]
        if tool == "drive_exportFile" and profile != "classic":
            given = {"fileId": given["fileId"]}
        reply = await client.send(tool, {**given, "response_format": "json"})
    assert not reply.failed, reply.text
    found = json.loads(reply.result.content[0].text)
    id = next(given[name] for name in ("documentId", "fileId", "spreadsheetId") if name in given)
    assert set(found) >= KEYS and None not in found.values(), found
    assert found["documentId"] == id and found["resourceUri"] == PATTERNS[tool].format(id=id)


@pytest.mark.parametrize(("size", "is_whole"), [(24_000, True), (26_000, False)])
async def test_a_whole_document_comes_in_one_answer_up_to_25_000_characters(
    site: GoogleServer, tmp_path: Path, size: int, is_whole: bool
) -> None:
    made = site.ask("POST", "/v1/documents", {"title": "Long"}).json()["documentId"]
    text = {"insertText": {"location": {"index": 1}, "text": (LINE * 1_000)[: size - 4] + "End."}}
    assert site.ask("POST", f"/v1/documents/{made}:batchUpdate", {"requests": [text]}).status_code == 200
    async with serving(site, tmp_path) as client:
        full = await client.call("docs_getDocument", documentId=made, returnMode="full")
    assert len(full.text) <= 25_000 and ("End." in full.text) == is_whole
    assert ("read_on with handle='" in full.text) != is_whole


async def test_a_text_is_kept_for_half_an_hour() -> None:
    time = 1_000.0
    kept = Kept(MemoryStore(now=lambda: time), "work", now=lambda: time)
    await kept.put("one", "markdown", KeptText("Plan", "text/markdown", "r1", "Text.", time))
    time += 30 * 60 - 1
    found = await kept.get("one", "markdown")
    time += 2
    assert found is not None and found.text == "Text."
    assert await kept.get("one", "markdown") is None
