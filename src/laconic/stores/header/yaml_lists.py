"""Editing lists: items that remain keep their lines, quotes and comments."""

import re
from itertools import pairwise
from typing import Any, Final

from laconic.stores.header.yaml_blocks import Pen, after_dash, flow
from laconic.stores.header.yaml_lines import YamlEntry, YamlLines, last_line, places
from laconic.stores.header.yaml_nodes import YamlNode, same, value_of

_BLANKS: Final = re.compile(r"\s*\Z")


class Pool:
    """Old items with their text, each of which can be reused once."""

    def __init__(self, items: list[YamlNode], texts: list[str]) -> None:
        self._left = [(number, value_of(item), texts[number]) for number, item in enumerate(items)]

    def take(self, value: Any) -> tuple[int, str] | None:
        """Take the first item with that value: its number and its text."""
        for left in self._left:
            number, old, text = left
            if same(old, value):
                self._left.remove(left)
                return number, text
        return None


def item_lines(lines: YamlLines, entry: YamlEntry, values: list[Any], pen: Pen) -> str | None:
    """Return the whole text with other items under a key; None if the items cannot be located."""
    items, column = entry.value.value, entry.value.start_mark.column
    cuts = _cuts(lines, entry, column)
    if cuts is None:
        return None
    text = lines.text
    starts = [lines.start(number) for number in cuts]
    pool = Pool(items, [text[one:two] for one, two in pairwise(starts)])
    written = []
    for value in values:
        old = pool.take(value)
        new = " " * column + "-" + after_dash(value, column, pen.style) + "\n"
        written.append(old[1] if old else new.replace("\n", pen.line_end))
    return text[: starts[0]] + "".join(written) + text[entry.stop :]


def flow_items(text: str, node: YamlNode, values: list[Any]) -> str:
    """Write a bracketed list with other items, in the same layout."""
    spans = [(item.start_mark.index, item.end_mark.index) for item in node.value]
    if any(start < place for (start, _), place in zip(spans, places(node), strict=True)):  # aliases
        return flow(values)
    pool = Pool(node.value, [text[start:stop] for start, stop in spans])
    opening = text[node.start_mark.index : spans[0][0]]
    gaps = [text[one[1] : two[0]] for one, two in pairwise(spans)]
    usual_gap = "," + (_BLANKS.findall([opening, *gaps][-1])[0] or " ")
    written, last = opening, None
    for place, value in enumerate(values):
        number, item = pool.take(value) or (None, flow(value))
        if place:
            written += gaps[last] if last is not None and number == last + 1 else usual_gap
        written, last = written + item, number
    return written + text[spans[-1][1] : node.end_mark.index]


def _cuts(lines: YamlLines, entry: YamlEntry, column: int) -> list[int] | None:
    """Return the line where each item starts, with the comments above it, and where the last one ends."""
    items = entry.value.value
    dash = re.compile(rf" {{{column}}}-(?=\s|\Z)")
    first = entry.value.start_mark.line
    dashes = [number for number in range(first, entry.below) if dash.match(lines[number])]
    if len(dashes) != len(items) or dashes[0] != first:
        return None
    ends = [last_line(lines, *each) for each in zip(items, places(entry.value), strict=True)][:-1]
    later = [below if end is None else end + 1 for end, below in zip(ends, dashes[1:], strict=True)]
    return [first, *later, entry.below]
