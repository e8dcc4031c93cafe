"""What can be done with sessions: start them, record progress, resume them, end them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from laconic.kit import Conflict, Failure, NotFound
from laconic.servers.issues.git.worktrees import work_tree
from laconic.servers.issues.places import HOME
from laconic.servers.issues.sessions.answers import CheckpointSaved, PhaseMark, SessionEnd, SessionStarted
from laconic.servers.issues.sessions.audit import checkpoint_line, end_line, phase_line
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.sessions.folder import SessionFolder
from laconic.servers.issues.sessions.lists import SessionList
from laconic.servers.issues.sessions.models import ACTIVE, ENDED, Session
from laconic.servers.issues.sessions.paths import WorkspacePaths
from laconic.servers.issues.sessions.questions import ANSWER, QUESTION, Question, last_question
from laconic.servers.issues.sessions.views import SessionFound, SessionStatus
from laconic.servers.issues.timestamps import stamp

if TYPE_CHECKING:
    from laconic.servers.issues.sessions.starting.start import Starts

PhaseStatus = Literal["started", "complete", "failed", "paused", "resumed"]
Scope = Literal["active", "all"]


class Sessions:
    """The sessions of one workspace."""

    def __init__(
        self,
        workspace: Path,
        *,
        find: Callable[[str], Path] | None = None,
        home: str = HOME,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open the sessions of a workspace; `find` returns the path of an issue's file."""
        self._paths = WorkspacePaths(workspace, find, home)
        self._files = SessionFiles(self._paths.root, home)
        self._now = now

    @cached_property
    def _starts(self) -> Starts:
        from laconic.servers.issues.sessions.starting.start import Starts  # most calls do without

        return Starts(self._paths, self._files, self._now)

    async def start(self, spec_file: str, folder: str | None = None, **options: Any) -> SessionStarted:
        """Start a session in its own worktree; the options are those of `Starts.start`."""
        return await self._starts.start(spec_file, folder, **options)

    async def bring(self, session_id: str) -> SessionStarted:
        """Copy the specification of a session into its worktree."""
        return await self._starts.bring(session_id)

    def phase(
        self,
        session_id: str,
        phase: str,
        status: PhaseStatus,
        metadata: Mapping[str, Any] | None = None,
        question: str | None = None,
    ) -> PhaseMark:
        """Record the phase of a session, pause or resume it; repeating the call changes nothing."""
        more = {**(metadata or {}), **({QUESTION: question} if question else {})}
        line = phase_line(phase, status, stamp(self._now()), more)
        with self._files.changing(session_id) as folder:
            session = Session.of(folder.context)
            _refuse_ended(session, status)
            at = folder.audit.note(line)
            folder.update(_moved(session, phase, status), at)
            now = Session.of(folder.context).status
        facts = {"session_id": session_id, "phase": phase, "status": status, "timestamp": at}
        return PhaseMark(**facts, session_status=now, asked=bool(question))

    def answer(self, session_id: str, text: str) -> Question:
        """Answer the open question of a session: it goes on, and its agent reads the answer.

        Raises:
            NotFound: no such session.
            Conflict: it has no open question.
        """
        with self._files.changing(session_id) as folder:
            session = Session.of(folder.context)
            question = last_question(folder.audit.entries, session.status)
            if question is None or question.state != "open":
                words = f"Session {session_id} has no open question."
                raise Conflict(words, advice="session_status with list: active shows those that have.")
            line = phase_line(session.current_phase, "resumed", stamp(self._now()), {ANSWER: text})
            at = folder.audit.note(line)
            folder.update(_moved(session, session.current_phase, "resumed"), at)
        return replace(question, state="answered", answer=text)

    def questions(self) -> dict[str, Question]:
        """Return the open questions by session, of all work trees, the longest waiting first."""
        asked: dict[str, Question] = {}
        for folder in self._files.all():
            found = last_question(folder.audit.entries, Session.of(folder.context).status)
            if found is not None and found.state == "open":
                asked[folder.id] = found
        return dict(sorted(asked.items(), key=lambda pair: pair[1].asked_at))

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
        """Return everything needed to continue a session that has not ended; without an id, the nearest."""
        known = [self._files.one(session_id)] if session_id else self._nearest("active")
        if not known:
            return SessionFound(found=False)
        return SessionFound.of(known[0], self._session(known[0]), known[1:])

    def status(self, session_id: str | None = None) -> SessionStatus:
        """Return the progress of a session; without an id, of the newest."""
        known = [self._files.one(session_id)] if session_id else self._nearest("all")
        if not known:
            raise _no_sessions()
        others = [folder for folder in known[1:] if Session.of(folder.context).status in ACTIVE]
        return SessionStatus.of(known[0], self._session(known[0]), others, self._now())

    def list(self, scope: Scope, start: int = 0) -> SessionList:
        """List sessions of all work trees, newest first."""
        known = self._newest("all")
        shown = [folder for folder in known if scope == "all" or Session.of(folder.context).status in ACTIVE]
        return SessionList.of(
            [(folder, self._session(folder)) for folder in shown], len(known), scope, start=start
        )

    def _nearest(self, scope: Scope) -> Sequence[SessionFolder]:
        """Return the sessions, newest first, but before all others those of this work tree.

        First those that work in it, if git added it; then those that it started and that have not ended.
        """
        here, own = work_tree(self._paths.root), self._files.workspace

        def distance(folder: SessionFolder) -> int:
            session = Session.of(folder.context)
            if here is not None and here.name and session.worktree_path == str(here.top):
                return 0
            return 1 if folder.workspace == own and session.status in ACTIVE else 2

        return sorted(self._newest(scope), key=distance)

    def _newest(self, scope: Scope) -> Sequence[SessionFolder]:
        found = [(Session.of(folder.context), folder) for folder in self._files.all()]
        shown = [pair for pair in found if scope == "all" or pair[0].status in ACTIVE]
        return [folder for _, folder in sorted(shown, key=lambda pair: pair[0].age, reverse=True)]

    def _session(self, folder: SessionFolder) -> Session:
        session = Session.of(folder.context)
        return session.model_copy(update={"worktree_path": self._paths.tree(session.worktree_path)})


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
