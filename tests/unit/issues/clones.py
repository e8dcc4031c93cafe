"""Clones of one repository, with real git, for the tests of merging."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.servers.issues.doctor.doctor import Doctor
from laconic.servers.issues.doctor.findings import Checkup
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.merging.driver import MergeDriver
from laconic.servers.issues.models import Issue
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.store import IssueStore
from tests.templates import copy_of

_SET = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
_SET += ["-c", "pull.rebase=false", "-c", "commit.gpgSign=false", "-c", "merge.conflictStyle=merge"]


def git(at: Path, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """Runs git without any configuration of this machine."""
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *_SET, *words], cwd=at, env=environ, capture_output=True, text=True)
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done


@dataclass(frozen=True)
class Clone:
    """One clone, in which one person works."""

    root: Path

    @property
    def store(self) -> IssueStore:
        """The store, opened again as by a new process."""
        return IssueStore(self.root, environ={})

    def create(self, title: str, **values: Any) -> Issue:
        return self.store.create({"title": title, **values}, f"About {title}.\n\nOne.\n\nTwo.\n\nThree.\n")

    def set(self, reference: str, **values: Any) -> Issue:
        def change(header: Any, _: Issue) -> None:
            for key, value in values.items():
                header.set_body(value) if key == "body" else header.set(key, value)

        return self.store.edit(reference, change)[1]

    def git(self, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        return git(self.root, *words, check=check)

    def commit(self, message: str = "Work") -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def push(self) -> None:
        self.commit()
        self.git("push", "--quiet", "origin", "main")

    def pull(self) -> "subprocess.CompletedProcess[str]":
        """Commits, fetches and merges; a conflict is not an error here."""
        self.commit()
        return self.git("pull", "--quiet", "--no-edit", "origin", "main", check=False)

    def register(self) -> "Clone":
        MergeDriver(Layout.of(self.root)).register()
        return self

    def doctor(self) -> Doctor:
        return Doctor(self.store, SessionFiles(self.root))

    def repair(self) -> Checkup:
        return self.doctor().repair()

    def status(self) -> str:
        return self.git("status", "--porcelain", "--ignored").stdout

    def file(self, reference: str) -> str:
        return (self.root / self.store.find(reference).path).read_text(encoding="utf-8")


def two_clones(folder: Path) -> tuple[Clone, Clone]:
    """Makes two clones of a bare repository that contains one issue."""
    copy_of(_clones, folder)
    return Clone(folder / "ann"), Clone(folder / "bob")


def _clones(folder: Path) -> None:
    git(folder, "init", "--quiet", "--bare", "origin.git")
    clones = []
    for name in ("ann", "bob"):
        git(folder, "clone", "--quiet", "origin.git", name)
        clones.append(Clone(folder / name))
        if name == "ann":
            clones[0].git("checkout", "--quiet", "-b", "main")
            clones[0].create("First")
            clones[0].push()
    for clone in clones:
        clone.register()
