"""Entries that start Laconic, found in the configuration of every host."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from laconic.cli.install.host_files import read
from laconic.cli.install.hosts import HOSTS, Host, InstallRefused, Machine

__all__ = ["HostEntry", "UnreadableFile", "our_entries"]


@dataclass(frozen=True)
class HostEntry:
    """An entry that starts Laconic."""

    host: Host
    scope: str
    path: Path
    name: str
    command: str
    args: tuple[str, ...]
    variables: tuple[str, ...]  # names only: values may be secret

    def install_again(self, workspace: Path) -> str:
        """Return the command that writes this entry again, for the laconic that runs it."""
        words = ["laconic", "install", self.host.name, *self._servers(), "--scope", self.scope]
        words += ["--name", self.name] if self.name != "laconic" else []
        if folder := self._folder():
            words += [] if self.host.fixed else ["--pin"]
            words += ["--workspace", folder] if Path(folder) != workspace else []
        return shlex.join(words) + "".join(f" --env {name}=…" for name in self.variables)

    def _folder(self) -> str | None:
        """Return the workspace that the entry names, unless it is the folder open in the host."""
        named = [
            after for flag, after in zip(self.args, self.args[1:], strict=False) if flag == "--workspace"
        ]
        return next((folder for folder in named if "$" not in folder), None)

    def _servers(self) -> list[str]:
        after = self.args[self.args.index("serve") + 1 :] if "serve" in self.args else ()
        stop = next((number for number, word in enumerate(after) if word.startswith("-")), len(after))
        return list(after[:stop])


@dataclass(frozen=True)
class UnreadableFile:
    """A host's file that cannot be read, and why."""

    host: Host
    reason: str


def our_entries(workspace: Path, machine: Machine | None = None) -> Iterator[HostEntry | UnreadableFile]:
    """Find every entry that starts Laconic, for this workspace or for all."""
    unreadable: set[str] = set()  # two scopes may share a file
    for host in HOSTS.values():
        for scope in host.scopes:
            try:
                yield from _entries(host, scope, workspace, machine or Machine())
            except InstallRefused as refusal:
                if refusal.message not in unreadable:
                    unreadable.add(refusal.message)
                    yield UnreadableFile(host, refusal.message)


def _entries(host: Host, scope: str, workspace: Path, machine: Machine) -> Iterator[HostEntry]:
    path = host.path(scope, workspace, machine)
    try:
        node: Any = host.format.load(read(path) or "")
    except ValueError as error:
        raise InstallRefused(f"{path} cannot be read: {error}") from error
    for key in host.keys(scope, workspace):
        node = node.get(key) if isinstance(node, dict) else None
    for name, value in node.items() if isinstance(node, dict) else ():
        entry = value if isinstance(value, dict) else {}
        command, args, env = entry.get("command"), entry.get("args"), entry.get("env")
        words = tuple(map(str, args)) if isinstance(args, list) else ()
        variables = tuple(env) if isinstance(env, dict) else ()
        if isinstance(command, str) and _starts_us(name, command, words):  # others are reached over HTTP
            yield HostEntry(host, scope, path, name, command, words, variables)


def _starts_us(name: str, command: str, args: tuple[str, ...]) -> bool:
    return "laconic" in (name, Path(command).stem) or ("-m", "laconic") in pairwise(args)
