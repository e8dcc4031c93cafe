"""Changes of a single file: the new text of an edit, the text of a new issue, and where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.reading import decode, encode, has_json_header
from laconic.servers.issues.models import COMPLETE, KEY_ORDER, Issue
from laconic.servers.issues.timestamps import now
from laconic.stores import Taken, Unreadable
from laconic.stores.durable import free_name, move_new
from laconic.stores.header.header import Header, compose

Change = Callable[[Header, Issue], None]
"""Edits a header, given the issue as it is now; what it raises leaves the file as it was."""

_DEFAULTS: Final[Mapping[str, Any]] = {
    "type": "issue",
    "status": "open",
    "priority": "medium",
    "labels": [],
}


def composed(id: str, values: Mapping[str, Any], body: str) -> bytes:
    """Write a new file."""
    given = {key: value for key, value in values.items() if value is not None}
    at = now()
    dates = {"createdAt": at, "updatedAt": at}
    if given.get("status") in COMPLETE:
        dates["closedAt"] = at
    return encode(compose({**_DEFAULTS, **given, "id": id, **dates}, KEY_ORDER, body))


def edited(content: bytes, issue: Issue, change: Change, *, is_repair: bool = False) -> bytes | None:
    """Apply a change and set `updatedAt`, which a repair leaves alone; None if it changes nothing.

    Raises:
        Unreadable: the header cannot be edited without harm.
    """
    text, _ = decode(content)
    if has_json_header(text):
        raise Unreadable(f"{issue.path} has a header in JSON. Write it in YAML first.")
    header = Header.of(text, KEY_ORDER)
    try:
        change(header, issue)
    except Unreadable as error:
        raise Unreadable(f"{issue.path}: {error}") from error
    if header.text() == text:
        return None
    if not is_repair:
        header.set("updatedAt", now())
    return encode(header.text())


def new_place(layout: Layout, before: Entry, after: Entry) -> str | None:
    """Say which folder an edit of type or status moves a file to; one that lay oddly before may stay so."""
    folder = layout.folder(after.path, after.type, after.status)
    was = layout.folder(before.path, before.type, before.status)
    return None if folder == was or layout.fits(after.path, after.type, after.status) else folder


def move(layout: Layout, path: str, folder: str, name: str | None = None) -> str:
    """Move a file into a folder; where its name is taken there, it gets a number and both stay."""
    old = layout.root / path
    wanted = layout.at(folder) / (name or old.name)
    while True:
        new = free_name(wanted)
        with suppress(Taken):  # by another program, just now
            move_new(old, new)
            return str(PurePosixPath(folder, new.name))
