"""Changes to a single file: the content after an edit, the content of a new issue, and its folder."""

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
"""Edits a header, given the current issue; if it raises, the file is not changed."""

_OTHER_ENCODINGS: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")  # byte order marks
_DEFAULTS: Final[Mapping[str, Any]] = {
    "type": "issue",
    "status": "open",
    "priority": "medium",
    "labels": [],
}


def composed(id: str, values: Mapping[str, Any], body: str) -> bytes:
    """Return the content of a new file."""
    given = {key: value for key, value in values.items() if value is not None}
    at = now()
    dates = {"createdAt": at, "updatedAt": at}
    if given.get("status") in COMPLETE:
        dates["closedAt"] = at
    return encode(compose({**_DEFAULTS, **given, "id": id, **dates}, KEY_ORDER, body))


def edited(content: bytes, issue: Issue, change: Change, *, is_repair: bool = False) -> bytes | None:
    """Apply a change and, unless it is a repair, set `updatedAt`; None if nothing changes.

    Raises:
        Unreadable: the header cannot be edited without harm.
    """
    if content.startswith(_OTHER_ENCODINGS):
        raise Unreadable(f"{issue.path} is in UTF-16 or UTF-32. Save it as UTF-8 first.")
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
    """Return the folder that an edit of type or status moves a file to; a misplaced file is left there."""
    folder = layout.folder(after.path, after.type, after.status)
    was = layout.folder(before.path, before.type, before.status)
    return None if folder == was or layout.fits(after.path, after.type, after.status) else folder


def move(layout: Layout, path: str, folder: str, name: str | None = None) -> str:
    """Move a file into a folder; if its name is taken there, it gets a number and both files stay."""
    old = layout.root / path
    wanted = layout.at(folder) / (name or old.name)
    while True:
        new = free_name(wanted)
        with suppress(Taken):  # by another program meanwhile
            move_new(old, new)
            return str(PurePosixPath(folder, new.name))
