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
from laconic.servers.issues.models import PREFIXES, near_ids

_NUMBER: Final = re.compile(r"(?:#|([A-Za-z]+)-?)?0*(\d{1,15})")
_MOST_NAMED: Final = 4  # candidates in a message


class Ambiguous(Conflict):
    """A reference that matches several issues."""

    code = "INVALID_ARGUMENTS"

    def __init__(self, reference: str, found: Sequence[Entry]) -> None:
        self._found = found
        paths = [readable(entry.path) for entry in found]
        several = len({entry.id for entry in found}) > 1
        names = [f"{one.id} at {path}" if several else path for one, path in zip(found, paths, strict=True)]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        super().__init__(
            f"{reference[:80]} could be {len(found)} files: {', '.join(names[:_MOST_NAMED])}{more}.",
            given=reference,
            advice=self.advise("init_workspace with doctor and fix: true"),
            details={"candidates": paths},
        )

    def advise(self, doctor: str) -> str:
        """Write how to pick one of them; `doctor` is how this caller runs the doctor."""
        if len({entry.id for entry in self._found}) == len(self._found):
            return "Pass its whole id."
        is_named = len({entry.stem for entry in self._found}) == len(self._found)
        also = f", or its file's name ({self._found[0].stem})" if is_named else ""
        return f"Pass the path of the one you mean{also}; {doctor} gives each its own id."


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
        return self._known[1].find(self._index.twins.get(reference, reference))


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
        raise Ambiguous(reference, found) if found else self._missing(reference)

    def candidates(self, reference: str) -> Sequence[Entry]:
        """Return all matches: by id, else by path, file name or number."""
        wanted = reference.strip()
        return (
            self._ids.get(wanted)
            or self._by_path(wanted)
            or self._by_stem(wanted)
            or self._ids.get(wanted.upper())
            or self._by_number(wanted)
            or []
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
        found = _NUMBER.fullmatch(wanted)
        if found is None:
            return []
        prefix, number = (found[1] or "").upper(), int(found[2])
        prefixes = [prefix] if prefix else [*PREFIXES.values()]
        ids = [f"{one}-{form}" for one in prefixes for form in (f"{number:06d}", str(number))]
        if not prefix:
            ids += [f"{number:06d}", str(number)]
        return [entry for id in dict.fromkeys(ids) for entry in self._ids.get(id, ())]

    def _missing(self, reference: str) -> NotFound:
        wanted = reference.strip()
        inside = [entry.id for entry in self._entries if wanted and wanted.lower() in _name(entry)]
        return NotFound("Issue", reference, near=inside[:3] or self._alike(wanted), code="ISSUE_NOT_FOUND")

    def _alike(self, wanted: str) -> list[str]:
        """Try typing errors and the digits alone: comparing with ten thousand ids would take too long."""
        slips = [id for id in _slips(wanted.upper()) if id in self._ids]
        digits = "".join(filter(str.isdigit, wanted[-12:]))
        numbered = [entry.id for entry in self._by_number(digits)]
        return near_ids(wanted, list(dict.fromkeys(slips + numbered)))


def _name(entry: Entry) -> str:
    return entry.path[entry.path.rfind("/") + 1 : -3].lower()


def _slips(wanted: str) -> Iterator[str]:
    """Return the ids that differ by one wrong, missing or extra digit, or by two swapped ones."""
    for place in range(min(len(wanted), 20) + 1):
        before, after = wanted[:place], wanted[place:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        yield from (before + digit + rest for digit in string.digits for rest in (after, after[1:]))
