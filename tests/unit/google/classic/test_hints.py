"""The hints of classic tools are true: what each does to the practice Google, once and twice."""

import json
import re
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.classic import test_docs, test_drive, test_sheets, test_slides
from tests.unit.google.test_annotations import state

PAPERS = {case[0]: case for case in test_docs.CASES}
BOOKS = {case[0]: case for case in test_sheets.CASES}
DECKS = {case[0]: case for case in test_slides.CASES}
FILES = {case[0]: case for case in test_drive.CASES}
VIEWS: tuple[tuple[str, str, dict[str, str]], ...] = (  # what is shown of everything that an account has
    ("documents", "/v1/documents/{}", {"includeTabsContent": "true"}),
    ("books", "/v4/spreadsheets/{}", {"includeGridData": "true"}),
    ("decks", "/v1/presentations/{}", {}),
)
READS = {
    "server_getInfo": "",
    "auth_getStatus": "",
    "auth_listScopes": "",
    "auth_testFileAccess": "fileId",
    "drive_getFile": "fileId",
    "drive_listFiles": "",
    "drive_listComments": "fileId",
    "drive_listPermissions": "fileId",
    "drive_exportFile": "fileId",
    "docs_get": "documentId",
    "docs_getDocument": "documentId",
    "sheets_getSpreadsheet": "spreadsheetId",
    "sheets_batchGetValues": "spreadsheetId",
    "slides_get": "presentationId",
}
MORE: dict[str, dict[str, Any]] = {
    "drive_exportFile": {"mimeType": "text/plain"},
    "sheets_batchGetValues": {"ranges": ["Months!A1:B2"]},
}
SAMPLES = {
    "fileId": "Minutes October",
    "documentId": "Minutes October",
    "spreadsheetId": "Budget 2026",
    "presentationId": "Harbour plan",
}


def shown(site: GoogleServer) -> str:
    """Everything as the APIs show it, except how often and when it was changed."""
    found: list[Any] = []
    for table, path, query in VIEWS:
        for id in site.app.state.rows(table):
            found.append(site.ask("GET", path.format(id), **query).json())
            found[-1].pop("revisionId", None)
    files = site.ask("GET", "/drive/v3/files", fields="files(id,name,description,parents,trashed)").json()
    comments = [row.get("talk") for row in site.app.state.rows("files").values()]
    people = [row.get("permissions") for row in site.app.state.rows("files").values()]
    whole = json.dumps([found, sorted(map(str, files["files"])), comments, people], sort_keys=True)
    return re.sub(
        r'"list\d+"', '"list"', whole
    )  # bullets that are set again are another list of the same looks


def prepared(site: GoogleServer, name: str) -> dict[str, Any]:
    """Make what a tool works on; its arguments."""
    if name in PAPERS:
        return {"documentId": test_docs.Doc(site, *PAPERS[name][1]).id, **PAPERS[name][2]}
    if name in DECKS:
        deck = test_slides.Deck(site)
        deck.send(*test_slides.BEFORE.get(name, ()))
        return {"presentationId": deck.id, **DECKS[name][1]}
    if name in FILES:
        given = FILES[name][1]
        return {**given, **({"fileId": site.id(test_drive.PLAN)} if "fileId" in given else {})}
    which = {} if name == "sheets_createSpreadsheet" else {"spreadsheetId": site.id("Budget 2026")}
    return {**which, **BOOKS[name][1]}


@pytest.mark.requirement("004-P2-2")
@pytest.mark.parametrize("name", [*PAPERS, *BOOKS, *DECKS, *FILES])
async def test_what_writes_changes_something_and_what_may_be_repeated_nothing_more(
    site: GoogleServer, classic: TestClient, name: str
) -> None:
    hints = google.select("classic").listed[name].hints
    arguments = prepared(site, name)
    before = shown(site)
    assert not (await classic.send(name, arguments)).failed
    once = shown(site)
    assert not hints.read_only and once != before
    if hints.idempotent:
        again = await classic.send(name, arguments)
        assert not again.failed, again.text
        assert shown(site) == once


@pytest.mark.parametrize("name", READS)
async def test_what_only_reads_changes_nothing(site: GoogleServer, classic: TestClient, name: str) -> None:
    key = READS[name]
    given = {**({key: site.id(SAMPLES[key])} if key else {}), **MORE.get(name, {})}
    before = state(site)
    done = await classic.send(name, given)
    assert not done.failed, done.text
    assert google.select("classic").listed[name].hints.read_only and state(site) == before
