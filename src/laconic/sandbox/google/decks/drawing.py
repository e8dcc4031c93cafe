"""Drawing: what a page looks like, simply: fills, frames, lines, and words as bars."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.geometry import applied, box, emu
from laconic.sandbox.google.decks.pictures import Canvas, Colour, colour_of, rgb

__all__ = ["drawn"]

Row = dict[str, Any]
_GREY: Final[Colour] = (128, 128, 128)
_SKY: Final[Colour] = (190, 215, 240)
_INK: Final[Colour] = (60, 60, 60)
_SIZES: Final = {"TITLE": 28, "CENTERED_TITLE": 40, "SUBTITLE": 22}  # points of text that says nothing else
_POINT: Final = 12_700


def drawn(deck: Row, page: Row, width: int) -> tuple[bytes, int]:
    """Return the picture of a page, and its height."""
    across = emu(deck["pageSize"]["width"])
    height = round(width * emu(deck["pageSize"]["height"]) / across)
    scheme = deck["masters"][0]["pageProperties"]["colorScheme"]["colors"]
    theme = {one["type"]: rgb(one["color"]) for one in scheme}
    fill = page["pageProperties"].get("pageBackgroundFill", {})
    canvas = Canvas(width, height, colour_of(fill, theme) or (255, 255, 255))
    drawing = _Drawing(canvas, width / across, theme)
    for element in page["pageElements"]:
        drawing.element(element, None)
    return canvas.png(), height


class _Drawing:
    def __init__(self, canvas: Canvas, scale: float, theme: dict[str, Colour]) -> None:
        self.canvas, self.scale, self.theme = canvas, scale, theme

    def element(self, element: Row, outer: Row | None) -> None:
        """Draw an element, and what is in it."""
        if "elementGroup" in element:
            own = element["transform"]
            for child in element["elementGroup"]["children"]:
                self.element(child, applied(outer, own) if outer else own)
            return
        left, top, right, bottom = (side * self.scale for side in box(element, outer))
        if "shape" in element:
            self._shape(element["shape"], left, top, right, bottom)
        elif "table" in element:
            self._table(element["table"], left, top)
        elif "line" in element:
            self.canvas.line(left, top, right, bottom, _INK)
        else:
            self.canvas.fill(left, top, right, bottom, _SKY)
            self.canvas.frame(left, top, right, bottom, _GREY)

    def _shape(self, shape: Row, left: float, top: float, right: float, bottom: float) -> None:
        properties = shape.get("shapeProperties", {})
        fill = colour_of(properties.get("shapeBackgroundFill", {}), self.theme)
        if fill:
            self.canvas.fill(left, top, right, bottom, fill)
        if colour_of(properties.get("outline", {}).get("outlineFill", {}), self.theme):
            self.canvas.frame(left, top, right, bottom, _GREY)
        size = _SIZES.get(shape.get("placeholder", {}).get("type", ""), 18)
        self._words(shape.get("text"), left, top, right, size)

    def _words(self, content: Row | None, left: float, top: float, right: float, size: float) -> None:
        """Draw each word as a bar, in lines that fit."""
        step = size * _POINT * self.scale
        down = top + step * 0.3
        for paragraph in Flow(content).text.split("\n") if content else []:
            along = left + step * 0.4
            for word in paragraph.split():
                wide = len(word) * step * 0.5
                if along + wide > right and along > left + step:
                    along, down = left + step * 0.4, down + step * 1.3
                self.canvas.fill(along, down, min(along + wide, right), down + step * 0.7, _INK)
                along += wide + step * 0.3
            down += step * 1.3

    def _table(self, table: Row, left: float, top: float) -> None:
        columns = [0.0]
        for one in table["tableColumns"]:
            columns.append(columns[-1] + emu(one["columnWidth"]) * self.scale)
        rows = [0.0]
        for one in table["tableRows"]:
            rows.append(rows[-1] + emu(one["rowHeight"]) * self.scale)
        for line in table["tableRows"]:
            for cell in line["tableCells"]:
                row, column = cell["location"].get("rowIndex", 0), cell["location"].get("columnIndex", 0)
                sides = (
                    columns[column],
                    rows[row],
                    columns[column + cell["columnSpan"]],
                    rows[row + cell["rowSpan"]],
                )
                fill = colour_of(cell["tableCellProperties"].get("tableCellBackgroundFill", {}), self.theme)
                place = (left + sides[0], top + sides[1], left + sides[2], top + sides[3])
                if fill:
                    self.canvas.fill(*place, fill)
                self.canvas.frame(*place, _GREY)
                self._words(cell.get("text"), *place[:3], 12)
