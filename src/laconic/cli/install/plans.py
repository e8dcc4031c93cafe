"""InstallPlan: one change of one host's file, computed before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from laconic.cli.install.formats import NotEditable
from laconic.cli.install.host_files import read
from laconic.cli.install.hosts import Host, InstallRefused, Machine

__all__ = ["InstallPlan"]


@dataclass(frozen=True)
class InstallPlan:
    """One change of one file; None instead of a text means no file."""

    host: Host
    scope: str
    path: Path
    keys: tuple[str, ...]  # the path of our entry in the file
    before: str | None
    after: str | None

    @classmethod
    def empty(
        cls, host: Host, scope: str, workspace: Path, *, name: str = "laconic", machine: Machine | None = None
    ) -> InstallPlan:
        """Read the file of a host and plan no change yet.

        Raises: InstallRefused.
        """
        path = host.path(scope, workspace, machine or Machine())
        before = read(path)
        return cls(host, scope, path, (*host.keys(scope, workspace), name), before, before)

    def with_entry(self, command: Sequence[str], args: Sequence[str], env: Mapping[str, str]) -> InstallPlan:
        """Plan to write our entry.

        Raises: InstallRefused.
        """
        entry = json.dumps(self.host.entry(command, args, env))
        try:
            return replace(self, after=self.host.format.set_member(self.before or "", self.keys, entry))
        except NotEditable as error:
            raise self.not_editable(error) from error

    @property
    def changes_file(self) -> bool:
        """True if there is anything to do."""
        return self.before != self.after

    @property
    def name(self) -> str:
        """The name of our entry."""
        return self.keys[-1]

    def check_unchanged(self) -> None:
        """Check that the file has not changed since it was read.

        Raises: InstallRefused.
        """
        if read(self.path) != self.before:
            raise InstallRefused(
                f"{self.path} changed meanwhile; close {self.host.title} and run this again."
            )

    def not_editable(self, error: NotEditable) -> InstallRefused:
        """Return the refusal for a file that cannot be edited safely."""
        return InstallRefused(f"{self.path} cannot be edited: {error}")
