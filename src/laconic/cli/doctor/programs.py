"""Check that the laconic which hosts and git start still exists, and will tomorrow."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from laconic.cli.configuration.options import ServerOptions
from laconic.cli.configuration.workspace import find_workspace
from laconic.cli.doctor.checks import CheckResult
from laconic.cli.install.entries import HostEntry, our_entries
from laconic.cli.program import is_temporary

__all__ = ["hosts", "merge_driver"]


def hosts(options: ServerOptions) -> Iterator[CheckResult]:
    """Check every entry that starts Laconic; nothing is reported where there is none."""
    workspace = (options.workspace or find_workspace()).resolve()
    for entry in our_entries(workspace):
        if not isinstance(entry, HostEntry):
            yield CheckResult(False, entry.host.name, entry.reason)
        elif flaw := _flaw(entry.command, workspace):
            remedy = f"Run: {entry.install_again(workspace)}"
            yield CheckResult(
                False, entry.host.name, f"{entry.path} starts {entry.command}, which {flaw}. {remedy}"
            )
        else:
            yield CheckResult(True, entry.host.name, str(entry.path))


def merge_driver(options: ServerOptions) -> Iterator[CheckResult]:
    """Check what git starts to merge issues in this clone; nothing is reported where git merges by itself."""
    from laconic.servers.issues.index.layout import Layout
    from laconic.servers.issues.merging.driver import MergeDriver

    workspace = (options.workspace or find_workspace()).resolve()
    programs = MergeDriver(Layout.of(workspace)).programs()
    for program in programs:
        if flaw := _flaw(str(program), workspace, is_started=program.suffix != ".py"):
            yield CheckResult(
                False, "merge driver", f"git needs {program}, which {flaw}. Run: laconic issues init"
            )
            return
    if programs:
        yield CheckResult(True, "merge driver", "git merges issues field by field")


def _flaw(command: str, folder: Path, *, is_started: bool = True) -> str | None:
    """Return why a command cannot be started, or not for long; None if it can, or if only the host knows."""
    if "$" in command:  # a variable that the host replaces
        return None
    if not {"/", os.sep} & set(command):
        return None if shutil.which(command) else "is not on the PATH"
    path = folder / command
    if not os.access(path, os.F_OK):
        return "does not exist"
    if is_started and (path.is_dir() or not os.access(path, os.X_OK)):
        return "is not executable"
    return "is in a cache that may be cleaned at any time" if is_temporary(path) else None
