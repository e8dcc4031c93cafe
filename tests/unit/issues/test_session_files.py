import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import NotFound, OutsideWorkspace
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.sessions.models import Checkpoint, Session
from laconic.servers.issues.sessions.service import Sessions
from laconic.stores import StoreError

CONTEXT = {
    "id": "one",
    "specFile": "spec.md",
    "status": "running",
    "currentPhase": "plan",
    "worktreePath": "",
    "branchName": "current",
    "phasesCompleted": ["init"],
    "tasksCompleted": [],
    "tasksPending": [],
    "startedAt": "2026-02-16T10:00:00.000Z",
    "updatedAt": "2026-02-16T10:00:00.000Z",
    "hostNotes": {"mine": [1, 2]},
}
LINES = [
    {"phase": "init", "timestamp": "2026-02-16T10:00:00.000Z", "status": "complete", "spec_file": "spec.md"},
    {"phase": "plan", "timestamp": "2026-02-16T10:01:00.000Z", "status": "started"},
]


def furnish(workspace: Path, session_id: str = "one", **files: Any) -> Path:
    folder = workspace / ".wrangler" / "sessions" / session_id
    folder.mkdir(parents=True)
    content = {"context": {**CONTEXT, "id": session_id}, "audit": LINES, **files}
    for name, value in content.items():
        if name == "audit" and isinstance(value, list):
            value = "".join(json.dumps(line) + "\n" for line in value)
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        suffix = "jsonl" if name == "audit" else "json"
        (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8")
    return folder


def context_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "context.json").read_text(encoding="utf-8"))
    return found


def audit_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "audit.jsonl").read_text(encoding="utf-8").splitlines()]


PATHS = ["../x", "..", ".", "", "a/b", "/etc", "a\\b", "C:x", ".hidden", "a\0b", "a\nb", "\ud800", "x" * 300]


@pytest.mark.parametrize("session_id", PATHS)
def test_a_path_is_not_a_session_id(tmp_path: Path, session_id: str) -> None:
    furnish(tmp_path)
    (tmp_path / "x").mkdir()
    with pytest.raises(OutsideWorkspace):
        SessionFiles(tmp_path).one(session_id)


@pytest.mark.parametrize("session_id", ["../../x", "../one/../../../x"])
def test_nothing_is_written_outside_the_sessions(tmp_path: Path, session_id: str) -> None:
    furnish(tmp_path)
    outside = tmp_path / "x"
    outside.mkdir()
    (outside / "context.json").write_text("{}", encoding="utf-8")
    with pytest.raises(OutsideWorkspace):
        Sessions(tmp_path).phase(session_id, "plan", "started")
    assert [path.name for path in outside.iterdir()] == ["context.json"]


def test_a_link_out_of_the_sessions_is_not_a_session(tmp_path: Path) -> None:
    workspace, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
    there = furnish(elsewhere)
    furnish(workspace, "two")
    (workspace / ".wrangler/sessions/one").symlink_to(there)
    files = SessionFiles(workspace)
    with pytest.raises(OutsideWorkspace):
        files.one("one")
    assert [kept.id for kept in files.all()] == ["two"]


def test_sessions_kept_outside_the_workspace_are_refused(tmp_path: Path) -> None:
    workspace, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
    furnish(elsewhere)
    workspace.mkdir()
    (workspace / ".wrangler").symlink_to(elsewhere / ".wrangler")
    with pytest.raises(OutsideWorkspace):
        SessionFiles(workspace).all()


def test_a_file_that_is_a_link_out_is_neither_read_nor_written(tmp_path: Path) -> None:
    workspace, secret = tmp_path / "workspace", tmp_path / "secret.json"
    secret.write_text('{"status": "secret"}', encoding="utf-8")
    folder = furnish(workspace)
    (folder / "audit.jsonl").unlink()
    (folder / "audit.jsonl").symlink_to(secret)
    (folder / "checkpoint.json").symlink_to(secret)
    kept = SessionFiles(workspace).one("one")
    assert (kept.audit.lines, kept.checkpoint, len(kept.warnings)) == ([], None, 2)
    with pytest.raises(StoreError):
        Sessions(workspace).phase("one", "plan", "complete")
    assert secret.read_text(encoding="utf-8") == '{"status": "secret"}'


def test_an_unknown_session_is_named_with_the_nearest(tmp_path: Path) -> None:
    furnish(tmp_path, "2026-02-16-abc1234-0001")
    with pytest.raises(NotFound, match=r"Did you mean 2026-02-16-abc1234-0001\?"):
        SessionFiles(tmp_path).one("2026-02-16-abc1234-0002")


def test_a_folder_without_session_files_is_not_a_session(tmp_path: Path) -> None:
    furnish(tmp_path)
    (tmp_path / ".wrangler/sessions/empty").mkdir()
    (tmp_path / ".wrangler/sessions/.hidden").mkdir()
    (tmp_path / ".wrangler/sessions/note.json").touch()
    assert [kept.id for kept in SessionFiles(tmp_path).all()] == ["one"]


def test_there_are_no_sessions_before_the_first(tmp_path: Path) -> None:
    assert SessionFiles(tmp_path).all() == []


def test_a_torn_line_hides_no_other(tmp_path: Path) -> None:
    whole = json.dumps(LINES[0])
    furnish(tmp_path, audit=f'{whole}\n{{"phase": "pl\n[1]\n\n{whole}\n')
    kept = SessionFiles(tmp_path).one("one")
    assert [entry.phase for entry in kept.audit.entries] == ["init", "init"]
    assert kept.warnings == [f"audit.jsonl: line {number} is damaged and was left out." for number in (2, 3)]


def test_a_line_is_never_glued_to_a_torn_one(tmp_path: Path) -> None:
    folder = furnish(tmp_path, audit=json.dumps(LINES[0]) + '\n{"phase": "pl')
    Sessions(tmp_path).phase("one", "plan", "complete")
    lines = (folder / "audit.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines[1] == '{"phase": "pl'
    assert json.loads(lines[2])["status"] == "complete"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"id": "one"', "[" * 100_000, "\x00"])
def test_a_damaged_context_is_rebuilt_from_the_audit_log(tmp_path: Path, text: str) -> None:
    furnish(tmp_path, context=text, checkpoint={"tasksCompleted": ["a"], "tasksPending": ["b"]})
    kept = SessionFiles(tmp_path).one("one")
    session = Session.of(kept.context)
    assert (session.id, session.status, session.current_phase) == ("one", "running", "plan")
    assert (session.spec_file, session.phases_completed) == ("spec.md", ["init"])
    assert (session.tasks_completed, session.tasks_pending) == (["a"], ["b"])
    assert any("context.json" in warning for warning in kept.warnings)


def test_a_damaged_context_is_kept_next_to_the_new_one(tmp_path: Path) -> None:
    folder = furnish(tmp_path, context='{"half": ')
    Sessions(tmp_path).phase("one", "plan", "complete")
    assert context_of(folder)["phasesCompleted"] == ["init", "plan"]
    beside = [path for path in folder.iterdir() if "damaged" in path.name]
    assert [path.read_text(encoding="utf-8") for path in beside] == ['{"half": ']


def test_text_that_is_not_utf8_warns_and_hides_nothing_else(tmp_path: Path) -> None:
    folder = furnish(tmp_path)
    (folder / "checkpoint.json").write_bytes(b"\xff\xfe{}")
    kept = SessionFiles(tmp_path).one("one")
    assert (kept.checkpoint, Session.of(kept.context).status) == (None, "running")
    assert "UTF-8" in kept.warnings[0]


def test_values_of_the_wrong_type_hide_no_others() -> None:
    raw = {"id": 7, "status": None, "tasksCompleted": "a", "tasksPending": [1, {"x": 2}], "startedAt": "soon"}
    session = Session.of({**raw, "prNumber": "many", "skipChecks": [], "specFile": "spec.md"})
    assert (session.id, session.status, session.spec_file) == ("7", "unknown", "spec.md")
    assert (session.tasks_completed, session.tasks_pending) == (["a"], ["1", '{"x":2}'])
    assert (session.started_at, session.pr_number, session.skip_checks) == (None, None, None)
    point = Checkpoint.of({"variables": [], "stepResults": "x", "checkpointId": None})
    assert (point.variables, point.step_results, point.checkpoint_id) == (None, None, "")


def test_unknown_keys_survive_rewriting(tmp_path: Path) -> None:
    folder = furnish(tmp_path, checkpoint={"checkpointId": "chk-1", "changedFiles": ["a.py"], "own": 1})
    sessions = Sessions(tmp_path)
    sessions.phase("one", "plan", "complete")
    sessions.checkpoint("one", [], ["b"], "did", "do")
    assert context_of(folder)["hostNotes"] == {"mine": [1, 2]}
    assert list(context_of(folder)) == list(CONTEXT)
    point = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    assert (point["changedFiles"], point["own"], point["tasksPending"]) == (["a.py"], 1, ["b"])


def test_half_a_character_is_kept_as_an_escape(tmp_path: Path) -> None:
    folder = furnish(tmp_path)
    sessions = Sessions(tmp_path)
    sessions.phase("one", "plan", "complete", {"note": "\ud800 é"})
    sessions.checkpoint("one", [], [], "\udfff", "")
    assert audit_of(folder)[2]["note"] == "\ud800 é"
    assert sessions.get("one").checkpoint is not None


_ENDLESS = """
import itertools, sys
from pathlib import Path
from laconic.servers.issues.sessions.service import Sessions
sessions = Sessions(Path(sys.argv[1]))
for number in itertools.count():
    sessions.phase("one", f"p{number}", "complete", {"log": "x" * 50_000})
    sessions.checkpoint("one", [f"t{number}"], [], "x" * 50_000, "y")
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_writer_killed_at_any_time_leaves_complete_files(tmp_path: Path, count: int) -> None:
    folder = furnish(tmp_path)
    command = [sys.executable, "-c", _ENDLESS, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        for _ in range(count):
            writer.stdout.readline()
        writer.kill()
    kept = SessionFiles(tmp_path).one("one")
    assert kept.checkpoint
    assert f"p{count - 1}" in kept.context["phasesCompleted"]
    assert len(kept.audit.lines) >= len(LINES) + 2 * count
    assert not [warning for warning in kept.warnings if "audit" not in warning]
    Sessions(tmp_path).phase("one", "after", "complete")
    assert context_of(folder)["phasesCompleted"][-1] == "after"


_WRITER = """
import sys
from pathlib import Path
from laconic.servers.issues.sessions.service import Sessions
sessions = Sessions(Path(sys.argv[1]))
for number in range(25):
    sessions.phase("one", f"{sys.argv[2]}-{number}", "complete", {"log": "x" * 5000})
"""


@pytest.mark.slow
def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    folder = furnish(tmp_path)
    command = [sys.executable, "-c", _WRITER, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [subprocess.Popen([*command, name], env=environment) for name in ("a", "b", "c")]
    assert [writer.wait(50) for writer in writers] == [0, 0, 0]
    wanted = {f"{name}-{number}" for name in "abc" for number in range(25)}
    assert {line["phase"] for line in audit_of(folder)} == {"init", "plan", *wanted}
    assert len(audit_of(folder)) == len(LINES) + 75
    assert set(context_of(folder)["phasesCompleted"]) == {"init", *wanted}
    assert {path.name for path in folder.iterdir()} == {"context.json", "audit.jsonl"}
