"""Every tool of the issues server keeps the contract."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from laconic.kit import Settings
from laconic.kit.contract import Cases, Contract
from laconic.servers.issues.settings import IssuesSettings
from laconic.servers.issues.tools import issues

LIST_TOKENS = 2450  # what the list of tools may cost a model
WORK = ("tasksCompleted", "tasksPending", "lastAction", "resumeInstructions")  # of a checkpoint
SESSION = "2026-02-16-abc1234-0001"
SPEC = ".wrangler/specifications/SPEC-000001-a-plan.md"


def session(folder: Path) -> None:
    """A session under way, with a checkpoint."""
    home = folder / ".wrangler" / "sessions" / SESSION
    home.mkdir(parents=True)
    at = "2026-02-16T10:00:00.000Z"
    context = {"id": SESSION, "specFile": SPEC, "status": "running", "currentPhase": "plan"}
    context |= {"worktreePath": ".", "branchName": "current", "startedAt": at, "updatedAt": at}
    point = {"sessionId": SESSION, "checkpointId": "chk-1-00000000", "createdAt": at, "currentPhase": "plan"}
    point |= {"lastAction": "Read it.", "resumeInstructions": "Go on."}
    line = {"phase": "plan", "timestamp": at, "status": "started"}
    (home / "context.json").write_text(json.dumps(context), encoding="utf-8")
    (home / "checkpoint.json").write_text(json.dumps(point), encoding="utf-8")
    (home / "audit.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")


@cache
def furniture() -> dict[str, bytes]:
    """A few issues and a specification as the store writes them, once: it waits for the disk each time."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = IssuesSettings(workspace=folder).store()
        for number in range(1, 6):
            store.create(
                {"title": f"Issue {number}", "labels": ["bug"], "priority": "high"}, f"Text {number}."
            )
        store.create({"title": "A plan", "type": "specification"}, "# Plan\n\nSteps.")
        paths = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def workspace(folder: Path) -> Settings:
    """A folder with a few issues, a specification and a session."""
    for name, content in furniture().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    session(folder)
    return Settings(sections={"issues": {"workspace": str(folder)}})


contract = Contract(
    issues,
    settings=workspace,
    samples={
        "issues_create": {"title": "New", "description": "Text."},
        "issues_list": {},
        "issues_search": {"query": "text"},
        "issues_get": {"id": "ISS-000001"},
        "issues_get_batch": {"ids": ["ISS-000001", "ISS-000002"]},
        "issues_update": {"id": "ISS-000001", "priority": "low"},
        "issues_update_batch": {"updates": [{"id": "ISS-000002", "status": "in_progress"}]},
        "issues_delete": {"id": "ISS-000003", "confirm": True},
        "issues_labels": {"operation": "list"},
        "issues_metadata": {"operation": "get", "issueId": "ISS-000001"},
        "issues_projects": {"operation": "list"},
        "issues_all_complete": {},
        "issues_mark_complete": {"id": "ISS-000004", "note": "Done."},
        "issues_stats": {"groupBy": "status"},
        "session_start": {"specFile": SPEC},
        "session_phase": {"sessionId": SESSION, "phase": "plan", "status": "complete"},
        "session_checkpoint": {
            "sessionId": SESSION,
            "tasksCompleted": ["ISS-000001"],
            "tasksPending": ["ISS-000002"],
            "lastAction": "Wrote it.",
            "resumeInstructions": "Test it.",
        },
        "session_complete": {"sessionId": SESSION, "status": "completed", "prNumber": 7},
        "session_get": {},
        "session_status": {},
        "init_workspace": {},
    },
    failing={
        "issues_get": {"id": "ISS-000099"},
        "issues_update": [{"id": "ISS-000099", "status": "open"}, {"id": "ISS-000001", "claim": True}],
        "issues_delete": {"id": "ISS-000099", "confirm": True},
        "issues_labels": {"operation": "add", "issueId": "ISS-000001"},
        "issues_metadata": {"operation": "set", "issueId": "ISS-000001", "key": "x"},
        "session_start": [{"specFile": "no.md"}, {"specFile": "../secret.md"}],
        "session_phase": {"sessionId": "../x", "phase": "plan", "status": "started"},
        "session_checkpoint": {"sessionId": SESSION, "tasksCompleted": []},
        "session_complete": {"sessionId": "wf-1", "status": "failed"},
        "session_get": {"sessionId": "wf-1"},
        "session_status": [{"sessionId": "wf-1"}, {"sessionId": SESSION, "list": "all"}],
    },
    volatile=r"\d{4}-\d\d-\d\d-nogit-\w{4}|chk-\d+-\w{8}|[Dd]uration\w*\W+\d+\w*( \d+s)?",
    snapshots=Path(__file__).parents[1] / "snapshots",
    budget=LIST_TOKENS,
    excused={
        "each_form_is_enough_by_itself:init_workspace": "the text says the status in words of its own",
    },
    obvious={
        "issues_create": ["title", "labels", "assignee", "project", "wranglerContext"],
        "issues_list": ["assignee", "project"],
        "issues_get": ["id"],
        "issues_get_batch": ["ids"],
        "issues_update": ["id", "title", "blockedBy"],
        "issues_update_batch": ["updates"],
        "issues_delete": ["id"],
        "issues_labels": ["offset", "labels"],
        "issues_metadata": ["issueId", "key"],
        "issues_projects": ["issueId", "project"],
        "issues_all_complete": ["issueIds", "parentTaskId", "labels", "project"],
        "issues_mark_complete": ["id"],
        "issues_stats": ["labels", "project"],
        "session_start": ["workflow", "skipStepNames"],
        "session_phase": ["sessionId", "phase", "metadata"],
        "session_checkpoint": ["sessionId", *WORK, "variables", "stepResults"],
        "session_complete": ["sessionId", "prUrl", "prNumber", "summary", "stepExecutionSummary"],
        "session_get": ["sessionId"],
        "session_status": ["sessionId"],
    },
)


@contract.per_tool
def test_every_tool_of_the_issues_server_keeps_the_contract(cases: Cases) -> None:
    cases.run()
