"""`laconic serve issues` in its own process, called by the SDK's client over stdio and HTTP."""

import asyncio
import json
import re
import signal
import subprocess
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from laconic.kit.testing import ERAS, Reply
from laconic.servers.issues.tools import issues
from tests.process.speaking import COMMAND, environment, listening, serving

WAYS = [(over, era) for over in ("stdio", "http") for era in ERAS]
SPEC = ".wrangler/specifications/SPEC-000001-faster-lists.md"


class Agent:
    """What a host's model can do: see the tools, and call them."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool that must succeed."""
        reply = Reply(await self.client.call_tool(tool, arguments))
        assert not reply.failed, reply.text
        return reply.text

    async def fail(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool that must fail."""
        reply = Reply(await self.client.call_tool(tool, arguments))
        assert reply.failed, reply.text
        return reply.text


@asynccontextmanager
async def on_stdio(folder: Path, era: str = ERAS[-1]) -> AsyncIterator[Agent]:
    """A client that starts its own server."""
    command, *words = COMMAND
    home = environment(folder.parent / "home")
    server = StdioServerParameters(command=command, args=[*words, "serve", "issues"], env=home, cwd=folder)
    with TemporaryFile("w+", encoding="utf-8") as errors:
        async with Client(stdio_client(server, errlog=errors), mode=era) as client:
            yield Agent(client)
        errors.seek(0)
        assert errors.read() == ""


@asynccontextmanager
async def connected(folder: Path, over: str, era: str) -> AsyncIterator[Agent]:
    if over == "stdio":
        async with on_stdio(folder, era) as agent:
            yield agent
        return
    with listening("issues", folder=folder) as server:
        async with Client(server.url, mode=era) as client:
            yield Agent(client)


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    done = subprocess.run(
        ["git", *who, *words],
        cwd=folder,
        env=environment(folder.parent / "home", GIT_CONFIG_GLOBAL="/dev/null"),
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.fixture
def repository(workspace: Path) -> Path:
    """A repository with a specification and three issues, all committed."""
    for number, (kind, title) in enumerate(
        [("issues", "Slow list"), ("issues", "Slow search"), ("issues", "Docs"), ("specifications", "")]
    ):
        folder = workspace / ".wrangler" / kind
        folder.mkdir(parents=True, exist_ok=True)
        id = f"ISS-{number + 1:06d}" if title else "SPEC-000001"
        name = f"{id}-{title.lower().replace(' ', '-')}.md" if title else Path(SPEC).name
        dates = "createdAt: '2026-02-01T10:00:00.000Z'\nupdatedAt: '2026-02-01T10:00:00.000Z'"
        head = f"id: {id}\ntitle: {title or 'Faster lists'}\ntype: {kind.rstrip('s')}\n{dates}"
        (folder / name).write_text(f"---\n{head}\n---\n# {id}\n\nIt takes too long.\n", encoding="utf-8")
    (workspace / ".wrangler" / ".gitignore").write_text("cache/\nlogs/\nsessions/\n", encoding="utf-8")
    git(workspace, "init", "--quiet", "--initial-branch=main")
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "-m", "Begin")
    return workspace


def file_of(folder: Path, id: str) -> Path:
    (found,) = (folder / ".wrangler").rglob(f"{id}*.md")
    return found


def contents(folder: Path) -> dict[Path, bytes]:
    """All files of a work tree, git's own left out."""
    found = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path: path.read_bytes() for path in found}


@pytest.mark.parametrize(("over", "era"), WAYS)
async def test_a_day_with_issues_goes_the_same_way_for_every_client(
    workspace: Path, over: str, era: str
) -> None:
    async with connected(workspace, over, era) as agent:
        listed = [tool.name for tool in (await agent.client.list_tools()).tools]
        assert listed == [*(spec.name for spec in issues.tools), "read_on"]
        if era == "legacy":  # a modern client may ask for them, or start at once like this one
            assert "issues_list" in (agent.client.instructions or "")

        made = await agent.call(
            "issues_create", title="Slow list", description="It takes 9 s.", labels=["perf"], priority="high"
        )
        assert made == "Created with ID: ISS-000001"
        await agent.call("issues_create", title="Faster lists", description="# Plan", type="specification")
        await agent.call("issues_create", title="Docs", description="Say so.", blockedBy=["ISS-1"])

        whole = await agent.call("issues_get", id="iss-1")
        assert whole.endswith("## Description\n\n<description>\nIt takes 9 s.\n</description>")
        assert (await agent.call("issues_list")).startswith("Found 3 issue(s):\n")
        ready = await agent.call("issues_list", ready=True, types=["issue"], format="minimal")
        assert ready == "Found 1 issue(s):\nISS-000001 [open] Slow list"
        assert "SPEC-000001" in await agent.call("issues_search", query="plan", type="specification")
        changed = await agent.call("issues_update", id="ISS-000001", priority="critical")
        assert changed == "Updated: priority was high."
        claimed = await agent.call("issues_update", id="ISS-000001", claim=True, assignee="ann")
        assert claimed == "Updated: status was open (now in_progress), assignee was none."

        both = await agent.call("issues_get_batch", ids=["ISS-000001", "9"], fields=["status"])
        assert "ISS-000001\tin_progress" in both and "Failed: 9: Issue 9 not found." in both
        updates = [{"id": "ISS-000001", "labels": ["perf", "p1"]}, {"id": "2", "status": "done"}]
        done = await agent.call("issues_update_batch", updates=updates)
        assert done.startswith("Updated 1 of 2 issues:") and "Failed: 2: Invalid status 'done'." in done
        assert "Current labels: perf, p1, ui" in await agent.call(
            "issues_labels", operation="add", issueId="ISS-000001", labels=["ui"]
        )
        assert "0 of 2 issues complete." in await agent.call("issues_all_complete")
        await agent.call("issues_mark_complete", id="ISS-000001", note="Shipped.")
        assert "1 of 2 issues complete.\nPending: ISS-000002 (open)" in await agent.call(
            "issues_all_complete"
        )
        assert (await agent.call("issues_stats", groupBy="status")).startswith("3 issues by status:\nopen: 2")
        await agent.call("issues_delete", id="ISS-000002", confirm=True)
        assert "Found 2 issue(s):" in await agent.call("issues_list")
    assert file_of(workspace, "ISS-000001").parent.name == "archived"


@pytest.mark.parametrize(("over", "era"), WAYS)
async def test_a_session_is_left_and_resumed_by_another_client(repository: Path, over: str, era: str) -> None:
    async with connected(repository, over, era) as agent:
        started = await agent.call("session_start", specFile=SPEC)
        session_id = started.splitlines()[0].removeprefix("Session started: ")
        assert "Worktree: .worktrees/faster-lists\n" in started
        await agent.call("session_phase", sessionId=session_id, phase="plan", status="complete")
        await agent.call(
            "session_checkpoint",
            sessionId=session_id,
            tasksCompleted=["ISS-000001"],
            tasksPending=["ISS-000002"],
            lastAction="Measured it.",
            resumeInstructions="Write the index.",
        )
        await agent.call("session_phase", sessionId=session_id, phase="execute", status="paused")
    async with connected(repository, over, era) as agent:
        found = await agent.call("session_get")
        for words in (session_id, "Status: paused", "- ISS-000002", "Resume instructions: Write the index."):
            assert words in found
        await agent.call("session_phase", sessionId=session_id, phase="execute", status="resumed")
        assert "1 of 1 sessions running or paused" in await agent.call("session_status", list="active")
        ended = await agent.call("session_complete", sessionId=session_id, status="completed")
        assert ended.startswith(f"Session completed: {session_id}\n")
        assert "No session is running" in await agent.call("session_get")
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.parametrize("over", ["stdio", "http"])
async def test_an_empty_folder_becomes_a_workspace_once(workspace: Path, over: str) -> None:
    async with connected(workspace, over, ERAS[-1]) as agent:
        assert "Directories to create: .wrangler/issues" in await agent.call("init_workspace")
        assert not (workspace / ".wrangler").exists()
        assert (await agent.call("init_workspace", fix=True)).startswith("Workspace initialized.")
        assert "fully compliant" in await agent.call("init_workspace", fix=True)
    assert (workspace / ".wrangler/issues/archived/.gitkeep").exists()


@pytest.mark.parametrize("era", ERAS)
async def test_an_error_tells_what_to_do(repository: Path, era: str) -> None:
    (repository / ".wrangler/issues/copy.md").write_text("---\nid: ISS-000003\n---\n", encoding="utf-8")
    async with on_stdio(repository, era) as agent:
        cases: list[tuple[str, dict[str, Any], list[str]]] = [
            ("issues_get", {"id": "ISS-000099"}, ["ISSUE_NOT_FOUND", "issues_list or issues_search"]),
            ("issues_get", {"id": "ISS-000003"}, ["could be 2 files", "Pass the name of the one you mean"]),
            ("issues_update", {"id": "1", "priority": "urgent"}, ["Valid values: low, medium, high"]),
            ("issues_update", {"id": "1", "claim": True}, ["Missing assignee: claim needs it."]),
            ("issues_create", {"titel": "x", "description": "x"}, ["Did you mean 'title'?"]),
            ("issues_delete", {"id": "1"}, ["confirm"]),
            ("issues_list", {"cursor": "nonsense"}, ["Call again without cursor to start over."]),
            ("session_get", {"sessionId": "../../x"}, ["PATH_TRAVERSAL_DENIED", "session_status"]),
            (
                "session_start",
                {"specFile": "SPEC-000001-fast.md"},
                ["FILE_NOT_FOUND", f"Did you mean {SPEC}?"],
            ),
        ]
        for tool, arguments, words in cases:
            said = await agent.fail(tool, **arguments)
            assert all(word in said for word in words), said
            assert str(repository.parent) not in said and len(said) < 600
    assert git(repository, "status", "--porcelain") == "?? .wrangler/issues/copy.md\n"


@pytest.mark.parametrize("over", ["stdio", "http"])
async def test_two_clients_never_hold_the_same_issue(repository: Path, over: str) -> None:
    async def claim(agent: Agent, name: str, id: str) -> str:
        reply = Reply(await agent.client.call_tool("issues_update", _claim(id, name)))
        return "" if reply.failed else name

    async def both(ann: Agent, bob: Agent) -> None:
        for id in ("ISS-000001", "ISS-000002", "ISS-000003"):
            held = await asyncio.gather(claim(ann, "ann", id), claim(bob, "bob", id))
            assert sorted(map(bool, held)) == [False, True]
            assert f"assignee: {held[0] or held[1]}" in await ann.call(
                "issues_get", id=id, fields=["assignee"]
            )

    if over == "stdio":
        async with on_stdio(repository) as ann, on_stdio(repository) as bob:
            await both(ann, bob)
        return
    with listening("issues", folder=repository) as server:
        async with Client(server.url) as first, Client(server.url, mode="legacy") as second:
            await both(Agent(first), Agent(second))


def _claim(id: str, name: str) -> dict[str, Any]:
    return {"id": id, "claim": True, "assignee": name}


async def test_two_servers_see_each_others_work_at_once(workspace: Path) -> None:
    async with on_stdio(workspace) as one, on_stdio(workspace, "legacy") as two:

        async def create(agent: Agent, count: int) -> list[str]:
            made = [await agent.call("issues_create", title="x", description="x") for _ in range(count)]
            return [text.rpartition("ID: ")[2] for text in made]

        ids = await asyncio.gather(create(one, 8), create(two, 8))
        assert sorted([*ids[0], *ids[1]]) == [f"ISS-{number:06d}" for number in range(1, 17)]
        await one.call("issues_update", id="1", title="Changed by one")
        assert "Changed by one" in await two.call("issues_get", id="1")
        await two.call("issues_mark_complete", id="1")
        listed = await one.call("issues_list", limit=1)
        assert "ISS-000001 [closed]" in listed and "medium Changed by one" in listed


async def test_an_outside_edit_is_seen_by_the_very_next_call(repository: Path) -> None:
    async with on_stdio(repository) as agent:
        await agent.call("issues_list")
        path = file_of(repository, "ISS-000001")
        for title in ("Slow lint", "Slow lisp", "A longer title"):  # two of the same length
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub("title: .*", f"title: {title}", text), encoding="utf-8")
            assert f"ISS-000001 {title}" in await agent.call("issues_list")
            assert title in await agent.call("issues_search", query=title)
        git(repository, "checkout", "--quiet", ".")
        assert "Slow list" in await agent.call("issues_list")
        path.unlink()
        assert "Found 3 issue(s)" in await agent.call("issues_list")


async def test_reading_leaves_nothing_behind_in_the_work_tree(repository: Path) -> None:
    before = contents(repository)
    async with on_stdio(repository) as agent:
        await agent.call("issues_list", format="full")
        await agent.call("issues_get", id="ISS-000001")
        await agent.call("issues_search", query="long", includeDescription=True)
        await agent.call("issues_stats", groupBy="type")
        await agent.call("issues_labels", operation="list")
        await agent.call("session_get")
        await agent.call("init_workspace")
    assert git(repository, "status", "--porcelain", "--ignored") == ""
    assert contents(repository) == before


def test_a_server_that_is_killed_leaves_its_index_to_the_next(repository: Path) -> None:
    with serving("issues", folder=repository) as server:
        assert "Slow list" in server.call("issues_list")
        server.call("issues_update", id="2", priority="high")
        server.signal(signal.SIGKILL)
        server.wait()
    _rename_in_index(repository.parent / "home", "Slow list", "Known from the index")

    with serving("issues", folder=repository) as server:
        listed = server.call("issues_list")
        assert "Known from the index" in listed  # so its file was not read again
        assert "high Slow search" in listed
        path = file_of(repository, "ISS-000001")
        path.write_bytes(path.read_bytes().replace(b"Slow list", b"Slow lint"))
        assert "Slow lint" in server.call("issues_list")
        assert server.call("issues_create", title="x", description="x").endswith("ISS-000004")


def _rename_in_index(home: Path, old: str, new: str) -> None:
    """Change a title where a server has noted it, and say that nothing there is in doubt."""
    (index,) = home.rglob("entries.json")
    head, _, columns = json.loads(index.read_bytes().partition(b"\n")[2])
    content = json.dumps([head, [], columns]).replace(old, new).encode()
    index.write_bytes(b"%08x\n" % zlib.crc32(content) + content)
