"""Setting up a workspace, and checking its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from laconic.kit import Failure, OutsideWorkspace, Refused
from laconic.servers.issues.doctor.findings import Checkup
from laconic.servers.issues.git.ignoring import ignored
from laconic.servers.issues.places import check_there
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.setup.reports import WorkspaceReport
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreDown

__all__ = ["Workspace", "WorkspaceReport"]

_SYSTEM: Final = frozenset(  # directly below the file system's root
    ["etc", "usr", "bin", "sbin", "lib", "lib64", "var", "proc", "sys", "dev", "boot", "tmp", "root", "home"]
)


class Workspace:
    """The served folder, with its issues and sessions."""

    def __init__(self, root: Path, store: IssueStore | None = None) -> None:
        self._root = Path(os.path.realpath(root))
        self._store = store or IssueStore(self._root)

    def init(
        self,
        *,
        fix: bool = False,
        project_root: str | None = None,
        plugin_root: str | None = None,
        is_small: bool = False,
    ) -> WorkspaceReport:
        """Report what is missing and, on request, create it; nothing is ever overwritten.

        A small workspace has only the folders that issues need.
        """
        from laconic.servers.issues.setup.plan import WorkspacePlan  # most calls do without

        check_there(self._root)
        project, plugin = self._project(project_root or "."), self._plugin(plugin_root)
        plan = WorkspacePlan(project, plugin, is_small, self._store.layout.home)
        try:
            report = plan.report().model_copy(update={"ignored": self.ignored()})
            if report.status == "compliant" or not fix:
                return report
            plan.apply(report)
        except OSError as error:
            raise StoreDown(f"The workspace cannot be read or written: {error.strerror}.") from error
        return report.model_copy(update={"status": "initialized"})

    def ignored(self) -> list[str]:
        """Return the collections of the served folder that git ignores."""
        return ignored(self._store.layout.root, self._store.layout.folders.values())

    def examine(self) -> Checkup:
        """Report what is wrong with the issues' files; repairs are for people."""
        from laconic.servers.issues.doctor.doctor import Doctor

        return Doctor(self._store, SessionFiles(self._root, self._store.layout.home)).examine()

    def _project(self, given: str) -> Path:
        found = Path(os.path.realpath(self._root / given))
        if found.parent == found or (found.parent == Path(found.anchor) and found.name in _SYSTEM):
            raise Refused("A system folder cannot be a workspace.", advice="Pass a project's folder.")
        if not found.is_relative_to(self._root):
            raise OutsideWorkspace("projectRoot is outside the workspace.", field="projectRoot")
        return _folder(found, "projectRoot")

    def _plugin(self, given: str | None) -> Path | None:
        return _folder(Path(os.path.realpath(self._root / given)), "pluginRoot") if given else None


def _folder(path: Path, field: str) -> Path:
    if not path.is_dir():
        raise Failure(
            f"{field} is not a folder.",
            code="FILE_NOT_FOUND",
            category="not_found",
            field=field,
            advice="Pass a folder that exists.",
            changed=False,
        )
    return path
