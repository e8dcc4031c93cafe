"""Two simulators of Docs, ours and that of extradoc, to which the same requests are sent.

Where extradoc is known to differ, the requests are left out or what it does is undone:

* in the body it puts an empty paragraph after a new table, which others did not see: it is deleted;
* it does not remove the tabs before an item of a list, so no text has a tab;
* text inside of a grapheme of several characters stays there, with us it goes after it, so there is none;
* of new paragraphs in a list it leaves some out of the list, so whether they are in it is not compared;
* it styles text by letters instead of UTF-16 units, so which letters are bold is not compared;
* in a table inside of a table it deletes what cannot be deleted, so no table is inserted in a cell;
* it answers `replaceAllText` without doing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from extradoc.api_types._generated import Document
from extradoc.mock.api import MockGoogleDocsAPI
from extradoc.mock.exceptions import ValidationError

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.operations import DOC_KINDS
from laconic.sandbox.google.papers.documents import new_tab
from laconic.sandbox.google.papers.showing import shown_tab
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.site.people import Person

Row = dict[str, Any]


class Ours:
    """A document of the practice Google."""

    def __init__(self) -> None:
        self.doc: Row = {"id": "d", "count": 0, "revision": 1, "tabs": [new_tab("t.0", "Tab 1")]}

    def send(self, request: Row) -> bool:
        """Carry out a request; whether that was possible."""
        draft = Draft(self.doc, Person("a@b.example", ()), "2026-01-01T00:00:00Z")
        [(kind, given)] = request.items()
        try:
            DOC_KINDS[kind](draft, given)
        except GoogleRefusal:
            return False
        self.doc = draft.doc
        return True

    def read(self) -> list[Row]:
        """The content of the body."""
        found: list[Row] = shown_tab(self.doc["tabs"][0])["body"]["content"]
        return found


class Theirs:
    """The same document in extradoc."""

    def __init__(self) -> None:
        tab = {"tabProperties": {"tabId": "t.0"}, "documentTab": shown_tab(new_tab("t.0", "Tab 1"))}
        self._api = MockGoogleDocsAPI(Document.model_validate({"documentId": "d", "tabs": [tab]}))

    def send(self, request: Row) -> bool:
        """Carry out a request; whether that was possible."""
        try:
            self._api._batch_update_raw([request])
            if "insertTable" in request:
                self._undo_paragraph(request["insertTable"]["location"]["index"] + 1)
        except ValidationError:
            return False
        return True

    def _undo_paragraph(self, start: int) -> None:
        end = next(one["endIndex"] for one in blocks(self.read()) if one.get("startIndex") == start)
        range = {"startIndex": end, "endIndex": end + 1}
        self._api._batch_update_raw([{"deleteContentRange": {"range": range}}])

    def read(self) -> list[Row]:
        """The content of the body."""
        found: list[Row] = self._api._get_raw()["tabs"][0]["documentTab"]["body"]["content"]
        return found


def blocks(content: list[Row]) -> Iterator[Row]:
    """All blocks, also those in tables."""
    for one in content:
        yield one
        for row in one.get("table", {}).get("tableRows", ()):
            for cell in row["tableCells"]:
                yield from blocks(cell["content"])


def summary(content: list[Row]) -> list[Any]:
    """What is compared: places, texts and named styles."""
    found: list[Any] = []
    for one in content:
        place = (one.get("startIndex", 0), one["endIndex"])
        if "table" in one:
            rows = one["table"]["tableRows"]
            found.append((place, [[summary(cell["content"]) for cell in row["tableCells"]] for row in rows]))
        elif "paragraph" in one:
            found.append((place, *_paragraph(one["paragraph"])))
    return found


def _paragraph(block: Row) -> tuple[str, str]:
    text = "".join(one["textRun"]["content"] for one in block["elements"])
    return text, block["paragraphStyle"].get("namedStyleType", "NORMAL_TEXT")
