"""Finding the issue that a caller means, by id, number, file name or path."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from laconic.kit import Conflict, NotFound
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.order import by_id
from laconic.servers.issues.index.reading import readable
from laconic.servers.issues.index.short_names import is_beginning, short_names
from laconic.servers.issues.models import PREFIXES, near_ids
from laconic.servers.issues.phrases import in_quotes

_NUMBER: Final = re.compile(r"(?:#|([A-Za-z]+)-?)?0*(\d{1,15})")
_MOST_NAMED: Final = 4  # candidates in a message
_MOST_NEAR: Final = 3
_LONGEST: Final = 50  # characters of a candidate's title


class Ambiguous(Conflict):
    """A reference that matches several issues."""

    code = "INVALID_ARGUMENTS"

    def __init__(self, reference: str, found: Sequence[Entry], names: Sequence[str]) -> None:
        said = [f"{name} ({_shortened(entry.title)})" for name, entry in zip(names, found, strict=True)]
        more = f" and {len(said) - _MOST_NAMED} more" if len(said) > _MOST_NAMED else ""
        super().__init__(
            f"{reference[:80]} could be {len(found)} files: {', '.join(said[:_MOST_NAMED])}{more}.",
            given=reference,
            advice="Pass the name of the one you mean instead.",
            details={"candidates": list(names)},
        )


class Lookup:
    """Finds entries of an index as of its last scan."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: tuple[int, References] | None = None

    def find(self, reference: str) -> Entry:
        """Return the entry that a reference means; see `References.find`."""
        generation = self._index.generation
        if self._known is None or self._known[0] != generation:
            self._known = generation, References(self._index.entries(), self._index.ids())
        wanted = self._index.layout.relative(reference)
        return self._known[1].find(self._index.twins.get(wanted, wanted))


class References:
    """All entries, to be found by id, path, file name or number."""

    def __init__(self, entries: Sequence[Entry], ids: Mapping[str, Sequence[Entry]] | None = None) -> None:
        self._entries = entries
        self._ids = by_id(entries) if ids is None else ids

    def find(self, reference: str) -> Entry:
        """Return the entry that a reference means.

        Raises:
            NotFound: no such issue; names similar ids.
            Ambiguous: several match; names them, and how to pick one.
        """
        found = self.candidates(reference)
        if len(found) == 1:
            return found[0]
        raise Ambiguous(reference, found, self._names(found)) if found else self._missing(reference)

    def candidates(self, reference: str) -> Sequence[Entry]:
        """Return all matches: by id, else by path, file name, number or the beginning of a file name."""
        wanted = reference.strip()
        return (
            self._ids.get(wanted)
            or self._by_path(wanted)
            or self._by_stem(wanted)
            or self._ids.get(wanted.upper())
            or self._by_number(wanted)
            or self._by_beginning(wanted)
        )

    def _by_path(self, wanted: str) -> list[Entry]:
        """Match a path relative to the workspace, or the end of one."""
        path = wanted.replace("\\", "/").removeprefix("./")
        if "/" not in path and not path.endswith(".md"):
            return []
        name = path if path.endswith(".md") else f"{path}.md"
        whole = [entry for entry in self._entries if readable(entry.path) == name]
        return whole or [entry for entry in self._entries if readable(entry.path).endswith(f"/{name}")]

    def _by_stem(self, wanted: str) -> list[Entry]:
        return [entry for entry in self._entries if wanted in entry.path and readable(entry.stem) == wanted]

    def _by_number(self, wanted: str) -> list[Entry]:
        """Match a number; without a prefix it means an issue before a specification or an idea."""
        found = _NUMBER.fullmatch(wanted)
        if found is None:
            return []
        prefix, number = (found[1] or "").upper(), int(found[2])
        if prefix:
            return self._numbered(f"{prefix}-", number)
        bare = self._numbered("", number)
        for kind, one in PREFIXES.items():
            of_kind = [*self._numbered(f"{one}-", number), *(entry for entry in bare if entry.type == kind)]
            if of_kind:
                return of_kind
        return bare

    def _numbered(self, prefix: str, number: int) -> list[Entry]:
        ids = dict.fromkeys([f"{prefix}{number:06d}", f"{prefix}{number}"])
        return [entry for id in ids for entry in self._ids.get(id, ())]

    def _by_beginning(self, wanted: str) -> list[Entry]:
        return [entry for entry in self._entries if is_beginning(wanted, entry)]

    def _missing(self, reference: str) -> NotFound:
        wanted = reference.strip()
        inside = [entry for entry in self._entries if wanted and wanted.lower() in _name(entry)]
        near = inside[:_MOST_NEAR] or self._alike(wanted)
        return NotFound("Issue", reference, near=self._names(near), code="ISSUE_NOT_FOUND")

    def _names(self, entries: Sequence[Entry]) -> list[str]:
        """Return a name for each that finds it: its id, unless others share it."""
        shared = [entry for entry in entries if len(self._ids.get(entry.id, ())) > 1]
        names = dict(zip((entry.path for entry in shared), short_names(shared, self._entries), strict=True))
        return [names.get(entry.path, entry.id) for entry in entries]

    def _alike(self, wanted: str) -> list[Entry]:
        """Try typing errors and the digits alone: comparing with ten thousand ids would take too long."""
        slips = [id for id in _slips(wanted.upper()) if id in self._ids]
        number = int("".join(filter(str.isdecimal, wanted[-12:])) or 0)
        prefixes = ["", *(f"{prefix}-" for prefix in PREFIXES.values())]
        numbered = [entry.id for prefix in prefixes for entry in self._numbered(prefix, number)]
        near = near_ids(wanted, list(dict.fromkeys(slips + numbered)))
        return [entry for id in near for entry in self._ids[id]][:_MOST_NEAR]


def _shortened(title: str) -> str:
    return in_quotes(title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1]}…")


def _name(entry: Entry) -> str:
    return entry.path[entry.path.rfind("/") + 1 : -3].lower()


def _slips(wanted: str) -> Iterator[str]:
    """Return the ids that differ by one wrong, missing or extra digit, or by two swapped ones."""
    for place in range(min(len(wanted), 20) + 1):
        before, after = wanted[:place], wanted[place:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        yield from (before + digit + rest for digit in string.digits for rest in (after, after[1:]))
