"""Links: whether the references in headers lead to existing and unambiguous issues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from laconic.servers.issues.doctor.cycles import cycles
from laconic.servers.issues.doctor.findings import Finding
from laconic.servers.issues.doctor.history import History
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.reading import readable
from laconic.servers.issues.index.references import References
from laconic.servers.issues.models import COMPLETE
from laconic.servers.issues.store import IssueStore
from laconic.servers.issues.writing.repairs import FORMER, former_ids, names_of, references_of


class Links:
    """Checks every reference of a workspace."""

    def __init__(self, store: IssueStore, history: History, entries: Sequence[Entry]) -> None:
        self._store, self._history, self._entries = store, history, entries
        self._references = References(entries)
        self._ids: dict[str, list[Entry]] = {}
        self._former: dict[str, list[Entry]] = {}
        self._former_names: dict[str, Entry] = {}
        for entry in entries:
            self._ids.setdefault(entry.id, []).append(entry)
            for id in former_ids(entry):
                self._former.setdefault(id, []).append(entry)
            self._former_names.update({name.removesuffix(".md"): entry for name in names_of(entry)[1:]})

    def findings(self) -> Iterator[Finding]:
        """Report references to missing, ambiguous or renumbered issues, and cycles."""
        for entry in self._entries:
            for reference in references_of(entry):
                found = self._judged(entry, reference)
                if found is not None:
                    yield found
        yield from self._cycles()

    def _judged(self, entry: Entry, reference: str) -> Finding | None:
        named, renumbered = self._ids.get(reference, []), self._former.get(reference, [])
        if len(named) == 1 and not renumbered:
            return None
        if named or renumbered:
            return self._decided(entry, reference, [*named, *renumbered])
        target = self._former_names.get(reference)
        found = [target] if target else self._references.candidates(reference)
        if len(found) == 1 and len(self._ids[found[0].id]) == 1:
            if entry.parent == reference and reference not in entry.blocked_by and target is None:
                return None  # callers that filter by parent may use the same spelling
            return self._rewritten(entry, reference, found[0], "is not written as the id")
        if found:
            return self._open(entry, reference, found)
        problem = f"It refers to {reference[:80]}, and there is no such issue."
        return Finding("reference", readable(entry.path), problem, "Remove it, or enter the right id.")

    def _decided(self, entry: Entry, reference: str, candidates: Sequence[Entry]) -> Finding | None:
        """Decide which of several issues is meant, from the commits that contain the reference."""
        names = {_name_then(one, reference): one for one in candidates}
        is_told = len(names) == len(candidates)
        meant = self._history.meant(entry, reference, names) if is_told else None
        if meant is None:
            return self._open(entry, reference, candidates)
        if meant.id == reference or len(self._ids[meant.id]) > 1:
            return None  # it is right, or will be when that issue is renumbered
        return self._rewritten(entry, reference, meant, "means the issue that had this id before")

    def _rewritten(self, entry: Entry, reference: str, target: Entry, why: str) -> Finding:
        problem = f"Its reference {reference[:80]} {why}: {target.id}."
        repair = partial(self._refer, entry, reference, target.id)
        return Finding("reference", readable(entry.path), problem, f"It becomes {target.id}.", repair)

    def _refer(self, entry: Entry, old: str, new: str) -> str:
        self._store.repairs.refer(entry, old, new)
        return f"{readable(entry.path)}: its reference {old[:80]} is now {new}."

    def _open(self, entry: Entry, reference: str, found: Sequence[Entry]) -> Finding:
        names = ", ".join(f"{one.id} ({readable(one.path)})" for one in found[:4])
        more = f" and {len(found) - 4} more" if len(found) > 4 else ""
        problem = f"Its reference {reference[:80]} may mean {names}{more}."
        advice = "Enter the right id."
        if any(one.id != reference and reference in former_ids(one) for one in found):
            advice += f" If the reference is right, remove {FORMER} from that issue's metadata."
        return Finding("reference", readable(entry.path), problem, advice)

    def _cycles(self) -> Iterator[Finding]:
        waiting = {entry.id: entry for entry in self._entries if entry.status not in COMPLETE}
        for circle in cycles({id: entry.blocked_by for id, entry in waiting.items()}):
            names = " → ".join([*circle, circle[0]])
            words = "It waits for itself" if len(circle) == 1 else "They wait for each other"
            problem = f"{words}, so none is ever ready: {names}."
            yield Finding(
                "cycle", readable(waiting[circle[0]].path), problem, "Remove one from its blockedBy."
            )


def _name_then(entry: Entry, id: str) -> str:
    """Return the name of a file when its issue had an id."""
    return next((name for name in names_of(entry)[1:] if name.startswith(id)), names_of(entry)[0])
