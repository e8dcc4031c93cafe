"""Changes to a single file: the content after an edit, the content of a new issue, and its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from laconic.kit import OutsideWorkspace
from laconic.servers.issues.index.entries import Entry, Parsed, parse
from laconic.servers.issues.index.layout import ARCHIVE, Layout
from laconic.servers.issues.index.reading import encode, has_json_header
from laconic.servers.issues.models import COMPLETE, KEY_ORDER, Issue
from laconic.servers.issues.timestamps import now
from laconic.stores import Taken, Unreadable
from laconic.stores.durable import free_name, move_new
from laconic.stores.header.composing import compose
from laconic.stores.header.header import Header

Change = Callable[[Header, Issue], None]
"""Edits a header, given the current issue; if it raises, the file is not changed."""

_OTHER_ENCODINGS: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")  # byte order marks
_ORIGIN: Final = "archivedFrom"
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


def edited(content: bytes, before: Parsed, change: Change, *, is_repair: bool = False) -> Header | None:
    """Apply a change to a header and, unless it is a repair, set `updatedAt`; None if nothing changes.

    Raises:
        Unreadable: the header cannot be edited without harm.
    """
    issue, header = before.issue, before.header
    if content.startswith(_OTHER_ENCODINGS):
        raise Unreadable(f"{issue.path} is in UTF-16 or UTF-32. Save it as UTF-8 first.")
    text = header.text()
    if has_json_header(text):
        raise Unreadable(f"{issue.path} has a header in JSON. Write it in YAML first.")
    try:
        change(header, issue)
    except Unreadable as error:
        raise Unreadable(f"{issue.path}: {error}") from error
    if header.text() == text:
        return None
    if not is_repair:
        header.set("updatedAt", now())
    return header


class Place(NamedTuple):
    """Where an edit moves a file, and what the file is there."""

    folder: str
    name: str
    header: Header

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return encode(self.header.text())


def destined(layout: Layout, before: Entry, header: Header) -> Place | None:
    """Return where an edit of type or status moves a file; it comes back to where it was archived from."""
    content, kind = encode(header.text()), layout.collection(before.path)
    after = parse(before.path, content, kind, before.stamp, header=header).entry
    folder, name = new_place(layout, before, after), before.path.rpartition("/")[2]
    if folder is None:
        return None
    origin = header.values().get(_ORIGIN)
    with suppress(Unreadable, OutsideWorkspace):
        if after.status in COMPLETE:
            place = _within_home(layout, before.path)
            is_told = place not in (None, free_name(layout.at(folder) / name).name)
            header.set(_ORIGIN, place if is_told else None)
        else:
            header.set(_ORIGIN, None)
    if after.status not in COMPLETE and after.type == before.type:
        return Place(*origin_of(origin, folder, name), header)
    return Place(folder, name, header)


def belonging(layout: Layout, entry: Entry, header: Header) -> Place:
    """Return where a file belongs that is in the wrong folder."""
    folder, name = layout.folder(entry.path, entry.type, entry.status), entry.path.rpartition("/")[2]
    if entry.status not in COMPLETE:
        folder, name = origin_of(header.values().get(_ORIGIN), folder, name)
    return Place(folder, name, header)


def origin_of(origin: Any, home: str, name: str) -> tuple[str, str]:
    """Return the folder and name that a file had in its collection before it was archived, if it is known."""
    path = PurePosixPath(origin if isinstance(origin, str) else "")
    is_odd = path.is_absolute() or path.suffix != ".md" or "\\" in str(path)
    if is_odd or any(part.startswith(".") for part in path.parts) or ARCHIVE in path.parts:
        return home, name
    return str(PurePosixPath(home) / path.parent), path.name


def _within_home(layout: Layout, path: str) -> str | None:
    """Return the path of a file below the folder of its collection."""
    home = layout.folders[layout.collection(path)]
    place = PurePosixPath(path)
    return place.relative_to(home).as_posix() if home != "." and place.is_relative_to(home) else None


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
