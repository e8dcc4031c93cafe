"""Requirements about how the server works inside, and about old callers."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.testing import TestClient, connect, tool_tokens
from laconic.servers.issues.index import index
from laconic.servers.issues.index.contents import Content, Contents
from laconic.servers.issues.tools import issues
from tests.issues_backlog import fill_backlog
from tests.issues_sample import BACKLOG, LABELS, LIMITS, SAMPLE, TASKS, browse, fill_sample, lists, tasks

TESTS = Path(__file__).resolve().parents[2]


@asynccontextmanager
async def served(root: Path, section: dict[str, Any] | None = None, **more: Any) -> AsyncIterator[TestClient]:
    settings = Settings(sections={"issues": {"workspace": str(root), **(section or {})}}, **more)
    async with connect(issues, settings=settings) as client:
        yield client


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty specifications of 40 KB and sixty issues, which no test changes."""
    root = tmp_path_factory.mktemp("sample")
    fill_sample(root)
    return root


@pytest.fixture(scope="module")
def backlog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of 252 files as agents leave it, which no test changes."""
    root = tmp_path_factory.mktemp("backlog")
    fill_backlog(root)
    return root


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that are read while a test runs, as if all had been written long ago."""
    paths: list[str] = []
    real = Contents.read

    def noted(self: Contents, path: str) -> Content:
        paths.append(path)
        return real(self, path)

    monkeypatch.setattr(Contents, "read", noted)
    monkeypatch.setattr(index, "_RACY", 0)  # otherwise files written just now are read again
    yield paths


@pytest.mark.requirement("000-FR-014")
async def test_a_header_is_read_once_and_trusted_for_the_ttl(root: Path, reads: list[str]) -> None:
    async with served(root, {"ttl": 3600}) as client:
        await client.call("issues_create", title="New", description="Text.")
        await client.call("issues_list")
        path = root / ".wrangler/issues/ISS-000001-new.md"
        path.write_text(path.read_text(encoding="utf-8").replace("New", "Other"), encoding="utf-8")
        reads.clear()
        trusted = await client.call("issues_list")
    async with served(root) as client:
        looked = await client.call("issues_list")

    assert "New" in trusted.text and "Other" in looked.text
    assert reads == [".wrangler/issues/ISS-000001-new.md"]


@pytest.mark.requirement("000-FR-015")
async def test_our_own_writes_are_seen_with_any_ttl(root: Path) -> None:
    async with served(root, {"ttl": 3600}) as client:
        seen = [await client.call("issues_list", format="minimal")]
        for tool, arguments in (
            ("issues_create", {"title": "New", "description": "Text."}),
            ("issues_update", {"id": "1", "status": "in_progress"}),
            ("issues_delete", {"id": "1", "confirm": True}),
        ):
            await client.call(tool, **arguments)
            seen.append(await client.call("issues_list", format="minimal"))

    assert [reply.text.splitlines()[-1] for reply in seen] == [
        "There are no issues.",
        "ISS-000001 [open] New",
        "ISS-000001 [in_progress] New",
        "There are no issues.",
    ]


@pytest.mark.requirement("000-FR-016")
async def test_a_list_reads_only_what_it_shows_in_full(sample: Path, reads: list[str]) -> None:
    async with served(sample) as client:
        await client.call("issues_list")
        reads.clear()
        await client.call("issues_list", status=["open"], types=["specification"], labels=["docs"])
        assert reads == []
        await client.call("issues_list", status=["open"], types=["issue"], format="full", limit=3)

    assert len(reads) == 3 and all(path.startswith(".wrangler/issues/") for path in reads)


@pytest.mark.requirement("000-FR-017")
async def test_summaries_over_all_issues_read_no_file(sample: Path, reads: list[str]) -> None:
    async with served(sample) as client:
        await client.call("issues_list")
        reads.clear()
        labels = await client.call("issues_labels", operation="list")
        projects = await client.call("issues_projects", operation="list")
        people = await client.call("issues_stats", groupBy="assignee")

    assert "backend" in labels.text and "billing" in projects.text and "ana" in people.text
    assert reads == []


@pytest.mark.requirement("000-NFR-performance")
async def test_a_list_of_a_hundred_summaries_reads_no_file(sample: Path, reads: list[str]) -> None:
    async with served(sample) as client:
        await client.call("issues_list")
        reads.clear()
        reply = await client.call("issues_list", format="summary", limit=100)

    assert len(re.findall(r"^(?:ISS|SPEC)-", reply.text, re.MULTILINE)) == 100
    assert reads == []


@pytest.mark.requirement("000-NFR-tokens")
@pytest.mark.parametrize(("workspace", "exact"), [("sample", SAMPLE), ("backlog", BACKLOG)])
async def test_lists_of_twenty_cost_what_is_recorded_in_both_forms(
    workspace: str, exact: dict[str, int], request: pytest.FixtureRequest
) -> None:
    root: Path = request.getfixturevalue(workspace)
    async with served(root) as client:
        spent = await lists(client)
    async with served(root, output="structured") as client:
        spent |= await lists(client)

    assert {name: spent[name] for name in exact} == exact
    assert {name: exact[name] for name, most in LIMITS[workspace].items() if exact[name] > most} == {}


@pytest.mark.requirement("000-NFR-tokens", "000-FR-006", "000-FR-007")
async def test_ten_tasks_at_once_take_a_tenth_of_the_calls_and_fewer_tokens(tmp_path: Path) -> None:
    fill_sample(tmp_path)
    async with served(tmp_path) as client:
        spent = await tasks(client)

    assert spent == TASKS
    for what in ("start", "read"):
        (calls, tokens), (one, at_once) = spent[f"{what}, one by one"], spent[f"{what}, at once"]
        assert one <= 0.2 * calls and at_once < tokens


@pytest.mark.requirement("000-NFR-tokens")
async def test_the_list_of_tools_keeps_its_budget(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        tools = await client.tools()

    assert len(tools) == 22 and sum(tool_tokens(tool) for tool in tools) <= 2_450


async def test_labels_are_listed_most_used_first_with_their_counts(backlog: Path) -> None:
    async with served(backlog) as client:
        reply = await client.call("issues_labels", operation="list")

    assert reply.tokens == LABELS
    assert reply.text.splitlines()[:3] == [
        "63 labels, most used first; before each colon, the number of issues:",
        "83: auto-created",
        "77: tech-debt",
    ]


@pytest.mark.requirement("000-NFR-tokens")
async def test_finding_one_specification_of_forty_costs_a_part_of_reading_five(sample: Path) -> None:
    async with served(sample) as client:
        spent = await browse(client)
    async with served(sample, budget=0) as client:
        whole = [await client.call("issues_get", id=f"SPEC-{number:06d}") for number in range(11, 16)]

    assert spent <= 0.15 * sum(reply.tokens for reply in whole)


_CONTEXT = {"agentId": "a", "parentTaskId": "p", "estimatedEffort": "2h"}
_FILTERS = {"status": ["open"], "priority": ["high"], "labels": ["x"], "assignee": "a", "project": "p"}
_OLD: dict[str, list[dict[str, Any]]] = {  # every argument that old callers use, in the order called
    "issues_create": [
        {"title": "T", "description": "D", "type": "issue", "status": "open", "priority": "high"}
        | {"labels": ["x"], "assignee": "a", "project": "p", "wranglerContext": _CONTEXT}
    ],
    "issues_list": [
        {**_FILTERS, "parentTaskId": "p", "types": ["issue"], "limit": 1000, "offset": 0, "format": "full"},
        {"type": "issue"},
    ],
    "issues_search": [
        {"query": "d", "fields": ["title", "description", "labels"], "sortBy": "created", "sortOrder": "desc"}
        | {"limit": 5, "filters": {**_FILTERS, "ids": ["ISS-000001"], "parentTaskId": "p", "type": "issue"}},
        {"query": "d", "filters": {"createdAfter": "2020-01-01T00:00:00Z", "types": ["issue"]}},
    ],
    "issues_get": [{"id": "ISS-000001"}],
    "issues_labels": [
        {"operation": "list"},
        {"operation": "list", "issueId": "ISS-000001"},
        {"operation": "add", "issueId": "ISS-000001", "labels": ["y"]},
        {"operation": "remove", "issueId": "ISS-000001", "labels": ["y"]},
    ],
    "issues_metadata": [
        {"operation": "set", "issueId": "ISS-000001", "key": "k", "value": {"n": 1}},
        {"operation": "get", "issueId": "ISS-000001"},
        {"operation": "remove", "issueId": "ISS-000001", "key": "k"},
    ],
    "issues_projects": [
        {"operation": "list"},
        {"operation": "add", "issueId": "ISS-000001", "project": "q"},
        {"operation": "remove", "issueId": "ISS-000001"},
    ],
    "issues_update": [
        {"id": "ISS-000001", "title": "U", "description": "E", "type": "issue", "status": "in_progress"}
        | {"priority": "low", "labels": [], "assignee": "", "project": "", "wranglerContext": _CONTEXT}
    ],
    "issues_all_complete": [
        {"issueIds": ["ISS-000001"]},
        {"parentTaskId": "p", "labels": ["x"], "project": "p", "types": ["issue"]},
    ],
    "issues_mark_complete": [{"id": "ISS-000001", "note": "Done."}],
    "issues_delete": [{"id": "ISS-000001", "confirm": True}],
}


@pytest.mark.requirement("000-NFR-compatibility")
async def test_every_argument_that_callers_know_is_accepted(root: Path) -> None:
    async with served(root) as client:
        for tool, calls in _OLD.items():
            for arguments in calls:
                reply = await client.call(tool, **arguments)
                assert not reply.failed, (tool, arguments, reply.text)


@pytest.mark.requirement("000-NFR-coverage")
async def test_every_tool_and_every_parameter_is_used_by_a_test(tmp_path: Path) -> None:
    folders = [TESTS / "unit" / "issues", TESTS / "contract", TESTS / "process"]
    text = "\n".join(path.read_text(encoding="utf-8") for one in folders for path in one.glob("*.py"))
    async with served(tmp_path) as client:
        tools = [tool for tool in await client.tools() if tool["name"] != "read_on"]

    names = {tool["name"] for tool in tools}
    names |= {name for tool in tools for name in tool["inputSchema"].get("properties", {})}
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()
