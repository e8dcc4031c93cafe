"""A document of the practice Google without HTTP: requests are carried out as the practice instance does."""

from typing import Any

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.operations import DOC_KINDS
from laconic.sandbox.google.papers.documents import new_tab
from laconic.sandbox.google.papers.showing import shown_tab
from laconic.sandbox.google.site.people import Person
from laconic.servers.google.docs.markdown.writing import markdown_of
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Block, Losses
from laconic.servers.google.docs.reading.document import Document, parse
from laconic.servers.google.docs.writing.layout import Insertion
from laconic.servers.google.docs.writing.notes import new_footnotes, note_requests
from laconic.servers.google.docs.writing.plans import EditStep
from laconic.servers.google.docs.writing.replacing import replace_part
from laconic.servers.google.docs.writing.suggesting import as_suggestions


class Paper:
    """A document with one tab."""

    def __init__(self) -> None:
        tab = new_tab("t.0", "Tab 1")
        self._doc: dict[str, Any] = {"id": "d", "count": 0, "revision": 1, "tabs": [tab], "suggestions": []}

    def read(self) -> Document:
        """The document, as the server's code sees it."""
        tabs = [
            {"tabProperties": {"tabId": tab["id"], "title": tab["title"]}, "documentTab": shown_tab(tab)}
            for tab in self._doc["tabs"]
        ]
        return parse({"documentId": "d", "title": "D", "revisionId": "1", "tabs": tabs})

    def send(self, requests: list[dict[str, Any]], *, suggest: bool = False) -> list[dict[str, Any]]:
        """Carry out requests, all or none, or suggest what they do."""
        draft = Draft(self._doc, Person("a@b.example", ()), "2026-01-01T00:00:00Z")
        replies = []
        for request in requests:
            [(kind, given)] = request.items()
            if suggest:
                draft.suggest()
            replies.append(DOC_KINDS[kind](draft, given))
            if suggest:
                draft.end_suggestion()
        self._doc = draft.doc
        return replies

    def decide(self, kind: str) -> None:
        """Accept or reject all suggestions."""
        ids = [one["id"] for one in self._doc["suggestions"] if one["status"] == "OPEN"]
        self.send([{kind: {"suggestionId": id}} for id in ids])

    def insert(self, made: Insertion) -> None:
        """Carry out an insertion, and fill its footnotes."""
        replies = self.send(made.requests)
        self.send(note_requests(new_footnotes(replies), made.notes, "t.0"))

    def write(self, blocks: list[Block]) -> None:
        """Let the body have these blocks."""
        tab = self.read().tabs[0]
        self.insert(replace_part(tab, tab.body, 1, tab.body.end, blocks).insertion)

    def suggest(self, blocks: list[Block]) -> None:
        """Suggest that the body has these blocks."""
        tab = self.read().tabs[0]
        made = replace_part(tab, tab.body, 1, tab.body.end, blocks).insertion
        step = EditStep(1, tab, tab.body, 1, tab.body.end, made.requests, "", is_blocks=True)
        replies = self.send(as_suggestions([step]), suggest=True)
        self.send(note_requests(new_footnotes(replies), made.notes, "t.0"), suggest=True)

    def blocks(self) -> list[Block]:
        """What is in the body."""
        tab = self.read().tabs[0]
        return [one._replace(start=0, end=0) for one in blocks_of(tab, tab.body, Losses())]

    def markdown(self) -> str:
        """What is in the body, as markdown."""
        return markdown_of(self.blocks())
