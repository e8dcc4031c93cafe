"""What may be done with sessions: begin, note where they are, take them up again, end them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from laconic.kit import Conflict, Failure, NotFound, OutsideWorkspace
from laconic.servers.issues.session_files import AuditEntry, Kept, SessionFiles, active_step, phases_done
from laconic.servers.issues.session_models import (
    ACTIVE,
    Checkpoint,
    CheckpointSaved,
    PhaseMark,
    Session,
    SessionEnd,
    SessionFound,
    SessionList,
    SessionStarted,
    SessionStatus,
    stamp,
)
from laconic.text import nearest

PhaseStatus = Literal["started", "complete", "failed", "paused", "resumed"]
Scope = Literal["active", "all"]

_SHOWN: Final = 5  # audit entries in an answer
_NAME: Final = 50  # characters of a worktree's name
_GRACE: Final = 5.0  # seconds git has to stop
_OWN: Final = frozenset({"phase", "timestamp", "status"})  # keys of an audit line that metadata cannot have
_OF_ONE_REPOSITORY: Final = frozenset(  # set where a hook started us, and then not about the folder we mean
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"]
)


class Sessions:
    """The sessions of one workspace."""

    def __init__(self, workspace: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._files = SessionFiles(workspace)
        self._root = self._files.workspace
        self._now = now

    async def start(
        self,
        spec_file: str,
        working_directory: str | None = None,
        workflow: str = "spec-implementation",
        skip_checks: bool | None = None,
        skip_step_names: Sequence[str] | None = None,
    ) -> SessionStarted:
        """Begin a session in a worktree of its own; where none can be made, it says why."""
        folder = self._inside(Path(working_directory or "."), self._root)
        spec = self._spec(spec_file, folder)
        session_id = await self._reserve(folder)
        tree = Worktree(folder)
        try:
            tree = await _add_worktree(self._root, folder, _name(spec), session_id)
            context = _context(session_id, spec, workflow, tree, stamp(self._now()))
            context |= {"skipChecks": skip_checks} if skip_checks is not None else {}
            context |= {"skipStepNames": list(skip_step_names)} if skip_step_names else {}
            self._files.fill(session_id, _first_line(context), context)
        except BaseException:
            self._files.release(session_id)
            if tree.path != folder:
                await _undo(folder, tree.path, tree.branch)
            raise
        return SessionStarted(
            session_id=session_id,
            audit_path=f".wrangler/sessions/{session_id}/audit.jsonl",
            worktree_path=self._shown(str(tree.path)),
            branch_name=tree.branch,
            worktree_created=not tree.error,
            worktree_error=tree.error,
            workflow=workflow,
        )

    def _inside(self, path: Path, base: Path) -> Path:
        found = Path(os.path.realpath(base / path))
        if not found.is_relative_to(self._root):
            raise OutsideWorkspace(f"{path.name or 'The path'} is outside the workspace.")
        return found

    def _spec(self, spec_file: str, folder: Path) -> str:
        """The specification's path, as the session keeps it."""
        found = self._inside(Path(spec_file), folder)
        if found.is_file():
            return self._shown(spec_file)
        known = (self._root / ".wrangler" / "specifications").rglob("*.md")
        near = nearest(spec_file, [self._shown(str(path)) for path in known])
        raise Failure(
            f"Spec file not found: {self._shown(spec_file)[:200]}.",
            code="FILE_NOT_FOUND",
            category="not_found",
            field="specFile",
            advice=f"Did you mean {near[0]}?" if near else "Pass a path from the workspace.",
        )

    async def _reserve(self, folder: Path) -> str:
        code, said = await _git(folder, "rev-parse", "--short", "HEAD")
        head = said.strip() if code == 0 else "nogit"
        while True:
            session_id = f"{self._now():%Y-%m-%d}-{head}-{os.urandom(2).hex()}"
            if self._files.reserve(session_id):
                return session_id

    def phase(
        self, session_id: str, phase: str, status: PhaseStatus, metadata: Mapping[str, Any] | None = None
    ) -> PhaseMark:
        """Note where a session is, pause it or let it go on; the same again changes nothing."""
        line: dict[str, Any] = {"phase": phase, "timestamp": stamp(self._now()), "status": status}
        for name, value in (metadata or {}).items():
            line[f"metadata_{name}" if name in _OWN else name] = value
        with self._files.changing(session_id) as kept:
            session = Session.of(kept.context)
            _refuse_ended(session, status)
            at = kept.note(line)
            kept.update(_moved(session, phase, status), at)
        return PhaseMark(session_id=session_id, phase=phase, status=status, timestamp=at)

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
        """Keep what is needed to go on later; the same again changes nothing."""
        tasks = {"tasksCompleted": list(tasks_completed), "tasksPending": list(tasks_pending)}
        body: dict[str, Any] = {**tasks, "variables": dict(variables or {}), "lastAction": last_action}
        body["resumeInstructions"] = resume_instructions
        if step_results:
            body["stepResults"] = [dict(result) for result in step_results]
        with self._files.changing(session_id) as kept:
            point = self._point(kept, {"currentPhase": kept.context.get("currentPhase", ""), **body})
            if not any(raw.get("checkpoint_id") == point["checkpointId"] for raw in kept.audit):
                kept.note(_checkpoint_line(point))
            kept.update(tasks, point["createdAt"])
        return CheckpointSaved(
            session_id=session_id,
            checkpoint_id=point["checkpointId"],
            tasks_completed=len(tasks_completed),
            tasks_pending=len(tasks_pending),
            timestamp=point["createdAt"],
            step_results=body.get("stepResults"),
        )

    def _point(self, kept: Kept, body: Mapping[str, Any]) -> dict[str, Any]:
        """The checkpoint there is if it says the same, or else a new one; keys of others stay in it."""
        old = kept.checkpoint or {}
        is_same = all(old.get(name) == value for name, value in body.items())
        is_same = is_same and ("stepResults" in old) == ("stepResults" in body)
        if is_same and old.get("checkpointId") and old.get("createdAt"):
            return old
        now = self._now()
        made = f"chk-{int(now.timestamp() * 1000)}-{os.urandom(4).hex()}"
        others = {name: value for name, value in old.items() if name != "stepResults"}
        point = {**others, "sessionId": kept.id, "checkpointId": made, "createdAt": stamp(now), **body}
        kept.write("checkpoint.json", point)
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
        """End a session; what is left out stays as an earlier ending said it."""
        given = {"prUrl": pr_url, "prNumber": pr_number, "summary": summary, "stepExecutionSummary": steps}
        changes = {name: value for name, value in given.items() if value}
        with self._files.changing(session_id) as kept:
            before = Session.of(kept.context)
            is_again = before.status == status and before.completed_at is not None
            changes |= {"status": status, "currentPhase": "complete"}
            changes |= {} if is_again else {"completedAt": stamp(self._now())}
            session = Session.of({**kept.context, **changes})
            milliseconds = round(session.seconds(self._now()) * 1000)
            at = kept.note(_last_line(session, stamp(self._now()), milliseconds))
            kept.update(changes, at)
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
        """Give all that is needed to go on; without an id, with the newest session that has not ended."""
        known = [self._files.one(session_id)] if session_id else self._newest(self._files.all(), "active")
        if not known:
            return SessionFound(found=False)
        kept = known[0]
        return SessionFound(
            session_id=kept.id,
            session=self._session(kept).wire(),
            checkpoint=_point_of(kept),
            audit=[entry.line() for entry in kept.entries[-_SHOWN:]],
            audit_entry_count=len(kept.audit),
            blocker=kept.blocker,
            others=[other.id for other in known[1:]],
            warnings=kept.warnings,
        )

    def status(self, session_id: str | None = None) -> SessionStatus:
        """Say where a session stands; without an id, the newest there is."""
        known = [self._files.one(session_id)] if session_id else self._newest(self._files.all(), "all")
        if not known:
            raise _no_sessions()
        kept = known[0]
        session, entries = self._session(kept), kept.entries
        done, pending = len(session.tasks_completed), len(session.tasks_pending)
        return SessionStatus(
            session_id=kept.id,
            status=session.status,
            active_step="none" if session.status == "completed" else active_step(entries),
            phases_completed=phases_done(entries),
            tasks_completed=done,
            tasks_pending=pending,
            tasks_total=done + pending,
            duration=_duration(session.seconds(self._now())),
            spec_file=session.spec_file,
            worktree_path=session.worktree_path,
            branch_name=session.branch_name,
            audit_entry_count=len(entries),
            last_activity=_activity(entries),
            checkpoint=_point_of(kept),
            blocker=kept.blocker,
            others=[one.id for one in self._newest(known[1:], "active")],
            warnings=kept.warnings,
        )

    def list(self, scope: Scope) -> SessionList:
        """List sessions, newest first."""
        known = self._files.all()
        shown = self._newest(known, scope)
        sessions = [self._session(kept).wire() for kept in shown]
        warnings = [f"{kept.id}: {warning}" for kept in shown for warning in kept.warnings]
        return SessionList(total=len(known), scope=scope, sessions=sessions, warnings=warnings)

    def _newest(self, known: Sequence[Kept], scope: Scope) -> Sequence[Kept]:
        found = [(Session.of(kept.context), kept) for kept in known]
        shown = [pair for pair in found if scope == "all" or pair[0].status in ACTIVE]
        return [kept for _, kept in sorted(shown, key=lambda pair: pair[0].age, reverse=True)]

    def _session(self, kept: Kept) -> Session:
        session = Session.of(kept.context)
        return session.model_copy(update={"worktree_path": self._shown(session.worktree_path)})

    def _shown(self, path: str) -> str:
        """A path as an answer says it: from the workspace, where it is inside."""
        given = Path(path)
        inside = given.is_absolute() and given.is_relative_to(self._root)
        return given.relative_to(self._root).as_posix() if inside else path


def _no_sessions() -> Failure:
    advice = "Begin one with session_start."
    return Failure(
        "No workflow sessions found.", code=NotFound.code, category=NotFound.category, advice=advice
    )


def _refuse_ended(session: Session, status: PhaseStatus) -> None:
    """What has ended cannot be paused; of the two, only a failed session can go on."""
    is_ended = session.status in ("completed", "failed")
    if (is_ended and status == "paused") or (session.status == "completed" and status == "resumed"):
        said = f"Session {session.id} is {session.status}: it cannot be {status}."
        advice = "Begin another with session_start."
        raise Conflict(said, code="INVALID_ARGUMENTS", field="status", advice=advice)


def _moved(session: Session, phase: str, status: PhaseStatus) -> dict[str, Any]:
    """What a phase changes in context.json."""
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


def _first_line(context: Mapping[str, Any]) -> dict[str, Any]:
    line = {"phase": "init", "timestamp": context["startedAt"], "status": "complete"}
    line |= {"session_id": context["id"], "worktree": context["worktreePath"]}
    return {**line, "branch": context["branchName"], "spec_file": context["specFile"]}


def _checkpoint_line(point: Mapping[str, Any]) -> dict[str, Any]:
    line = {"phase": "checkpoint", "timestamp": point["createdAt"], "status": "complete"}
    counts = {"tasks_completed": len(point["tasksCompleted"]), "tasks_pending": len(point["tasksPending"])}
    return {**line, "checkpoint_id": point["checkpointId"], **counts}


def _last_line(session: Session, at: str, milliseconds: int) -> dict[str, Any]:
    status = "failed" if session.status == "failed" else "complete"
    line: dict[str, Any] = {"phase": "complete", "timestamp": at, "status": status, "session_id": session.id}
    line |= {"duration_ms": milliseconds, "tasks_completed": len(session.tasks_completed)}
    some = {"pr_url": session.pr_url, "summary": session.summary}
    return {**line, **{name: value for name, value in some.items() if value}}


def _point_of(kept: Kept) -> dict[str, Any] | None:
    return Checkpoint.of(kept.checkpoint).wire() if kept.checkpoint else None


def _activity(entries: Sequence[AuditEntry]) -> dict[str, str] | None:
    last = entries[-1] if entries else None
    return {"phase": last.phase, "status": last.status, "timestamp": last.timestamp} if last else None


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"


def _name(spec: str) -> str:
    """The name of a worktree: that of the specification, without its number."""
    stem = re.sub(r"^(SPEC-\d+-|spec-)", "", Path(spec).name.removesuffix(".md"))
    plain = re.sub(r"[^a-z0-9_\s-]", "", stem.lower())
    return re.sub(r"[\s_-]+", "-", plain).strip("-")[:_NAME].strip("-") or "implementation"


@dataclass(frozen=True)
class Worktree:
    """Where a session works: a worktree of its own, or the folder itself and the reason for it."""

    path: Path
    branch: str = "current"
    error: str = ""


async def _add_worktree(root: Path, folder: Path, name: str, session_id: str) -> Worktree:
    branch, path = f"wrangler/{name}/{session_id}", _claim(root, folder / ".worktrees", name, session_id[-4:])
    if isinstance(path, str):
        return Worktree(folder, error=path)
    try:
        code, said = await _git(folder, "worktree", "add", "--quiet", "-b", branch, str(path))
    except asyncio.CancelledError:
        await _undo(folder, path, branch)
        raise
    if code != 0:
        await _undo(folder, path, branch)
        return Worktree(folder, error=_reason(said))
    await _hide(folder, path.parent)
    return Worktree(path, branch)


def _claim(root: Path, home: Path, name: str, suffix: str) -> Path | str:
    """Make an empty folder that no other session has, or say why there can be none."""
    if not Path(os.path.realpath(home)).is_relative_to(root):
        return ".worktrees leads out of the workspace"
    for path in (home / name, home / f"{name}-{suffix}"):
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            continue
        except OSError as error:
            return f".worktrees: {error.strerror}"
    return f".worktrees/{name} is taken"


async def _hide(folder: Path, home: Path) -> None:
    """Keep the worktrees out of `git status`, unless the user has seen to it."""
    code, _ = await _git(folder, "check-ignore", "--quiet", str(home / "any"))
    if code == 1:
        with suppress(OSError), (home / ".gitignore").open("x", encoding="utf-8") as file:
            file.write("*\n")


async def _undo(folder: Path, path: Path, branch: str) -> None:
    """Leave nothing of a worktree that could not be made."""
    await _git(folder, "worktree", "remove", "--force", str(path))
    shutil.rmtree(path, ignore_errors=True)
    await _git(folder, "branch", "-D", branch)
    with suppress(OSError):
        path.parent.rmdir()


async def _git(folder: Path, *words: str) -> tuple[int, str]:
    """Run git and give its exit code and what it said; stopped when the call is cancelled."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    try:
        process = await asyncio.create_subprocess_exec(
            *("git", *words),
            cwd=folder,
            env={**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            stdin=asyncio.subprocess.DEVNULL,  # ours is the protocol's
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # so that it can be stopped together with its hooks and filters
        )
    except OSError:
        return 127, "git cannot be run here"
    try:
        said, _ = await process.communicate()
    except asyncio.CancelledError:
        await _stop(process)
        raise
    return process.returncode or 0, said.decode(errors="replace")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End git and what it started: politely first, for then it takes away what it half made."""
    if sys.platform == "win32":
        process.kill()
        await process.wait()
        return
    for word in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, word)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE)
            return


def _reason(said: str) -> str:
    """What git said was wrong, on one line and without the paths of this machine."""
    lines = [line.removeprefix("fatal: ") for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "git gave no reason"
    last = re.sub(r" \(or any .*\)(: \.git)?$", "", last)
    return re.sub(r"/(?:[^\s'/]+/)+([^\s'/]+)", r"\1", last).rstrip(".")
