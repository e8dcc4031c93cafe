"""The tools for sessions and the workspace itself: what the model sees."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from laconic.kit import UNLISTED, CamelPart, Diagnosis, Problem, Progress
from laconic.servers.issues.doctor.findings import REPAIR, Checkup
from laconic.servers.issues.git.ignoring import ignored_words
from laconic.servers.issues.sessions.answers import CheckpointSaved, PhaseMark, SessionEnd, SessionStarted
from laconic.servers.issues.sessions.lists import SessionList
from laconic.servers.issues.sessions.service import PhaseStatus, Scope, Sessions
from laconic.servers.issues.sessions.views import SessionFound, SessionStatus
from laconic.servers.issues.setup.workspace import Workspace, WorkspaceReport
from laconic.servers.issues.tools.parts import Id, Text
from laconic.servers.issues.tools.toolset import issues

_FIND = "session_status with list: all shows every session."


class StepResult(CamelPart):
    """The result of a step."""

    step_name: Text
    status: Literal["passed", "failed", "skipped"]
    output_summary: str | None = None


class StepDetail(CamelPart):
    """One step of a whole run."""

    step_name: Text
    status: Text
    agent: str | None = None
    prompt: str | None = None


class StepExecution(CamelPart):
    """How many steps of a workflow were done."""

    total_steps: Annotated[int, Field(ge=0)]
    executed: Annotated[int, Field(ge=0)]
    skipped: Annotated[int, Field(ge=0)]
    skipped_steps: list[str]
    step_details: Annotated[list[StepDetail] | None, UNLISTED] = None


def _bringing(given: Mapping[str, Any]) -> Problem | None:
    is_alone = given.get("sessionId") is not None and not given.get("bringSpec")
    return Problem("sessionId", "sessionId goes with bringSpec: true.") if is_alone else None


@issues.create(
    deadline=300, unlisted=["workingDirectory", "sessionId", "bringSpec"], rules=[_bringing], hint=_FIND
)
async def session_start(
    sessions: Sessions,
    progress: Progress,
    spec_file: Annotated[Text, "Path or id."],
    working_directory: str | None = None,
    workflow: Text = "spec-implementation",
    skip_checks: bool | None = None,
    skip_step_names: list[str] | None = None,
    bring_spec: Annotated[bool, "Copy it into the worktree if it is not committed."] = False,
    session_id: Annotated[str | None, "Copy it into the worktree of this session, and start none."] = None,
) -> SessionStarted:
    """Start work on a specification in its own git worktree and branch."""
    if session_id is not None:
        return await sessions.bring(session_id)
    await progress(0, 1, "Creating the worktree.")
    return await sessions.start(
        spec_file,
        working_directory,
        workflow=workflow,
        skip_checks=skip_checks,
        skip_step_names=skip_step_names,
        bring_spec=bring_spec,
    )


def _read_as(word: str, meant: str) -> BeforeValidator:
    """Read one word as another: a phase is complete, a session completed, and callers mix them up."""
    return BeforeValidator(lambda given: meant if given == word else given)


def _asking(given: Mapping[str, Any]) -> Problem | None:
    is_odd = given.get("question") is not None and given.get("status") != "paused"
    return Problem("question", "A question goes with status: paused.") if is_odd else None


@issues.update(hint=_FIND, rules=[_asking])
def session_phase(
    sessions: Sessions,
    session_id: Id,
    phase: Text,
    status: Annotated[PhaseStatus, _read_as("completed", "complete")],
    metadata: dict[str, Any] | None = None,
    question: Annotated[Text | None, "For a person."] = None,
) -> PhaseMark:
    """Record a phase; paused stops the session, resumed continues it."""
    return sessions.phase(session_id, phase, status, metadata, question)


@issues.update(hint=_FIND)
def session_checkpoint(
    sessions: Sessions,
    session_id: Id,
    tasks_completed: list[str],
    tasks_pending: list[str],
    last_action: str,
    resume_instructions: str,
    variables: dict[str, Any] | None = None,
    step_results: list[StepResult] | None = None,
) -> CheckpointSaved:
    """Save what another agent needs to continue."""
    tasks, words = (tasks_completed, tasks_pending), (last_action, resume_instructions)
    steps = [step.wire() for step in step_results or []]
    return sessions.checkpoint(session_id, *tasks, *words, variables, steps)


@issues.update(hint=_FIND)
def session_complete(
    sessions: Sessions,
    session_id: Id,
    status: Annotated[Literal["completed", "failed"], _read_as("complete", "completed")],
    pr_url: str | None = None,
    pr_number: Annotated[int | None, Field(gt=0)] = None,
    summary: str | None = None,
    step_execution_summary: StepExecution | None = None,
) -> SessionEnd:
    """End a session."""
    steps = step_execution_summary.wire() if step_execution_summary else None
    return sessions.complete(session_id, status, pr_url, pr_number, summary, steps)


@issues.read(hint=_FIND, fields=None)
def session_get(sessions: Sessions, session_id: str | None = None) -> SessionFound:
    """Read what is needed to continue a session: by default the newest here that has not ended."""
    return sessions.get(session_id)


def _one_or_many(given: Mapping[str, Any]) -> Problem | None:
    both = given.get("sessionId") is not None and given.get("list") is not None
    return Problem("list", "Pass sessionId or list, not both.") if both else None


@issues.read(hint=_FIND, fields=None, rules=[_one_or_many], unlisted=["offset"])
def session_status(
    sessions: Sessions,
    session_id: str | None = None,
    list_: Scope | None = None,
    offset: Annotated[int, Field(ge=0)] = 0,
) -> SessionStatus | SessionList:
    """Show a session's progress, by default the newest; or list sessions."""
    return sessions.list(list_, offset) if list_ else sessions.status(session_id)


def _served(given: Mapping[str, Any]) -> Problem | None:
    if given.get("doctor") and (given.get("projectRoot") or given.get("pluginRoot")):
        return Problem("doctor", "doctor checks the workspace that is served; leave out the roots.")
    if given.get("doctor") and given.get("fix"):
        return Problem("fix", f"doctor only reports. A person repairs the files: {REPAIR}")
    return None


@issues.update(unlisted=["projectRoot", "pluginRoot"], rules=[_served])
def init_workspace(
    workspace: Workspace,
    fix: bool = False,
    doctor: Annotated[bool, "Check the files instead: shared ids, conflicts, bad links."] = False,
    project_root: str | None = None,
    plugin_root: str | None = None,
) -> WorkspaceReport | Checkup:
    """Report what the workspace lacks; fix adds it and overwrites nothing."""
    if doctor:
        return workspace.examine()
    return workspace.init(fix=fix, project_root=project_root, plugin_root=plugin_root)


@issues.checkup
def git_ignores(workspace: Workspace) -> list[Diagnosis]:
    """Tell `laconic doctor` that git ignores the issues."""
    found = workspace.ignored()
    return [Diagnosis("issues", ignored_words(found), ok=False)] if found else []
