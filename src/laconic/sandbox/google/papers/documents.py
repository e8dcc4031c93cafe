"""Documents: how they are kept, made, copied and read."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from hashlib import sha256
from typing import Any

from laconic.sandbox.google.papers.blocks import empty_paragraph, plain, section_break
from laconic.sandbox.google.papers.defaults import document_style, named_styles
from laconic.sandbox.google.papers.places import Blocks
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import wrong_kind
from laconic.sandbox.google.site.people import Person
from laconic.sandbox.state import State

__all__ = [
    "copied",
    "copy_document",
    "document_of",
    "new_document",
    "new_tab",
    "revision_id",
    "searchable",
    "stored_documents",
]

_SEARCHED = 100_000  # characters that Drive searches


def stored_documents(state: State) -> dict[Any, Row]:
    """Return all documents by the id of their file."""
    return state.rows("documents")


def new_tab(id: str, title: str, blocks: Sequence[Row] = ()) -> Row:
    """Return a tab, perhaps with content."""
    body = {"kind": "body", "blocks": [section_break(), *(blocks or [empty_paragraph()])]}
    return {
        **{"id": id, "title": title, "parent": "", "icon": "", "segments": {"": body}, "lists": {}},
        **{"names": [], "anchors": {}, "objects": {}, "positioned": {}, "dropdowns": {}},
        **{"style": document_style(), "styles": named_styles()},
    }


def new_document(state: State, id: str, blocks: Sequence[Row] = ()) -> Row:
    """Add a document with one tab."""
    doc: Row = {"id": id, "count": 0, "revision": 1, "tabs": [new_tab("t.0", "Tab 1", blocks)]}
    doc |= {"comments": [], "suggestions": [], "log": []}
    stored_documents(state)[id] = doc
    return doc


def copied(doc: Row) -> Row:
    """Return a copy of a document that shares its blocks and lists, which nobody changes."""
    found = {key: deepcopy(value) for key, value in doc.items() if key != "tabs"}
    return {**found, "tabs": [_copied_tab(one) for one in doc["tabs"]]}


def _copied_tab(tab: Row) -> Row:
    found = {key: deepcopy(value) for key, value in tab.items() if key not in ("segments", "lists")}
    segments = {id: {**one, "blocks": Blocks(one["blocks"])} for id, one in tab["segments"].items()}
    return {**found, "segments": segments, "lists": dict(tab["lists"])}


def copy_document(state: State, source: str, id: str) -> None:
    """Copy a document, without its comments."""
    found = stored_documents(state).get(source)
    if found is not None:
        stored_documents(state)[id] = {**copied(found), "id": id, "comments": []}


def document_of(state: State, id: str) -> Row:
    """Return a document.

    Raises:
        GoogleRefusal: the file is none.
    """
    found = stored_documents(state).get(id)
    if found is None:
        raise wrong_kind()
    return found


def revision_id(doc: Row, person: Person, revision: int | None = None) -> str:
    """Return the id of a revision, which is another one for each person."""
    number = doc["revision"] if revision is None else revision
    return "ALm37B" + sha256(f"{doc['id']} {number} {person.email}".encode()).hexdigest()[:40]


def searchable(doc: Row) -> str:
    """Return the text that Drive searches."""
    found, size = [], 0
    for tab in doc["tabs"]:
        for segment in tab["segments"].values():
            for line in plain(segment["blocks"]):
                found.append(line)
                size += len(line)
                if size > _SEARCHED:
                    return "".join(found)
    return "".join(found)
