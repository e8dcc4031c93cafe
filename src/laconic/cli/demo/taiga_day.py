"""The day of the Taiga demo: an agent works on the practice instance; beside each answer, the raw API's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.cli.demo.day import AnswerCost, Day
from laconic.cli.demo.thin_wrapper import ThinWrapper, pretty
from laconic.kit.endpoint import Endpoint
from laconic.kit.listing import model_text
from laconic.kit.peer import SilentPeer
from laconic.kit.settings import Settings
from laconic.sandbox.taiga import Practice, practice_taiga
from laconic.servers.taiga.tools import taiga
from laconic.upstream import ApiRequest, ApiSession, Rejected

__all__ = ["TAIGA_STEPS", "RawRequest", "TaigaStep", "spend_taiga"]


@dataclass(frozen=True)
class RawRequest:
    """What a thin wrapper sends for the same thing."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TaigaStep:
    """One thing the agent does."""

    what: str
    tool: str
    arguments: Mapping[str, Any]
    raw: RawRequest


_STORY: Final = "userstories/1"
TAIGA_STEPS: Final = (
    TaigaStep("lists its projects", "taiga_list_projects", {}, RawRequest("GET", "projects", {"member": 1})),
    TaigaStep(
        *("chooses one", "taiga_set_active_project", {"projectId": 1}), RawRequest("GET", "projects/1")
    ),
    TaigaStep(
        *("lists 20 user stories", "taiga_list_user_stories", {}),
        RawRequest("GET", "userstories", {"project": 1}),
    ),
    TaigaStep(
        *("reads one, by its number", "taiga_get_user_story", {"id": "#4"}),
        RawRequest("GET", "userstories/by_ref", {"project": 1, "ref": 4}),
    ),
    TaigaStep(
        *("names a status that does not exist", "taiga_update_user_story", {"id": "#4", "statusId": "Over"}),
        RawRequest("PATCH", _STORY, body={"status": 999, "version": 1}),
    ),
    TaigaStep(
        *("fixes the call", "taiga_update_user_story", {"id": "#4", "statusId": "Done"}),
        RawRequest("PATCH", _STORY, body={"status": 5, "version": 1}),
    ),
    TaigaStep(
        "writes over a change it has not seen",
        "taiga_update_user_story",
        {"id": "#4", "statusId": "Ready", "version": 1},
        RawRequest("PATCH", _STORY, body={"status": 2, "version": 1}),
    ),
    TaigaStep(
        *("adds a task to it", "taiga_create_task", {"userStoryId": "#4", "subject": "Tell the captain"}),
        RawRequest("POST", "tasks", body={"project": 1, "user_story": 1, "subject": "Tell the captain"}),
    ),
    TaigaStep(
        *("searches issues about the crane", "taiga_search_issues", {"query": "crane"}),
        RawRequest("GET", "issues", {"project": 1, "q": "crane"}),
    ),
    TaigaStep(
        *("asks who could do it", "taiga_get_members", {}),
        RawRequest("GET", "memberships", {"project": 1}),
    ),
)


async def spend_taiga(count: Callable[[str], int]) -> Day:
    """Run the day on a practice instance, and the same requests on another one, and count every answer."""
    endpoint = Endpoint([taiga], settings=Settings(sandbox=True))
    practice = practice_taiga()
    thin = ThinWrapper([taiga], {})
    listed = "\n".join([endpoint.listing.instructions, *map(model_text, endpoint.listing.tools)])
    rows = [AnswerCost("reads the tool list", "tools/list", count(listed), count(thin.tools()))]
    try:
        async with ApiSession("https://taiga.sandbox/api/v1", app=practice) as session:
            token = await _token(session, practice)
            for step in TAIGA_STEPS:
                answer = await endpoint.call_tool(step.tool, dict(step.arguments), SilentPeer())
                theirs = await _raw(session, step.raw, token)
                rows.append(AnswerCost(step.what, step.tool, count(answer.text), count(theirs)))
    finally:
        await thin.close()
        await endpoint.close()
    return Day(tuple(rows))


async def _token(session: ApiSession, practice: Practice) -> str:
    name, password = practice.account
    body = {"type": "normal", "username": name, "password": password}
    return str((await session.post("auth", body=body)).data["auth_token"])


async def _raw(session: ApiSession, raw: RawRequest, token: str) -> str:
    """Return what the API answers, as a thin wrapper passes it on."""
    request = ApiRequest(
        method=raw.method,
        path=raw.path,
        query=raw.query,
        body=raw.body,
        headers={"Authorization": f"Bearer {token}"},
    )
    try:
        return pretty((await session.send(request)).data)
    except Rejected as error:
        return pretty(error.body)
