"""The older variables for workspaces of this kind, each in its own process, next to ours."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.process.speaking import Message, Stdio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the server is started."""
    place = tmp_path / "started"
    place.mkdir()
    return place


@contextmanager
def issues(folder: Path, **variables: str) -> Iterator[Stdio]:
    server = Stdio("issues", folder=folder, **variables)
    try:
        yield server
    finally:
        server.leave()


def call(server: Stdio, tool: str, /, **arguments: Any) -> Message:
    return server.ask("tools/call", name=tool, arguments=arguments)


def made(server: Stdio, **more: str) -> str:
    server.greet()
    answer = call(server, "issues_create", title="New", description="Text.", **more)
    assert not answer["isError"], answer
    text: str = answer["content"][0]["text"]
    return text


def files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md"))


def test_the_workspace_may_be_named_by_the_older_variable(tmp_path: Path, folder: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with issues(folder, WRANGLER_WORKSPACE_ROOT=str(other)) as server:
        made(server)

    assert files(other) == [".wrangler/issues/ISS-000001-new.md"]
    assert files(folder) == []


def test_a_variable_of_ours_comes_first(tmp_path: Path, folder: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    with issues(folder, WRANGLER_WORKSPACE_ROOT=str(theirs), LACONIC_WORKSPACE=str(ours)) as server:
        made(server)

    assert (files(ours), files(theirs)) == ([".wrangler/issues/ISS-000001-new.md"], [])


@pytest.mark.parametrize("prefix", ["WRANGLER_MCP", "LACONIC"])
def test_the_server_reports_the_name_it_is_given(folder: Path, prefix: str) -> None:
    names = {f"{prefix}_NAME": "wrangler-tools", f"{prefix}_VERSION": "1.0.0"}
    with issues(folder, **names) as server:
        assert server.greet()["serverInfo"] == {"name": "wrangler-tools", "version": "1.0.0"}


def test_folders_may_be_named_by_variables(folder: Path) -> None:
    (folder / "deep").mkdir()
    names = {
        "ISSUE_BASE_PATH": "deep",
        "ISSUES_DIRECTORY": "tickets",
        "SPECIFICATIONS_DIRECTORY": "docs/specs",
    }
    with issues(folder, **{f"WRANGLER_{name}": value for name, value in names.items()}) as server:
        made(server)
        call(server, "issues_create", title="Plan", description="Text.", type="specification")

    assert files(folder) == ["deep/docs/specs/SPEC-000001-plan.md", "deep/tickets/ISS-000001-new.md"]


def test_the_mock_provider_takes_the_usual_folders(folder: Path) -> None:
    names = {"WRANGLER_ISSUE_PROVIDER": "mock", "WRANGLER_ISSUES_DIRECTORY": "tickets"}
    with issues(folder, WRANGLER_MCP_DEBUG="true", **names) as server:
        made(server)

    assert files(folder) == [".wrangler/issues/ISS-000001-new.md"]


def test_another_provider_is_refused_by_name(folder: Path) -> None:
    with issues(folder, WRANGLER_ISSUE_PROVIDER="github") as server:
        server.greet()
        answer = call(server, "issues_list")

    text = answer["content"][0]["text"]
    assert answer["isError"] and "WRANGLER_ISSUE_PROVIDER is 'github'" in text and "markdown" in text


@pytest.mark.parametrize("switch", ["WRANGLER_MCP_CACHE", "LACONIC_ISSUES_INDEX"])
def test_the_index_can_be_switched_off(tmp_path: Path, folder: Path, switch: str) -> None:
    kept = tmp_path / "home" / "cache" / "laconic" / "issues"
    with issues(folder, **{switch: "false"}) as server:
        made(server)
        assert "New" in call(server, "issues_search", query="text")["content"][0]["text"]
    assert not kept.exists()

    with issues(folder) as server:
        server.greet()
        call(server, "issues_list")
    assert [path.name for path in kept.rglob("*.json")] == ["entries.json"]


@pytest.mark.requirement("000-FR-014")
@pytest.mark.parametrize(("ttl", "seen"), [("3600", "open"), ("0", "in_progress")])
def test_the_time_that_entries_are_trusted_is_a_variable(folder: Path, ttl: str, seen: str) -> None:
    with issues(folder, LACONIC_ISSUES_TTL=ttl) as server:
        made(server)
        call(server, "issues_list")
        path = folder / ".wrangler/issues/ISS-000001-new.md"
        path.write_text(path.read_text("utf-8").replace("status: open", "status: in_progress"), "utf-8")
        listed = call(server, "issues_list")["content"][0]["text"]

    assert f"[{seen}]" in listed


def test_the_metadata_of_older_answers_comes_only_when_asked_for(folder: Path) -> None:
    with issues(folder) as server:
        made(server)
        plain = call(server, "issues_list")
    with issues(folder, LACONIC_METADATA="true") as server:
        server.greet()
        listed = call(server, "issues_list", limit=1)
        one = call(server, "issues_get", id="1")

    assert "metadata" not in plain and "structuredContent" not in plain
    (issue,) = listed["metadata"]["issues"]
    assert (issue["id"], issue["title"], listed["metadata"]["totalCount"]) == ("ISS-000001", "New", 1)
    assert one["metadata"]["title"] == "New", json.dumps(one)


ITEM = "id title description type status priority labels createdAt updatedAt"
FORMER: list[tuple[str, dict[str, Any], str]] = [
    ("issues_create", {"title": "B", "description": "x"}, "issueId type provider createdAt"),
    (
        "issues_list",
        {"status": ["open"], "format": "full"},
        "totalIssues provider filters format issues",
    ),
    ("issues_search", {"query": "b"}, "totalResults displayedResults query provider issues"),
    ("issues_get", {"id": "2"}, "issueId type status priority provider issue"),
    ("issues_update", {"id": "2", "priority": "high"}, "issueId provider updatedAt changes"),
    ("issues_labels", {"operation": "add", "issueId": "2", "labels": ["a"]}, "issueId operation labels"),
    ("issues_labels", {"operation": "list", "issueId": "2"}, "issueId labels"),
    ("issues_labels", {"operation": "list"}, "labels totalLabels"),
    ("issues_labels", {"operation": "remove", "issueId": "2", "labels": ["a"]}, "issueId operation labels"),
    ("issues_metadata", {"operation": "set", "issueId": "2", "key": "k", "value": 1}, "issueId key value"),
    ("issues_metadata", {"operation": "get", "issueId": "2"}, "issueId wranglerContext"),
    ("issues_metadata", {"operation": "remove", "issueId": "2", "key": "k"}, "issueId key"),
    ("issues_projects", {"operation": "add", "issueId": "2", "project": "p"}, "issueId project"),
    ("issues_projects", {"operation": "list"}, "projects totalProjects"),
    ("issues_projects", {"operation": "remove", "issueId": "2"}, "issueId"),
    (
        "issues_all_complete",
        {"project": "p"},
        "totalIssues completedIssues pendingIssues allComplete noIssues scope "
        "pendingIssueIds pendingIssueTitles",
    ),
    ("issues_mark_complete", {"id": "2"}, "issueId status closedAt"),
    ("issues_delete", {"id": "2", "confirm": True}, "issueId provider deletedAt"),
]


def test_the_metadata_has_every_key_of_older_answers(folder: Path) -> None:
    with issues(folder, LACONIC_METADATA="true") as server:
        made(server)
        said = [call(server, tool, **arguments)["metadata"] for tool, arguments, _ in FORMER]

    lacking = {
        f"{tool} {arguments}": missing
        for (tool, arguments, keys), found in zip(FORMER, said, strict=True)
        if (missing := {*keys.split()} - {*found})
    }
    assert lacking == {}
    by_tool = {tool: found for (tool, _, _), found in zip(FORMER, said, strict=True)}
    assert {*ITEM.split()} <= {*by_tool["issues_get"]["issue"]}
    assert by_tool["issues_list"]["filters"] == {"status": ["open"], "limit": 2, "offset": 0}
    assert (by_tool["issues_search"]["totalResults"], by_tool["issues_update"]["changes"]) == (
        1,
        ["priority"],
    )
    assert by_tool["issues_all_complete"]["noIssues"] is True
    assert by_tool["issues_mark_complete"]["closedAt"].endswith("Z")
