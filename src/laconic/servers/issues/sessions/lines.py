"""The lines about a session and its checkpoint, one fact per line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laconic.kit import one_line
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.sessions.models import Checkpoint, Session
from laconic.servers.issues.timestamps import stamp, to_the_minute
from laconic.servers.issues.tolerant import as_word, written
from laconic.text import tagged

__all__ = ["checkpoint_lines", "resume_lines", "said", "session_lines", "task_lines"]


def session_lines(session: Session) -> list[str]:
    """What a session is, and where it works."""
    skipped = [*(["all checks"] if session.skip_checks else []), *session.skip_step_names]
    number = f" (#{session.pr_number})" if session.pr_number else ""
    steps = session.step_execution_summary
    return [
        *(f"Session: {one_line(session.id)}", f"Status: {one_line(session.status)}"),
        f"Phase: {one_line(session.current_phase)}",
        *said("Workflow", session.workflow),
        *said("Spec", session.spec_file),
        *said("Worktree", session.worktree_path),
        *said("Branch", session.branch_name),
        *said("No worktree was made", session.worktree_error),
        *said("Skips", listed(skipped)),
        *said("Phases completed", listed(session.phases_completed)),
        *said("PR", session.pr_url + number),
        *said("Summary", session.summary),
        *said("Steps", written(steps) if steps else ""),
    ]


def task_lines(session: Session) -> list[str]:
    """Its tasks."""
    return [
        *_listed("Tasks completed", session.tasks_completed),
        *_listed("Tasks pending", session.tasks_pending),
    ]


def resume_lines(point: Checkpoint) -> list[str]:
    """What to do next: before everything that may be long."""
    return [*said("Last action", point.last_action), *said("Resume instructions", point.resume_instructions)]


def checkpoint_lines(point: Checkpoint, session: Session) -> list[str]:
    """What else an agent needs to continue, without what the session shows already."""
    made = f", {to_the_minute(stamp(point.created_at))}" if point.created_at else ""
    made += f", phase {one_line(point.current_phase)}" if point.current_phase else ""
    values = [f"{name}: {as_word(value)}" for name, value in (point.variables or {}).items()]
    tasks = (point.tasks_completed, point.tasks_pending)
    is_other = any(tasks) and tasks != (session.tasks_completed, session.tasks_pending)
    phases = [phase for phase in point.completed_phases if phase not in session.phases_completed]
    return [
        f"Checkpoint: {one_line(point.checkpoint_id)}{made}",
        *said("Phases completed at the checkpoint", listed(phases)),
        *(_listed("Tasks completed at the checkpoint", point.tasks_completed) if is_other else []),
        *(_listed("Tasks pending at the checkpoint", point.tasks_pending) if is_other else []),
        *(_listed("Variables", values) if values else []),
        *(_listed("Step results", map(_step, point.step_results)) if point.step_results else []),
        *(_listed("Changed files", point.changed_files) if point.changed_files else []),
    ]


def said(name: str, value: str) -> list[str]:
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
