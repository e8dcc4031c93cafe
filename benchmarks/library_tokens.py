"""Tokens: the tool lists, and the commonest task beside what the earlier, id-based design needed for it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

from benchmarks.library_samples import drafts
from benchmarks.report import Table
from laconic.kit import Endpoint, HomeFolders, Settings
from laconic.kit.testing import connect, count_tokens
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts

__all__ = ["lists", "task"]

_TARGETS: Final = {"prompts": 1400, "notes": 1200}
_MANY: Final = 40  # prompts in the library of the task


async def lists() -> Table:
    """Count the tools and the tokens of each server's list."""
    rows = []
    for toolset in (prompts, notes):
        async with connect(toolset) as client:
            tools = await client.tools()
        seen = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
        tokens = sum(
            count_tokens(json.dumps(tool, separators=(",", ":"), ensure_ascii=False)) for tool in seen
        )
        rows.append([f"`{toolset.name}`", str(len(tools)), f"{tokens:,}", f"≤ {_TARGETS[toolset.name]:,}"])
    return Table("What a model sees of each server.", ["server", "tools", "tokens", "target"], rows)


async def task() -> Table:
    """Find a prompt, read it, change one line: calls and tokens in both designs."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=str(Path(folder) / "library.db"))
        endpoint = Endpoint([prompts], settings=settings, folders=HomeFolders.below(Path(folder)))
        async with connect(endpoint=endpoint) as client:
            made = list(drafts("prompt", _MANY))
            for draft in made:
                await client.call("create_prompt", name=draft.name, content=draft.body, title=draft.title)
            wanted = made[7]
            line = (wanted.body or "").splitlines()[0]
            ours = [
                await _exchange(client, "search_prompts", query=wanted.name),
                await _exchange(client, "get_prompt_template", name=wanted.name),
                await _exchange(
                    client, "edit_prompt_template", name=wanted.name, old_str=line, new_str="Be brief."
                ),
            ]
        await endpoint.close()
    theirs = _earlier(made, wanted, line)
    rows = [_row("this design", ours), _row("the earlier design", theirs)]
    caption = (
        f"Find one of {_MANY} prompts, read it, and change one line. In the earlier design the listed names"
        " led to no id, so that a list of all prompts had to be read for it; a prompt could only be read"
        " filled in; and the answer to an edit did not show what had changed."
    )
    return Table(caption, ["", "calls", "tokens sent", "tokens received", "together"], rows)


async def _exchange(client: Any, tool: str, **arguments: Any) -> tuple[int, int]:
    reply = await client.call(tool, **arguments)
    assert not reply.failed, reply.text
    return count_tokens(json.dumps({"name": tool, "arguments": arguments})), count_tokens(reply.text)


def _earlier(made: list[Any], wanted: Any, line: str) -> list[tuple[int, int]]:
    """Return the exchanges of listing names, looking an id up, reading what is filled in, and editing."""
    id = "0198c5a2-7b1e-7c3d-9a4f-5e6d7c8b9a0f"
    names = [
        {key: getattr(draft, key) for key in ("name", "title", "description")}
        | {"arguments": draft.extra["arguments"]}
        for draft in made
    ]
    found = [_object(draft, id, content_preview=" ".join((draft.body or "")[:500].split())) for draft in made]
    page = {"items": found, "total": len(made), "offset": 0, "limit": 50, "has_more": False}
    message = {"role": "user", "content": {"type": "text", "text": wanted.body}}
    edit = {"id": id, "old_str": line, "new_str": "Be brief.", "arguments": wanted.extra["arguments"]}
    done = f"Updated prompt '{wanted.name}' (ID: {id}, match: exact at line 1)"
    return [
        (_call("list_prompts", {}), count_tokens(json.dumps({"prompts": names}))),
        (_call("search_prompts", {}), count_tokens(json.dumps(page))),
        (
            _call("get_prompt", {"name": wanted.name, "arguments": {"x": "x"}}),
            count_tokens(json.dumps({"description": wanted.description, "messages": [message]})),
        ),
        (_call("update_prompt", edit), count_tokens(done)),
    ]


def _object(draft: Any, id: str, **more: Any) -> dict[str, Any]:
    at = "2026-01-22T10:00:00.000000Z"
    common = {"id": id, "name": draft.name, "title": draft.title, "description": draft.description}
    times = {"created_at": at, "updated_at": at, "last_used_at": at, "archived_at": None, "deleted_at": None}
    return common | {"arguments": draft.extra["arguments"], "tags": list(draft.tags)} | times | more


def _call(tool: str, arguments: dict[str, Any]) -> int:
    return count_tokens(json.dumps({"name": tool, "arguments": arguments}))


def _row(name: str, exchanges: list[tuple[int, int]]) -> list[str]:
    sent, received = (sum(one[place] for one in exchanges) for place in (0, 1))
    return [name, str(len(exchanges)), f"{sent:,}", f"{received:,}", f"{sent + received:,}"]
