"""Every tool of the google server keeps the contract, on a practice Google of its own."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.contract import Cases, Contract
from laconic.servers.google.service import Google
from laconic.servers.google.tools import google
from laconic.servers.google.tools.toolset import is_operation
from tests.google_samples import BUDGET, CELLS, DECK, MINUTES, PLAN, SAMPLES, SHEET

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
LIST_TOKENS = 26_000  # what a list of every tool and every operation would cost a model
VOLATILE = r"20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d\.\d{3})?Z"
COUNTED = ("version", "modifiedTime", "revisions", "headRevisionId")
NOWHERE = {"fileId": "1nowhere"}
NO_BOOK = {"spreadsheetId": "1nowhere"}


def workspace(folder: Path) -> Settings:
    """A practice Google in a folder: a harbour's files."""
    place = folder / "workspace"
    place.mkdir()
    return Settings(sandbox=folder / "google", sections={"google": {"workspace": str(place)}})


def fingerprint(things: Mapping[type, Any]) -> Any:
    """Everything that the practice Google keeps, except how often and when it was changed."""
    app = things[Google].home.sandbox
    with app.state.turn():
        tables = {name: rows for name, rows in app.state.stored()["tables"].items() if rows}
    del tables["changes"]
    files = [{name: row[name] for name in row if name not in COUNTED} for row in tables.pop("files")]
    return json.dumps([files, tables], sort_keys=True)


FAILING: dict[str, Any] = {
    "docs_getDocument": [
        {"documentId": "1nowhere"},
        {**MINUTES, "section": "Cranes and boats"},
    ],
    "docs_createDocument": {"title": "x", "folder": "1nowhere"},
    "docs_find": {"documentId": "1nowhere", "text": "the"},
    "docs_writeMarkdown": [{**MINUTES, "markdown": "x", "section": "Cranes and boats"}],
    "docs_edit": [MINUTES, {**MINUTES, "edits": [{"find": "Zeppelin", "replace": "x"}]}],
    "drive_listFiles": [{"cursor": "forged"}, {"query": "colour = 'red'"}],
    "drive_getFile": NOWHERE,
    "drive_createFile": [{"name": "x", "folder": "1nowhere"}, {"name": "x", "content": "a", "path": "b"}],
    "drive_updateFile": {**NOWHERE, "name": "x"},
    "drive_copyFile": NOWHERE,
    "drive_deleteFile": NOWHERE,
    "drive_exportFile": NOWHERE,
    "drive_downloadFile": [{**NOWHERE, "path": "x"}, {**PLAN, "path": "../outside"}],
    "drive_listPermissions": NOWHERE,
    "drive_share": [{**NOWHERE, "who": "bob@harbour.example"}, {**PLAN, "who": "?"}],
    "drive_listComments": NOWHERE,
    "drive_comment": [{**NOWHERE, "text": "Hm."}, PLAN],
    "sheets_getSpreadsheet": NO_BOOK,
    "sheets_batchGetValues": [NO_BOOK, {**BUDGET, "ranges": ["Sheet1!A1"]}],
    "sheets_batchUpdateValues": [{**CELLS, "range": "Sheet1!A1"}, BUDGET],
    "sheets_appendValues": {**BUDGET, "range": "Sheet1", "values": [[1]]},
    "sheets_createSpreadsheet": {"title": "x", "sheets": ["One", "One"]},
    "sheets_edit": [{**BUDGET, "requests": [{"addShet": {}}]}, {**NO_BOOK, "requests": [SHEET]}],
    "slides_getPresentation": [{"presentationId": "1nowhere"}, {**DECK, "slide": "9"}],
    "slides_getThumbnail": {**DECK, "slide": "9"},
    "slides_createPresentation": {"title": "x", "markdown": " "},
    "slides_edit": [{**DECK, "requests": [{"setNote": {}}]}, {**DECK, "requests": [{"deleteObject": {}}]}],
}


def _ids(sample: Mapping[str, Any]) -> list[str]:
    return [name for name in sample if name in ("fileId", "spreadsheetId", "documentId", "presentationId")]


NAMED = {
    "docs_createDocument": ["title", "markdown", "folder"],
    "docs_find": ["documentId", "text"],
    "docs_writeMarkdown": ["documentId", "markdown"],
    "docs_edit": ["documentId"],
    "drive_listFiles": ["modifiedAfter"],
    "drive_createFile": ["name"],
    "drive_updateFile": ["name"],
    "drive_copyFile": ["name"],
    "drive_comment": ["text"],
    "sheets_createSpreadsheet": ["title"],
    "slides_createPresentation": ["title"],
}

OBVIOUS = NAMED | {name: [*NAMED.get(name, ()), *_ids(sample)] for name, sample in SAMPLES.items()}

contract = Contract(
    google,
    settings=workspace,
    samples=SAMPLES,
    failing=FAILING,
    volatile=VOLATILE,
    snapshots=SNAPSHOTS,
    fingerprint=fingerprint,
    budget=LIST_TOKENS,
    obvious=OBVIOUS,
)


def by_tool() -> list[Any]:
    """The cases of each tool; operations are made from one table, so the others are enough."""
    made = {spec.name for spec in google.tools if is_operation(spec)}
    bare = {f"{name}-parameters_are_described" for name in made}  # those of an operation have names and types
    return [
        pytest.param(cases, id=cases.id, marks=[pytest.mark.soak] * (cases.id in made))
        for cases in Cases.by_tool([case for case in contract.cases() if case.id not in bare])
    ]


@pytest.mark.parametrize("cases", by_tool())
def test_every_tool_of_google_keeps_the_contract(cases: Cases) -> None:
    cases.run()
