"""What the session tools answer after a change, in words and as data."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from laconic.kit import Record, one_line
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.sessions.models import ENDED


class SessionStarted(Record, key="session_id"):
    """A session that has just started."""

    session_id: str
    status: str = "running"
    current_phase: str = "init"
    audit_path: str
    worktree_path: str
    branch_name: str
    worktree_created: bool
    worktree_error: str = ""
    workflow: str
    lacks: list[str] = Field(default_factory=list)  # what is not committed; the first of them
    lacks_count: int = 0
    lacks_spec: bool = False
    brought: bool = False  # the specification was copied into the worktree
    beside: dict[str, str] = Field(default_factory=dict)  # active sessions of the same specification: where

    def write_text(self, format: str | None) -> str:
        """Where to work, and what is not there."""
        lines = [f"Session started: {one_line(self.session_id)}", f"Workflow: {one_line(self.workflow)}"]
        lines += [f"Worktree: {one_line(self.worktree_path)}", f"Branch: {one_line(self.branch_name)}"]
        if not self.worktree_created:
            lines.append(f"No worktree was made: {one_line(self.worktree_error)}. Work in the folder above.")
        lines += [
            f"Session {one_line(id)} works on the same specification in {one_line(tree)}."
            for id, tree in self.beside.items()
        ]
        return "\n".join([*lines, *self._lacks()])

    def _lacks(self) -> list[str]:
        lines = []
        if self.brought:
            lines.append("The specification was copied into the worktree: commit it there or here.")
        if self.lacks:
            more = self.lacks_count - len(self.lacks)
            names = listed(self.lacks) + (f" and {more} more" if more else "")
            lines.append(f"Not committed, so the worktree lacks what is new in: {names}.")
        if self.lacks_spec:
            again = "Repeat session_start with this sessionId and bringSpec: true"
            lines.append(f"{again} to copy the specification there.")
        return lines


class PhaseMark(Record, key="phase"):
    """A recorded phase."""

    session_id: str
    phase: str
    status: str
    timestamp: str
    session_status: str
    asked: bool = False

    def write_text(self, format: str | None) -> str:
        """The phase and its status; also that the session has ended, which few callers expect."""
        ended = f" (the session is {self.session_status})" if self.session_status in ENDED else ""
        asked = "; session_get shows the answer once a person gave one" if self.asked else ""
        return f"Phase {one_line(self.phase)} {one_line(self.status)}{ended}{asked}"


class CheckpointSaved(Record, key="checkpoint_id"):
    """A saved checkpoint."""

    session_id: str
    checkpoint_id: str
    tasks_completed: int
    tasks_pending: int
    timestamp: str
    step_results: list[dict[str, Any]] | None = None

    def write_text(self, format: str | None) -> str:
        """Its id, and the number of tasks."""
        lines = [
            f"Checkpoint saved: {one_line(self.checkpoint_id)}",
            f"Tasks completed: {self.tasks_completed}",
        ]
        lines.append(f"Tasks pending: {self.tasks_pending}")
        return "\n".join(
            [*lines, *([f"Steps reported: {len(self.step_results)}"] if self.step_results else [])]
        )


class SessionEnd(Record, key="session_id"):
    """How a session ended."""

    session_id: str
    status: str
    duration_ms: int
    tasks_completed: int
    pr_url: str | None = None
    pr_number: int | None = None
    summary: str | None = None
    step_execution_summary: dict[str, Any] | None = None

    def write_text(self, format: str | None) -> str:
        """The outcome, one fact per line."""
        lines = [f"Session {one_line(self.status)}: {one_line(self.session_id)}"]
        lines += [f"Duration: {int(self.duration_ms / 60_000 + 0.5)} minutes"]
        lines += [
            f"Tasks completed: {self.tasks_completed}",
            *([f"PR: {one_line(self.pr_url)}"] if self.pr_url else []),
        ]
        if steps := self.step_execution_summary:
            executed = f"{steps.get('executed')}/{steps.get('totalSteps')} executed"
            lines.append(one_line(f"Steps: {executed}, {steps.get('skipped')} skipped"))
        return "\n".join(lines)
