"""Guarding: a part of a document is replaced as the caller knows it; what others wrote there is not lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from laconic.kit import Conflict
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import key_of, markdown_of
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Block, Losses
from laconic.servers.google.docs.reading.document import Document, Segment
from laconic.servers.google.docs.reading.opening import VIEW
from laconic.servers.google.docs.writing.plans import EditStep, Plan
from laconic.servers.google.kept import Known, mark_of
from laconic.text import unified_diff
from laconic.text.editing.comparing.sequences import UnequalRun, compare

_AGAIN: Final = "Read it again, then write it with what is new."
_LINES: Final = 40  # of a diff


async def check_known(access: Access, plan: Plan, known: Known) -> None:
    """Refuse to replace a part that was changed since the caller read it.

    Raises:
        Conflict: with what was changed; without that, if what was read is not kept any longer.
    """
    steps = [step for step in plan.steps if step.replaces]
    document = plan.document
    if not steps or known.last in ("", mark_of(document.revision)):
        return
    base = await access.kept.as_read(document.id, VIEW, known.read) if known.read else None
    if base is None:
        raise Conflict(
            "The document has changed since you last read or changed it.",
            code="RESOURCE_LOCKED",
            advice=_AGAIN,
        )
    changed = "\n".join(_changes(base.text, document, steps))
    if changed:
        words = f"This part has changed since you read it:\n{changed}"
        raise Conflict(words, code="RESOURCE_LOCKED", advice=_AGAIN)


def _changes(base: str, document: Document, steps: Sequence[EditStep]) -> list[str]:
    """Return how parts of a document differ from what they were, as diffs."""
    old = parse_markdown(base)
    now = _blocks(document)
    runs = compare([key_of(one) for one in old], [key_of(one) for _, one in now]).runs
    found: list[str] = []
    for step in steps:
        inside = [at for at, (segment, block) in enumerate(now) if _is_in(step, segment, block)]
        if not inside:
            continue  # nothing there could be lost
        touching = [run for run in runs if _touches(run, inside[0], inside[-1] + 1)]
        if touching:
            first, last = touching[0], touching[-1]
            before = markdown_of(old[first.start : last.end])
            after = markdown_of(block for _, block in now[first.new_start : last.new_end])
            found.append(unified_diff(f"{before}\n", f"{after}\n", context=0, most=_LINES).text)
    return found


def _blocks(document: Document) -> list[tuple[Segment, Block]]:
    """Return the blocks of a document in the order in which it is read."""
    return [
        (segment, block)
        for tab, segment in document.segments()
        if segment.kind != "footnote"
        for block in blocks_of(tab, segment, Losses())
    ]


def _is_in(step: EditStep, segment: Segment, block: Block) -> bool:
    return segment is step.segment and step.start <= block.start < step.end


def _touches(run: UnequalRun, first: int, last: int) -> bool:
    """True if something in a part is new, or something is gone from it or from its border."""
    if run.new_start == run.new_end:
        return first <= run.new_start <= last
    return run.new_start < last and run.new_end > first
