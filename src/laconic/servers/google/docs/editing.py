"""What the tools for documents do: find, write markdown, edit, and send requests as they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from laconic.kit import BadArguments, Page, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.batches import checked_requests
from laconic.servers.google.docs.reading.document import Document, parse
from laconic.servers.google.docs.reading.finding import Found, numbers_of, places_of, spellings_of
from laconic.servers.google.docs.reading.opening import ask, hold, reopened
from laconic.servers.google.docs.reading.outline import Section, outline
from laconic.servers.google.docs.writing.anchors import nothing_found, scope_of, tab_of
from laconic.servers.google.docs.writing.carrying_out import carry_out
from laconic.servers.google.docs.writing.planning import planned
from laconic.servers.google.docs.writing.plans import Plan
from laconic.servers.google.docs.writing.sending import StaleRevision, send
from laconic.servers.google.models.docs import DocEdit, DocPlace

_SPELLINGS = 6  # that are named


async def find(access: Access, id: str, text: str, tab: str | None, window: Window) -> Page[DocPlace]:
    """Return the places of a text, whatever the case; all pages are of the version of the first."""
    began = access.kept.now()
    skip, mark = window.position or (0, "")
    answer = {} if mark else await ask(access, id)
    document, mark, remark = await reopened(access, id, str(mark)) if mark else (parse(answer), "", "")
    scope = scope_of(document, tab_of(document, tab), None)
    places = list(places_of(document, text, scope, case=False))
    skip = int(str(skip))
    sections = outline(document)
    numbered = zip(numbers_of(document, places, scope), places, strict=True)
    shown = [
        DocPlace(
            nth=number,
            where=_where(document, sections, one),
            range="{}-{}".format(*one.range),
            text=one.excerpt,
        )
        for number, one in islice(numbered, skip, skip + window.count)
    ]
    more = skip + len(shown)
    if more < len(places):
        mark = mark or await hold(access, id, answer, began)
    remark = " ".join(filter(None, (remark, _written(places)))) if places else nothing_found(text, scope)
    return Page(shown, len(places), next=(more, mark) if more < len(places) else None, remark=remark)


def _written(places: Sequence[Found]) -> str:
    """Return how a text is written where that is not the same everywhere: edits tell these apart."""
    spellings = spellings_of(places)
    if len(spellings) == 1:
        return ""
    told = ", ".join(f"'{one}' ({count})" for one, count in spellings.most_common(_SPELLINGS))
    return f"nth counts each spelling for itself, as docs_edit does: {told}."


def _where(document: Document, sections: Sequence[Section], found: Found) -> str:
    tab = f"{found.tab.title}: " if len(document.tabs) > 1 else ""
    if found.segment.kind != "body":
        return f"{tab}{found.segment.kind} {found.segment.id}"
    mine = [section for section in sections if section.segment is found.segment]
    at = bisect_right([section.start for section in mine], found.range[0])
    return f"{tab}{mine[at - 1].path if at else 'top'}"


async def write(
    access: Access, id: str, given: DocEdit, tab: str | None, *, suggest: bool = False, dry_run: bool = False
) -> str:
    """Write markdown into the body of a tab, the first if none is named."""

    def plan_for(document: Document) -> Plan:
        chosen = tab_of(document, tab) or (None if given.section else document.tabs[0])
        return planned(document, [given], scope_of(document, chosen, "body"))

    return await carry_out(access, id, plan_for, suggest=suggest, dry_run=dry_run)


async def edit(
    access: Access,
    id: str,
    edits: Sequence[DocEdit],
    tab: str | None,
    segment: str | None,
    *,
    suggest: bool,
    dry_run: bool,
) -> str:
    """Carry out edits, all or none."""

    def plan_for(document: Document) -> Plan:
        return planned(document, edits, scope_of(document, tab_of(document, tab), segment))

    return await carry_out(access, id, plan_for, suggest=suggest, dry_run=dry_run)


async def send_raw(
    access: Access, id: str, requests: Sequence[Mapping[str, Any]], *, suggest: bool, dry_run: bool
) -> Any:
    """Send requests as they are, all or none."""
    checked = checked_requests("docs", "documentId", requests, "insertText")
    if dry_run:
        count = f"{len(checked)} request{'s' * (len(checked) != 1)}"
        return f"{count} would be sent; nothing was. Names and types fit; only Google checks indices."
    try:
        done = await send(access, id, checked, suggest=suggest)
    except StaleRevision as stale:
        raise BadArguments("The document was changed meanwhile.") from stale
    replies = [reply for reply in done.get("replies", []) if reply]
    return {"done": len(checked), **({"replies": replies} if replies else {})}
