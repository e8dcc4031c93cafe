"""Building: the content of a tab, block after block."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from laconic.sandbox.google.papers.blocks import empty_paragraph, paragraph, section_break, table_of
from laconic.sandbox.google.papers.documents import new_tab
from laconic.sandbox.google.papers.presets import LEVELS, indents, new_list
from laconic.sandbox.google.papers.runs import Row, element_run, text_run

__all__ = ["CODE", "Builder"]

CODE: Row = {"weightedFontFamily": {"fontFamily": "Roboto Mono", "weight": 400}}
_DISC, _DECIMAL = "BULLET_DISC_CIRCLE_SQUARE", "NUMBERED_DECIMAL_ALPHA_ROMAN"


class Builder:
    """A tab that grows at its end."""

    def __init__(self, id: str = "t.0", title: str = "Tab 1") -> None:
        self.tab = new_tab(id, title)
        self.blocks: list[Row] = []
        self._count = 0
        self._list = ""

    def _id(self, prefix: str) -> str:
        self._count += 1
        return prefix + sha256(f"{self.tab['id']} {self._count}".encode()).hexdigest()[:12]

    def paragraph(self, runs: Sequence[Row], style: str = "NORMAL_TEXT") -> None:
        """Add a paragraph."""
        named: Row = {"namedStyleType": style, "direction": "LEFT_TO_RIGHT"}
        if style != "NORMAL_TEXT":
            named["headingId"] = self._id("h.")
        self.blocks.append(paragraph([*runs, text_run("\n")], {"style": named}))
        self._list = ""

    def item(self, runs: Sequence[Row], level: int = 0, *, is_numbered: bool = False) -> None:
        """Add a paragraph to the list that is above it, or to a new one."""
        preset, level = _DECIMAL if is_numbered else _DISC, min(level, LEVELS - 1)
        if not self._list or (level == 0 and self.tab["lists"][self._list]["preset"] != preset):
            self._list = self._id("kix.")
            self.tab["lists"][self._list] = new_list(preset)
        bullet: Row = {"listId": self._list, "textStyle": {}}
        if level:
            bullet["nestingLevel"] = level
        style = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT", **indents(level)}
        self.blocks.append(paragraph([*runs, text_run("\n")], {"style": style, "bullet": bullet}))

    def table(self, rows: Sequence[Sequence[Sequence[Row]]]) -> None:
        """Add a table, which is never the first or the last block."""
        if not self.blocks or "runs" not in self.blocks[-1]:
            self.blocks.append(empty_paragraph())
        self.blocks.append(table_of(rows))
        self._list = ""

    def image(self, uri: str, alt: str = "") -> Row:
        """Return a run that is an image."""
        id = self._id("kix.")
        embedded: Row = {"imageProperties": {"sourceUri": uri, "contentUri": uri}}
        if alt:
            embedded["description"] = alt
        self.tab["objects"][id] = {
            "objectId": id,
            "inlineObjectProperties": {"embeddedObject": embedded},
        }
        return element_run("inlineObjectElement", {"inlineObjectId": id})

    def footnote(self, runs: Sequence[Row]) -> Row:
        """Return a run that refers to a new footnote."""
        id = self._id("kix.")
        notes = [one for one in self.tab["segments"].values() if one["kind"] == "footnote"]
        self.segment(id, "footnote", [text_run(" "), *runs])
        number = str(len(notes) + 1)
        return element_run("footnoteReference", {"footnoteId": id, "footnoteNumber": number})

    def segment(self, id: str, kind: str, runs: Sequence[Row]) -> None:
        """Add a header, a footer or a footnote of one paragraph."""
        blocks = [paragraph([*runs, text_run("\n")])]
        self.tab["segments"][id] = {"kind": kind, "blocks": blocks}
        if kind != "footnote":
            self.tab["style"][f"default{kind.title()}Id"] = id

    def built(self) -> Row:
        """Return the tab."""
        if not self.blocks or "runs" not in self.blocks[-1]:
            self.blocks.append(empty_paragraph())
        self.tab["segments"][""]["blocks"] = [section_break(), *self.blocks]
        return self.tab
