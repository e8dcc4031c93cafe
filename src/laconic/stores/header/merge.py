"""Three-way merge of files with a header: key by key, and the body line by line."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from laconic.stores.errors import Unreadable
from laconic.stores.header.fences import Fenced, in_line_ends_of
from laconic.stores.header.header import Header
from laconic.stores.header.merge_lines import ours_first, with_markers
from laconic.stores.header.yaml_blocks import flow
from laconic.stores.header.yaml_nodes import same

Values = dict[str, Any]
Path = tuple[str, ...]  # a key, and keys inside its value

_QUOTED: Final = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*\"""")
_REMARK: Final = re.compile(r"(?:^|\s)#\s*(\S.*?)\s*$")
_ABSENT: Final = object()  # a key that a version does not have; None is a value


class Merged(NamedTuple):
    """The merged file, and the keys in conflict; `body` means the text below the header."""

    text: str
    conflicts: tuple[str, ...]


def merge(base: str, ours: str, theirs: str, *, newest: frozenset[str] = frozenset()) -> Merged:
    """Merge two versions of a file.

    Lists of strings are merged as sets, mappings key by key; for keys in `newest`, the later value wins.
    Where both sides changed a key, ours stays and a comment below it has theirs. Where both changed the
    same lines of the body, git's markers surround them.

    Raises:
        Unreadable: the header of a version is broken.
    """
    if theirs in (base, ours):
        return Merged(ours, ())
    if ours == base:
        return Merged(theirs, ())
    base, theirs = in_line_ends_of(ours, base), in_line_ends_of(ours, theirs)
    old, mine, yours = map(Fenced.of, (base, ours, theirs))
    header, clashes = _merged_header(old, mine, yours, newest)
    body, is_clash = with_markers(old.body, mine.body, yours.body, mine.line_end())
    return Merged(Fenced.of(header.text()).with_body(body).text(), (*clashes, *["body"] * is_clash))


def _merged_header(
    old: Fenced, mine: Fenced, yours: Fenced, newest: frozenset[str]
) -> tuple[Header, list[str]]:
    """Merge by lines first, which keeps the comments of both sides, then correct the values."""
    base, ours, theirs = _read(old, "base"), _read(mine, "ours"), _read(yours, "theirs")
    fields = _Fields(newest)
    wanted = fields.merged(base.values(), ours.values(), theirs.values())
    header = _by_lines(old, mine, yours, order=(*theirs.values(),))
    for key in {**header.values(), **wanted}:
        _set_merged(header, key, wanted.get(key, _ABSENT), base, theirs)
    for path, value in fields.clashes.items():
        name = ".".join(path)
        words = f"{name} (removed by theirs)" if value is _ABSENT else f"{name}: {flow(value)} (theirs)"
        header.note_conflict(path[0], words)
    for key, remark in [*_lost_remarks(old, yours, header)]:
        header.remark(key, f"{remark} (theirs)")
    return header, [".".join(path) for path in fields.clashes]


def _by_lines(old: Fenced, mine: Fenced, yours: Fenced, order: tuple[str, ...]) -> Header:
    lines = ours_first(old.header, mine.header, yours.header)
    merged = Header(mine.with_header(lines) if lines else mine, order)
    return merged if merged.problem is None else Header(mine, order)


def _set_merged(header: Header, key: str, wanted: Any, base: Header, theirs: Header) -> None:
    """Set a key to its merged value, with their lines if it is their value and ours are unchanged."""
    if same(header.values().get(key, _ABSENT), wanted):
        return
    with suppress(Unreadable):  # for instance, their lines refer to others
        if same(theirs.values().get(key), wanted) and header.lines(key) in ("", base.lines(key)):
            header.copy(key, theirs)
            return
    header.set(key, None if wanted is _ABSENT else wanted)


def _lost_remarks(old: Fenced, yours: Fenced, merged: Header) -> Iterator[tuple[str, str]]:
    """Find their comments on lines that ours replaced, with the keys they belong to."""
    if "#" not in yours.header:
        return
    known = {""} | {
        _remark(line) for file in (old, Fenced.of(merged.text())) for line in file.header.splitlines()
    }
    theirs = Header(yours)
    for key, value in theirs.values().items():
        lines = theirs.lines(key).splitlines()
        for line in lines[:1] if isinstance(value, str) else lines:  # no comments inside a long string
            remark = _remark(line)
            if remark not in known:
                yield key, remark


def _remark(line: str) -> str:
    found = _REMARK.search(_QUOTED.sub("", line))
    return found[1] if found else ""


def _read(file: Fenced, whose: str) -> Header:
    header = Header(file)
    if header.is_broken:
        raise Unreadable(f"{header.problem} ({whose})")
    return header


class _Fields:
    """Merges values, and remembers theirs where there is a conflict."""

    def __init__(self, newest: frozenset[str]) -> None:
        self.clashes: dict[Path, Any] = {}
        self._newest = newest

    def merged(self, base: Values, ours: Values, theirs: Values, above: Path = ()) -> Values:
        """Merge two mappings key by key."""
        found = {
            key: self._one((*above, key), *(values.get(key, _ABSENT) for values in (base, ours, theirs)))
            for key in {**ours, **theirs}
        }
        return {key: value for key, value in found.items() if value is not _ABSENT}

    def _one(self, path: Path, base: Any, ours: Any, theirs: Any) -> Any:
        if same(theirs, base) or same(theirs, ours):
            return ours
        if same(ours, base):
            return theirs
        if len(path) == 1 and path[0] in self._newest:
            return _later(ours, theirs)
        if _are_words(ours) and _are_words(theirs):
            return _union(base if _are_words(base) else [], ours, theirs)
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self.merged(base if isinstance(base, dict) else {}, ours, theirs, path)
        self.clashes[path] = theirs
        return ours


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _union(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    kept = [item for item in ours if item in theirs or item not in base]
    return kept + [item for item in dict.fromkeys(theirs) if item not in base and item not in ours]


def _later(ours: Any, theirs: Any) -> Any:
    there = [value for value in (ours, theirs) if value is not _ABSENT and value is not None]
    try:
        return max(there, key=datetime.fromisoformat, default=ours)
    except (TypeError, ValueError):  # not dates, or one of them without a time zone
        return max(there, key=str)
