"""InstallPlan: one change of one host's file, worked out before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic.cli.install import jsonc
from laconic.cli.install.host_files import read
from laconic.cli.install.hosts import Host, InstallRefused, Machine

__all__ = ["InstallPlan", "plan"]


@dataclass(frozen=True)
class InstallPlan:
    """One change of one file; no text means no file."""

    host: Host
    scope: str
    path: Path
    name: str
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def keys(self) -> tuple[str, str]:
        """Where our entry stands in the file."""
        return self.host.key, self.name

    def check_unchanged(self) -> None:
        """See that the file is still what the plan was made for.

        Raises: InstallRefused.
        """
        if read(self.path) != self.before:
            raise InstallRefused(
                f"{self.path} changed meanwhile; close {self.host.title} and run this again."
            )


def plan(
    host: Host,
    scope: str,
    workspace: Path,
    command: Sequence[str],
    args: Sequence[str],
    env: Mapping[str, str],
    *,
    name: str = "laconic",
    machine: Machine | None = None,
) -> InstallPlan:
    """Work out what installing would write.

    Raises: InstallRefused.
    """
    path = host.path(scope, workspace, machine or Machine())
    before = read(path)
    entry = json.dumps(host.entry(command, args, env))
    try:
        after = jsonc.set_member(before or "", (host.key, name), entry)
    except jsonc.BadJsonc as error:
        raise InstallRefused(f"{path} cannot be edited: {error}") from error
    return InstallPlan(host, scope, path, name, before, after)
