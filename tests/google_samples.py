"""A call of every tool of the google server that succeeds on the practice Google."""

from typing import Any

from laconic.sandbox.google import practice_google

FILES = {str(row["name"]): str(row["id"]) for row in practice_google().state.rows("files").values()}
MINUTES = {"documentId": FILES["Minutes October"]}
BUDGET = {"spreadsheetId": FILES["Budget 2026"]}
DECK = {"presentationId": FILES["Harbour plan"]}
PLAN = {"fileId": FILES["Pier plan.txt"]}
CELLS = {**BUDGET, "range": "Months!H1", "values": [[1, "two"]]}
SHEET = {"addSheet": {"properties": {"title": "New"}}}
SAMPLES: dict[str, dict[str, Any]] = {
    "docs_getDocument": MINUTES,
    "docs_createDocument": {"title": "Winter plan", "markdown": "# Winter\n\nIce."},
    "docs_find": {**MINUTES, "text": "the"},
    "docs_writeMarkdown": {**MINUTES, "markdown": "# Minutes\n\nNobody came."},
    "docs_edit": {**MINUTES, "edits": [{"find": "Crane", "nth": 1, "style": "bold"}]},
    "drive_listFiles": {},
    "drive_getFile": PLAN,
    "drive_createFile": {"name": "Winter plan", "type": "folder"},
    "drive_updateFile": {**PLAN, "name": "Plan of the pier"},
    "drive_copyFile": {**PLAN, "name": "Copy"},
    "drive_deleteFile": PLAN,
    "drive_exportFile": PLAN,
    "drive_downloadFile": {**PLAN, "path": "plan.txt"},
    "drive_listPermissions": {"fileId": FILES["Minutes October"]},
    "drive_share": {**PLAN, "who": "bob@harbour.example"},
    "drive_listComments": {"fileId": FILES["Opening hours.txt"]},
    "drive_comment": {**PLAN, "text": "Well planned."},
    "server_getInfo": {},
    "sheets_getSpreadsheet": {**BUDGET, "returnMode": "full"},
    "sheets_batchGetValues": {**BUDGET, "ranges": ["Months"], "returnMode": "full"},
    "sheets_batchUpdateValues": CELLS,
    "sheets_appendValues": {**BUDGET, "range": "Months", "values": [["July", 1]]},
    "sheets_createSpreadsheet": {"title": "Ledger"},
    "sheets_edit": {**BUDGET, "requests": [SHEET]},
    "slides_getPresentation": DECK,
    "slides_getThumbnail": {**DECK, "slide": "2"},
    "slides_createPresentation": {"title": "Deck", "markdown": "# One\n\nNotes: Hello."},
    "slides_edit": {**DECK, "requests": [{"setNotes": {"slide": 1, "text": "Hello."}}]},
}
