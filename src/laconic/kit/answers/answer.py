"""The answer of a call, before a transport gives it the protocol's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from laconic.data import dataclass
from laconic.kit.answers.cells import one_line
from laconic.kit.answers.content import Block, Text
from laconic.kit.answers.envelope import with_notes

if TYPE_CHECKING:
    from laconic.kit.answers.facts import Facts
    from laconic.kit.errors import Failure

__all__ = ["Answer", "RateCount", "note_lines"]


class RateCount(NamedTuple):
    """A counter of a rate limit: how many calls are allowed, how many were made, seconds until it ends."""

    most: int
    number: int
    left: float


@dataclass
class Answer:
    """What a call returns: blocks for the model, data for programs, and the failure if it failed."""

    blocks: list[Block] = field(default_factory=list)
    structured: dict[str, Any] | None = None
    failure: Failure | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    tail: str = ""  # the end of the text that must not be lost, such as the cursor
    cursor: str | None = None  # of the next page
    facts: Facts | None = None  # what the data was made from, to leave out a part
    value: Any = None  # what the function returned, for steps and resources
    description: str = ""  # of a prompt, for clients
    counts: list[RateCount] = field(default_factory=list)  # of rate limits, for web routes

    @property
    def text(self) -> str:
        """The whole text of the answer."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Text))

    def note(self, notes: Sequence[str]) -> None:
        """Add notes for the model, to the text and to the data."""
        if not notes:
            return
        text = "\n".join(note_lines(notes))
        if self.structured is not None:
            self.structured = with_notes(self.structured, notes)
        texts = [place for place, block in enumerate(self.blocks) if isinstance(block, Text)]
        if texts:
            last = self.blocks[texts[-1]]
            assert isinstance(last, Text)
            self.blocks[texts[-1]] = replace(last, text=f"{last.text}\n\n{text}")
            self.tail = f"{self.tail}\n\n{text}" if self.tail else text
        elif self.blocks or self.structured is None:
            self.blocks.append(Text(text))


def note_lines(notes: Sequence[str]) -> list[str]:
    """Return notes for the model, each on its line."""
    return [f"Note: {one_line(note)}" for note in notes]
