"""A session as the tools show it: everything needed to continue it, or its progress."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Self

from pydantic import Field

from laconic.kit import Record, one_line
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.sessions.folder import SessionFolder
from laconic.servers.issues.sessions.lines import (
    checkpoint_lines,
    resume_lines,
    said,
    session_lines,
    task_lines,
)
from laconic.servers.issues.sessions.models import Checkpoint, Session
from laconic.servers.issues.sessions.questions import last_question, lines_of
from laconic.servers.issues.timestamps import to_the_minute

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
    question: dict[str, str] | None = None  # the last one that was asked
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
            question=_question(folder, session),
            others=[other.id for other in others],
            warnings=folder.warnings,
        )

    def write_text(self, format: str | None) -> str:
        """The session, its checkpoint, its last steps."""
        if not self.found:
            return "\n".join(["No session is running or paused. session_start starts one.", *_ends(self)])
        session, point = Session.of(self.session), Checkpoint.of(self.checkpoint)
        lines = [*session_lines(session), *_needs(self), *resume_lines(point), *task_lines(session)]
        lines += checkpoint_lines(point, session) if self.checkpoint else ["Checkpoint: none"]
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
    question: dict[str, str] | None = None  # the last one that was asked
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
            question=_question(folder, session),
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
            *said("Spec", self.spec_file),
            *said("Worktree", self.worktree_path),
            *said("Branch", self.branch_name),
            f"Audit Entries: {self.audit_entry_count}",
            *(
                said(
                    "Last Activity",
                    one_line(f"{to_the_minute(last['timestamp'])} {last['phase']} {last['status']}"),
                )
                if last
                else []
            ),
            *said("Checkpoint", f"{point} (session_get shows it)" if point else ""),
            *_needs(self),
        ]
        return "\n".join([*lines, *_ends(self)])


def _needs(answer: SessionFound | SessionStatus) -> list[str]:
    """What keeps the session from going on, and what people answered."""
    asked = [line for name, text in lines_of(answer.question).items() for line in said(name, text)]
    return [*asked, *said("BLOCKER", answer.blocker or "")]


def _ends(answer: SessionFound | SessionStatus) -> list[str]:
    lines = said("Other active sessions", listed(answer.others))
    return [*lines, *(f"Warning: {one_line(warning)}" for warning in answer.warnings)]


def _point(folder: SessionFolder) -> dict[str, Any] | None:
    return Checkpoint.of(folder.checkpoint).wire() if folder.checkpoint else None


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"


def _question(folder: SessionFolder, session: Session) -> dict[str, str] | None:
    found = last_question(folder.audit.entries, session.status)
    return found.wire() if found else None
