"""Editing: edits and markdown are planned, shown or sent, and planned again if somebody was faster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments, Conflict, Failure, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.markdown.parsing import has_styles
from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.docs.reading.document import Document
from laconic.servers.google.docs.reading.opening import read
from laconic.servers.google.docs.writing.guarding import check_known
from laconic.servers.google.docs.writing.layout import Request
from laconic.servers.google.docs.writing.notes import are_empty, new_footnotes, note_requests
from laconic.servers.google.docs.writing.plans import Plan
from laconic.servers.google.docs.writing.sending import StaleRevision, send, send_surely
from laconic.servers.google.docs.writing.suggesting import as_suggestions, left_out
from laconic.servers.google.kept import Known, mark_of
from laconic.text import unified_diff

Planner = Callable[[Document], Plan]
_ATTEMPTS: Final = 6  # to be faster than others; with the last one Google goes around their changes
_PAUSE: Final = 0.1  # seconds, longer each time
_SHOWN: Final = 60  # letters of a text
_FILL: Final = (
    "Do not repeat the edits: look at the document, and fill empty footnotes with segment 'footnote'."
)
_AGAIN: Final = "Read it again, then repeat the edits that still fit."


async def carry_out(access: Access, id: str, plan_for: Planner, *, suggest: bool, dry_run: bool) -> str:
    """Plan changes for a document as it is now, and send them, or only show them.

    Raises:
        BadArguments: an anchor is missing or not clear, or edits overlap.
        Conflict: somebody changed the same text meanwhile, or since the caller read it.
    """
    if dry_run:
        return _shown(plan_for(await read(access, id)), suggest=suggest)
    async with access.turn(id):  # our own calls wait for each other
        known = await access.kept.known.of(id)
        try:
            told, known = await _carried_out(access, id, plan_for, known, suggest=suggest)
        finally:
            await access.kept.known.put(id, known)  # what was sent made it forget
    return told


async def _carried_out(
    access: Access, id: str, plan_for: Planner, known: Known, *, suggest: bool
) -> tuple[str, Known]:
    """Send changes, and plan them again as often as somebody else was faster."""
    first = plan = plan_for(await read(access, id))
    if first.requests and not suggest:
        await check_known(access, first, known)
    for attempt in range(_ATTEMPTS):
        if not plan.requests:
            return "Nothing to change: it is like this already.", known
        is_last = attempt == _ATTEMPTS - 1
        try:
            told, new = await _sent(access, plan, suggest=suggest, merge=is_last)
        except StaleRevision:
            await asyncio.sleep(attempt * _PAUSE)
            plan = _planned_again(first, await read(access, id), plan_for)
        else:
            return told, known.after(mark_of(plan.document.revision), mark_of(new)) if new else known
    raise Conflict(
        "The document is being changed all the time.", code="RESOURCE_LOCKED", advice="Try again later."
    )


def _shown(plan: Plan, *, suggest: bool) -> str:
    """Return what would be changed."""
    _requests(plan, suggest=suggest)
    later = f" A second batch would write {_footnotes(plan)}." if plan.notes else ""
    told = f"{_count(plan)}; nothing was sent.{later}{_lost(_losses(plan, suggest=suggest))}{_signs(plan)}"
    return f"{told}\n{plan.diff()}".rstrip()


async def _sent(access: Access, plan: Plan, *, suggest: bool, merge: bool) -> tuple[str, str]:
    """Send a plan; what is told, and the revision that it made, if nobody else had a part in that."""
    document = plan.document
    requests = _requests(plan, suggest=suggest)
    if merge:
        done = await send(access, document.id, requests, document.revision, suggest=suggest, merge=True)
    else:
        done = await send_surely(access, document, requests, suggest=suggest)
    revision = "" if merge else _revision_of(done)
    if plan.notes:
        made = new_footnotes(done.get("replies", []))
        revision = await _annotated(access, plan, made, revision, suggest=suggest)
    lost = _lost(_losses(plan, suggest=suggest))
    told = f"{_count(plan)} {'suggested' if suggest else 'done'}.{lost}{_signs(plan)}"
    return told, revision


def _signs(plan: Plan) -> str:
    """Return a remark on text that looks like markdown: it is written as it is."""
    texts = (step.text for step in plan.steps if not (step.is_blocks or step.is_mark))
    found = next((text for text in texts if has_styles(text)), "")
    if not found:
        return ""
    shown = found if len(found) <= _SHOWN else f"{found[: _SHOWN - 1]}…"
    return f" With find, text is not taken for markdown: '{shown}' keeps its signs. Use style instead."


def _revision_of(done: Mapping[str, Any]) -> str:
    return str(done.get("writeControl", {}).get("requiredRevisionId", ""))


def _losses(plan: Plan, *, suggest: bool) -> Losses:
    """Return what cannot be kept."""
    languages = left_out(plan.steps) if suggest else 0
    return plan.losses + Losses({"languages of code, in suggestions": languages} if languages else {})


async def _annotated(access: Access, plan: Plan, made: Sequence[str], revision: str, *, suggest: bool) -> str:
    """Write the texts of new footnotes; at any revision, as nobody else knows these footnotes yet.

    Return the new revision; none if somebody else changed the document meanwhile, or that is not known.

    Raises:
        Failure: that could not be done, or it is not known; the edits themselves are done.
    """
    id = plan.document.id
    requests = note_requests(made, plan.notes, plan.steps[0].tab.id)
    try:
        try:
            return _revision_of(await send(access, id, requests, revision, suggest=suggest))
        except StaleRevision:
            pass
        except UpstreamDown as failure:
            if failure.changed is not False and not are_empty(await read(access, id), made):
                return ""  # only the answer was lost
        await send(access, id, requests, suggest=suggest)
        return ""
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
        told = f"The document was changed meanwhile. {error.message}"
        raise Conflict(told, code="RESOURCE_LOCKED", advice=_AGAIN) from error
    for old, new in zip(plan.steps, again.steps, strict=False):
        if (old.places, old.before) != (new.places, new.before) or old.number != new.number:
            changed = unified_diff(f"{old.before}\n", f"{new.before}\n", context=1, most=40).text
            told = (
                f"where edit {old.number} is:\n{changed}"
                if changed
                else f"and edit {old.number} is not clear."
            )
            raise Conflict(
                f"The document was changed meanwhile, {told}", code="RESOURCE_LOCKED", advice=_AGAIN
            )
    return again


def _count(plan: Plan) -> str:
    numbers = {step.number for step in plan.steps}
    edits = "1 edit" if len(numbers) == 1 else f"{len(numbers)} edits"
    count = len(plan.requests)
    return f"{edits} in {count} request{'s' * (count != 1)}"


def _lost(losses: Losses) -> str:
    told = ", ".join(f"{words} ({count})" for words, count in losses.most_common())
    return f" Not kept, as markdown and Docs do not share it: {told}." if told else ""
