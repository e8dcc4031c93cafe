"""What can be done with sessions: start them, record progress, resume them, end them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from laconic.kit import Conflict, Failure, NotFound
from laconic.servers.issues.git.running import run_git
from laconic.servers.issues.sessions.answers import CheckpointSaved, PhaseMark, SessionEnd, SessionStarted
from laconic.servers.issues.sessions.audit import checkpoint_line, end_line, phase_line
from laconic.servers.issues.sessions.files import SessionFiles, SessionFolder
from laconic.servers.issues.sessions.models import ACTIVE, ENDED, Session
from laconic.servers.issues.sessions.paths import WorkspacePaths
from laconic.servers.issues.sessions.views import SessionFound, SessionList, SessionStatus
from laconic.servers.issues.sessions.worktrees import Worktree, add_worktree, worktree_name
from laconic.servers.issues.timestamps import stamp

PhaseStatus = Literal["started", "complete", "failed", "paused", "resumed"]
Scope = Literal["active", "all"]


class Sessions:
    """The sessions of one workspace."""

    def __init__(
        self,
        workspace: Path,
        *,
        find: Callable[[str], Path] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open the sessions of a workspace; `find` returns the path of an issue's file."""
        self._paths = WorkspacePaths(workspace, find)
        self._files = SessionFiles(self._paths.root)
        self._now = now

    async def start(
        self,
        spec_file: str,
        working_directory: str | None = None,
        workflow: str = "spec-implementation",
        skip_checks: bool | None = None,
        skip_step_names: Sequence[str] | None = None,
    ) -> SessionStarted:
        """Start a session in its own worktree; if none can be created, the answer tells why."""
        folder = self._paths.folder(working_directory or ".", "workingDirectory")
        spec = await asyncio.to_thread(self._paths.specification, spec_file, folder)
        session_id = await self._reserve(folder)
        tree = Worktree(folder, folder)
        try:
            tree = await add_worktree(self._paths.root, folder, worktree_name(spec), session_id)
            context = _context(session_id, spec, workflow, tree, stamp(self._now()))
            context |= {"skipChecks": skip_checks} if skip_checks is not None else {}
            context |= {"skipStepNames": list(skip_step_names)} if skip_step_names else {}
            self._files.fill(session_id, context)
        except BaseException:
            self._files.release(session_id)
            await tree.remove()
            raise
        return SessionStarted(
            session_id=session_id,
            audit_path=f".wrangler/sessions/{session_id}/audit.jsonl",
            worktree_path=self._paths.shown(str(tree.path)),
            branch_name=tree.branch,
            worktree_created=not tree.error,
            worktree_error=tree.error,
            workflow=workflow,
        )

    async def _reserve(self, folder: Path) -> str:
        code, said = await run_git(folder, "rev-parse", "--short", "HEAD")
        head = said.strip() if code == 0 else "nogit"
        while True:
            session_id = f"{self._now():%Y-%m-%d}-{head}-{os.urandom(2).hex()}"
            if self._files.reserve(session_id):
                return session_id

    def phase(
        self, session_id: str, phase: str, status: PhaseStatus, metadata: Mapping[str, Any] | None = None
    ) -> PhaseMark:
        """Record the phase of a session, pause or resume it; repeating the call changes nothing."""
        line = phase_line(phase, status, stamp(self._now()), metadata or {})
        with self._files.changing(session_id) as folder:
            session = Session.of(folder.context)
            _refuse_ended(session, status)
            at = folder.audit.note(line)
            folder.update(_moved(session, phase, status), at)
            now = Session.of(folder.context).status
        return PhaseMark(session_id=session_id, phase=phase, status=status, timestamp=at, session_status=now)

    def checkpoint(
        self,
        session_id: str,
        tasks_completed: Sequence[str],
        tasks_pending: Sequence[str],
        last_action: str,
        resume_instructions: str,
        variables: Mapping[str, Any] | None = None,
        step_results: Sequence[Mapping[str, Any]] | None = None,
    ) -> CheckpointSaved:
        """Save what is needed to continue later; repeating the call changes nothing."""
        tasks = {"tasksCompleted": list(tasks_completed), "tasksPending": list(tasks_pending)}
        body: dict[str, Any] = {**tasks, "variables": dict(variables or {}), "lastAction": last_action}
        body["resumeInstructions"] = resume_instructions
        if step_results:
            body["stepResults"] = [dict(result) for result in step_results]
        with self._files.changing(session_id) as folder:
            point = self._point(folder, {"currentPhase": folder.context.get("currentPhase", ""), **body})
            if not folder.audit.holds_checkpoint(point["checkpointId"]):
                folder.audit.note(checkpoint_line(point))
            folder.update(tasks, point["createdAt"])
        return CheckpointSaved(
            session_id=session_id,
            checkpoint_id=point["checkpointId"],
            tasks_completed=len(tasks_completed),
            tasks_pending=len(tasks_pending),
            timestamp=point["createdAt"],
            step_results=body.get("stepResults"),
        )

    def _point(self, folder: SessionFolder, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the old checkpoint if it is the same, else a new one, which keeps keys of other programs."""
        old = folder.checkpoint or {}
        is_same = all(old.get(name) == value for name, value in body.items())
        is_same = is_same and ("stepResults" in old) == ("stepResults" in body)
        if is_same and old.get("checkpointId") and old.get("createdAt"):
            return old
        now = self._now()
        made = f"chk-{int(now.timestamp() * 1000)}-{os.urandom(4).hex()}"
        others = {name: value for name, value in old.items() if name != "stepResults"}
        point = {**others, "sessionId": folder.id, "checkpointId": made, "createdAt": stamp(now), **body}
        folder.write("checkpoint.json", point)
        return point

    def complete(
        self,
        session_id: str,
        status: Literal["completed", "failed"],
        pr_url: str | None = None,
        pr_number: int | None = None,
        summary: str | None = None,
        steps: Mapping[str, Any] | None = None,
    ) -> SessionEnd:
        """End a session; omitted values stay as an earlier call set them."""
        given = {"prUrl": pr_url, "prNumber": pr_number, "summary": summary, "stepExecutionSummary": steps}
        changes = {name: value for name, value in given.items() if value}
        with self._files.changing(session_id) as folder:
            before = Session.of(folder.context)
            is_again = before.status == status and before.completed_at is not None
            changes |= {"status": status, "currentPhase": "complete"}
            changes |= {} if is_again else {"completedAt": stamp(self._now())}
            session = Session.of({**folder.context, **changes})
            milliseconds = round(session.seconds(self._now()) * 1000)
            at = folder.audit.note(end_line(session, stamp(self._now()), milliseconds))
            folder.update(changes, at)
        return SessionEnd(
            session_id=session_id,
            status=status,
            duration_ms=milliseconds,
            tasks_completed=len(session.tasks_completed),
            pr_url=session.pr_url or None,
            pr_number=session.pr_number,
            summary=session.summary or None,
            step_execution_summary=session.step_execution_summary,
        )

    def get(self, session_id: str | None = None) -> SessionFound:
        """Return everything needed to continue a session; without an id, the newest that has not ended."""
        known = [self._files.one(session_id)] if session_id else self._newest("active")
        if not known:
            return SessionFound(found=False)
        return SessionFound.of(known[0], self._session(known[0]), known[1:])

    def status(self, session_id: str | None = None) -> SessionStatus:
        """Return the progress of a session; without an id, of the newest."""
        known = [self._files.one(session_id)] if session_id else self._newest("all")
        if not known:
            raise _no_sessions()
        others = [folder for folder in known[1:] if Session.of(folder.context).status in ACTIVE]
        return SessionStatus.of(known[0], self._session(known[0]), others, self._now())

    def list(self, scope: Scope) -> SessionList:
        """List sessions, newest first."""
        known = self._newest("all")
        shown = [folder for folder in known if scope == "all" or Session.of(folder.context).status in ACTIVE]
        return SessionList.of(shown, len(known), scope)

    def _newest(self, scope: Scope) -> Sequence[SessionFolder]:
        found = [(Session.of(folder.context), folder) for folder in self._files.all()]
        shown = [pair for pair in found if scope == "all" or pair[0].status in ACTIVE]
        return [folder for _, folder in sorted(shown, key=lambda pair: pair[0].age, reverse=True)]

    def _session(self, folder: SessionFolder) -> Session:
        session = Session.of(folder.context)
        return session.model_copy(update={"worktree_path": self._paths.shown(session.worktree_path)})


def _no_sessions() -> Failure:
    advice = "Start one with session_start."
    return Failure(
        "No workflow sessions found.", code=NotFound.code, category=NotFound.category, advice=advice
    )


def _refuse_ended(session: Session, status: PhaseStatus) -> None:
    """Refuse to pause a session that has ended, or to resume one that is completed."""
    is_ended = session.status in ENDED
    if (is_ended and status == "paused") or (session.status == "completed" and status == "resumed"):
        said = f"Session {session.id} is {session.status}: it cannot be {status}."
        advice = "Start another with session_start."
        raise Conflict(said, code="INVALID_ARGUMENTS", field="status", advice=advice)


def _moved(session: Session, phase: str, status: PhaseStatus) -> dict[str, Any]:
    """Return what a phase changes in context.json."""
    changes: dict[str, Any] = {"currentPhase": phase}
    if status == "complete" and phase not in session.phases_completed:
        changes["phasesCompleted"] = [*session.phases_completed, phase]
    if status == "paused":
        changes["status"] = "paused"
    if status == "resumed" or (status == "started" and session.status == "paused"):
        changes |= {"status": "running", "completedAt": None}
    return changes


def _context(session_id: str, spec: str, workflow: str, tree: Worktree, at: str) -> dict[str, Any]:
    context = {"id": session_id, "specFile": spec, "status": "running", "currentPhase": "init"}
    context |= {"worktreePath": str(tree.path), "branchName": tree.branch, "workflow": workflow}
    context |= {"worktreeError": tree.error} if tree.error else {}
    lists = {"phasesCompleted": ["init"], "tasksCompleted": [], "tasksPending": []}
    return {**context, **lists, "startedAt": at, "updatedAt": at}
