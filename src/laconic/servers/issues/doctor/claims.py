"""Claims that nobody will end, and issues that two clones claimed: the doctor says who was first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import decode, readable
from laconic.servers.issues.merging.merge import first_claim
from laconic.servers.issues.store import IssueStore
from laconic.stores import StoreDown

_FILE = "git's folder laconic"


def in_claims(store: IssueStore, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Report claims that cannot be read or whose work tree is gone, and who of two claimed first."""
    try:
        left = store.claims.left()
    except StoreDown as error:
        yield Finding("claim", _FILE, str(error), "Until then nobody can claim an issue.")
        left = {}
    known = {entry.id: entry for entry in entries}
    for id, claim in left.items():
        where = readable(known[id].path) if id in known else readable(claim.path)
        problem = f"{id} is claimed by {claim.holder} in a work tree that is gone."
        yield Finding("claim", where, problem, "The claim is ended.", partial(_end, store, id))
    for entry in entries:
        if any(flaw.kind == "open conflict" and flaw.detail.startswith("assignee") for flaw in entry.flaws):
            said = first_claim(decode(store.content(entry))[0])
            if said:
                yield Finding("claim", readable(entry.path), said, "Set assignee to the one who goes on.")


def _end(store: IssueStore, id: str) -> str:
    store.repairs.end_claim(id)
    return f"{id}: its claim in a work tree that is gone is ended."
