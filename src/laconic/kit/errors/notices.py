"""Notices: the text of a failure in a few hundred bytes, and what of it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final

from laconic.data import dataclass
from laconic.kit.compact import compact
from laconic.lazily import regex
from laconic.text.halves import without_halves

__all__ = ["MOST_BYTES", "Listed", "Notice", "cell", "label", "sentences", "unbroken"]

MOST_BYTES: Final = 600
_MOST_ADVICE: Final = 220
_LEAST_MESSAGE: Final = 120
_MOST_NAMES: Final = 80  # for the names of what is not shown
_MOST_NOTES: Final = 120
_BREAKS: Final = regex(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_NAME: Final = regex(r"[\w./~…$@#-]+(?: [\w./~…$@#-]+)*")
_OURS: Final = ("Note", "Error", "Failed", "Read on", "The whole message")  # each begins a line of the kit
_ENDS: Final = (".", "!", "?", ":", "…", "。", "\uff01", "\uff1f")  # the last two: of East Asian texts

Way = Callable[[int], str]
"""How to read the whole notice from a line on."""


def unbroken(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(line for part in _BREAKS.split(text) if (line := part.strip()))


def sentences(*texts: str) -> str:
    """Join texts on one line, with a full stop after each that lacks one before the next."""
    said = [unbroken(text) for text in texts if text.strip()]
    ended = [text if text.endswith(_ENDS) else f"{text}." for text in said[:-1]]
    return " ".join([*ended, *said[-1:]])


def cell(value: Any) -> str:
    """Return a value on one line: as JSON unless it is a simple text."""
    if isinstance(value, str) and value.isprintable() and value.strip() == value != "" and "," not in value:
        return value
    return compact(value)


def label(name: str) -> str:
    """Return the name of a value at the start of a line: as JSON unless it is a simple name."""
    from laconic.text.tags import is_like_ours

    is_simple = _NAME.fullmatch(name) is not None and name not in _OURS and not is_like_ours(name)
    return name if is_simple else unbroken(compact(name))


@dataclass(frozen=True)
class Listed:
    """Things to tell after the message: further problems, one per line, or a detail by its name."""

    noun: str
    items: tuple[str, ...]
    are_sentences: bool = False
    is_one: bool = False  # one value, not a list
    named: int = 0  # how many more the message has named already
    are_notes: bool = False  # about the call, said last

    def lines(self) -> list[str]:
        """Return one line for each."""
        return list(self.items) if self.are_sentences else [f"{self.noun}: {item}" for item in self.items]

    def text(self, count: int) -> list[str]:
        """Return the first of them."""
        if self.are_sentences:
            return list(self.items[:count])
        return [f"{self.noun}: {', '.join(self.items[:count])}"] if count else []

    def fitting(self, room: int) -> int:
        """Return how many of them take at most so many bytes."""
        sizes = accumulate(_size(item) + 1 for item in self.items)
        return sum(1 for size in sizes if size <= room)

    def rest(self, shown: int) -> str:
        """Name those that are not shown."""
        left = len(self.items) - shown
        noun = self.noun.removesuffix("s") if left == 1 else self.noun
        return (
            self.noun
            if self.is_one
            else f"{left:,} more {noun}"
            if shown or self.named
            else f"{left:,} {noun}"
        )


@dataclass(frozen=True)
class Notice:
    """A failure in words, in the order in which they are said."""

    message: str
    advice: str = ""
    listed: tuple[Listed, ...] = ()
    end: str = ""  # whether anything was changed, and the trace

    @property
    def whole(self) -> str:
        """Everything, one line for each problem and detail."""
        more = [line for listed in self.listed for line in listed.lines()]
        return "\n".join([sentences(self.message, self.advice), *more])

    @property
    def is_short(self) -> bool:
        """True if everything fits into the text."""
        return (
            _size(self._text(self.message, self.advice, [len(one.items) for one in self.listed]))
            <= MOST_BYTES
        )

    def text(self, way: Way | None = None) -> str:
        """Return as much as fits; the advice and the end always do."""
        if self.is_short:
            return self._text(self.message, self.advice, [len(one.items) for one in self.listed])
        counts = [one.fitting(_MOST_NOTES) if one.are_notes else 0 for one in self.listed]
        room = MOST_BYTES - _size(self._text("", "", counts, way, is_cut=True)) - _LEAST_MESSAGE
        advice = clipped(self.advice, min(room, _MOST_ADVICE))
        room = MOST_BYTES - _size(self._text("", advice, counts, way, is_cut=True)) - 2
        message = clipped(self.message, room)
        is_cut = message != self.message or advice != self.advice
        for place, listed in enumerate(self.listed):
            for count in range(counts[place] + 1, len(listed.items) + 1):
                tried = [*counts[:place], count, *counts[place + 1 :]]
                if _size(self._text(message, advice, tried, way, is_cut=is_cut)) > MOST_BYTES:
                    break
                counts = tried
        return self._text(message, advice, counts, way, is_cut=is_cut)

    def _text(
        self,
        message: str,
        advice: str,
        counts: Sequence[int],
        way: Way | None = None,
        *,
        is_cut: bool = False,
    ) -> str:
        pairs = list(zip(self.listed, counts, strict=True))
        shown = [line for one, count in pairs if not one.are_notes for line in one.text(count)]
        notes = [line for one, count in pairs if one.are_notes for line in one.text(count)]
        lines = [sentences(message, advice), *shown, self._rest(counts, way, is_cut), self.end]
        return "\n".join([*(line for line in lines if line), *([""] if notes else []), *notes])

    def _rest(self, counts: Sequence[int], way: Way | None, is_cut: bool) -> str:
        """Name what is not shown, and how to read it."""
        pairs = list(zip(self.listed, counts, strict=True))
        left = [one.rest(count) for one, count in pairs if count < len(one.items)]
        if way is None:
            return f"({_few(left)})" if left else ""
        names = [*(["The whole message"] if is_cut else []), *left]
        if not names:
            return ""
        return f"{_few(names)}: {way(1 if is_cut else self._first_left(pairs))}."

    def _first_left(self, pairs: Sequence[tuple[Listed, int]]) -> int:
        line = 2  # the first has the message
        for one, count in pairs:
            if count < len(one.items):
                return line + count
            line += len(one.items)
        return line


def _few(names: Sequence[str]) -> str:
    """Return names with commas: the first of them, and how many more, if they are many."""
    shown = [clipped(names[0], _MOST_NAMES)]
    for name in names[1:]:
        if _size(", ".join([*shown, name])) > _MOST_NAMES:
            return f"{', '.join(shown)} and {len(names) - len(shown):,} more"
        shown.append(name)
    return ", ".join(shown)


def clipped(text: str, room: int) -> str:
    """Shorten a text to so many bytes, between two words if there are any, and mark it with an ellipsis."""
    if _size(text) <= room:
        return text
    from laconic.text import boundary

    cut = _encoded(text)[: max(room - 4, 0)].decode(errors="ignore")
    words, space, _ = cut.rpartition(" ")
    if space and len(words) * 2 >= len(cut):
        return f"{words} …"
    return f"{text[: boundary(text, len(cut))]}…"


def _size(text: str) -> int:
    return len(_encoded(text))


def _encoded(text: str) -> bytes:
    return without_halves(text).encode()
