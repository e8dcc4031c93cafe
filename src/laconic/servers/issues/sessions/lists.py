"""Lists of sessions, in pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self

from pydantic import Field

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.sessions.folder import SessionFolder
from laconic.servers.issues.sessions.models import Session
from laconic.servers.issues.sessions.questions import last_question
from laconic.servers.issues.timestamps import to_the_minute

_COLUMNS: Final[tuple[str, ...]] = (
    *("id", "status", "currentPhase", "specFile", "startedAt", "worktreePath", "branchName"),
)
_PAGE: Final = 50


class SessionList(Record):
    """Sessions, newest first."""

    total: int
    scope: str
    count: int  # how many there are in the scope
    start: int = 0
    sessions: list[dict[str, Any]] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)

    @classmethod
    def of(
        cls, known: Sequence[tuple[SessionFolder, Session]], total: int, scope: str, *, start: int = 0
    ) -> Self:
        """Make a page; of a session that has not paused, only its context is read."""
        shown = known[start : start + _PAGE]
        warnings = [f"{folder.id}: {warning}" for folder, _ in shown for warning in folder.warnings]
        rows = [_row(folder, session) for folder, session in shown]
        return cls(total=total, scope=scope, count=len(known), start=start, sessions=rows, warnings=warnings)

    @property
    def next_start(self) -> int | None:
        """Where the next page starts; None on the last one."""
        after = self.start + len(self.sessions)
        return after if after < self.count and self.sessions else None

    def write_text(self, format: str | None) -> str:
        """One line per session, and how to go on."""
        lines = [
            "\t".join([line_start(str(row.get("id", ""))), *(_cell(row, name) for name in _COLUMNS[1:])])
            + (f"\n  Open question: {one_line(row['question'])}" if row.get("question") else "")
            for row in self.sessions
        ]
        table = ["\t".join(_COLUMNS), *lines] if lines else []
        more = f"More: session_status with list: {self.scope}, offset: {self.next_start}."
        warned = [f"Warning: {one_line(warning)}" for warning in self.warnings]
        return "\n".join(
            [f"{self._head()}{':' if lines else '.'}", *table, *([more] if self.next_start else []), *warned]
        )

    def _head(self) -> str:
        shown = len(self.sessions)
        part = "" if shown == self.count else f", {self.start + 1} to {self.start + shown} shown"
        if self.scope == "active":
            return f"{self.count} of {self.total} sessions running or paused{part}"
        return ("1 session" if self.count == 1 else f"{self.count} sessions") + part


def _row(folder: SessionFolder, session: Session) -> dict[str, Any]:
    facts = session.wire()
    row = {name: facts[name] for name in _COLUMNS if name in facts}
    asked = last_question(folder.audit.entries, session.status) if session.status == "paused" else None
    return {**row, **({"question": asked.text} if asked and asked.state == "open" else {})}


def _cell(row: dict[str, Any], name: str) -> str:
    return one_line(to_the_minute(str(row.get(name, ""))))
