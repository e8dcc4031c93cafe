"""The audit log of a session: one line per event, in either dialect; a damaged line affects no other."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.data import dataclass
from laconic.servers.issues.sessions.models import Session
from laconic.servers.issues.timestamps import to_the_minute
from laconic.servers.issues.tolerant import as_word, parsed, written
from laconic.stores import StoreDown

_MOST_METADATA: Final = 300  # characters in a line
_BASE: Final = frozenset({"phase", "step", "status", "timestamp"})
_OWN: Final = frozenset(
    {"phase", "timestamp", "status"}
)  # reserved keys: a caller's metadata cannot set them
_BOOKKEEPING: Final = frozenset({"init", "checkpoint", "complete"})  # their content is shown elsewhere
_STEPS: Final[Mapping[str, str]] = {
    "started": "{} (in progress)",
    "resumed": "{} (in progress)",
    "complete": "{} just completed, waiting for next step",
    "failed": "{} FAILED",
}
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)  # missing on Windows


@dataclass(frozen=True)
class AuditEntry:
    """A line of audit.jsonl in either dialect: `phase`, or the workflow engine's `step`."""

    phase: str
    status: str
    timestamp: str
    more: Mapping[str, Any]

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> AuditEntry:
        """Read a line; the engine writes `completed`, and its details under `metadata`."""
        status = as_word(raw.get("status"))
        more = {name: value for name, value in raw.items() if name not in _BASE}
        if "phase" not in raw and isinstance(more.get("metadata"), dict):
            more = {**more.pop("metadata"), **more}
        return cls(
            phase=as_word(raw.get("phase")) or as_word(raw.get("step")) or "unknown",
            status="complete" if status == "completed" else status or "unknown",
            timestamp=as_word(raw.get("timestamp")),
            more=more,
        )

    @property
    def is_checkpoint(self) -> bool:
        """True if it only records a checkpoint, not the session's progress."""
        return self.phase == "checkpoint" and "checkpoint_id" in self.more

    def facts(self) -> dict[str, str]:
        """The fields that every entry has."""
        return {"phase": self.phase, "status": self.status, "timestamp": self.timestamp}

    def line(self) -> str:
        """The entry on one line; instead of long metadata, its size and keys."""
        said = written(self.more) if self.more and self.phase not in _BOOKKEEPING else ""
        if len(said) > _MOST_METADATA:
            said = f"({len(said):,} characters of metadata in audit.jsonl: {', '.join(self.more)})"
        return " ".join(f"{to_the_minute(self.timestamp)} {self.phase} {self.status} {said}".split())


class Audit:
    """audit.jsonl of one session: its readable lines, and the numbers of the damaged ones."""

    def __init__(self, path: Path, text: str) -> None:
        self.lines: Final[list[dict[str, Any]]] = []
        self.damaged: Final[list[int]] = []
        self._path = path
        for number, line in enumerate(text.split("\n"), start=1):
            raw = parsed(line) if line.strip() else {}
            if not isinstance(raw, dict):
                self.damaged.append(number)
            elif raw:
                self.lines.append(raw)

    @cached_property
    def entries(self) -> list[AuditEntry]:
        """The lines in one dialect."""
        return [AuditEntry.of(raw) for raw in self.lines]

    @property
    def last_step(self) -> AuditEntry | None:
        """The last entry that shows the session's progress."""
        return next((entry for entry in reversed(self.entries) if not entry.is_checkpoint), None)

    @property
    def active_step(self) -> str:
        """What the session is doing now, or how it ended."""
        steps = (one for one in reversed(self.entries) if not one.is_checkpoint and one.phase != "complete")
        last = next(steps, None)
        return _STEPS.get(last.status, "{} ({})").format(last.phase, last.status) if last else "unknown"

    @property
    def phases_done(self) -> list[str]:
        """The completed phases of the work, sorted by name."""
        done = {one.phase for one in self.entries if one.status == "complete"}
        return sorted(done - _BOOKKEEPING - {"task", "error"})

    def last_lines(self, count: int) -> list[str]:
        """The last entries, without what other parts of an answer show."""
        told = [entry for entry in self.entries if not entry.is_checkpoint]
        return [entry.line() for entry in told[-count:]]

    def holds_checkpoint(self, checkpoint_id: str) -> bool:
        """True if the log has a line for a checkpoint."""
        return any(raw.get("checkpoint_id") == checkpoint_id for raw in self.lines)

    def note(self, line: dict[str, Any]) -> str:
        """Add a line unless the last one is the same; return the time of the line that is kept."""
        steps = [raw for raw in self.lines if not AuditEntry.of(raw).is_checkpoint]
        for last in (*self.lines[-1:], *steps[-1:]):
            if _steady(last) == _steady(line) and isinstance(last.get("timestamp"), str):
                return str(last["timestamp"])
        _append(self._path, (written(line) + "\n").encode(errors="backslashreplace"))
        self.lines.append(line)
        self.__dict__.pop("entries", None)
        return str(line["timestamp"])


def init_line(context: Mapping[str, Any]) -> dict[str, Any]:
    """The line for the start of a session: its context can be rebuilt from it."""
    line = {"phase": "init", "timestamp": context["startedAt"], "status": "complete"}
    line |= {"session_id": context["id"], "worktree": context["worktreePath"]}
    return {**line, "branch": context["branchName"], "spec_file": context["specFile"]}


def phase_line(phase: str, status: str, at: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The line for a phase; a caller's metadata never replaces our keys."""
    line: dict[str, Any] = {"phase": phase, "timestamp": at, "status": status}
    return line | {f"metadata_{name}" if name in _OWN else name: value for name, value in metadata.items()}


def checkpoint_line(point: Mapping[str, Any]) -> dict[str, Any]:
    """The line for a checkpoint."""
    line = {"phase": "checkpoint", "timestamp": point["createdAt"], "status": "complete"}
    counts = {"tasks_completed": len(point["tasksCompleted"]), "tasks_pending": len(point["tasksPending"])}
    return {**line, "checkpoint_id": point["checkpointId"], **counts}


def end_line(session: Session, at: str, milliseconds: int) -> dict[str, Any]:
    """The line for the end of a session."""
    status = "failed" if session.status == "failed" else "complete"
    line: dict[str, Any] = {"phase": "complete", "timestamp": at, "status": status, "session_id": session.id}
    line |= {"duration_ms": milliseconds, "tasks_completed": len(session.tasks_completed)}
    some = {"pr_url": session.pr_url, "summary": session.summary}
    return {**line, **{name: value for name, value in some.items() if value}}


def _steady(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line without what differs when a call is repeated: the time and, at the end, the duration."""
    is_end = line.get("phase") == "complete" and "session_id" in line
    volatile = ("timestamp", "duration_ms") if is_end else ("timestamp",)
    return {name: value for name, value in line.items() if name not in volatile}


def _append(path: Path, line: bytes) -> None:
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINK, 0o666)
        try:
            end = os.lseek(handle, 0, os.SEEK_END)
            if end and os.lseek(handle, end - 1, os.SEEK_SET) >= 0 and os.read(handle, 1) != b"\n":
                line = b"\n" + line  # the last writer was killed: keep its torn line separate
            if os.write(handle, line) != len(line):
                raise StoreDown("audit.jsonl could not be written whole: is the disk full?")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreDown(f"audit.jsonl cannot be written: {error.strerror}.") from error
