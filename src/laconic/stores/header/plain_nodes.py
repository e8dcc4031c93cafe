"""The nodes of a plain header: where its keys and values are, found without the YAML parser."""

import re
from typing import Any

from laconic.data import dataclass
from laconic.stores.header.plain import ITEM, LINE, is_plain, unquoted
from laconic.stores.header.yaml_nodes import BARE, STRING, YamlMark, YamlNode

__all__ = ["plain_root"]


@dataclass(slots=True)
class PlainMark:
    """A position; all three count from zero."""

    index: int
    line: int
    column: int

    def at(self, index: int) -> "PlainMark":
        """Return another position on the same line."""
        return PlainMark(index, self.line, self.column + index - self.index)


@dataclass(slots=True)
class PlainNode:
    """A node as the parser makes it, as far as edits need it."""

    id: str
    tag: str
    value: Any
    start_mark: YamlMark
    end_mark: YamlMark
    style: str | None = None
    flow_style: bool | None = None


def plain_root(header: str) -> YamlNode | None:
    """Return the mapping of a plain header; None if it is not one, or empty."""
    pairs: list[tuple[PlainNode, PlainNode]] = []
    if not is_plain(header):
        return None
    for number, line in enumerate(LINE.finditer(header)):
        start = PlainMark(line.start(), number, 0)
        value = _value(line, start)
        if line[3] and not line[1]:
            pairs.append((_key(line, start), value))
            continue
        name, above = pairs[-1]
        block = above if above.id != "scalar" else _block(line, start)
        block.value.append(value if line[2] else (_key(line, start), value))
        block.end_mark = value.end_mark
        pairs[-1] = name, block
    if not pairs:
        return None
    return PlainNode("mapping", STRING, pairs, pairs[0][0].start_mark, pairs[-1][1].end_mark)


def _key(line: re.Match[str], start: PlainMark) -> PlainNode:
    return PlainNode("scalar", BARE, line[3], start.at(line.start(3)), start.at(line.end(3)))


def _block(line: re.Match[str], start: PlainMark) -> PlainNode:
    """Return the list or mapping that begins with a line."""
    place = start.at(line.end(1))
    return PlainNode("sequence" if line[2] else "mapping", STRING, [], place, place, flow_style=False)


def _value(line: re.Match[str], start: PlainMark) -> PlainNode:
    _, _, _, quoted, inline, plain = line.groups()
    group = 4 if quoted else 5 if inline else 6
    if plain is None and not quoted and not inline:
        place = start.at(line.end(3) + 1)
        return PlainNode("scalar", BARE, "", place, place)
    begin, end = start.at(line.start(group)), start.at(line.end(group))
    if inline:
        kind = "mapping" if inline == "{}" else "sequence"
        return PlainNode(kind, STRING, _items(inline, begin), begin, end, flow_style=True)
    return _scalar(quoted, plain, begin, end)


def _items(text: str, start: PlainMark) -> list[PlainNode]:
    """Return the items of a list in brackets."""
    found, at = [], 1
    while (item := ITEM.match(text, at, len(text) - 1)) is not None:
        group = 1 if item[1] else 2
        begin, end = (start.at(start.index + place) for place in item.span(group))
        found.append(_scalar(item[1], item[2], begin, end))
        at = item.end()
    return found


def _scalar(quoted: str | None, plain: str | None, start: PlainMark, end: PlainMark) -> PlainNode:
    if quoted:
        return PlainNode("scalar", STRING, unquoted(quoted), start, end, quoted[0])
    return PlainNode("scalar", BARE, plain, start, end)
