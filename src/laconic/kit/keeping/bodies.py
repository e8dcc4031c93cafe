"""Bodies: which whole texts inside a long answer are shortened, and how much of each may stay."""

from __future__ import annotations

import re
from typing import Final

from laconic.data import dataclass
from laconic.kit.answers.content import Text

__all__ = ["BodyCut", "cuts_of"]

_OPENING: Final = re.compile(r"<([^\W\d]\w*)(-\d+)?>\n\Z")
_LONGEST_TAG: Final = 80


@dataclass(frozen=True)
class BodyCut:
    """A body to shorten: its text, its span with its tags, its name, and the room for what stays of it."""

    body: str
    start: int
    end: int
    name: str
    room: int


def cuts_of(block: Text, room: int, least: int) -> list[BodyCut]:
    """Return which bodies to shorten so that a block fits its room, in the order of the text.

    The longest come first, and each keeps at least so many characters; if that is not enough: none.
    """
    over, cuts = len(block.text) - room, []
    for start, end in sorted(block.bodies, key=lambda span: span[0] - span[1]):
        if over <= 0:
            break
        cut = _cut(block.text, start, end, max(end - start - over, least))
        over -= cut.end - cut.start - cut.room
        cuts.append(cut)
    return sorted(cuts, key=lambda cut: cut.start) if over <= 0 else []


def _cut(text: str, start: int, end: int, room: int) -> BodyCut:
    body = text[start:end]
    opening = _OPENING.search(text[max(0, start - _LONGEST_TAG) : start])
    closing = f"\n</{opening[0][1:-2]}>" if opening else ""
    if opening is None or not text.startswith(closing, end):
        return BodyCut(body, start, end, "", room)
    first, last = start - len(opening[0]), end + len(closing)
    return BodyCut(body, first, last, opening[1] if first or text[last:] else "", room)
