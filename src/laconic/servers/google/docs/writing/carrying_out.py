"""Editing: edits and markdown are planned, shown or sent, and planned again if somebody was faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from laconic.kit import BadArguments, Conflict, Failure, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.docs.reading.document import Document
from laconic.servers.google.docs.reading.opening import read
from laconic.servers.google.docs.writing.layout import Request
from laconic.servers.google.docs.writing.notes import are_empty, new_footnotes, note_requests
from laconic.servers.google.docs.writing.plans import Plan
from laconic.servers.google.docs.writing.sending import StaleRevision, send, send_surely
from laconic.servers.google.docs.writing.suggesting import as_suggestions, left_out
from laconic.text import unified_diff

Planner = Callable[[Document], Plan]
_FILL: Final = (
    "Do not repeat the edits: look at the document, and fill empty footnotes with segment 'footnote'."
)
_AGAIN: Final = "Read it again, then repeat the edits that still fit."


async def carry_out(access: Access, id: str, plan_for: Planner, *, suggest: bool, dry_run: bool) -> str:
    """Plan changes for a document as it is now, and send them, or only show them.

    Raises:
        BadArguments: an anchor is missing or not clear, or edits overlap.
        Conflict: somebody changed the same text meanwhile.
    """
    plan = plan_for(await read(access, id))
    if dry_run:
        _requests(plan, suggest=suggest)
        later = f" A second batch would write {_footnotes(plan)}." if plan.notes else ""
        return f"{_count(plan)}; nothing was sent.{later}\n{plan.diff()}".rstrip()
    if not plan.requests:
        return "Nothing to change: it is like this already."
    try:
        return await _sent(access, plan, suggest=suggest)
    except StaleRevision:
        again = _planned_again(plan, await read(access, id), plan_for)
    try:
        return await _sent(access, again, suggest=suggest)
    except StaleRevision:
        raise Conflict("The document is being changed all the time.", advice="Try again later.") from None


async def _sent(access: Access, plan: Plan, *, suggest: bool) -> str:
    document = plan.document
    done = await send_surely(access, document, _requests(plan, suggest=suggest), suggest=suggest)
    if plan.notes:
        await _annotated(access, plan, new_footnotes(done.get("replies", [])), suggest=suggest)
    if not suggest:
        return f"{_count(plan)} done.{_lost(plan.losses)}"
    languages = left_out(plan.steps)
    lost = plan.losses + Losses({"languages of code, in suggestions": languages} if languages else {})
    return f"{_count(plan)} suggested.{_lost(lost)}"


async def _annotated(access: Access, plan: Plan, made: Sequence[str], *, suggest: bool) -> None:
    """Write the texts of new footnotes; at any revision, as nobody else knows these footnotes yet.

    Raises:
        Failure: that could not be done, or it is not known; the edits themselves are done.
    """
    document = plan.document
    requests = note_requests(made, plan.notes, plan.steps[0].tab.id)
    try:
        try:
            await send(access, document.id, requests, suggest=suggest)
        except UpstreamDown as failure:
            if failure.changed is not False and not are_empty(await read(access, document.id), made):
                return  # only the answer was lost
            await send(access, document.id, requests, suggest=suggest)
    except (Failure, StaleRevision) as failure:
        why = failure.message if isinstance(failure, Failure) else "Google refused it."
        done = f"{_count(plan)} done, but not {_footnotes(plan)}: {why}"
        raise Conflict(done, changed=True, advice=_FILL) from failure


def _footnotes(plan: Plan) -> str:
    count = sum(map(bool, plan.notes))
    return "the text of 1 footnote" if count == 1 else f"the texts of {count} footnotes"


def _requests(plan: Plan, *, suggest: bool) -> list[Request]:
    return as_suggestions(plan.steps) if suggest else plan.requests


def _planned_again(plan: Plan, now: Document, plan_for: Planner) -> Plan:
    """Plan for a document that was changed meanwhile, if every edit still means the same.

    Raises:
        Conflict: one does not; with what was changed.
    """
    try:
        again = plan_for(now)
    except BadArguments as error:
        raise Conflict(f"The document was changed meanwhile. {error.message}", advice=_AGAIN) from error
    for old, new in zip(plan.steps, again.steps, strict=False):
        if (old.places, old.before) != (new.places, new.before) or old.number != new.number:
            changed = unified_diff(old.before, new.before, context=1, most=40).text
            told = (
                f"where edit {old.number} is:\n{changed}"
                if changed
                else f"and edit {old.number} is not clear."
            )
            raise Conflict(f"The document was changed meanwhile, {told}", advice=_AGAIN)
    return again


def _count(plan: Plan) -> str:
    numbers = {step.number for step in plan.steps}
    edits = "1 edit" if len(numbers) == 1 else f"{len(numbers)} edits"
    count = len(plan.requests)
    return f"{edits} in {count} request{'s' * (count != 1)}"


def _lost(losses: Losses) -> str:
    told = ", ".join(f"{words} ({count})" for words, count in losses.most_common())
    return f" Not kept, as markdown and Docs do not share it: {told}." if told else ""
