"""Sessions as the tools show them: one to continue, its progress, or a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Self

from pydantic import Field

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.sessions.files import SessionFolder
from laconic.servers.issues.sessions.models import Checkpoint, Session
from laconic.servers.issues.timestamps import stamp, to_the_minute
from laconic.servers.issues.tolerant import as_word, written
from laconic.text import tagged

_COLUMNS: Final[tuple[str, ...]] = ("id", "status", "currentPhase", "specFile", "startedAt")  # of the list
_SHOWN: Final = 5  # audit entries in an answer


class SessionFound(Record, key="session_id"):
    """A session with everything an agent needs to continue it."""

    found: bool = True
    session_id: str | None = None
    session: dict[str, Any] | None = None
    checkpoint: dict[str, Any] | None = None
    audit: list[str] = Field(default_factory=list)  # the last entries
    audit_entry_count: int = 0
    blocker: str | None = None
    others: list[str] = Field(default_factory=list)  # further sessions that are running or paused
    warnings: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, folder: SessionFolder, session: Session, others: Sequence[SessionFolder]) -> Self:
        """Read all of its files."""
        audit = folder.audit
        return cls(
            session_id=folder.id,
            session=session.wire(),
            checkpoint=_point(folder),
            audit=audit.last_lines(_SHOWN),
            audit_entry_count=len(audit.lines),
            blocker=folder.blocker,
            others=[other.id for other in others],
            warnings=folder.warnings,
        )

    def write_text(self, format: str | None) -> str:
        """The session, its checkpoint, its last steps."""
        if not self.found:
            return "\n".join(["No session is running or paused. session_start starts one.", *_ends(self)])
        session, point = Session.of(self.session), Checkpoint.of(self.checkpoint)
        lines = _session_lines(session)
        lines += _checkpoint_lines(point, session) if self.checkpoint else ["Checkpoint: none"]
        if self.audit:
            lines.append(f"Last audit entries ({len(self.audit)} of {self.audit_entry_count}):")
            lines += [f"- {one_line(line)}" for line in self.audit]
        return "\n".join([*lines, *_ends(self)])


class SessionStatus(Record, key="session_id"):
    """The progress of a session."""

    session_id: str
    status: str
    active_step: str
    phases_completed: list[str]
    tasks_completed: int
    tasks_pending: int
    tasks_total: int
    duration: str
    spec_file: str
    worktree_path: str
    branch_name: str
    audit_entry_count: int
    last_activity: dict[str, str] | None = None
    checkpoint: dict[str, Any] | None = None
    blocker: str | None = None
    others: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    @classmethod
    def of(
        cls, folder: SessionFolder, session: Session, others: Sequence[SessionFolder], now: datetime
    ) -> Self:
        """Read its files; the audit log is the best source for its progress."""
        audit = folder.audit
        last = audit.entries[-1] if audit.entries else None
        done, pending = len(session.tasks_completed), len(session.tasks_pending)
        return cls(
            session_id=folder.id,
            status=session.status,
            active_step="none" if session.status == "completed" else audit.active_step,
            phases_completed=audit.phases_done,
            tasks_completed=done,
            tasks_pending=pending,
            tasks_total=done + pending,
            duration=_duration(session.seconds(now)),
            spec_file=session.spec_file,
            worktree_path=session.worktree_path,
            branch_name=session.branch_name,
            audit_entry_count=len(audit.lines),
            last_activity=last.facts() if last else None,
            checkpoint=_point(folder),
            blocker=folder.blocker,
            others=[other.id for other in others],
            warnings=folder.warnings,
        )

    def write_text(self, format: str | None) -> str:
        """One fact per line."""
        last = self.last_activity
        point = (self.checkpoint or {}).get("checkpointId", "")
        lines = [
            *(f"Session: {one_line(self.session_id)}", f"Status: {one_line(self.status)}"),
            f"Active Step: {one_line(self.active_step)}",
            f"Phases Done: {listed(self.phases_completed) or 'none'}",
            f"Tasks: {self.tasks_completed}/{self.tasks_total} completed",
            f"Duration: {one_line(self.duration)}",
            *_said("Spec", self.spec_file),
            *_said("Worktree", self.worktree_path),
            *_said("Branch", self.branch_name),
            f"Audit Entries: {self.audit_entry_count}",
            *(
                _said(
                    "Last Activity",
                    one_line(f"{to_the_minute(last['timestamp'])} {last['phase']} {last['status']}"),
                )
                if last
                else []
            ),
            *_said("Checkpoint", f"{point} (session_get shows it)" if point else ""),
        ]
        return "\n".join([*lines, *_ends(self)])


def _ends(answer: SessionFound | SessionStatus) -> list[str]:
    others = listed(answer.others)
    lines = [*_said("BLOCKER", answer.blocker or ""), *_said("Other active sessions", others)]
    return [*lines, *(f"Warning: {one_line(warning)}" for warning in answer.warnings)]


class SessionList(Record):
    """Sessions, newest first."""

    total: int
    scope: str
    sessions: list[dict[str, Any]] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, shown: Sequence[SessionFolder], total: int, scope: str) -> Self:
        """Read only the context of each session."""
        facts = [Session.of(folder.context).wire() for folder in shown]
        rows = [{name: one[name] for name in _COLUMNS if name in one} for one in facts]
        warnings = [f"{folder.id}: {warning}" for folder in shown for warning in folder.warnings]
        return cls(total=total, scope=scope, sessions=rows, warnings=warnings)

    def write_text(self, format: str | None) -> str:
        """One line per session."""
        shown = len(self.sessions)
        which = f"{shown} of {self.total} sessions running or paused" if self.scope == "active" else ""
        head = which or ("1 session" if shown == 1 else f"{shown} sessions")
        rows = [[to_the_minute(str(session.get(name, ""))) for name in _COLUMNS] for session in self.sessions]
        lines = ["\t".join([line_start(id), *map(one_line, others)]) for id, *others in rows]
        table = ["\t".join(_COLUMNS), *lines] if rows else []
        warned = [f"Warning: {one_line(warning)}" for warning in self.warnings]
        return "\n".join([f"{head}{':' if rows else '.'}", *table, *warned])


def _point(folder: SessionFolder) -> dict[str, Any] | None:
    return Checkpoint.of(folder.checkpoint).wire() if folder.checkpoint else None


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"


def _session_lines(session: Session) -> list[str]:
    """All facts about a session, one per line."""
    skipped = [*(["all checks"] if session.skip_checks else []), *session.skip_step_names]
    number = f" (#{session.pr_number})" if session.pr_number else ""
    steps = session.step_execution_summary
    return [
        *(f"Session: {one_line(session.id)}", f"Status: {one_line(session.status)}"),
        f"Phase: {one_line(session.current_phase)}",
        *_said("Workflow", session.workflow),
        *_said("Spec", session.spec_file),
        *_said("Worktree", session.worktree_path),
        *_said("Branch", session.branch_name),
        *_said("No worktree was made", session.worktree_error),
        *_said("Skips", listed(skipped)),
        *_said("Phases completed", listed(session.phases_completed)),
        *_said("PR", session.pr_url + number),
        *_said("Summary", session.summary),
        *_said("Steps", written(steps) if steps else ""),
        *_listed("Tasks completed", session.tasks_completed),
        *_listed("Tasks pending", session.tasks_pending),
    ]


def _checkpoint_lines(point: Checkpoint, session: Session) -> list[str]:
    """What an agent needs to continue, without what the session shows already."""
    made = f", {to_the_minute(stamp(point.created_at))}" if point.created_at else ""
    made += f", phase {one_line(point.current_phase)}" if point.current_phase else ""
    values = [f"{name}: {as_word(value)}" for name, value in (point.variables or {}).items()]
    tasks = (point.tasks_completed, point.tasks_pending)
    is_other = any(tasks) and tasks != (session.tasks_completed, session.tasks_pending)
    phases = [phase for phase in point.completed_phases if phase not in session.phases_completed]
    return [
        f"Checkpoint: {one_line(point.checkpoint_id)}{made}",
        *_said("Last action", point.last_action),
        *_said("Resume instructions", point.resume_instructions),
        *_said("Phases completed at the checkpoint", listed(phases)),
        *(_listed("Tasks completed at the checkpoint", point.tasks_completed) if is_other else []),
        *(_listed("Tasks pending at the checkpoint", point.tasks_pending) if is_other else []),
        *(_listed("Variables", values) if values else []),
        *(_listed("Step results", map(_step, point.step_results)) if point.step_results else []),
        *(_listed("Changed files", point.changed_files) if point.changed_files else []),
    ]


def _said(name: str, value: str) -> list[str]:
    """Return a fact on its line, or a text of several lines between tags."""
    if one_line(value) == value:
        return [f"{name}: {value}"] if value else []
    return [tagged(name.lower().replace(" ", "_"), value)]


def _listed(name: str, values: Iterable[str]) -> list[str]:
    items = list(values)
    return [f"{name}: {len(items)}", *(f"- {one_line(item)}" for item in items)]


def _step(result: Any) -> str:
    if not isinstance(result, Mapping):
        return as_word(result)
    summary = result.get("outputSummary")
    return f"{result.get('stepName')}: {result.get('status')}" + (f" ({summary})" if summary else "")
