"""The issues of a workspace, opened for one command; everything slow to import is imported here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from laconic.cli.configuration.workspace import Places
from laconic.cli.parameters import chosen
from laconic.kit.errors import BadConfiguration, Failure, NotFound

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.servers.issues.models import Issue
    from laconic.servers.issues.service import Categories, Tracker
    from laconic.servers.issues.settings import IssuesSettings
    from laconic.servers.issues.store import IssueStore

__all__ = ["OpenWorkspace", "advised", "open_workspace", "read_settings"]


@dataclass(frozen=True)
class OpenWorkspace:
    """A workspace whose issues are open."""

    store: IssueStore
    tracker: Tracker
    categories: Categories

    def get(self, reference: str) -> Issue:
        """Read an issue by id, number, file name, or path from the current folder."""
        return self.tracker.get(self.named(reference))

    def named(self, reference: str) -> str:
        """Turn a path from the current folder into one from the workspace; keep other references."""
        path = Path(reference)
        real = Path(os.path.realpath(path))
        if path.suffix == ".md" and real.is_file() and self.store.layout.holds(real):
            return real.relative_to(self.store.layout.root).as_posix()
        return reference

    def file(self, reference: str) -> Path:
        """Return the path of an issue's file."""
        return self.store.layout.at(self.store.find(self.named(reference)).path)

    def from_here(self, path: str) -> str:
        """Turn a path from the workspace into one from the current folder, where an editor finds it."""
        whole = self.store.layout.root / path
        try:
            return os.path.relpath(whole)
        except ValueError:  # on another drive
            return str(whole)


@contextmanager
def open_workspace(workspace: Path | None, folder: str | None = None) -> Iterator[OpenWorkspace]:
    """Open the issues of a workspace; an error in its files is printed on one line, with exit status 1.

    `folder` is the name of its folder, if not the one that is set.
    """
    from laconic.servers.issues.index.references import Ambiguous
    from laconic.servers.issues.service import Categories, Tracker
    from laconic.stores import StoreError

    store = read_settings(chosen(workspace=workspace), folder).store()
    try:
        yield OpenWorkspace(store, Tracker(store), Categories(store))
    except (NotFound, Ambiguous) as failure:
        raise advised(failure) from None
    except StoreError as error:
        typer.echo(f"laconic: {error}", err=True)
        raise typer.Exit(1) from None
    finally:
        store.close()


def advised(failure: Failure) -> Failure:
    """Give a failure to find an issue the advice for a person: a command instead of a tool."""
    from laconic.servers.issues.index.references import Ambiguous

    if failure.code == "ISSUE_NOT_FOUND" and isinstance(failure, NotFound) and not failure.near:
        failure.advice = "laconic issues list --status all lists every issue."
    elif isinstance(failure, Ambiguous):
        failure.advice += " laconic issues doctor --fix gives each its own id."
    return failure


def read_settings(options: ServerOptions, folder: str | None = None) -> IssuesSettings:
    """Read the section [issues], perhaps with another folder.

    Raises:
        BadConfiguration: a value in it is invalid.
    """
    from laconic.kit.settings import read_section
    from laconic.servers.issues.settings import IssuesSettings

    places = Places.of(options)
    section = {"workspace": places.workspace, "cache": places.cache, **options.sections.get("issues", {})}
    section |= {"folder": folder} if folder is not None else {}
    try:
        return read_section("issues", section, IssuesSettings)
    except BadConfiguration as failure:
        failure.advice = ""  # the advice is for an agent: here the person reads the message
        raise
