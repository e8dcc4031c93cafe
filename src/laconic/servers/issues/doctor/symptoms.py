"""Symptoms: what reading a file or a session complained of, with advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from laconic.servers.issues.doctor.findings import Finding, Kind
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import readable
from laconic.servers.issues.index.sharing import sharing
from laconic.servers.issues.sessions.files import Kept, SessionFiles
from laconic.servers.issues.sessions.models import ACTIVE

_ADVICE: Final = {  # by what a warning says
    "conflict marker": "Keep what is right of both sides, and take the markers out.",
    "A merge left open": "Set the field to what is right, or take the comment out of the header.",
    "not UTF-8": "Save the file as UTF-8.",
    "zero bytes": "See whether it is a text at all.",
    "cannot be read": "See who may read the file.",
    "not valid JSON": "Write the header in YAML.",
    "never run": "Write the header in YAML.",
    "never closed": "Put --- on a line below the header.",
    "read as text": "Put it in quotes.",
    "not a list": "Write it as a list.",
    "no date": "Write it as 2025-01-31T12:00:00.000Z.",
    "no mapping": "Write it as names and values.",
    "twice": "Take one of them out.",
}
_CONFLICTS: Final = ("conflict marker", "A merge left open")


def in_files(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Name files that cannot be read as they should; what two sides left open comes first."""
    found = [
        _finding(entry, words) for entry in entries for words in entry.warnings if words != sharing(entry)
    ]
    yield from sorted(found, key=lambda one: one.kind)


def in_sessions(files: SessionFiles) -> Iterator[Finding]:
    """Name sessions with damaged files or lines, and those that go on without their specification."""
    for kept in files.all():
        path = f".wrangler/sessions/{kept.id}"
        for words in _complaints(kept):
            advice = "The rest of the session is read; mend it by hand if you need more."
            yield Finding("session", path, words, advice)
        spec = kept.context.get("specFile")
        is_active = kept.context.get("status") in ACTIVE
        if is_active and isinstance(spec, str) and not (files.workspace / spec).is_file():
            problem = f"Its specification {readable(spec)[:200]} is not there any more."
            yield Finding("session", path, problem, "Set specFile in its context.json, or end the session.")


def _finding(entry: Entry, words: str) -> Finding:
    kind: Kind = "conflict" if any(part in words for part in _CONFLICTS) else "unreadable"
    advice = next((said for part, said in _ADVICE.items() if part in words), "Mend the header by hand.")
    return Finding(kind, readable(entry.path), words, advice)


def _complaints(kept: Kept) -> list[str]:
    """Read all files of a session, and return what is wrong with them."""
    _ = kept.audit, kept.checkpoint, kept.blocker, kept.context
    return kept.warnings
