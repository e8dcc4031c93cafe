"""Diffs: what changed between two texts, in unified form, with bounded work and a bounded length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from laconic.text.editing.comparing.sequences import UnequalRun, compare
from laconic.text.graphemes import boundary

__all__ = ["Diff", "DiffHunk", "unified_diff"]

_NO_BREAK = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """Neighbouring changes: the line before each side starts at, and the lines with their marks."""

    start: int
    new_start: int
    lines: tuple[str, ...]

    @property
    def header(self) -> str:
        """The line that says which lines of both texts follow."""
        count = sum(line[0] in " -" for line in self.lines)
        new_count = sum(line[0] in " +" for line in self.lines)
        return f"@@ -{_range(self.start, count)} +{_range(self.new_start, new_count)} @@"


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed: how many lines in all, the hunks shown, and what they leave out.

    `shortened` counts the lines that are shown in part. `rough` says that a part was too much to compare, so
    lines that both texts have are among those removed and added.
    """

    removed: int
    added: int
    hunks: tuple[DiffHunk, ...]
    shortened: int
    rough: bool

    @property
    def removed_unseen(self) -> int:
        """How many removed lines no hunk shows."""
        return self.removed - self._shown("-")

    @property
    def added_unseen(self) -> int:
        """How many added lines no hunk shows."""
        return self.added - self._shown("+")

    @property
    def text(self) -> str:
        """The diff as lines; the last ones tell what was left out. Empty if nothing changed."""
        lines = [line for hunk in self.hunks for line in (hunk.header, *hunk.lines)]
        if left_out := ", ".join(self._left_out()):
            lines.append(f"\\ Not shown: {left_out}")
        if self.rough:
            lines.append(
                "\\ Too much to compare: lines that did not change are among those removed and added"
            )
        return "\n".join(lines)

    def _shown(self, mark: str) -> int:
        return sum(line[0] == mark for hunk in self.hunks for line in hunk.lines)

    def _left_out(self) -> Iterator[str]:
        if self.removed_unseen:
            yield f"{_counted(self.removed_unseen, 'line')} removed"
        if self.added_unseen:
            yield f"{_counted(self.added_unseen, 'line')} added"
        if self.shortened:
            yield f"the rest of {_counted(self.shortened, 'long line')}"


def unified_diff(before: str, after: str, *, context: int = 3, most: int = 200, width: int = 500) -> Diff:
    """Compare two texts line by line, and show at most so many lines of at most so many characters.

    Lines end with LF, so a CRLF that became LF is a change. What is shown has true line numbers and counts,
    also where it is cut.
    """
    old, new = _lines(before), _lines(after)
    found = compare(old, new)
    showing = _Showing(old, new, context, most, width)
    for group in _groups(found.runs, context):
        showing.add(group)
    removed = sum(run.end - run.start for run in found.runs)
    added = sum(run.new_end - run.new_start for run in found.runs)
    return Diff(removed, added, tuple(showing.hunks), showing.shortened, found.rough)


def _lines(text: str) -> list[str]:
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + [last] * bool(last)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _range(start: int, count: int) -> str:
    first = start + 1 if count else start
    return str(first) if count == 1 else f"{first},{count}"


def _groups(runs: list[UnequalRun], context: int) -> Iterator[list[UnequalRun]]:
    """Put runs together whose context would meet."""
    group: list[UnequalRun] = []
    for run in runs:
        if group and run.start - group[-1].end > 2 * context:
            yield group
            group = []
        group.append(run)
    if group:
        yield group


@dataclass(slots=True)
class _Showing:
    """The hunks of a diff, as long as there is space."""

    old: list[str]
    new: list[str]
    context: int
    space: int
    width: int
    hunks: list[DiffHunk] = field(default_factory=list)
    shortened: int = 0
    _lines: list[str] = field(default_factory=list)

    def add(self, group: list[UnequalRun]) -> None:
        """Show a group of runs as a hunk, or as much of it as there is space for."""
        before = min(self.context, group[0].start, max(0, self.space - 2))
        start, new_start = group[0].start - before, group[0].new_start - before
        self._lines, place = [], start
        for run in group:
            self._show(" ", self.old, place, run.start)
            self._change(run)
            place = run.end
        self._show(" ", self.old, place, min(place + self.context, len(self.old)))
        if any(line[0] in "-+" for line in self._lines):
            self.hunks.append(DiffHunk(start, new_start, tuple(self._lines)))

    def _change(self, run: UnequalRun) -> None:
        """Show what a run removed and added; if it is too long, the beginning of both."""
        removed, added = run.end - run.start, run.new_end - run.new_start
        if removed + added > self.space:
            removed = min(removed, max(self.space - added, (self.space + 1) // 2))
            added = self.space - removed
        self._show("-", self.old, run.start, run.start + removed)
        self._show("+", self.new, run.new_start, run.new_start + added)

    def _show(self, mark: str, lines: list[str], start: int, end: int) -> None:
        for line in lines[start : min(end, start + self.space)]:
            self.space -= 1
            self._lines.append(mark + self._fitting(line.removesuffix("\n")))
            if not line.endswith("\n"):
                self._lines.append(_NO_BREAK)

    def _fitting(self, line: str) -> str:
        if len(line) <= self.width:
            return line
        self.shortened += 1
        return line[: boundary(line, self.width - 1)] + "…"
