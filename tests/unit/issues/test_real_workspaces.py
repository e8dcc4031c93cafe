"""What was seen in real workspaces: odd files and odd arguments, each answered as it should be."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.models import STATUSES
from laconic.servers.issues.tools import issues
from tests.unit.issues.test_tools import tracker

ISSUES = ".wrangler/issues"


def put(root: Path, name: str, text: str | bytes) -> Path:
    path = root / ISSUES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("given", "code"), [("a\0b", "VALIDATION_ERROR"), ("x" * 3000, "FILE_NOT_FOUND"), ("a/" * 3000, "FILE_")]
)
async def test_no_name_of_a_specification_is_a_bug(tmp_path: Path, given: str, code: str) -> None:
    async with tracker(tmp_path) as client:
        reply = await client.call("session_start", specFile=given)
    assert reply.text.startswith(f"Error [{code}") and len(reply.text) < 500


async def test_an_empty_assignee_or_project_finds_the_issues_without_one(tmp_path: Path) -> None:
    async with tracker(tmp_path, 3) as client:
        await client.call("issues_update", id="1", assignee="ada", project="tools")
        nobody = await client.call("issues_list", assignee="")
        none = await client.call("issues_list", project="")
        found = await client.call("issues_search", query="issue", filters={"assignee": ""})
    for reply in (nobody, none):
        assert "Found 2 issue(s)" in reply.text and "ISS-000001" not in reply.text
    assert "ISS-000001" not in found.text


async def test_a_larger_limit_never_shows_fewer_whole_issues(tmp_path: Path) -> None:
    async with tracker(tmp_path) as client:
        for number in range(24):
            await client.call(
                "issues_create", title=f"Long {number}", description="Some words. " * (number * 9)
            )
        shown = [
            (await client.call("issues_list", format="full", limit=limit)).text.count("**ID:**")
            for limit in (5, 10, 20, 100, 1000)
        ]
    assert shown == sorted(shown) and shown[0] == 5 and shown[-1] < 24


async def test_a_note_without_a_header_is_listed_and_is_no_work(tmp_path: Path) -> None:
    put(tmp_path, "meeting.md", "# Meeting\n\nWe talked.\n")
    put(tmp_path, "ISS-000007-started.md", "---\nstatus: open\n---\nA header makes it work.\n")
    async with tracker(tmp_path) as client:
        every = await client.call("issues_list")
        ready = await client.call("issues_list", ready=True)
        complete = await client.call("issues_all_complete")
    assert "meeting" in every.text
    assert "meeting" not in ready.text and "ISS-000007" in ready.text
    assert complete.text.startswith("0 of 1 issues complete.")


@pytest.mark.parametrize(("written", "asked"), [("NFD", "NFC"), ("NFC", "NFD")])
async def test_a_search_finds_letters_however_their_accents_were_written(
    tmp_path: Path, written: str, asked: str
) -> None:
    word = unicodedata.normalize(written, "Café Ängström")  # type: ignore[arg-type]  # one of the forms
    async with tracker(tmp_path) as client:
        await client.call("issues_create", title="In the text", description=f"Meet at the {word}.")
        await client.call("issues_create", title=f"The {word}", description="x", labels=[word])
        query = unicodedata.normalize(asked, "café ängström")  # type: ignore[arg-type]
        found = await client.call("issues_search", query=query, includeDescription=True)
        label = await client.call("issues_search", query=query, fields=["labels"])
    assert "Found 2 issue(s)" in found.text and f"Meet at the {word}." in found.text
    assert "ISS-000002" in label.text


async def test_metadata_is_json_in_every_answer(tmp_path: Path) -> None:
    context = {"agentId": "a, b=c", "deep": {"list": [1, None]}, "line": "one\ntwo"}
    async with tracker(tmp_path, 1) as client:
        for key, value in context.items():
            said = await client.call("issues_metadata", operation="set", issueId="1", key=key, value=value)
        got = await client.call("issues_get", id="1")
    assert json.loads(said.text.partition(": ")[2]) == context
    (line,) = [line for line in got.text.splitlines() if line.startswith("**Context:** ")]
    assert json.loads(line.removeprefix("**Context:** ")) == context


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("issues_mark_complete", {"id": "1", "note": "a\0b"}),
        ("issues_metadata", {"operation": "set", "issueId": "1", "key": "k", "value": ["a\0b"]}),
        ("issues_metadata", {"operation": "set", "issueId": "1", "key": "", "value": 1}),
        ("issues_metadata", {"operation": "set", "issueId": "1", "key": " ", "value": 1}),
        ("issues_create", {"title": " \t", "description": "x"}),
        ("issues_update", {"id": "1", "title": "  "}),
    ],
)
async def test_zero_bytes_empty_keys_and_blank_titles_are_refused(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    async with tracker(tmp_path, 1) as client:
        before = next((tmp_path / ISSUES).glob("*.md")).read_bytes()
        reply = await client.send(tool, arguments)
    assert reply.text.startswith("Error [VALIDATION_ERROR]"), reply.text
    assert [path.read_bytes() for path in (tmp_path / ISSUES).glob("*.md")] == [before]


async def test_a_label_is_kept_once_and_on_one_line(tmp_path: Path) -> None:
    odd = put(tmp_path, "ISS-000009-odd.md", '---\nid: ISS-000009\nlabels: ["a\\nb", c]\n---\nx\n')
    async with tracker(tmp_path) as client:
        made = await client.call(
            "issues_create", title="T", description="x", labels=["a\nb", "a b", "c", "c"]
        )
        listed = await client.call("issues_list")
        await client.call("issues_labels", operation="add", issueId="ISS-000009", labels=["d\ne"])
    assert not made.failed and listed.text.count("[a b, c]") == 2
    assert len(listed.text.splitlines()) == 3 and "d e" in odd.read_text(encoding="utf-8")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
async def test_a_file_in_another_encoding_gets_no_header_in_utf_8(tmp_path: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding.endswith("be") else b""
    path = put(tmp_path, "wide.md", mark + "# Wide\n\nÜber\n".encode(encoding))
    before = path.read_bytes()
    async with tracker(tmp_path) as client:
        refused = [
            await client.call("issues_update", id="wide", priority="high"),
            await client.call("issues_labels", operation="add", issueId="wide", labels=["x"]),
            await client.call("issues_mark_complete", id="wide"),
        ]
    assert all("Save it as UTF-8 first." in reply.text for reply in refused)
    assert path.read_bytes() == before


async def test_longer_conflict_markers_are_markers_too(tmp_path: Path) -> None:
    sides = "<<<<<<<< HEAD\nstatus: open\n========\nstatus: closed\n>>>>>>>> theirs\n"
    put(tmp_path, "ISS-000001-a.md", f"---\nid: ISS-000001\ntitle: A\n{sides}---\nx\n")
    put(tmp_path, "ISS-000002-b.md", f"---\nid: ISS-000002\ntitle: B\n---\n{sides}")
    async with tracker(tmp_path) as client:
        header = await client.call("issues_get", id="1")
        text = await client.call("issues_get", id="2")
    assert "**Status:** open\n" in header.text and "# A\n" in header.text
    assert "The header contains a conflict marker" in header.text
    assert "The text contains conflict markers, line 1." in text.text


async def test_markers_quoted_in_code_are_no_conflict(tmp_path: Path) -> None:
    sides = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs\n"
    put(tmp_path, "ISS-000001-a.md", f"---\nid: ISS-000001\ntitle: A\n---\nSee:\n\n```\n{sides}```\n")
    put(tmp_path, "ISS-000002-b.md", f"---\nid: ISS-000002\ntitle: B\n---\n```\n{sides}```\n\n{sides}")
    async with tracker(tmp_path) as client:
        quoted = await client.call("issues_get", id="1")
        both = await client.call("issues_get", id="2")
        checked = await client.call("init_workspace", doctor=True)
    assert "conflict" not in quoted.text.replace("theirs", "")
    assert "The text contains conflict markers, line 9." in both.text
    assert "ISS-000001" not in checked.text


async def test_the_project_of_one_issue_is_listed(tmp_path: Path) -> None:
    async with tracker(tmp_path, 2) as client:
        await client.call("issues_projects", operation="add", issueId="1", project="tools")
        one = await client.call("issues_projects", operation="list", issueId="1")
        other = await client.call("issues_projects", operation="list", issueId="2")
        missing = await client.call("issues_projects", operation="list", issueId="99")
    assert one.text == "Project of ISS-000001: tools"
    assert other.text == "Project of ISS-000002: none"
    assert missing.text.startswith("Error [ISSUE_NOT_FOUND]")


async def test_times_carry_their_zone(tmp_path: Path) -> None:
    put(tmp_path, "ISS-000001-a.md", "---\nid: ISS-000001\ncreatedAt: 2026-02-03T04:05:06+02:00\n---\nx\n")
    async with tracker(tmp_path) as client:
        got = await client.call("issues_get", id="1")
    assert "**Created:** 2026-02-03 02:05Z\n" in got.text


async def test_a_status_or_priority_that_does_not_exist_is_listed_with_a_warning(tmp_path: Path) -> None:
    put(tmp_path, "ISS-000001-a.md", "---\nid: ISS-000001\ntitle: A\nstatus: opn\npriority: urgent\n---\nx\n")
    async with tracker(tmp_path) as client:
        listed = await client.call("issues_list")
        checked = await client.call("init_workspace", doctor=True)
        await client.call("issues_update", id="1", status="open", priority="high")
        healed = await client.call("issues_list")
    known = f"{', '.join(STATUSES[:-1])} or {STATUSES[-1]}"
    assert "[opn] urgent A" in listed.text
    assert f"status is opn, not {known}; priority is urgent, not low" in listed.text
    assert f"status is opn, not {known}. Set it to one of these." in checked.text
    assert "!" not in healed.text


async def test_a_read_only_server_lists_labels_projects_and_metadata(tmp_path: Path) -> None:
    put(tmp_path, "ISS-000001-a.md", "---\nid: ISS-000001\nlabels: [bug]\nproject: tools\n---\nx\n")
    settings = Settings(read_only=True, sections={"issues": {"workspace": str(tmp_path)}})
    async with connect(issues, settings=settings) as client:
        labels = await client.call("issues_labels", operation="list")
        projects = await client.call("issues_projects", operation="list")
        context = await client.call("issues_metadata", operation="get", issueId="1")
        refused = [
            await client.call("issues_labels", operation="add", issueId="1", labels=["x"]),
            await client.call("issues_projects", operation="remove", issueId="1"),
            await client.call("issues_metadata", operation="set", issueId="1", key="a", value=1),
        ]
    assert "bug" in labels.text and "tools" in projects.text and not context.failed
    assert all("Nothing can be changed here" in reply.text for reply in refused)
