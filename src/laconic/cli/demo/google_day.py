"""The day of the Google demo: an agent works on the practice instance; beside each answer, the raw API's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.cli.demo.day import AnswerCost, Day
from laconic.cli.demo.thin_wrapper import ThinWrapper, pretty
from laconic.kit.endpoint import Endpoint
from laconic.kit.listing import model_text
from laconic.kit.peer import SilentPeer
from laconic.kit.settings import Settings
from laconic.sandbox.google import PracticeGoogle, practice_google
from laconic.servers.google.tools import google
from laconic.upstream import ApiRequest, ApiSession, Rejected

__all__ = ["GoogleStep", "google_steps", "spend_google"]

_ROOT: Final = "https://google.sandbox"


@dataclass(frozen=True)
class GoogleStep:
    """One thing the agent does, and what a thin wrapper sends for the same."""

    what: str
    tool: str
    arguments: Mapping[str, Any]
    path: str
    query: Mapping[str, Any]
    body: Mapping[str, Any] | None = None


def google_steps(budget: str, boats: str, minutes: str) -> tuple[GoogleStep, ...]:
    """Return the steps, by the ids of the sample files."""
    sheet, own = f"v4/spreadsheets/{budget}", {"spreadsheetId": budget}
    get, table = "sheets_batchGetValues", {**own, "ranges": ["Months!A1:E8"]}
    row = [["July", 2400, 600, 250]]
    more, append = {**own, "range": "Months!A1", "values": row}, f"{sheet}/values/Months!A1:append"
    boat = {"spreadsheetId": boats, "find": "Gannet", "limit": 5}
    file, entered = f"drive/v3/files/{minutes}", {"valueInputOption": "USER_ENTERED"}
    named, wrong = {"q": "name contains 'Budget'", "fields": "*"}, {**own, "ranges": ["Sheet1!A1:B2"]}
    it, all_of = {"fileId": minutes}, {"fields": "*"}
    frozen = {"query": "freeze the first row"}
    return (
        GoogleStep("finds the budget", "drive_listFiles", {"name": "Budget"}, "drive/v3/files", named),
        GoogleStep("looks at its sheets", "sheets_getSpreadsheet", own, sheet, {}),
        GoogleStep("reads a table", get, table, f"{sheet}/values/Months!A1:E8", {}),
        GoogleStep("names a sheet that is not there", get, wrong, f"{sheet}/values/Sheet1!A1:B2", {}),
        GoogleStep("adds a row", "sheets_appendValues", more, append, entered, {"values": row}),
        GoogleStep("looks for a boat", get, boat, f"v4/spreadsheets/{boats}/values/Boats", {}),
        GoogleStep("asks who can see a file", "drive_listPermissions", it, f"{file}/permissions", all_of),
        GoogleStep("reads it", "drive_exportFile", it, f"{file}/export", {"mimeType": "text/plain"}),
        GoogleStep("looks for an operation", "tools_find", frozen, sheet, {"fields": "sheets.properties"}),
    )


async def spend_google(count: Callable[[str], int]) -> Day:
    """Run the day on a practice instance, and the same requests on another one, and count every answer."""
    endpoint = Endpoint([google], settings=Settings(sandbox=True))
    practice = practice_google()
    thin = ThinWrapper([google], {})
    listed = "\n".join([endpoint.listing.instructions, *map(model_text, endpoint.listing.tools)])
    rows = [AnswerCost("reads the tool list", "tools/list", count(listed), count(thin.tools()))]
    names = ("Budget 2026", "Boats and berths", "Minutes October")
    ids = {row["name"]: row["id"] for row in practice.state.rows("files").values()}
    try:
        async with ApiSession(_ROOT, app=practice) as session:
            token = await _token(session, practice)
            for step in google_steps(*(ids[name] for name in names)):
                answer = await endpoint.call_tool(step.tool, dict(step.arguments), SilentPeer())
                theirs = await _raw(session, step, token)
                rows.append(AnswerCost(step.what, step.tool, count(answer.text), count(theirs)))
    finally:
        await thin.close()
        await endpoint.close()
    return Day(tuple(rows))


async def _token(session: ApiSession, practice: PracticeGoogle) -> str:
    form = f"grant_type=refresh_token&client_id=practice&refresh_token={practice.account[1]}"
    return str((await session.post("token", content=form.encode())).data["access_token"])


async def _raw(session: ApiSession, step: GoogleStep, token: str) -> str:
    """Return what the API answers, as a thin wrapper passes it on."""
    request = ApiRequest(
        method="POST" if step.body else "GET",
        path=step.path,
        query=step.query,
        body=step.body,
        headers={"authorization": f"Bearer {token}"},
        reads="text" if "export" in step.path else "json",
    )
    try:
        reply = await session.send(request)
    except Rejected as error:
        return pretty(error.body)
    return reply.data if isinstance(reply.data, str) else pretty(reply.data)
