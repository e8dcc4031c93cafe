"""The lines of a header: which lines belong to which key."""

from itertools import accumulate
from typing import Final, NamedTuple

from laconic.lazily import regex
from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_nodes import YamlNode, key_of
from laconic.stores.header.yaml_scalars import FOLDED, LITERAL

_BREAKS: Final = "\n\r\x85\u2028\u2029"  # where YAML counts a new line
_BREAK: Final = regex(f"\r\n|[{_BREAKS}]")
_KEEPS_BREAKS: Final = regex(r"[|>][0-9]?\+")


class YamlLines:
    """A text and where its lines start, as YAML counts them."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        ends = [found.end() for found in _BREAK.finditer(text)]
        last = [len(text)] if text and not text.endswith(tuple(_BREAKS)) else []
        self._starts = [0, *ends, *last]

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> str:
        return self.text[self.start(number) : self.start(number + 1)]

    def start(self, number: int) -> int:
        """Return where a line starts; the line after the last starts at the end of the text."""
        return self._starts[number]

    def all(self) -> list[str]:
        """Return the lines, each with its line break."""
        return [self[number] for number in range(len(self))]


class YamlEntry(NamedTuple):
    """The whole lines of a key and its value, without the comments and blank lines below."""

    key: str
    name: YamlNode
    value: YamlNode
    start: int
    stop: int
    below: int  # the line after the last one

    @property
    def is_alias(self) -> bool:
        """True if the value is an alias, defined elsewhere."""
        return self.value.start_mark.index < self.name.end_mark.index

    def colon(self, header: str) -> int:
        """Find the colon after the key.

        Raises:
            Unreadable: the key is written in a form that cannot be edited, such as `? key`.
        """
        end = self.name.end_mark.index
        colon = header.find(":", end)
        if header[self.start : self.name.start_mark.index].strip(" ") or header[end:colon].strip(" \t"):
            raise Unreadable(f"The key {self.key} is written in a form that cannot be edited.")
        return colon


def is_content(line: str) -> bool:
    """True if a line is neither blank nor a comment."""
    return line.strip(" \t" + _BREAKS)[:1] not in ("", "#")


def entries(lines: YamlLines, mapping: YamlNode, below: int) -> list[YamlEntry]:
    """Find the lines of each key of a mapping that ends above line `below`."""
    limits = [key.start_mark.line for key, _ in mapping.value[1:]] + [below]
    found = []
    for (key, value), limit in zip(mapping.value, limits, strict=True):
        first = key.start_mark.line
        last = last_line(lines, value, key.end_mark.index)
        if last is None:
            last = next(number for number in range(limit - 1, -1, -1) if is_content(lines[number]))
        after = min(last + 1, len(lines))  # the empty value of a last `? key` is below all lines
        found.append(YamlEntry(key_of(key), key, value, lines.start(first), lines.start(after), after))
    return found


def last_line(lines: YamlLines, node: YamlNode, after: int) -> int | None:
    """Return the line on which a value ends; None if it is an alias, whose node is elsewhere."""
    if node.start_mark.index < after:
        return None
    if node.id == "mapping" and not node.flow_style:
        key, value = node.value[-1]
        return last_line(lines, value, key.end_mark.index)
    if node.id == "sequence" and not node.flow_style:
        return last_line(lines, node.value[-1], places(node)[-1])
    if node.id == "scalar" and node.style in (LITERAL, FOLDED):
        return _end_of_block(lines, node)
    return node.end_mark.line


def places(node: YamlNode) -> list[int]:
    """Return the earliest possible start of each list item; an item that starts before it is an alias."""
    ends = [item.end_mark.index for item in node.value[:-1]]
    return list(accumulate([node.start_mark.index, *ends], max))


def _end_of_block(lines: YamlLines, node: YamlNode) -> int:
    """Exclude the empty lines below a block, unless its `+` makes them part of the value."""
    first, end = node.start_mark.line, node.end_mark
    last = end.line - (end.column == 0)
    if not _KEEPS_BREAKS.search(lines[first][node.start_mark.column :]):
        while last > first and not lines[last].strip(_BREAKS):
            last -= 1
    return last
