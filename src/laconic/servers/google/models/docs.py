"""Documents: the edits that callers ask for, and the places of a text."""

from typing import Annotated

from laconic.kit import CamelPart, Record


class DocEdit(CamelPart):
    """One change: where, and what to do there."""

    find: Annotated[str | None, "Text as it is in the document."] = None
    nth: Annotated[int | None, "Which of several, from 1; -1 is the last."] = None
    section: Annotated[str | None, "A heading, path or number: only there, or all of it."] = None
    replace: Annotated[str | None, "Empty deletes."] = None
    before: str | None = None
    after: str | None = None
    style: Annotated[str | None, "Such as bold italic, plain, heading 2, or a URL."] = None
    comment: str | None = None


class DocPlace(Record, key="nth", noun="place", formats={"full": ("where", "range", "text")}):
    """A place of a text in a document."""

    nth: int | None = None  # among those that are written the same, as an edit counts them
    where: str  # its section, or which other part of the document
    range: str  # Google's indices
    text: str  # the line around it
