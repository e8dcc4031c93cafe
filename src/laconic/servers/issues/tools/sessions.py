"""The tools for sessions and the workspace itself: what the model sees."""

from asyncio import to_thread
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from laconic.kit import Problem, Progress
from laconic.servers.issues.session_models import (
    CheckpointSaved,
    PhaseMark,
    SessionEnd,
    SessionFound,
    SessionList,
    SessionStarted,
    SessionStatus,
)
from laconic.servers.issues.sessions import PhaseStatus, Scope, Sessions
from laconic.servers.issues.tools.toolset import issues
from laconic.servers.issues.workspace import Workspace, WorkspaceReport
from laconic.text import to_camel

Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[str, Field(min_length=1)]
_FIND = "session_status with list: all shows every session."


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)

    def wire(self) -> dict[str, Any]:
        return self.model_dump(by_alias=True, exclude_none=True)


class StepResult(_Part):
    """What became of a step."""

    step_name: Text
    status: Literal["passed", "failed", "skipped"]
    output_summary: str | None = None


class StepDetail(_Part):
    """One step of a whole run."""

    step_name: Text
    status: Text
    agent: str | None = None
    prompt: str | None = None


class StepExecution(_Part):
    """How many steps of a workflow were done."""

    total_steps: Annotated[int, Field(ge=0)]
    executed: Annotated[int, Field(ge=0)]
    skipped: Annotated[int, Field(ge=0)]
    skipped_steps: list[str]
    step_details: Annotated[list[StepDetail] | None, Field(json_schema_extra={"x-unlisted": True})] = None


@issues.create(deadline=300, unlisted=["workingDirectory"])
async def session_start(
    sessions: Sessions,
    progress: Progress,
    spec_file: Annotated[Text, "Path from the workspace."],
    working_directory: str | None = None,
    workflow: Text = "spec-implementation",
    skip_checks: bool | None = None,
    skip_step_names: list[str] | None = None,
) -> SessionStarted:
    """Start work on a specification in a git worktree and branch of its own."""
    await progress(0, 1, "Making the worktree.")
    return await sessions.start(spec_file, working_directory, workflow, skip_checks, skip_step_names)


@issues.update(hint=_FIND)
async def session_phase(
    sessions: Sessions,
    session_id: Id,
    phase: Text,
    status: PhaseStatus,
    metadata: dict[str, Any] | None = None,
) -> PhaseMark:
    """Note where a session is; paused and resumed stop it and let it go on."""
    return await to_thread(sessions.phase, session_id, phase, status, metadata)


@issues.update(hint=_FIND)
async def session_checkpoint(
    sessions: Sessions,
    session_id: Id,
    tasks_completed: list[str],
    tasks_pending: list[str],
    last_action: str,
    resume_instructions: str,
    variables: dict[str, Any] | None = None,
    step_results: list[StepResult] | None = None,
) -> CheckpointSaved:
    """Save what another agent needs to go on."""
    tasks, words = (tasks_completed, tasks_pending), (last_action, resume_instructions)
    steps = [step.wire() for step in step_results or []]
    return await to_thread(sessions.checkpoint, session_id, *tasks, *words, variables, steps)


@issues.update(hint=_FIND)
async def session_complete(
    sessions: Sessions,
    session_id: Id,
    status: Literal["completed", "failed"],
    pr_url: str | None = None,
    pr_number: Annotated[int | None, Field(gt=0)] = None,
    summary: str | None = None,
    step_execution_summary: StepExecution | None = None,
) -> SessionEnd:
    """End a session."""
    steps = step_execution_summary.wire() if step_execution_summary else None
    return await to_thread(sessions.complete, session_id, status, pr_url, pr_number, summary, steps)


@issues.read(hint=_FIND, fields=None)
async def session_get(sessions: Sessions, session_id: str | None = None) -> SessionFound:
    """Read all that is needed to go on with a session: by default the newest that has not ended."""
    return await to_thread(sessions.get, session_id)


def _one_or_many(given: Mapping[str, Any]) -> Problem | None:
    both = given.get("sessionId") is not None and given.get("list") is not None
    return Problem("list", "Pass sessionId or list, not both.") if both else None


@issues.read(hint=_FIND, fields=None, rules=[_one_or_many])
async def session_status(
    sessions: Sessions, session_id: str | None = None, list_: Scope | None = None
) -> SessionStatus | SessionList:
    """See how far a session is, by default the newest; or list sessions."""
    return await to_thread(sessions.list, list_) if list_ else await to_thread(sessions.status, session_id)


@issues.update(unlisted=["projectRoot", "pluginRoot"])
async def init_workspace(
    workspace: Workspace, fix: bool = False, project_root: str | None = None, plugin_root: str | None = None
) -> WorkspaceReport:
    """Report what the .wrangler folder lacks; fix adds it and overwrites nothing."""
    return await to_thread(workspace.init, fix=fix, project_root=project_root, plugin_root=plugin_root)
