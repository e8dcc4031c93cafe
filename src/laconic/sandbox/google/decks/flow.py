"""Flow: the text of a shape or a cell as UTF-16 units with styles, where the last one is a newline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.google.decks.bullets import glyph_of

__all__ = ["Flow", "joined", "units"]

Row = dict[str, Any]
_STRIPPED: Final = re.compile("[\x00-\x08\x0c-\x1f\ue000-\uf8ff]")


def units(text: str) -> list[str]:
    """Return the UTF-16 units of a text."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [chr(raw[at] | raw[at + 1] << 8) for at in range(0, len(raw), 2)]


def joined(parts: list[str]) -> str:
    """Return the text that units make."""
    return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass
class Cell:
    """One unit with its style; a newline also has what is true of its paragraph."""

    unit: str
    style: Row
    mark: Row | None = None


class Flow:
    """A text that can be changed."""

    def __init__(self, content: Mapping[str, Any] | None) -> None:
        self.cells: list[Cell] = []
        mark: Row = {}
        for element in (content or {}).get("textElements", []):
            if "paragraphMarker" in element:
                mark = element["paragraphMarker"]
            for unit in units(element.get("textRun", {}).get("content", "")):
                style = dict(element["textRun"].get("style", {}))
                self.cells.append(Cell(unit, style, dict(mark) if unit == "\n" else None))
        if not self.cells:
            self.cells.append(Cell("\n", {}, {}))

    @property
    def length(self) -> int:
        """How many units there are before the last newline."""
        return len(self.cells) - 1

    @property
    def text(self) -> str:
        """What is written, without the last newline."""
        return joined([cell.unit for cell in self.cells[:-1]])

    def paragraphs(self, start: int, end: int) -> Iterator[tuple[int, Cell]]:
        """Yield where each paragraph begins that a range touches, and its newline."""
        first = 0
        for place, cell in enumerate(self.cells):
            if cell.mark is not None:
                if place >= start and (first < end or first == start):
                    yield first, cell
                first = place + 1

    def insert(self, index: int, text: str) -> None:
        """Insert text; new paragraphs are like the one that they are in."""
        if 0 < index < len(self.cells) and "\udc00" <= self.cells[index].unit <= "\udfff":
            index += 1
        before = self.cells[index - 1] if index and self.cells[index - 1].mark is None else None
        style = (before or self.cells[index]).style
        mark = next(cell.mark for cell in self.cells[index:] if cell.mark is not None)
        new = units(_STRIPPED.sub("", text))
        self.cells[index:index] = [Cell(one, dict(style), dict(mark) if one == "\n" else None) for one in new]

    def delete(self, start: int, end: int) -> None:
        """Delete a range; of paragraphs that become one, the first says how it looks."""
        if "\udc00" <= self.cells[start].unit <= "\udfff":
            start -= 1
        if "\udc00" <= self.cells[end].unit <= "\udfff":
            end += 1
        first = next((cell.mark for cell in self.cells[start:end] if cell.mark is not None), None)
        del self.cells[start:end]
        if first is not None:
            next(cell for cell in self.cells[start:] if cell.mark is not None).mark = first

    def replace(self, pattern: re.Pattern[str], new: str) -> int:
        """Replace what matches, and return how often it did."""
        text = "".join(cell.unit for cell in self.cells[:-1])
        found = [match for match in pattern.finditer(text) if match.end() > match.start()]
        for match in reversed(found):
            style = self.cells[match.start()].style
            self.insert(match.end(), new)
            added = len(units(_STRIPPED.sub("", new)))
            for cell in self.cells[match.end() : match.end() + added]:
                cell.style = dict(style)
            self.delete(match.start(), match.end())
        return len(found)

    def content(self, presets: Mapping[str, str]) -> Row | None:
        """Return the text as the API shows it; nothing if there is none."""
        if self.length == 0:
            return None
        found, lists = list[Row](), dict[str, Row]()
        counts: dict[tuple[str, int], int] = {}
        first = 0
        for place, cell in enumerate(self.cells):
            if cell.mark is None:
                continue
            marker = {"style": cell.mark.get("style", {})}
            if "bullet" in cell.mark:
                marker["bullet"] = _bullet(cell.mark["bullet"], presets, counts)
                id = marker["bullet"]["listId"]
                lists[id] = {"listId": id, "nestingLevel": {str(n): {"bulletStyle": {}} for n in range(9)}}
            found.append(_indexed(first, place + 1, {"paragraphMarker": marker}))
            found.extend(self._runs(first, place + 1))
            first = place + 1
        return {"textElements": found, **({"lists": lists} if lists else {})}

    def _runs(self, first: int, last: int) -> Iterator[Row]:
        start = first
        for place in range(first, last):
            if place + 1 == last or self.cells[place + 1].style != self.cells[place].style:
                run = {
                    "content": joined([cell.unit for cell in self.cells[start : place + 1]]),
                    "style": dict(self.cells[place].style),
                }
                yield _indexed(start, place + 1, {"textRun": run})
                start = place + 1


def _indexed(start: int, end: int, inner: Row) -> Row:
    return {**({"startIndex": start} if start else {}), "endIndex": end, **inner}


def _bullet(bullet: Row, presets: Mapping[str, str], counts: dict[tuple[str, int], int]) -> Row:
    id, level = bullet["listId"], bullet.get("nestingLevel", 0)
    counts[id, level] = counts.get((id, level), 0) + 1
    for deeper in range(level + 1, 9):
        counts.pop((id, deeper), None)
    numbers = [counts.get((id, above), 1) for above in range(level + 1)]
    return {**bullet, "glyph": glyph_of(presets.get(id, ""), level, numbers)}
