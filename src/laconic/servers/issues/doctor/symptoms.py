"""Symptoms: what reading a file or a session complained of, with advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from laconic.servers.issues.doctor.findings import Finding, Kind
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.flaws import Flaw, FlawKind
from laconic.servers.issues.index.reading import readable
from laconic.servers.issues.sessions.files import SessionFiles, SessionFolder
from laconic.servers.issues.sessions.models import ACTIVE

MARKED: Final[frozenset[FlawKind]] = frozenset({"header in conflict", "text in conflict"})
"""Flaws of files in which a merge left its markers."""

_MARKERS: Final = "Keep what is right of both sides, and take the markers out."
_BY_HAND: Final = "Mend the header by hand."
_ADVICE: Final[Mapping[FlawKind, str]] = {
    "unreadable file": "See who may read the file.",
    "not UTF-8": "Save the file as UTF-8.",
    "zero bytes": "See whether it is a text at all.",
    "header in conflict": _MARKERS,
    "header not closed": "Put --- on a line below the header.",
    "header not valid": _BY_HAND,
    "header not JSON": "Write the header in YAML.",
    "header not read": "Write the header in YAML.",
    "repeated key": "Take one of them out.",
    "open conflict": "Set the field to what is right, or take the comment out of the header.",
    "text in conflict": _MARKERS,
    "not a text": "Put it in quotes.",
    "not a list": "Write it as a list.",
    "not words": _BY_HAND,
    "not a date": "Write it as 2025-01-31T12:00:00.000Z.",
    "not a mapping": "Write it as names and values.",
}  # a shared id is in `duplicates`


def in_files(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Name files that cannot be read as they should; what two sides left open comes first."""
    found = [_finding(entry, flaw) for entry in entries for flaw in entry.flaws if flaw.kind in _ADVICE]
    yield from sorted(found, key=lambda one: one.kind)


def in_sessions(files: SessionFiles) -> Iterator[Finding]:
    """Name sessions with damaged files or lines, and those that go on without their specification."""
    for folder in files.all():
        path = f".wrangler/sessions/{folder.id}"
        for words in _complaints(folder):
            advice = "The rest of the session is read; mend it by hand if you need more."
            yield Finding("session", path, words, advice)
        spec = folder.context.get("specFile")
        is_active = folder.context.get("status") in ACTIVE
        if is_active and isinstance(spec, str) and not (files.workspace / spec).is_file():
            problem = f"Its specification {readable(spec)[:200]} is not there any more."
            yield Finding("session", path, problem, "Set specFile in its context.json, or end the session.")


def _finding(entry: Entry, flaw: Flaw) -> Finding:
    is_undecided = flaw.kind in MARKED or flaw.kind == "open conflict"
    kind: Kind = "conflict" if is_undecided else "unreadable"
    return Finding(kind, readable(entry.path), flaw.sentence, _ADVICE[flaw.kind])


def _complaints(folder: SessionFolder) -> list[str]:
    """Read all files of a session, and return what is wrong with them."""
    _ = folder.audit, folder.checkpoint, folder.blocker, folder.context
    return folder.warnings
