"""Documents as markdown: fetched once for a revision, then read by section, by characters or as a whole."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Literal

from laconic.kit import Conflict, Link, Verbatim, failure_of, one_line
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading.document import parse
from laconic.servers.google.docs.reading.opening import CHANGED, GONE, VIEW, ask, is_present, revision_of
from laconic.servers.google.kept import KeptText, Known
from laconic.servers.google.models.texts import ALL_OF_IT, TextRead
from laconic.servers.google.reading.outlines import outline_lines, structure_lines
from laconic.servers.google.reading.parts import part_of
from laconic.servers.google.reading.sections import section_text
from laconic.text import Heading, NoSection, headings, section

ReturnMode = Literal["summary", "full"]
MARKDOWN: Final = "text/markdown"
SMALL: Final = 4_000  # characters that come at once: a second call would cost more
FIRST: Final = 5_000  # characters of the part that a summary links to
_LONG: Final = 1_000_000  # characters above which a host may not get all of it at once
_SINCE: Final = "The document has changed since you last read it."


async def open_document(access: Access, id: str) -> KeptText:
    """Return a document as markdown: as it was kept, if it is the same still."""
    found = await access.kept.get(id, VIEW)
    if found is not None and await is_present(access, id, found.revision):
        return found
    began = access.kept.now()
    answer = await ask(access, id)
    document = parse(answer)
    made = view_of(document)
    new = KeptText(document.title, MARKDOWN, revision_of(answer), made.text, began, made.left_out)
    await access.kept.put(id, VIEW, new)
    access.kept.tell(id, new.revision)
    return new


async def _opened(access: Access, id: str) -> KeptText:
    """Return a document at its present revision, for somebody who begins to read it."""
    found = await open_document(access, id)
    await access.kept.shown.add(id, found.mark)
    await access.kept.known.put(id, Known(found.mark, found.mark))
    return found


async def read_document(
    access: Access, id: str, mode: ReturnMode, wanted: str | None
) -> TextRead | tuple[TextRead, Link]:
    """Return what a document is, one section of it, or all of it; a small one always as a whole."""
    before, known = await access.kept.shown.of(id), await access.kept.known.of(id)
    found = await _opened(access, id)
    marks = headings(found.text)
    about: dict[str, Any] = {"title": found.title, "document_id": id}
    if wanted is not None:
        start, end = _section(found.text, marks, wanted)
        content = section_text(found.text, start, end)
        part = TextRead(**about, character_count=len(content), content=content)
        is_old = before and found.mark not in (before[-1], known.last)  # not by our own edits alone
        return part.saying(_SINCE if is_old else "")
    counts: dict[str, Any] = {"character_count": len(found.text), "section_count": len(marks)}
    remark = f" Not shown: {found.remark}." if found.remark else ""
    name = f"'{one_line(found.title)}'"
    uri, hint = f"gdrive://docs/{id}/chunk/{{start}}-{{end}}", "Read a part with section or resourceUri."
    if mode == "full" or len(found.text) <= SMALL:
        about |= {"resource_uri": uri, "hint": ALL_OF_IT} if mode == "summary" else {}
        return TextRead(**about, **counts, content=found.text).saying(f"{name}.{remark}")
    size = f"{name}: {len(found.text):,} characters of markdown, {len(marks):,} sections.{remark}"
    how = "Read one with section, all with returnMode full."
    words = "\n".join([size, *outline_lines(marks), how])
    summary = TextRead(**about, **counts, resource_uri=uri, hint=hint).saying(words)
    return summary, Link(f"gdrive://docs/{id}/chunk/0-{FIRST}", found.title, MARKDOWN)


def _section(text: str, marks: list[Heading], wanted: str) -> tuple[int, int]:
    """Return where a section is, by its heading, path or number in the outline.

    Raises:
        Failure: there is no such section, or more than one, with those that are near.
    """
    number = wanted.strip(" #.")
    try:
        return section(text, wanted)
    except NoSection as error:
        if number.isdigit() and 1 <= int(number) <= len(marks):
            return marks[int(number) - 1].start, marks[int(number) - 1].end
        failure = failure_of(error)
        failure.advice = "Without section, the outline is shown."
        raise failure from None


async def document_content(access: Access, id: str) -> Verbatim:
    """Return all of a document; of a very long one with how its parts are read."""
    found = await _opened(access, id)
    where = f"gdrive://docs/{id}"
    parts = (
        f"Its parts: {where}/chunk/START-END?at={found.mark}, in characters; {where}/structure has sections."
    )
    return Verbatim(found.text, remark=parts if len(found.text) > _LONG else "")


async def document_part(access: Access, id: str, start: int, end: int, at: str | None) -> Verbatim:
    """Return a part of a document by characters; parts that meet join to the whole.

    What begins at 0 is of the present revision. Other parts are of the one that the caller began with, or
    of the one that `at` names, as long as that is kept.

    Raises:
        BadArguments: there is no such part.
        Conflict: that revision is not kept any longer, and the document has another one.
    """
    if start == 0 and at is None:
        return Verbatim(part_of((await _opened(access, id)).text, start, end))
    marks = await access.kept.shown.of(id)
    mark = at or (marks[-1] if marks else "")
    found = await access.kept.get(id, VIEW, mark) if mark else None
    if found is None:
        found = await _opened(access, id)
        if mark not in ("", found.mark):
            raise Conflict(GONE, code="RESOURCE_LOCKED", advice="Begin again: with its outline, or at 0.")
    told = [] if await is_present(access, id, found.revision) else [_changed(found)]
    if at is None and len(marks) > 1:
        told.append(f"You read other versions, too: add ?at={marks[-2]} to the address for the one before.")
    return Verbatim(part_of(found.text, start, end), remark=" ".join(told))


def _changed(found: KeptText) -> str:
    when = datetime.fromtimestamp(found.began, UTC).strftime("%H:%M:%S")
    return (
        f"{CHANGED}. This part is still of the version of {when} UTC, as the parts before; "
        "the new one begins at 0."
    )


async def document_structure(access: Access, id: str) -> str:
    """Return the headings of a document, each with the characters of its section."""
    found = await _opened(access, id)
    return "\n".join(structure_lines(headings(found.text))) or "It has no headings."
