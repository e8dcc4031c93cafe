"""The doctor: examines every file of a workspace, reports what is wrong, and repairs what is safe to repair.

An examination changes nothing. A repair never loses anything: an issue gets a new number, a file moves, an
unambiguous reference is rewritten. The doctor examines and repairs until nothing repairable is left; each
step is atomic, so after a kill the next run continues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from laconic.kit import Failure
from laconic.servers.issues.doctor.claims import in_claims
from laconic.servers.issues.doctor.duplicates import Duplicates
from laconic.servers.issues.doctor.findings import Checkup, Finding
from laconic.servers.issues.doctor.history import History
from laconic.servers.issues.doctor.links import Links
from laconic.servers.issues.doctor.placement import Placement
from laconic.servers.issues.doctor.symptoms import MARKED, in_files, in_git, in_sessions
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import decode, readable
from laconic.servers.issues.merging.merge import split_issues
from laconic.servers.issues.sessions.files import SessionFiles
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreError

_ROUNDS: Final = 10  # a repair makes another one possible at most a few times

Failed = dict[tuple[str, str], str]
"""Why a repair failed, by kind and path."""


class Doctor:
    """Examines one workspace."""

    def __init__(self, store: IssueStore, sessions: SessionFiles) -> None:
        self._store, self._sessions = store, sessions

    def examine(self) -> Checkup:
        """Report what is wrong."""
        return Checkup.of(self.findings())

    def repair(self) -> Checkup:
        """Repair what can be repaired without loss, and report what was done and what is left."""
        done: list[str] = []
        failed: Failed = {}
        for _ in range(_ROUNDS):
            todo = [one for one in self.findings() if one.repair and (one.kind, one.path) not in failed]
            new = [words for one in todo if (words := _tried(one, failed))]
            if not new:
                break
            done += new
        return Checkup.of([_with_reason(one, failed) for one in self.findings()], done)

    def findings(self) -> list[Finding]:
        """Find everything that is wrong."""
        with self._store.one_scan():
            entries = sorted(self._store.entries(), key=lambda entry: entry.path)
            history = History(self._store.layout)
            return [
                *self._two_in_one(entries),
                *Duplicates(self._store, history).findings(entries),
                *in_files(entries),
                *Links(self._store, history, entries).findings(),
                *Placement(self._store).findings(entries),
                *in_git(self._store.layout.root, self._store.layout.folders.values()),
                *in_sessions(self._sessions),
                *in_claims(self._store, entries),
            ]

    def _two_in_one(self, entries: Sequence[Entry]) -> Iterator[Finding]:
        for entry in entries:
            is_marked = any(flaw.kind in MARKED for flaw in entry.flaws)
            if is_marked and split_issues(decode(self._store.content(entry))[0]) is not None:
                problem = "A merge left two issues with the same file name in it."
                advice = "The younger one gets its own file and number."
                yield Finding(
                    "two in one", readable(entry.path), problem, advice, partial(self._split, entry)
                )

    def _split(self, entry: Entry) -> str | None:
        made = self._store.repairs.split(entry)
        return f"{readable(entry.path)}: its second issue is now {made.id} ({made.path})." if made else None


def _tried(finding: Finding, failed: Failed) -> str | None:
    try:
        return finding.repair() if finding.repair else None
    except (Failure, StoreError, OSError) as error:
        failed[finding.kind, finding.path] = str(error)
        return None


def _with_reason(finding: Finding, failed: Failed) -> Finding:
    reason = failed.get((finding.kind, finding.path))
    if reason is None:
        return finding
    return Finding(finding.kind, finding.path, finding.problem, f"It could not be repaired: {reason}")
