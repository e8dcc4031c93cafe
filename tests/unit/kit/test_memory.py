"""What a toolset remembers about a caller: by caller, toolset and workspace, and over restarts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Caller, Endpoint, Memory, NotFound, Settings, Toolset
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import connect
from laconic.stores import open_keyvalue
from laconic.stores.keyvalue.memory import MemoryStore

ANN, BEN = Caller("ann"), Caller("ben")


def _choosing(name: str) -> Toolset:
    toolset = Toolset(name)

    @toolset.update(name=f"{name}_choose")
    async def choose(memory: Memory, project: int | None = None) -> str:
        """Choose the project that later calls work on; without one, none."""
        if project is None:
            return "forgotten" if await memory.forget("project") else "nothing to forget"
        await memory.put("project", {"id": project, "tags": ["é", None]})
        if project < 0:
            raise NotFound("Project", project)
        return f"Project {project}."

    @toolset.read(name=f"{name}_chosen")
    async def chosen(memory: Memory) -> str:
        """Show the chosen project."""
        found = await memory.get("project", "none")
        return str(found)

    return toolset


@asynccontextmanager
async def _endpoint(*toolsets: Toolset, state: Any, workspace: str = "/a") -> AsyncIterator[Endpoint]:
    sections = {toolset.name: {"workspace": workspace} for toolset in toolsets}
    endpoint = Endpoint(toolsets, settings=Settings(sections=sections), state=state)
    yield endpoint
    await endpoint.supplies.close()


async def _call(endpoint: Endpoint, tool: str, caller: Caller = ANN, **arguments: Any) -> str:
    return (await endpoint.call_tool(tool, arguments, SilentPeer(caller))).text


async def test_a_later_call_of_the_same_caller_finds_what_was_put() -> None:
    async with connect(_choosing("garden")) as client:
        assert (await client.call("garden_chosen")).text == "none"
        await client.call("garden_choose", project=7)
        assert (await client.call("garden_chosen")).text == "{'id': 7, 'tags': ['é', None]}"
        assert (await client.call("garden_choose")).text == "forgotten"
        assert (await client.call("garden_choose")).text == "nothing to forget"
        assert (await client.call("garden_chosen")).text == "none"


async def test_a_mistake_found_after_something_was_put_does_not_say_that_nothing_was_changed() -> None:
    async with connect(_choosing("garden")) as client:
        lost = await client.call("garden_choose", project=-1)

    assert "not known" in lost.text and "changed" not in lost.error


async def test_another_caller_toolset_or_workspace_has_a_memory_of_its_own() -> None:
    state, garden, shop = MemoryStore(), _choosing("garden"), _choosing("shop")
    async with _endpoint(garden, shop, state=state) as endpoint:
        await _call(endpoint, "garden_choose", project=7)
        assert await _call(endpoint, "garden_chosen", BEN) == "none"
        assert await _call(endpoint, "shop_chosen") == "none"
    async with _endpoint(garden, state=state, workspace="/b") as endpoint:
        assert await _call(endpoint, "garden_chosen") == "none"
    async with _endpoint(garden, state=state) as endpoint:
        assert "7" in await _call(endpoint, "garden_chosen")


async def test_memory_survives_a_restart(tmp_path: Path) -> None:
    path = f"sqlite:{tmp_path / 'state.db'}"
    async with _endpoint(_choosing("garden"), state=open_keyvalue(path)) as endpoint:
        await _call(endpoint, "garden_choose", project=7)
        await endpoint.close()
    async with _endpoint(_choosing("garden"), state=open_keyvalue(path)) as endpoint:
        assert "7" in await _call(endpoint, "garden_chosen")
        await endpoint.close()


@pytest.mark.needs("redis")
async def test_two_workspaces_that_share_a_redis_do_not_share_a_memory(redis_url: str) -> None:
    state = open_keyvalue(redis_url)
    async with _endpoint(_choosing("garden"), state=state, workspace="/a") as endpoint:
        await _call(endpoint, "garden_choose", Caller(), project=7)
        assert "7" in await _call(endpoint, "garden_chosen", Caller())
    async with _endpoint(_choosing("garden"), state=state, workspace="/b") as endpoint:
        assert await _call(endpoint, "garden_chosen", Caller()) == "none"
    await state.close()
