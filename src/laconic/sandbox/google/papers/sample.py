"""A sample document: headings, lists, a table, links, two tabs, a header, a footer and a footnote."""

from __future__ import annotations

from typing import Final

from laconic.sandbox.google.papers.converting.building import Builder
from laconic.sandbox.google.papers.converting.markdown import inline
from laconic.sandbox.google.papers.documents import new_document, searchable
from laconic.sandbox.google.papers.runs import Row, text_run
from laconic.sandbox.state import State

__all__ = ["HANDBOOK", "add_handbook"]

HANDBOOK: Final = "Harbour handbook"
_BERTHS: Final = (
    ("Pier", "Berths", "Depth"),
    ("North", "12", "4 m"),
    ("South", "8", "**6 m**"),
    ("Old quay", "3", "2 m"),
)


def add_handbook(state: State, row: Row) -> None:
    """Make the document of a file."""
    doc = new_document(state, row["id"])
    crew = Builder("t.crew", "Crew")
    crew.paragraph([text_run("Crew")], "HEADING_1")
    crew.paragraph(inline("Alice runs the office, Bob the pier, and Carol the ferry.", crew, {}))
    doc["tabs"] = [_rules(), crew.built()]
    row["text"] = searchable(doc)


def _rules() -> Row:
    made = Builder("t.0", "Rules")
    made.segment("kix.header", "header", [text_run("Harbour office")])
    made.segment("kix.footer", "footer", [text_run("Questions: office@harbour.example")])
    made.paragraph([text_run(HANDBOOK)], "TITLE")
    made.paragraph([text_run("What everybody on the piers should know.")], "SUBTITLE")
    made.paragraph([text_run("Arriving")], "HEADING_1")
    notes = {"1": "Channel 12 from April to October."}
    text = "Call the *office*[^1] before you enter, and look at the [tides](https://tides.example/harbour)."
    made.paragraph(inline(text, made, notes))
    made.paragraph([text_run("What to bring")], "HEADING_2")
    for level, item in (
        (0, "Papers"),
        (1, "of the boat"),
        (1, "of the crew"),
        (2, "passports"),
        (0, "Fenders"),
    ):
        made.item([text_run(item)], level)
    made.paragraph([text_run("Berths")], "HEADING_1")
    made.paragraph(inline("Deep boats go to the **south pier**.", made, {}))
    made.table([[inline(cell, made, {}) for cell in row] for row in _BERTHS])
    made.paragraph([text_run("Leaving 🚢")], "HEADING_1")
    for item in ("Pay the fees", "Return the key", "Tell the office"):
        made.item([text_run(item)], is_numbered=True)
    made.paragraph([text_run("Have a good journey.")])
    return made.built()
