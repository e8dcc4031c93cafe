"""What may be done with sessions: begin, note where they are, take them up again, end them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from laconic.kit import Conflict, Failure, NotFound, OutsideWorkspace
from laconic.servers.issues.session_files import (
    AuditEntry,
    Kept,
    SessionFiles,
    active_step,
    phases_done,
)
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
_OWN: Final = frozenset({"phase", "timestamp", "status"})  # keys of an audit line that metadata cannot have
_VOLATILE: Final = frozenset({"timestamp", "duration_ms"})
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
        try:
            tree = await _add_worktree(self._root, folder, _name(spec), session_id)
            context = self._first(session_id, spec, workflow, tree, skip_checks, skip_step_names)
            self._files.fill(session_id, _first_line(context), context)
        except BaseException:
            self._files.release(session_id)
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
        found = self._inside(Path(spec_file), folder)
        if found.is_file():
            return str(found.relative_to(self._root)) if Path(spec_file).is_absolute() else spec_file
        known = [
            path.relative_to(self._root).as_posix()
            for path in (self._root / ".wrangler" / "specifications").rglob("*.md")
        ]
        near = nearest(spec_file, known)
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

    def _first(
        self,
        session_id: str,
        spec: str,
        workflow: str,
        tree: Worktree,
        skip_checks: bool | None,
        skip_step_names: Sequence[str] | None,
    ) -> dict[str, Any]:
        now = stamp(self._now())
        skips = {"skipChecks": skip_checks, "skipStepNames": list(skip_step_names or []) or None}
        context = {"id": session_id, "specFile": spec, "status": "running", "currentPhase": "init"}
        context |= {"worktreePath": str(tree.path), "branchName": tree.branch, "workflow": workflow}
        lists = {"phasesCompleted": ["init"], "tasksCompleted": [], "tasksPending": []}
        some = {name: value for name, value in skips.items() if value is not None}
        error = {"worktreeError": tree.error} if tree.error else {}
        return {**context, **error, **some, **lists, "startedAt": now, "updatedAt": now}

    def phase(
        self, session_id: str, phase: str, status: PhaseStatus, metadata: Mapping[str, Any] | None = None
    ) -> PhaseMark:
        """Note where a session is; the same again changes nothing."""
        with self._files.changing(session_id) as kept:
            context = Session.of(kept.context)
            _refuse_ended(context, status)
            line: dict[str, Any] = {"phase": phase, "timestamp": stamp(self._now()), "status": status}
            line |= {
                f"metadata_{name}" if name in _OWN else name: value
                for name, value in (metadata or {}).items()
            }
            line = _noted(kept, line)
            kept.update(_moved(context, phase, status), line["timestamp"])
        return PhaseMark(session_id=session_id, phase=phase, status=status, timestamp=line["timestamp"])

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
        with self._files.changing(session_id) as kept:
            tasks = {"tasksCompleted": list(tasks_completed), "tasksPending": list(tasks_pending)}
            body = {"currentPhase": kept.context.get("currentPhase", ""), **tasks}
            body |= {"variables": dict(variables or {}), "lastAction": last_action}
            body |= {"resumeInstructions": resume_instructions}
            body |= {"stepResults": [dict(result) for result in step_results]} if step_results else {}
            point = self._point(kept, body)
            if not any(raw.get("checkpoint_id") == point["checkpointId"] for raw in kept.audit):
                kept.append(_checkpoint_line(point, tasks))
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
        """The checkpoint there is if it says the same, or else a new one."""
        old = kept.checkpoint or {}
        same = {name: old.get(name) for name in [*body, *(["stepResults"] if "stepResults" in old else [])]}
        if same == body and old.get("checkpointId") and old.get("createdAt"):
            return old
        now = self._now()
        made = f"chk-{int(now.timestamp() * 1000)}-{os.urandom(4).hex()}"
        others = {name: value for name, value in old.items() if name != "stepResults"}
        point = {**others, "sessionId": kept.id, "checkpointId": made, "createdAt": stamp(now), **body}
        kept.save(point)
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
        given: dict[str, Any] = {"prUrl": pr_url, "prNumber": pr_number, "summary": summary}
        given |= {"stepExecutionSummary": dict(steps) if steps else None}
        with self._files.changing(session_id) as kept:
            end = {name: value for name, value in given.items() if value is not None}
            context = {**kept.context, **end}
            before = Session.of(kept.context)
            is_again = before.status == status and before.completed_at is not None
            at = stamp(before.completed_at if is_again and before.completed_at else self._now())
            context |= {"status": status, "currentPhase": "complete", "completedAt": at}
            session = Session.of(context)
            line = _noted(
                kept, _last_line(session, stamp(self._now()), int(session.seconds(self._now()) * 1000))
            )
            kept.update(context, line["timestamp"])
        return SessionEnd(
            session_id=session_id,
            status=status,
            duration_ms=int(session.seconds(self._now()) * 1000),
            tasks_completed=len(session.tasks_completed),
            pr_url=session.pr_url or None,
            pr_number=session.pr_number,
            summary=session.summary or None,
            step_execution_summary=session.step_execution_summary,
        )

    def get(self, session_id: str | None = None) -> SessionFound:
        """Give all that is needed to go on; without an id, with the newest session that has not ended."""
        active = [] if session_id else self._newest(self._files.all(), "active")
        if not session_id and not active:
            return SessionFound(found=False)
        kept = self._files.one(session_id) if session_id else active[0]
        session, point = self._session(kept), kept.checkpoint
        return SessionFound(
            session_id=kept.id,
            session=session.wire(),
            checkpoint=Checkpoint.of(point).wire() if point else None,
            audit=[entry.line() for entry in kept.entries[-_SHOWN:]],
            audit_entry_count=len(kept.entries),
            blocker=_blocker(kept),
            others=[other.id for other in active[1:]],
            warnings=kept.warnings,
        )

    def status(self, session_id: str | None = None) -> SessionStatus:
        """Say where a session stands; without an id, the newest there is."""
        known = [] if session_id else self._newest(self._files.all(), "all")
        if not session_id and not known:
            raise Failure(
                "No workflow sessions found.",
                code=NotFound.code,
                category=NotFound.category,
                advice="Begin one with session_start.",
            )
        kept = self._files.one(session_id) if session_id else known[0]
        session, last = self._session(kept), kept.entries[-1] if kept.entries else None
        done, pending = len(session.tasks_completed), len(session.tasks_pending)
        return SessionStatus(
            session_id=kept.id,
            status=session.status,
            active_step=active_step(kept.entries),
            phases_completed=phases_done(kept.entries),
            tasks_completed=done,
            tasks_pending=pending,
            tasks_total=done + pending,
            duration=_duration(session.seconds(self._now())),
            spec_file=session.spec_file,
            worktree_path=session.worktree_path,
            branch_name=session.branch_name,
            audit_entry_count=len(kept.entries),
            last_activity=_activity(last) if last else None,
            checkpoint=Checkpoint.of(kept.checkpoint).wire() if kept.checkpoint else None,
            blocker=_blocker(kept),
            others=[one.id for one in self._newest(known[1:], "active")],
            warnings=kept.warnings,
        )

    def list(self, scope: Scope) -> SessionList:
        """List sessions, newest first."""
        known = self._files.all()
        shown = self._newest(known, scope)
        warnings = [f"{kept.id}: {warning}" for kept in shown for warning in kept.warnings]
        sessions = [self._session(kept).wire() for kept in shown]
        return SessionList(total=len(known), scope=scope, sessions=sessions, warnings=warnings)

    def _newest(self, known: Sequence[Kept], scope: Scope) -> Sequence[Kept]:
        found = [(Session.of(kept.context), kept) for kept in known]
        kept = [(one.age, each) for one, each in found if scope == "all" or one.status in ACTIVE]
        return [each for _, each in sorted(kept, key=lambda pair: pair[0], reverse=True)]

    def _session(self, kept: Kept) -> Session:
        session = Session.of(kept.context)
        return session.model_copy(update={"worktree_path": self._shown(session.worktree_path)})

    def _shown(self, path: str) -> str:
        """A path as an answer says it: from the workspace, where it is inside."""
        given = Path(path)
        inside = given.is_absolute() and given.is_relative_to(self._root)
        return given.relative_to(self._root).as_posix() if inside else path


def _refuse_ended(session: Session, status: PhaseStatus) -> None:
    is_over = session.status not in ACTIVE and status == "paused"
    if is_over or (session.status == "completed" and status == "resumed"):
        raise Conflict(
            f"Session {session.id} is {session.status}: it cannot be {status}.",
            code="TOOL_EXECUTION_ERROR",
            advice="Begin another with session_start.",
        )


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


def _noted(kept: Kept, line: dict[str, Any]) -> dict[str, Any]:
    """Add a line to the audit unless it says what the last one does; give the one that stands there."""
    last: dict[str, Any] = next((raw for raw in reversed(kept.audit) if raw.get("phase") != "checkpoint"), {})
    if _steady(last) == _steady(line) and isinstance(last.get("timestamp"), str):
        return last
    kept.append(line)
    return line


def _steady(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in _VOLATILE}


def _first_line(context: Mapping[str, Any]) -> dict[str, Any]:
    line = {"phase": "init", "timestamp": context["startedAt"], "status": "complete"}
    line |= {"session_id": context["id"], "worktree": context["worktreePath"]}
    return {**line, "branch": context["branchName"], "spec_file": context["specFile"]}


def _checkpoint_line(point: Mapping[str, Any], tasks: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    line = {"phase": "checkpoint", "timestamp": point["createdAt"], "status": "complete"}
    counts = {"tasks_completed": len(tasks["tasksCompleted"]), "tasks_pending": len(tasks["tasksPending"])}
    return {**line, "checkpoint_id": point["checkpointId"], **counts}


def _last_line(session: Session, at: str, duration: int) -> dict[str, Any]:
    status = "failed" if session.status == "failed" else "complete"
    line: dict[str, Any] = {"phase": "complete", "timestamp": at, "status": status, "session_id": session.id}
    line |= {"duration_ms": duration, "tasks_completed": len(session.tasks_completed)}
    some = {"pr_url": session.pr_url, "summary": session.summary}
    return {**line, **{name: value for name, value in some.items() if value}}


def _blocker(kept: Kept) -> str | None:
    """What stands in the way, unless the session was resumed since."""
    found = kept.blocker
    if found is None:
        return None
    at = str(found.get("timestamp", ""))
    resumed = any(entry.status == "resumed" and entry.timestamp > at for entry in kept.entries)
    return None if resumed else str(found.get("details") or "blocker.json gives no details")


def _activity(entry: AuditEntry) -> dict[str, str]:
    return {"phase": entry.phase, "status": entry.status, "timestamp": entry.timestamp}


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"


def _name(spec: str) -> str:
    """The name of a worktree: that of the specification, without its number."""
    stem = re.sub(r"^(SPEC-\d+-|spec-)", "", Path(spec).name.removesuffix(".md"))
    plain = re.sub(r"[^a-z0-9_\s-]", "", stem.lower())
    return re.sub(r"[\s_-]+", "-", plain)[:_NAME].strip("-") or "implementation"


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
    said = ""
    try:
        code, said = await _git(folder, "worktree", "add", "--quiet", "-b", branch, str(path))
        if code == 0:
            await _hide(folder, path.parent)
            return Worktree(path, branch)
    except asyncio.CancelledError:
        await _undo(folder, path, branch)
        raise
    await _undo(folder, path, branch)
    return Worktree(folder, error=_reason(said))


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
    """Run git and give its exit code and what it said; killed when the call is cancelled."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    try:
        process = await asyncio.create_subprocess_exec(
            *("git", *words),
            cwd=folder,
            env={**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            stdin=asyncio.subprocess.DEVNULL,  # ours is the protocol's
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError:
        return 127, "git cannot be run here"
    try:
        said, _ = await process.communicate()
    except asyncio.CancelledError:
        process.terminate()  # git then takes away what it half made
        await process.wait()
        raise
    return process.returncode or 0, said.decode(errors="replace")


def _reason(said: str) -> str:
    """What git said was wrong, on one line and without the paths of this machine."""
    lines = [line.removeprefix("fatal: ") for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "git gave no reason"
    last = re.sub(r" \(or any .*\)(: \.git)?$", "", last)
    return re.sub(r"/(?:[^\s'/]+/)+([^\s'/]+)", r"\1", last).rstrip(".")
