"""The Taiga server: requests of each call, tokens beside the raw API, a limit of speed, and added time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

import httpx2

from benchmarks.harness import Measured, interleaved, timed
from benchmarks.practice import beside_bare, call, got, served
from benchmarks.report import Result, Table, figures
from laconic.kit import Endpoint, Settings
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import count_tokens
from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.servers.taiga.tools import taiga

__all__ = ["run"]

_LIST: Final = "taiga_list_user_stories"
_CALLS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "list, with names": (_LIST, {}),
    "search, with names": ("taiga_search_issues", {"query": "crane"}),
    "get": ("taiga_get_user_story", {"id": 1}),
    "get by #ref": ("taiga_get_user_story", {"id": "#4"}),
    "update": ("taiga_update_user_story", {"id": 1, "statusId": "Done"}),
    "update that changes nothing": ("taiga_update_user_story", {"id": 1, "statusId": "Done"}),
    "create": ("taiga_create_issue", {"subject": "A leak"}),
    "delete": ("taiga_delete_issue", {"id": 1}),
    "statuses": ("taiga_get_statuses", {}),
    "members": ("taiga_get_members", {}),
}
_LOGIN: Final = {"type": "normal", "username": "alice", "password": PASSWORD}


async def run(quick: bool) -> Result:
    """Measure everything on the practice instance."""
    tables = [await _requests(), await _tokens(), await _limit()]
    rounds, calls = (2, 5) if quick else (15, 30)
    table, found, baseline = await _time(rounds, calls)
    return Result("taiga", [*tables, table], figures=figures(found, baseline))


def _practising() -> Endpoint:
    return Endpoint([taiga], settings=Settings(sandbox=True))


async def _requests() -> Table:
    endpoint = _practising()
    practice = endpoint.supplies.home("taiga").sandbox
    await call(endpoint, "taiga_set_active_project", projectId=1)
    rows = []
    for what, (tool, given) in _CALLS.items():
        practice.seen.clear()
        await call(endpoint, tool, **given)
        rows.append([what, f"`{tool}`", str(len(practice.seen))])
    await endpoint.close()
    return Table(
        "HTTP requests of a call, with the project's detail known.", ["call", "tool", "requests"], rows
    )


async def _tokens() -> Table:
    endpoint = _practising()
    practice = endpoint.supplies.home("taiga").sandbox
    lines = "\n".join(f"Story {number} of the long backlog of the harbour" for number in range(180))
    transport = httpx2.ASGITransport(app=practice)
    async with httpx2.AsyncClient(transport=transport, base_url="https://taiga.sandbox/api/v1/") as raw:
        token = (await raw.post("auth", json=_LOGIN)).json()["auth_token"]
        raw.headers["Authorization"] = f"Bearer {token}"
        await raw.post("userstories/bulk_create", json={"project_id": 1, "bulk_stories": lines})
        await call(endpoint, "taiga_set_active_project", projectId=1)
        rows = []
        for what, tool, given, path in (
            ("20 stories", _LIST, {"limit": 20}, "userstories?project=1&page_size=20"),
            ("200 stories", _LIST, {"limit": 200}, "userstories?project=1&page_size=200"),
            ("one story", "taiga_get_user_story", {"id": 1}, "userstories/1"),
            ("a project", "taiga_get_project", {}, "projects/1"),
        ):
            theirs = json.dumps((await raw.get(path)).json())
            mine, its = count_tokens(await call(endpoint, tool, **given)), count_tokens(theirs)
            rows.append(
                [what, f"{len(theirs) / 1000:.0f} kB", f"{its:,}", f"{mine:,}", f"{100 * mine / its:.1f} %"]
            )
    await endpoint.close()
    return Table(
        "Tokens of an answer beside the raw API's JSON.", ["", "raw", "raw tokens", "tokens", "of it"], rows
    )


async def _limit() -> Table:
    endpoint = _practising()
    practice = endpoint.supplies.home("taiga").sandbox
    await call(endpoint, "taiga_set_active_project", projectId=1)
    practice.throttle.rates["user-read"] = (20, 2.0)
    peer = SilentPeer()
    answers = await asyncio.gather(*(endpoint.call_tool(_LIST, {"limit": 1}, peer) for _ in range(30)))
    refused = sum(answer.failure is not None for answer in answers)
    await endpoint.close()
    caption = "30 lists at the same time, where Taiga allows 20 in 2 s; the patience is 20 s."
    return Table(caption, ["calls", "refused"], [["30", str(refused)]])


async def _time(rounds: int, calls: int) -> tuple[Table, Mapping[str, Measured], dict[str, str]]:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(served("benchmarks.taiga_server"))
        section = {"url": url, "username": "alice", "password": PASSWORD}
        endpoint = Endpoint([taiga], settings=Settings(sections={"taiga": section}))
        stack.push_async_callback(endpoint.close)
        await call(endpoint, "taiga_set_active_project", projectId=1)
        bare = await stack.enter_async_context(httpx2.AsyncClient(base_url=f"{url}/api/v1/"))
        token = (await bare.post("auth", json=_LOGIN)).json()["auth_token"]
        bare.headers["Authorization"] = f"Bearer {token}"
        found = await interleaved(
            {
                "list bare": partial(timed, partial(got, bare, "userstories?project=1&page_size=20"), calls),
                "list": partial(timed, partial(call, endpoint, _LIST, limit=20), calls),
                "get bare": partial(timed, partial(got, bare, "userstories/1"), calls),
                "get": partial(timed, partial(call, endpoint, "taiga_get_user_story", id=1), calls),
            },
            rounds,
        )
    baseline = {"list": "list bare", "get": "get bare"}
    return beside_bare(found, baseline), found, baseline
