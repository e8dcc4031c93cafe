"""Three-way merge of lines: a change of one side is taken; where both sides changed, both are kept."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

Run = list[str]


class Hunk(NamedTuple):
    """Corresponding lines of the three versions; equal where nothing changed."""

    base: Run
    ours: Run
    theirs: Run

    def merged(self) -> Run | None:
        """Return the lines of the side that changed them; None if both did, in different ways."""
        if self.theirs in (self.base, self.ours):
            return self.ours
        return self.theirs if self.ours == self.base else None


def ours_first(base: str, ours: str, theirs: str) -> str:
    """Merge lines of YAML; where both sides changed, new comments of theirs precede our lines."""
    merged: Run = []
    for hunk in _hunks(*map(_lines, (base, ours, theirs))):
        lines = hunk.merged()
        if lines is None:
            known = {*hunk.base, *hunk.ours}
            merged += [line for line in hunk.theirs if line.startswith("#") and line not in known]
        merged += hunk.ours if lines is None else lines
    return "".join(merged)


def with_markers(base: str, ours: str, theirs: str, line_end: str) -> tuple[str, bool]:
    """Merge with git's markers around lines that both sides changed; return whether there are any."""
    merged: Run = []
    in_conflict = False
    for hunk in _hunks(*map(_lines, (base, ours, theirs))):
        lines = hunk.merged()
        in_conflict |= lines is None
        merged += _marked(hunk, line_end) if lines is None else lines
    return "".join(merged), in_conflict


def _marked(hunk: Hunk, line_end: str) -> Run:
    """Put markers around two versions, except for the lines they share at the start and end."""
    ours, theirs = hunk.ours, hunk.theirs
    before = _common(ours, theirs)
    after = _common(ours[before:][::-1], theirs[before:][::-1])
    tail = ours[len(ours) - after :]
    sides = [side[before : len(side) - after] for side in (ours, theirs)]
    one, two = ([*side[:-1], _ended(side[-1], line_end)] if side else [] for side in sides)
    marks = [f"{mark}{line_end}" for mark in ("<<<<<<< ours", "=======", ">>>>>>> theirs")]
    return [*ours[:before], marks[0], *one, marks[1], *two, marks[2], *tail]


def _hunks(base: Run, ours: Run, theirs: Run) -> Iterator[Hunk]:
    """Yield the runs of lines that both sides kept, and what is between them."""
    b = o = t = 0
    for in_base, in_ours, in_theirs, length in _kept(base, ours, theirs):
        yield Hunk(base[b:in_base], ours[o:in_ours], theirs[t:in_theirs])
        b, o, t = in_base + length, in_ours + length, in_theirs + length
        yield Hunk(*[base[in_base:b]] * 3)
    yield Hunk(base[b:], ours[o:], theirs[t:])


def _kept(base: Run, ours: Run, theirs: Run) -> Iterator[tuple[int, int, int, int]]:
    """Find runs of base lines that are in both other versions: the three positions and the length."""
    one, two = _matches(base, ours), _matches(base, theirs)
    while one and two:
        (in_base, in_ours, length), (in_other, in_theirs, other) = one[0], two[0]
        start, stop = max(in_base, in_other), min(in_base + length, in_other + other)
        if start < stop:
            yield start, in_ours + start - in_base, in_theirs + start - in_other, stop - start
        (one if in_base + length < in_other + other else two).pop(0)


def _matches(base: Run, other: Run) -> list[tuple[int, int, int]]:
    """Match two versions; equal lines at both ends are matched first, which leaves less to compare."""
    before = _common(base, other)
    after = _common(base[before:][::-1], other[before:][::-1])
    b, o = len(base) - after, len(other) - after
    matcher = SequenceMatcher(None, base[before:b], other[before:o], autojunk=b + o - before > 5000)
    inner = [(before + x, before + y, length) for x, y, length in matcher.get_matching_blocks() if length]
    return [(0, 0, before), *inner, (b, o, after)]


def _common(one: Run, other: Run) -> int:
    length = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        length += 1
    return length


def _lines(text: str) -> Run:
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + [rest] * bool(rest)


def _ended(line: str, line_end: str) -> str:
    return line if line.endswith("\n") else line + line_end
