import asyncio
import hashlib
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.testing import ERAS, Reply, TestClient, connect, tool_tokens
from laconic.servers.issues.sessions.service import Sessions
from laconic.servers.issues.tools import issues

SPEC = ".wrangler/specifications/SPEC-000046-Faster_lists & more.md"
MINE = [
    "session_start",
    "session_phase",
    "session_checkpoint",
    "session_complete",
    "session_get",
    "session_status",
    "init_workspace",
]
CHECKPOINT: dict[str, Any] = {
    "tasksCompleted": ["ISS-000001"],
    "tasksPending": ["ISS-000002", "ISS-000003"],
    "lastAction": "Wrote the parser.",
    "resumeInstructions": "Run the tests,\nthen begin ISS-000002.",
    "variables": {"base": "main", "port": 8321, "files": ["a.py"]},
    "stepResults": [{"stepName": "lint", "status": "passed", "outputSummary": "clean"}],
}


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 2, 16, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with a specification, and no repository."""
    folder = tmp_path / "workspace"
    (folder / SPEC).parent.mkdir(parents=True)
    (folder / SPEC).write_text("# Spec\n", encoding="utf-8")
    (folder / ".wrangler/.gitignore").write_text("sessions/\n", encoding="utf-8")
    return folder


@pytest.fixture
def repository(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same with everything committed."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git(workspace, "init", "--quiet", "--initial-branch=main")
    git(workspace, "config", "user.name", "Test")
    git(workspace, "config", "user.email", "test@example.org")
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "-m", "Begin")
    return workspace


@asynccontextmanager
async def connected(workspace: Path, era: str = ERAS[-1], **more: Any) -> AsyncIterator[TestClient]:
    settings = Settings(sections={"issues": {"workspace": str(workspace)}}, **more)
    async with connect(issues, era=era, settings=settings) as client:
        yield client


def session_id_of(reply: Reply) -> str:
    assert not reply.failed, reply.text
    return reply.text.splitlines()[0].removeprefix("Session started: ")


async def begin(workspace: Path, now: Clock | None = None) -> tuple[Sessions, str]:
    sessions = Sessions(workspace, now=now or Clock())
    return sessions, (await sessions.start(SPEC)).session_id


def files(workspace: Path, session_id: str) -> Path:
    return workspace / ".wrangler" / "sessions" / session_id


def context_of(workspace: Path, session_id: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(workspace, session_id) / "context.json").read_text("utf-8"))
    return found


def audit_of(workspace: Path, session_id: str) -> list[dict[str, Any]]:
    text = (files(workspace, session_id) / "audit.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.rglob("*")
    }


def engine_session(workspace: Path, session_id: str, started: str, **more: Any) -> Path:
    """A session as the workflow engine writes it."""
    folder = files(workspace, session_id)
    folder.mkdir(parents=True)
    context: dict[str, Any] = {"id": session_id, "specFile": SPEC, "status": "running"}
    context["currentPhase"] = "execute"
    context |= {"worktreePath": "/elsewhere/tree", "branchName": "b", "phasesCompleted": []}
    context |= {"tasksCompleted": ["a"], "tasksPending": ["b"], "startedAt": started, "updatedAt": started}
    lines = [
        {"step": "init", "status": "completed", "timestamp": started, "metadata": {"spec_file": SPEC}},
        {"step": "plan", "status": "completed", "timestamp": started, "metadata": {"agent": "planner"}},
        {"step": "execute", "status": "started", "timestamp": started},
    ]
    (folder / "context.json").write_text(json.dumps(context | more), encoding="utf-8")
    (folder / "audit.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


@pytest.mark.parametrize("era", ERAS)
async def test_a_session_starts_in_its_own_worktree_and_branch(repository: Path, era: str) -> None:
    async with connected(repository, era) as client:
        reply = await client.call("session_start", specFile=SPEC)
    session_id = session_id_of(reply)
    head = git(repository, "rev-parse", "--short", "HEAD").strip()
    assert session_id.startswith(f"{datetime.now(UTC):%Y-%m-%d}-{head}-")
    assert reply.text.splitlines() == [
        f"Session started: {session_id}",
        "Workflow: spec-implementation",
        "Worktree: .worktrees/faster-lists-more",
        f"Branch: wrangler/faster-lists-more/{session_id}",
    ]
    tree = repository / ".worktrees/faster-lists-more"
    assert (tree / SPEC).is_file()
    assert git(tree, "branch", "--show-current").strip() == f"wrangler/faster-lists-more/{session_id}"


async def test_a_new_session_leaves_git_status_clean(repository: Path) -> None:
    await begin(repository)
    assert git(repository, "status", "--porcelain") == ""


async def test_a_users_own_rule_for_worktrees_is_left_alone(repository: Path) -> None:
    (repository / ".gitignore").write_text(".worktrees/\n", encoding="utf-8")
    await begin(repository)
    assert not (repository / ".worktrees/.gitignore").exists()


async def test_a_session_keeps_its_arguments(repository: Path) -> None:
    sessions = Sessions(repository)
    started = await sessions.start(SPEC, workflow="review", skip_checks=True, skip_step_names=["lint"])
    context = context_of(repository, started.session_id)
    assert (context["workflow"], context["skipChecks"], context["skipStepNames"]) == (
        "review",
        True,
        ["lint"],
    )
    assert (context["status"], context["currentPhase"], context["phasesCompleted"]) == (
        "running",
        "init",
        ["init"],
    )
    (line,) = audit_of(repository, started.session_id)
    assert (line["phase"], line["status"], line["spec_file"]) == ("init", "complete", SPEC)
    assert (line["session_id"], line["branch"]) == (started.session_id, started.branch_name)


async def test_a_second_session_of_one_specification_gets_another_worktree(repository: Path) -> None:
    sessions = Sessions(repository)
    first, second = await sessions.start(SPEC), await sessions.start(SPEC)
    assert second.worktree_path == f"{first.worktree_path}-{second.session_id[-4:]}"
    assert second.worktree_created


async def test_a_deleted_worktree_does_not_block_a_new_one(repository: Path) -> None:
    sessions = Sessions(repository)
    first = await sessions.start(SPEC)
    shutil.rmtree(repository / ".worktrees")  # git still has it on its list
    second = await sessions.start(SPEC)
    assert second.worktree_error == ""
    assert second.worktree_path == first.worktree_path
    assert (repository / second.worktree_path / ".git").is_file()


async def test_sessions_started_at_once_each_get_their_own_worktree(repository: Path) -> None:
    sessions = Sessions(repository)
    many = await asyncio.gather(*(sessions.start(SPEC) for _ in range(4)))
    made = {one.worktree_path for one in many if one.worktree_created}
    assert len({one.session_id for one in many}) == 4
    assert all((repository / path / ".git").exists() for path in made)
    assert len(made) == 4 or all(one.worktree_error for one in many if not one.worktree_created)


@pytest.mark.parametrize("era", ERAS)
async def test_a_worktree_that_cannot_be_created_is_reported(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        reply = await client.call("session_start", specFile=SPEC)
        session_id = session_id_of(reply)
        found = await client.call("session_get")
    assert "-nogit-" in session_id
    assert "Worktree: .\nBranch: current\nNo worktree was made: not a git repository." in reply.text
    assert "No worktree was made: not a git repository" in found.text
    assert not (workspace / ".worktrees").exists()


async def test_a_repository_without_commits_gets_no_worktree_and_no_litter(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git(workspace, "init", "--quiet")
    started = await Sessions(workspace).start(SPEC)
    assert not started.worktree_created
    assert started.worktree_error == "the repository has no commit"
    assert not (workspace / ".worktrees").exists()


async def test_a_conflicting_branch_is_reported_without_absolute_paths(repository: Path) -> None:
    git(repository, "branch", "wrangler")
    started = await Sessions(repository).start(SPEC)
    assert "wrangler" in started.worktree_error
    assert str(repository.parent) not in started.worktree_error
    assert not (repository / ".worktrees").exists()
    assert git(repository, "branch", "--format=%(refname:short)").split() == ["main", "wrangler"]


async def test_worktrees_outside_the_workspace_are_not_created(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (repository / ".worktrees").symlink_to(tmp_path / "outside")
    started = await Sessions(repository).start(SPEC)
    assert started.worktree_error == ".worktrees leads out of the workspace"
    assert list((tmp_path / "outside").iterdir()) == []


async def test_missing_git_is_reported(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    started = await Sessions(workspace).start(SPEC)
    assert started.worktree_error == "git cannot be run here"


async def test_a_cancelled_start_leaves_nothing(repository: Path) -> None:
    hook = repository / ".git/hooks/post-checkout"
    hook.write_text("#!/bin/sh\ntouch ../../hook-began\nexec sleep 30\n", encoding="utf-8")
    hook.chmod(0o755)
    starting = asyncio.create_task(Sessions(repository).start(SPEC))
    async with asyncio.timeout(20):
        while not (repository / "hook-began").exists():  # noqa: ASYNC110  # another process makes it
            await asyncio.sleep(0.01)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not (repository / ".worktrees").exists()
    assert git(repository, "branch", "--format=%(refname:short)").split() == ["main"]
    assert list((repository / ".wrangler/sessions").iterdir()) == []


async def test_nothing_in_a_name_is_executed(repository: Path) -> None:
    spec = "$(touch owned); `touch owned` --exec=touch -b.md"
    (repository / spec).write_text("", encoding="utf-8")
    started = await Sessions(repository).start(spec, workflow="$(touch owned)")
    assert started.worktree_created
    assert not [path for path in fingerprint(repository) if path.endswith("owned")]


@pytest.mark.parametrize("given", ["SPEC-000046", "spec-000046", Path(SPEC).name, Path(SPEC).stem])
async def test_a_specification_may_be_named_by_its_id_or_file(workspace: Path, given: str) -> None:
    started = await Sessions(workspace).start(given)
    assert context_of(workspace, started.session_id)["specFile"] == SPEC


async def test_an_id_of_two_specifications_finds_neither(workspace: Path) -> None:
    (workspace / SPEC).with_name("SPEC-000046-other.md").touch()
    async with connected(workspace) as client:
        reply = await client.call("session_start", specFile="SPEC-000046")
    assert reply.error["code"] == "FILE_NOT_FOUND"
    assert "Did you mean .wrangler/specifications/SPEC-000046-" in reply.text


async def test_a_specification_found_from_another_folder_is_stored_relative_to_the_workspace(
    workspace: Path,
) -> None:
    (workspace / "part").mkdir()
    (workspace / "part/plan.md").touch()
    started = await Sessions(workspace).start("plan.md", "part")
    assert context_of(workspace, started.session_id)["specFile"] == "part/plan.md"
    async with connected(workspace) as client:
        reply = await client.call("session_start", specFile="plan.md", workingDirectory="nowhere")
    assert "workingDirectory is not a folder: nowhere." in reply.text


@pytest.mark.parametrize("era", ERAS)
async def test_a_missing_specification_is_refused_with_the_nearest(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        reply = await client.call("session_start", specFile="SPEC-000046-fastest.md")
    assert reply.failed
    assert reply.text.startswith("Error [FILE_NOT_FOUND]: Spec file not found: SPEC-000046-fastest.md.")
    assert f"Did you mean {SPEC}?" in reply.text
    assert not (workspace / ".wrangler/sessions").exists()


@pytest.mark.parametrize("arguments", [{"specFile": "../secret.md"}, {"specFile": "{outside}/secret.md"}])
async def test_a_specification_outside_the_workspace_is_refused(
    workspace: Path, tmp_path: Path, arguments: dict[str, str]
) -> None:
    (tmp_path / "secret.md").write_text("", encoding="utf-8")
    (workspace / "link.md").symlink_to(tmp_path / "secret.md")
    sent = arguments["specFile"].format(outside=tmp_path)
    async with connected(workspace) as client:
        for spec_file in (sent, "link.md"):
            reply = await client.call("session_start", specFile=spec_file)
            assert reply.error["code"] == "PATH_TRAVERSAL_DENIED"
            assert str(tmp_path) not in reply.text
        reply = await client.call("session_start", specFile=SPEC, workingDirectory="..")
        assert reply.error["code"] == "PATH_TRAVERSAL_DENIED"


async def test_an_absolute_path_inside_is_stored_relative_to_the_workspace(workspace: Path) -> None:
    started = await Sessions(workspace).start(str(workspace / SPEC))
    assert context_of(workspace, started.session_id)["specFile"] == SPEC


async def test_a_start_with_the_same_key_happens_once(workspace: Path) -> None:
    async with connected(workspace) as client:
        first = await client.call("session_start", specFile=SPEC, idempotencyKey="one")
        again = await client.call("session_start", specFile=SPEC, idempotencyKey="one")
    assert session_id_of(first) == session_id_of(again)
    assert len(list((workspace / ".wrangler/sessions").iterdir())) == 1


@pytest.mark.requirement("000-FR-010")
@pytest.mark.parametrize("era", ERAS)
async def test_every_repeated_call_changes_nothing(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        session_id = session_id_of(await client.call("session_start", specFile=SPEC))
        calls: list[tuple[str, dict[str, Any]]] = [
            ("session_phase", {"phase": "plan", "status": "started", "metadata": {"n": 1}}),
            ("session_phase", {"phase": "plan", "status": "complete"}),
            ("session_checkpoint", CHECKPOINT),
            ("session_phase", {"phase": "checkpoint", "status": "started"}),
            ("session_phase", {"phase": "execute", "status": "paused"}),
            ("session_phase", {"phase": "execute", "status": "resumed"}),
            ("session_checkpoint", {**CHECKPOINT, "stepResults": []}),
            ("session_complete", {"status": "failed", "prUrl": "https://example.org/1", "summary": "No."}),
            ("session_complete", {"status": "failed"}),
        ]
        for name, arguments in calls:
            first = await client.call(name, sessionId=session_id, **arguments)
            before = fingerprint(workspace)
            again = await client.call(name, sessionId=session_id, **arguments)
            assert not first.failed, first.text
            assert (again.text, fingerprint(workspace)) == (first.text, before), (name, arguments)


async def test_a_phase_repeated_after_a_checkpoint_changes_nothing(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    mark = sessions.phase(session_id, "plan", "started")
    sessions.checkpoint(session_id, [], [], "x", "y")
    before = fingerprint(workspace)
    assert sessions.phase(session_id, "plan", "started") == mark
    assert fingerprint(workspace) == before


async def test_other_metadata_is_another_entry(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    sessions.phase(session_id, "task", "complete", {"task_id": "ISS-000001"})
    sessions.phase(session_id, "task", "complete", {"task_id": "ISS-000002"})
    assert [line.get("task_id") for line in audit_of(workspace, session_id)[1:]] == [
        "ISS-000001",
        "ISS-000002",
    ]
    assert context_of(workspace, session_id)["phasesCompleted"] == ["init", "task"]


async def test_a_call_repeated_after_a_crash_finishes_the_first(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    context = files(workspace, session_id) / "context.json"
    before = context.read_text("utf-8")
    for call in (
        lambda: sessions.phase(session_id, "plan", "complete"),
        lambda: sessions.checkpoint(session_id, ["a"], ["b"], "x", "y"),
        lambda: sessions.complete(session_id, "completed", summary="Done."),
    ):
        call()
        after, lines = context_of(workspace, session_id), audit_of(workspace, session_id)
        context.write_text(before, encoding="utf-8")  # as if killed before it was written
        call()
        assert audit_of(workspace, session_id) == lines
        kept = context_of(workspace, session_id)
        assert {**kept, "completedAt": "", "updatedAt": ""} == {**after, "completedAt": "", "updatedAt": ""}
        before = context.read_text("utf-8")


async def test_metadata_never_overwrites_the_entry(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    evil = {"phase": "x", "timestamp": "never", "status": "failed", "commit": "abc"}
    mark = sessions.phase(session_id, "plan", "started", evil)
    assert audit_of(workspace, session_id)[1] == {
        **{"phase": "plan", "timestamp": mark.timestamp, "status": "started", "commit": "abc"},
        **{"metadata_phase": "x", "metadata_timestamp": "never", "metadata_status": "failed"},
    }


@pytest.mark.parametrize("era", ERAS)
async def test_a_session_is_paused_and_resumed(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        session_id = session_id_of(await client.call("session_start", specFile=SPEC))
        for status, kept in (("paused", "paused"), ("resumed", "running"), ("paused", "paused")):
            reply = await client.call("session_phase", sessionId=session_id, phase="execute", status=status)
            assert reply.text == f"Phase execute {status}"
            assert context_of(workspace, session_id)["status"] == kept
        await client.call("session_phase", sessionId=session_id, phase="verify", status="started")
        assert context_of(workspace, session_id)["status"] == "running"


async def test_a_failed_session_can_be_resumed_and_a_completed_one_not(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    sessions.complete(session_id, "failed")
    sessions.phase(session_id, "execute", "resumed")
    assert "completedAt" not in context_of(workspace, session_id)
    sessions.complete(session_id, "completed")
    async with connected(workspace) as client:
        for status in ("paused", "resumed"):
            reply = await client.call("session_phase", sessionId=session_id, phase="x", status=status)
            assert f"Session {session_id} is completed: it cannot be {status}." in reply.text
            assert reply.error["next"]


@pytest.mark.parametrize("era", ERAS)
async def test_one_answer_contains_all_that_is_needed_to_continue(repository: Path, era: str) -> None:
    async with connected(repository, era) as client:
        session_id = session_id_of(await client.call("session_start", specFile=SPEC, skipStepNames=["docs"]))
        await client.call("session_phase", sessionId=session_id, phase="plan", status="complete")
        saved = await client.call("session_checkpoint", sessionId=session_id, **CHECKPOINT)
        await client.call("session_phase", sessionId=session_id, phase="execute", status="started")
        reply = await client.call("session_get")
    point = saved.text.splitlines()[0].removeprefix("Checkpoint saved: ")
    assert saved.text.splitlines()[1:] == ["Tasks completed: 1", "Tasks pending: 2", "Steps reported: 1"]
    for line in (
        *(f"Session: {session_id}", "Status: running", "Phase: execute", f"Spec: {SPEC}", "Skips: docs"),
        *("Worktree: .worktrees/faster-lists-more", f"Branch: wrangler/faster-lists-more/{session_id}"),
        *("Phases completed: init, plan", "Tasks completed: 1\n- ISS-000001"),
        *("Tasks pending: 2\n- ISS-000002\n- ISS-000003", f"Checkpoint: {point}, "),
        "Last action: Wrote the parser.",
        "<resume_instructions>\nRun the tests,\nthen begin ISS-000002.\n</resume_instructions>",
        *('- port: 8321\n- files: ["a.py"]', "- base: main", "- lint: passed (clean)"),
        *("Last audit entries (3 of 4):", "Z plan complete\n", "Z execute started"),
    ):
        assert line in reply.text
    assert str(repository) not in reply.text


async def test_a_checkpoint_counts_though_its_writer_was_killed_before_the_rest(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    sessions.checkpoint(session_id, ["a"], ["b", "c"], "x", "y")
    before = {path: path.read_bytes() for path in files(workspace, session_id).iterdir()}
    saved = sessions.checkpoint(session_id, ["a", "b"], ["c"], "z", "y")
    for name in ("context.json", "audit.jsonl"):  # as they were when the checkpoint alone was written
        (files(workspace, session_id) / name).write_bytes(before[files(workspace, session_id) / name])

    text = sessions.get(session_id).write_text(None)
    assert "Last action: z" in text
    assert "Tasks completed at the checkpoint: 2\n- a\n- b\nTasks pending at the checkpoint: 1\n- c" in text
    again = sessions.checkpoint(session_id, ["a", "b"], ["c"], "z", "y")
    assert again == saved
    assert context_of(workspace, session_id)["tasksPending"] == ["c"]
    assert audit_of(workspace, session_id)[-1]["checkpoint_id"] == saved.checkpoint_id
    assert "at the checkpoint" not in sessions.get(session_id).write_text(None)


async def test_complete_and_completed_are_both_understood(workspace: Path) -> None:
    _, session_id = await begin(workspace)
    async with connected(workspace) as client:
        phase = await client.call("session_phase", sessionId=session_id, phase="plan", status="completed")
        ended = await client.call("session_complete", sessionId=session_id, status="complete")
        late = await client.call("session_phase", sessionId=session_id, phase="verify", status="started")
    assert phase.text == "Phase plan complete"
    assert ended.text.startswith(f"Session completed: {session_id}")
    assert late.text == "Phase verify started (the session is completed)"


async def test_without_an_active_session_there_is_none_to_get(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    sessions.complete(session_id, "completed")
    async with connected(workspace) as client:
        reply = await client.call("session_get")
    assert (reply.failed, reply.text) == (False, "No session is running or paused. session_start starts one.")


async def test_other_active_sessions_are_listed(workspace: Path) -> None:
    sessions, first = await begin(workspace)
    second = (await sessions.start(SPEC)).session_id
    assert sessions.get().session_id == second
    assert sessions.get().others == [first]
    assert f"Other active sessions: {first}" in sessions.status().write_text(None)


async def test_completion_keeps_its_outcome_and_earlier_values(workspace: Path) -> None:
    clock = Clock()
    sessions, session_id = await begin(workspace, clock)
    clock.now += timedelta(minutes=42)
    steps = {"totalSteps": 3, "executed": 2, "skipped": 1, "skippedSteps": ["docs"]}
    address = "https://example.org/pull/7"
    first = sessions.complete(session_id, "failed", address, 7, "Tests fail.", steps)
    assert first.write_text(None).splitlines() == [
        f"Session failed: {session_id}",
        "Duration: 42 minutes",
        "Tasks completed: 0",
        f"PR: {address}",
        "Steps: 2/3 executed, 1 skipped",
    ]
    last = audit_of(workspace, session_id)[-1]
    assert (last["phase"], last["status"], last["pr_url"]) == ("complete", "failed", address)
    second = sessions.complete(session_id, "completed")
    assert (second.pr_url, second.pr_number, second.summary) == (address, 7, "Tests fail.")
    assert audit_of(workspace, session_id)[-1]["status"] == "complete"
    context = context_of(workspace, session_id)
    assert (context["status"], context["prUrl"], context["summary"]) == ("completed", address, "Tests fail.")
    assert "Summary: Tests fail." in sessions.get(session_id).write_text(None)


@pytest.mark.parametrize("era", ERAS)
async def test_the_status_shows_the_progress_of_a_session(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        session_id = session_id_of(await client.call("session_start", specFile=SPEC))
        for phase, status in (("plan", "complete"), ("execute", "complete"), ("verify", "failed")):
            await client.call("session_phase", sessionId=session_id, phase=phase, status=status)
        await client.call("session_checkpoint", sessionId=session_id, **CHECKPOINT)
        reply = await client.call("session_status")
    for line in (
        *(f"Session: {session_id}", "Status: running", "Active Step: verify FAILED"),
        *("Phases Done: execute, plan", "Tasks: 1/3 completed", "Duration: ", f"Spec: {SPEC}"),
        *("Worktree: .", "Branch: current", "Audit Entries: 5", "Last Activity: "),
    ):
        assert line in reply.text


async def test_the_newest_session_is_found_whoever_started_it(workspace: Path) -> None:
    engine_session(workspace, "wf-2026-02-15-0a0b0c0d", "2026-02-15T10:00:00.000Z")
    sessions, session_id = await begin(workspace)
    assert sessions.status().session_id == session_id
    engine_session(workspace, "wf-2026-02-17-0a0b0c0d", "2026-02-17T10:00:00.000Z")
    assert sessions.status().session_id == "wf-2026-02-17-0a0b0c0d"
    assert sessions.get().session_id == "wf-2026-02-17-0a0b0c0d"


@pytest.mark.parametrize("era", ERAS)
async def test_a_session_of_the_engine_is_understood(workspace: Path, era: str) -> None:
    folder = engine_session(workspace, "wf-1", "2026-02-15T10:00:00.000Z", status="paused")
    blocker = {"sessionId": "wf-1", "timestamp": "2026-02-15T11:00:00.000Z", "details": "Tests fail."}
    (folder / "blocker.json").write_text(json.dumps(blocker), encoding="utf-8")
    point = {
        "checkpointId": "chk-1",
        "currentPhase": "execute",
        "changedFiles": ["a.py"],
        "variables": {"x": 1},
    }
    (folder / "checkpoint.json").write_text(json.dumps(point), encoding="utf-8")
    async with connected(workspace, era) as client:
        status = await client.call("session_status", sessionId="wf-1")
        found = await client.call("session_get")
        await client.call("session_phase", sessionId="wf-1", phase="execute", status="resumed")
        resumed = await client.call("session_status")
    assert "Active Step: execute (in progress)\nPhases Done: plan" in status.text
    assert "BLOCKER: Tests fail." in status.text
    assert "undefined" not in status.text + found.text
    assert "Worktree: /elsewhere/tree" in found.text
    assert "Changed files: 1\n- a.py" in found.text
    assert 'plan complete {"agent":"planner"}' in found.text
    assert "BLOCKER" not in resumed.text
    assert context_of(workspace, "wf-1")["status"] == "running"


@pytest.mark.parametrize("era", ERAS)
async def test_sessions_are_listed_newest_first(workspace: Path, era: str) -> None:
    async with connected(workspace, era) as client:
        assert (await client.call("session_status", list="all")).text == "0 sessions."
        engine_session(workspace, "wf-1", "2026-02-15T10:00:00.000Z", status="completed")
        engine_session(workspace, "wf-2", "2026-02-16T10:00:00.000Z")
        engine_session(workspace, "wf-3", "2026-02-14T10:00:00.000Z", status="paused")
        every = await client.call("session_status", list="all")
        active = await client.call("session_status", list="active")
        both = await client.call("session_status", list="all", sessionId="wf-1")
    assert [line.split("\t")[0] for line in every.text.splitlines()] == [
        *("3 sessions:", "id", "wf-2", "wf-1", "wf-3"),
    ]
    assert active.text.splitlines()[0] == "2 of 3 sessions running or paused:"
    assert "wf-1" not in active.text
    assert "Pass sessionId or list, not both." in both.text


async def test_one_damaged_session_hides_no_other(workspace: Path) -> None:
    engine_session(workspace, "wf-1", "2026-02-15T10:00:00.000Z")
    damaged = engine_session(workspace, "wf-2", "2026-02-16T10:00:00.000Z")
    (damaged / "context.json").write_text("{", encoding="utf-8")
    (damaged / "audit.jsonl").write_text("{\n", encoding="utf-8")
    async with connected(workspace) as client:
        for name, arguments in (
            ("session_get", {}),
            ("session_status", {}),
            ("session_status", {"list": "all"}),
        ):
            reply = await client.call(name, **arguments)
            assert not reply.failed
            assert "wf-1" in reply.text
        reply = await client.call("session_get", sessionId="wf-2")
    assert "Warning: audit.jsonl: line 1 is damaged and was left out." in reply.text
    assert "Warning: context.json is damaged and was left out." in reply.text


@pytest.mark.requirement("000-FR-011")
@pytest.mark.requirement("000-FR-012")
@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_session_is_refused_with_advice(workspace: Path, era: str) -> None:
    engine_session(workspace, "wf-2026-02-15-0a0b0c0d", "2026-02-15T10:00:00.000Z")
    more: dict[str, dict[str, Any]] = {
        "session_get": {},
        "session_status": {},
        "session_phase": {"phase": "x", "status": "started"},
        "session_checkpoint": CHECKPOINT,
        "session_complete": {"status": "failed"},
    }
    before = fingerprint(workspace)
    async with connected(workspace, era) as client:
        for name, arguments in more.items():
            reply = await client.call(name, sessionId="wf-2026-02-15-0a0b0c0e", **arguments)
            assert reply.text.startswith(
                "Error [RESOURCE_NOT_FOUND]: Session wf-2026-02-15-0a0b0c0e not found."
            )
            assert "Did you mean wf-2026-02-15-0a0b0c0d?" in reply.text
            assert "session_status with list: all" in reply.text
            reply = await client.call(name, sessionId="../../../x", **arguments)
            assert reply.error["code"] == "PATH_TRAVERSAL_DENIED"
    assert fingerprint(workspace) == before


async def test_without_sessions_the_answer_tells_how_to_start_one(workspace: Path) -> None:
    async with connected(workspace) as client:
        reply = await client.call("session_status")
    assert (
        "Error [RESOURCE_NOT_FOUND]: No workflow sessions found. Start one with session_start." in reply.text
    )


@pytest.mark.requirement("000-FR-010")
async def test_reading_sessions_changes_nothing(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    sessions.checkpoint(session_id, ["a"], [], "x", "y")
    before = fingerprint(workspace)
    async with connected(workspace) as client:
        await client.call("session_get", sessionId=session_id)
        await client.call("session_status")
        await client.call("session_status", list="all")
        await client.call("init_workspace")
    assert fingerprint(workspace) == before


async def test_data_and_text_contain_the_same(workspace: Path) -> None:
    async with connected(workspace, output="both") as client:
        session_id = session_id_of(await client.call("session_start", specFile=SPEC))
        await client.call("session_checkpoint", sessionId=session_id, **CHECKPOINT)
        found = (await client.call("session_get")).structured
        status = (await client.call("session_status")).structured
    assert found["session"]["id"] == session_id
    assert found["session"]["worktreePath"] == "."
    assert found["checkpoint"]["resumeInstructions"] == CHECKPOINT["resumeInstructions"]
    assert (status["sessionId"], status["tasksTotal"], status["auditEntryCount"]) == (session_id, 3, 2)


@pytest.mark.requirement("000-FR-013")
async def test_wrong_arguments_are_refused_by_name(workspace: Path) -> None:
    _, session_id = await begin(workspace)
    async with connected(workspace) as client:
        reply = await client.call("session_phase", sessionId=session_id, phase="plan", status="done")
        assert "Valid values: started, complete, failed, paused, resumed" in reply.text
        step = {"stepName": "lint", "status": "great"}
        reply = await client.call(
            "session_checkpoint", sessionId=session_id, **{**CHECKPOINT, "stepResults": [step]}
        )
        assert "passed, failed, skipped" in reply.text
        steps = {"totalSteps": 1, "executed": 1, "skipped": 0, "skippedSteps": [], "stepDetails": []}
        reply = await client.call(
            "session_complete", sessionId=session_id, status="completed", stepExecutionSummary=steps
        )
        assert "Steps: 1/1 executed, 0 skipped" in reply.text


@pytest.mark.requirement("000-FR-009")
@pytest.mark.requirement("000-FR-010")
async def test_the_tools_are_annotated_as_they_behave_and_lean(workspace: Path) -> None:
    async with connected(workspace) as client:
        tools = {tool["name"]: tool for tool in await client.tools() if tool["name"] in MINE}
    hints = {name: tool["annotations"] for name, tool in tools.items()}
    assert list(tools) == MINE
    assert [name for name in MINE if hints[name]["readOnlyHint"]] == ["session_get", "session_status"]
    assert [name for name in MINE if not hints[name]["idempotentHint"]] == ["session_start"]
    assert not any(hint["destructiveHint"] for hint in hints.values())
    assert sum(tool_tokens(tool) for name, tool in tools.items() if name != "init_workspace") <= 611


async def test_a_long_list_of_sessions_comes_in_pages(workspace: Path) -> None:
    for number in range(120):
        at = f"2026-02-15T{number // 60:02d}:{number % 60:02d}:00.000Z"
        engine_session(workspace, f"wf-{number:03d}", at, status="completed" if number % 2 else "running")
    async with connected(workspace) as client:
        pages = [await client.call("session_status", list="all", offset=start) for start in (0, 50, 100, 500)]
        active = await client.call("session_status", list="active", offset=50)
    seen = [
        line.split("\t")[0] for page in pages for line in page.text.splitlines() if line.startswith("wf-")
    ]
    assert seen == [f"wf-{number:03d}" for number in reversed(range(120))]
    assert pages[0].text.startswith("120 sessions, 1 to 50 shown:")
    assert pages[0].text.endswith("More: session_status with list: all, offset: 50.")
    assert pages[2].text.startswith("120 sessions, 101 to 120 shown:") and "More" not in pages[2].text
    assert "More" not in pages[3].text
    assert active.text.startswith("60 of 120 sessions running or paused, 51 to 60 shown:")


async def test_what_to_do_next_comes_before_hundreds_of_tasks(workspace: Path) -> None:
    sessions, session_id = await begin(workspace)
    tasks = [f"Task number {number} of a long day" for number in range(300)]
    sessions.checkpoint(session_id, tasks, tasks, "Wrote it.", "Test it first.", {"port": 1})
    text = sessions.get(session_id).write_text(None)
    assert text.index("Resume instructions: Test it first.") < text.index("- Task number 0")
    assert text.index("Last action: Wrote it.") < text.index("- Task number 0") < text.index("- port: 1")
