"""Plans: edits at their places, checked against each other, as one batch and as a diff."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laconic.kit import BadArguments, Problem
from laconic.servers.google.docs.markdown.writing import markdown_of
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Losses, Spans
from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.servers.google.docs.writing.layout import Request
from laconic.text import unified_diff


@dataclass(frozen=True)
class EditStep:
    """One edit at its place: the indices that it is about, and what it does there."""

    number: int  # of the edit, from 1
    tab: Tab
    segment: Segment
    start: int
    end: int
    requests: list[Request]
    text: str  # what is there afterwards: text, or markdown if it is about blocks
    notes: list[Spans] = field(default_factory=list)
    losses: Losses = field(default_factory=Losses)
    is_blocks: bool = False  # about whole paragraphs and tables
    replaces: bool = False  # what is there, whatever it is
    is_mark: bool = False  # a style or a comment: the text stays as it is
    follows: bool = (
        False  # inserted after its text: where another edit inserts before the next, it comes first
    )
    places: int = 1  # how many places its text had

    @property
    def before(self) -> str:
        """What is there now."""
        if self.is_blocks:
            return markdown_of(blocks_of(self.tab, self.segment, Losses(), self.start, self.end))
        flow = self.segment.flow
        return flow.text[flow.offset(self.start) : flow.offset(self.end)]


@dataclass(frozen=True)
class Plan:
    """All edits of a call, last place first."""

    document: Document
    steps: list[EditStep]

    @property
    def requests(self) -> list[Request]:
        """All requests, so that none moves the place of a later one."""
        return [request for step in self.steps for request in step.requests]

    @property
    def notes(self) -> list[Spans]:
        """The texts of new footnotes, in the order of their requests."""
        return [note for step in self.steps for note in step.notes]

    @property
    def losses(self) -> Losses:
        """What cannot be kept."""
        return sum((step.losses for step in self.steps), Losses())

    def diff(self) -> str:
        """Return what the edits change, as a diff."""
        texts = []
        for _, segment in self.document.segments():
            steps = [step for step in self.steps if _is_in(step, segment) and not step.is_mark]
            if steps:
                before, after = _texts(segment, reversed(steps))
                texts.append(unified_diff(before, after, context=1).text)
        marks = [
            f"{next(iter(one))}: {step.before!r}"
            for step in self.steps
            for one in step.requests
            if step.is_mark
        ]
        return "\n".join([*(text for text in texts if text), *reversed(marks)])


def arranged(document: Document, steps: Iterable[EditStep]) -> Plan:
    """Put steps into the order in which they are sent.

    Raises:
        BadArguments: two are about the same text.
    """
    ordered = sorted(steps, key=_place)
    problems = []
    for at, step in enumerate(ordered):
        for place in range(at + 1, len(ordered)):
            other = ordered[place]
            if not _meets(step, other):
                break  # nor does any after it
            problems += [] if step.is_mark and other.is_mark else [_overlap(step, other)]
    if problems:
        raise BadArguments(problems)
    return Plan(document, ordered[::-1])


def _place(step: EditStep) -> tuple[str, str, int, bool, bool, int]:
    """Order: by place; at one place, what follows the text before, then what precedes the text after."""
    is_range = step.end > step.start
    return step.tab.id, step.segment.id, step.start, is_range, not step.follows, step.number


def _meets(one: EditStep, other: EditStep) -> bool:
    """True if a step begins before one that is at its place or before it ends."""
    return (one.tab.id, one.segment.id) == (other.tab.id, other.segment.id) and other.start < one.end


def _overlap(one: EditStep, other: EditStep) -> Problem:
    first, second = sorted((one.number, other.number))
    message = (
        f"Edits {first} and {second} are about the same text ({other.start} to {min(one.end, other.end)})."
    )
    return Problem(f"edits[{second - 1}]", f"{message} Make one of them, or two calls.")


def _is_in(step: EditStep, segment: Segment) -> bool:
    return (step.tab.id, step.segment.id) == (segment.tab, segment.id)


def _texts(segment: Segment, steps: Iterable[EditStep]) -> tuple[str, str]:
    """Return the text of a segment before and after steps, which are in their order."""
    flow, at = segment.flow, 0
    before, after = list[str](), list[str]()
    for step in steps:
        start, end = flow.offset(step.start), flow.offset(step.end)
        between = flow.text[at:start]
        lines = "\n" if step.is_blocks else ""
        before += [between, step.before, lines * bool(step.before)]
        after += [between, step.text, lines * bool(step.text)]
        at = end
    rest = flow.text[at:]
    return "".join([*before, rest]), "".join([*after, rest])
