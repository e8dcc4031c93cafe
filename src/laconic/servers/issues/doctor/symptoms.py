"""Symptoms: flaws that reading a file or a session found, with advice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from laconic.servers.issues.doctor.findings import Finding, Kind
from laconic.servers.issues.git.ignoring import ignored, ignored_words
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.flaws import Flaw, FlawKind
from laconic.servers.issues.index.reading import readable
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.sessions.folder import SessionFolder
from laconic.servers.issues.sessions.models import ACTIVE

MARKED: Final[frozenset[FlawKind]] = frozenset({"header in conflict", "text in conflict"})
"""Flaws of files in which a merge left conflict markers."""

_MARKERS: Final = "Keep what is right from both sides, and remove the markers."
_BY_HAND: Final = "Fix the header by hand."
_ADVICE: Final[Mapping[FlawKind, str]] = {
    "unreadable file": "Check who may read the file.",
    "not UTF-8": "Save the file as UTF-8.",
    "zero bytes": "Check whether it is a text file.",
    "header in conflict": _MARKERS,
    "header not closed": "Put --- on a line below the header.",
    "header not valid": _BY_HAND,
    "header not JSON": "Write the header in YAML.",
    "header not read": "Write the header in YAML.",
    "repeated key": "Remove one of them.",
    "open conflict": "Set the field to the right value, or remove the comment from the header.",
    "text in conflict": _MARKERS,
    "not a text": "Put it in quotes.",
    "not a list": "Write it as a list.",
    "not words": _BY_HAND,
    "not a date": "Write it as 2025-01-31T12:00:00.000Z.",
    "not a mapping": "Write it as names and values.",
    "unknown value": "Set it to one of these.",
}  # shared ids are reported by `duplicates`


def in_files(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Report files with flaws; unresolved conflicts come first."""
    found = [_finding(entry, flaw) for entry in entries for flaw in entry.flaws if flaw.kind in _ADVICE]
    yield from sorted(found, key=lambda one: one.kind)


def in_git(root: Path, folders: Iterable[str]) -> Iterator[Finding]:
    """Report collections that git ignores."""
    for folder in ignored(root, folders):
        advice = "If they are to be shared, remove the pattern from .gitignore."
        yield Finding("left out", folder, ignored_words([folder]), advice)


def in_sessions(files: SessionFiles) -> Iterator[Finding]:
    """Report sessions with damaged files or lines, and active ones whose specification is missing."""
    for folder in files.own():
        path = f"{files.name}/{folder.id}"
        for words in _complaints(folder):
            advice = "The rest of the session is read; fix it by hand if you need more."
            yield Finding("session", path, words, advice)
        spec = folder.context.get("specFile")
        is_active = folder.context.get("status") in ACTIVE
        if is_active and isinstance(spec, str) and not (files.workspace / spec).is_file():
            problem = f"Its specification {readable(spec)[:200]} no longer exists."
            yield Finding("session", path, problem, "Set specFile in its context.json, or end the session.")


def _finding(entry: Entry, flaw: Flaw) -> Finding:
    is_undecided = flaw.kind in MARKED or flaw.kind == "open conflict"
    kind: Kind = "conflict" if is_undecided else "unreadable"
    return Finding(kind, readable(entry.path), flaw.sentence, _ADVICE[flaw.kind])


def _complaints(folder: SessionFolder) -> list[str]:
    """Read all files of a session, and return the warnings."""
    _ = folder.audit, folder.checkpoint, folder.blocker, folder.context
    return folder.warnings
