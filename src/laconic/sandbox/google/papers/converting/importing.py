"""Importing: an upload becomes a document."""

from __future__ import annotations

from laconic.sandbox.google.papers.blocks import paragraph
from laconic.sandbox.google.papers.converting.html import from_html
from laconic.sandbox.google.papers.converting.markdown import from_markdown
from laconic.sandbox.google.papers.documents import new_document, searchable, stored_documents
from laconic.sandbox.google.papers.runs import Row, text_run
from laconic.sandbox.google.papers.units import cleaned
from laconic.sandbox.state import State

__all__ = ["import_document"]


def import_document(state: State, row: Row, text: str, media: str) -> None:
    """Make the document of a file, or give it other content, from text of a type."""
    old = stored_documents(state).get(row["id"])
    doc = new_document(state, row["id"])
    if old is not None:
        doc |= {"revision": old["revision"] + 1, "comments": old["comments"]}
    if media == "text/markdown":
        doc["tabs"] = [from_markdown(text)]
    elif media == "text/html":
        doc["tabs"] = [from_html(text)]
    elif text:
        lines = cleaned(text.replace("\r\n", "\n").removeprefix("\ufeff")).removesuffix("\n").split("\n")
        body = doc["tabs"][0]["segments"][""]["blocks"]
        body[1:] = [paragraph([text_run(f"{line}\n")]) for line in lines]
    row["text"] = searchable(doc)
