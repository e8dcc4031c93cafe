"""Starting sessions: each in its own worktree, with word of what that will not contain."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from laconic.servers.issues.git.running import run_git
from laconic.servers.issues.places import check_there
from laconic.servers.issues.sessions.answers import SessionStarted
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.sessions.models import ACTIVE, Session
from laconic.servers.issues.sessions.paths import WorkspacePaths
from laconic.servers.issues.sessions.starting.lacking import Destination, uncommitted
from laconic.servers.issues.sessions.starting.worktrees import Worktree, add_worktree, worktree_name
from laconic.servers.issues.timestamps import stamp

_NAMED: Final = 5  # files that a worktree lacks, and other sessions


class Starts:
    """Starts the sessions of one workspace."""

    def __init__(self, paths: WorkspacePaths, files: SessionFiles, now: Callable[[], datetime]) -> None:
        self._paths, self._files, self._now = paths, files, now

    async def start(
        self,
        spec_file: str,
        folder: str | None = None,
        *,
        workflow: str = "spec-implementation",
        skip_checks: bool | None = None,
        skip_step_names: Sequence[str] | None = None,
        bring_spec: bool = False,
    ) -> SessionStarted:
        """Start a session in its own worktree; if none can be created, the answer tells why."""
        check_there(self._paths.root)
        at = self._paths.folder(folder or ".", "workingDirectory")
        spec = await asyncio.to_thread(self._paths.specification, spec_file, at)
        session_id = await self._reserve(at)
        tree = Worktree(at, at)
        try:
            tree = await add_worktree(self._paths.root, at, worktree_name(spec), session_id)
            context = _context(session_id, spec, workflow, tree, stamp(self._now()))
            context |= {"skipChecks": skip_checks} if skip_checks is not None else {}
            context |= {"skipStepNames": list(skip_step_names)} if skip_step_names else {}
            self._files.fill(session_id, context)
        except BaseException:
            self._files.release(session_id)
            await tree.remove()
            raise
        return await self._started(Session.of(context), self._paths.root, at, bring=bring_spec)

    async def bring(self, session_id: str) -> SessionStarted:
        """Copy the specification of a session into its worktree."""
        kept = self._files.one(session_id)
        workspace = kept.workspace
        return await self._started(Session.of(kept.context), workspace, workspace, bring=True)

    async def _started(
        self, session: Session, workspace: Path, folder: Path, *, bring: bool
    ) -> SessionStarted:
        """Tell where a session works, and what is not there because it is not committed."""
        tree, is_own = Path(session.worktree_path), not session.worktree_error
        spec = Destination(workspace / session.spec_file, tree)
        is_brought = is_own and bring and not spec.is_there()
        if is_brought:
            await spec.bring()
        lacks_spec = is_own and not spec.is_there()
        others = (
            [path for path in await uncommitted(folder, self._files.name) if path not in spec.names]
            if is_own
            else []
        )
        lacks = [*([session.spec_file] if lacks_spec else []), *others]
        return SessionStarted(
            session_id=session.id,
            audit_path=f"{self._files.name}/{session.id}/audit.jsonl",
            worktree_path=self._paths.tree(session.worktree_path),
            branch_name=session.branch_name,
            worktree_created=is_own,
            worktree_error=session.worktree_error,
            workflow=session.workflow,
            lacks=lacks[:_NAMED],
            lacks_count=len(lacks),
            lacks_spec=lacks_spec,
            brought=is_brought,
            beside=self._beside(session),
        )

    def _beside(self, started: Session) -> dict[str, str]:
        """Return the other active sessions of the same specification, and the worktrees they work in."""
        known = [Session.of(folder.context) for folder in self._files.all() if folder.id != started.id]
        same = [one for one in known if one.status in ACTIVE and one.spec_file == started.spec_file]
        return {one.id: self._paths.tree(one.worktree_path) for one in same[:_NAMED]}

    async def _reserve(self, folder: Path) -> str:
        code, said = await run_git(folder, "rev-parse", "--short", "HEAD")
        head = said.strip() if code == 0 else "nogit"
        while True:
            session_id = f"{self._now():%Y-%m-%d}-{head}-{os.urandom(2).hex()}"
            if self._files.reserve(session_id):
                return session_id


def _context(session_id: str, spec: str, workflow: str, tree: Worktree, at: str) -> dict[str, Any]:
    context = {"id": session_id, "specFile": spec, "status": "running", "currentPhase": "init"}
    context |= {"worktreePath": str(tree.path), "branchName": tree.branch, "workflow": workflow}
    context |= {"worktreeError": tree.error} if tree.error else {}
    lists = {"phasesCompleted": ["init"], "tasksCompleted": [], "tasksPending": []}
    return {**context, **lists, "startedAt": at, "updatedAt": at}
