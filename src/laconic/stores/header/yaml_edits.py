"""Editing a header: set or remove a key without changing any other line."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_blocks import Pen, pair
from laconic.stores.header.yaml_lines import YamlEntry, YamlLines, entries, is_content
from laconic.stores.header.yaml_nodes import YamlNode
from laconic.stores.header.yaml_values import insert, replace, without


class Located(NamedTuple):
    """The lines of a header, and which of them belong to which key."""

    lines: YamlLines
    entries: list[YamlEntry]

    @classmethod
    def of(cls, header: str, root: YamlNode | None) -> Self:
        """Locate the keys of a header; `root` is what was parsed from it.

        Raises:
            Unreadable: it is written in braces.
        """
        lines = YamlLines(header)
        if root is not None and root.flow_style:
            raise Unreadable("The header is written in braces and cannot be edited line by line.")
        return cls(lines, entries(lines, root, len(lines)) if root is not None else [])

    @property
    def header(self) -> str:
        """The whole header."""
        return self.lines.text


def put(located: Located, key: str, value: Any, order: Sequence[str], pen: Pen) -> str:
    """Set a key in place, or add it after the nearest key that precedes it in `order`."""
    lines, found = located
    own = [entry for entry in found if entry.key == key]
    if own:
        return replace(lines, own[-1], value, pen)  # if there are several, YAML reads the last
    column = found[0].name.start_mark.column if found else 0
    at = _place(found, key, order, len(lines.text))
    return insert(lines.text, at, pair(key, value, column, pen.style), column, pen)


def cut(located: Located, key: str, *, with_remarks: bool = False) -> str:
    """Remove every occurrence of a key, optionally with the comments and blank lines below it."""
    lines, found = located
    header = lines.text
    for entry in reversed(found):
        if entry.key == key:
            below = entry.below
            while with_remarks and below < len(lines) and not is_content(lines[below]):
                below += 1
            header = without(header, entry._replace(stop=lines.start(below)))
    return header


def remark(located: Located, key: str, words: str, order: Sequence[str], pen: Pen) -> str:
    """Add a comment line below a key, or where the key would be."""
    own = [entry.stop for entry in located.entries if entry.key == key]
    at = own[-1] if own else _place(located.entries, key, order, len(located.header))
    return insert(located.header, at, f"# {words}", 0, pen)


def lines_of(located: Located, key: str) -> str:
    """Return the lines of a key with their comments; empty if the key is missing."""
    own = [located.header[entry.start : entry.stop] for entry in located.entries if entry.key == key]
    return own[-1] if own else ""


def put_lines(located: Located, key: str, lines: str, order: Sequence[str]) -> str:
    """Replace the lines of a key with other lines, or add them after its nearest neighbour."""
    header, found = located.header, located.entries
    own = [(entry.start, entry.stop) for entry in found if entry.key == key]
    start, stop = own[-1] if own else [_place(found, key, order, len(header))] * 2
    return header[:start] + lines + header[stop:]


def _place(found: list[YamlEntry], key: str, order: Sequence[str], end: int) -> int:
    before = order[: order.index(key)] if key in order else ()
    stops = {entry.key: entry.stop for entry in found}
    return next((stops[name] for name in reversed(before) if name in stops), end)
