"""Edits of a header: a key gets another value, or goes, and every other line stays as it is."""

import re
from collections.abc import Sequence
from typing import Any, Final

from laconic.stores.errors import Unreadable
from laconic.stores.yaml_blocks import Pen, Style, after_key, flow, pair, scalar
from laconic.stores.yaml_lines import Entry, Lines, entries, is_content
from laconic.stores.yaml_lists import flow_items, item_lines
from laconic.stores.yaml_nodes import Node, root_of, same, value_of
from laconic.stores.yaml_scalars import FOLDED, LITERAL, PLAIN, can_say, usual

_REMARK: Final = re.compile(r"[ \t]+#[^\r\n]*")


def put(header: str, key: str, value: Any, order: Sequence[str], pen: Pen) -> str:
    """Give a key a value: in its place, or behind the nearest key that stands before it in `order`."""
    lines, found = _read(header)
    own = [entry for entry in found if entry.key == key]
    if own:
        return _replace(lines, own[-1], value, pen)  # of several the last is what YAML reads
    column = found[0].name.start_mark.column if found else 0
    at = _place(found, key, order, len(header))
    return insert(header, at, pair(key, value, column, pen.style), column, pen)


def cut(header: str, key: str, *, with_remarks: bool = False) -> str:
    """Take a key out, as often as it stands there, if need be with the comments and blank lines below it."""
    lines, found = _read(header)
    for entry in reversed(found):
        if entry.key == key:
            below = entry.below
            while with_remarks and below < len(lines) and not is_content(lines[below]):
                below += 1
            header = _without(header, entry._replace(stop=lines.start(below)))
    return header


def remark(header: str, key: str, words: str, order: Sequence[str], pen: Pen) -> str:
    """Put a comment line below a key, or where the key would stand."""
    _, found = _read(header)
    own = [entry.stop for entry in found if entry.key == key]
    at = own[-1] if own else _place(found, key, order, len(header))
    return insert(header, at, f"# {words}", 0, pen)


def insert(header: str, at: int, text: str, column: int, pen: Pen) -> str:
    """Put lines into a header; they come with LF and leave with the header's own break."""
    return header[:at] + (" " * column + text + "\n").replace("\n", pen.line_end) + header[at:]


def _read(header: str) -> tuple[Lines, list[Entry]]:
    root = root_of(header)
    lines = Lines(header)
    if root is None:
        return lines, []
    if root.flow_style:
        raise Unreadable("The header is written in braces and cannot be edited line by line.")
    return lines, entries(lines, root, len(lines))


def _place(found: list[Entry], key: str, order: Sequence[str], end: int) -> int:
    before = order[: order.index(key)] if key in order else ()
    stops = {entry.key: entry.stop for entry in found}
    return next((stops[name] for name in reversed(before) if name in stops), end)


def _replace(lines: Lines, entry: Entry, value: Any, pen: Pen) -> str:
    text, old, colon = lines.text, entry.value, entry.colon(lines.text)
    is_block = not entry.is_alias and old.id != "scalar" and not old.flow_style
    if is_block and old.id == "mapping" and isinstance(value, dict) and value:
        return _replace_pairs(lines, entry, value, pen)
    if is_block and old.id == "sequence" and isinstance(value, list) and value:
        items = item_lines(lines, entry, value, Pen(pen.line_end, _like(old.value[-1], pen.style)))
        if items is not None:
            return items
    inline = _inline(text, entry, value, pen.style)
    if inline is None:
        return text[: colon + 1] + _rebuilt(text, entry, value, pen) + text[entry.stop :]
    start, stop = old.start_mark.index, old.end_mark.index
    blank = " " * (text[start - 1] == ":")
    return text[:start] + blank + inline + text[stop:]


def _inline(text: str, entry: Entry, value: Any, style: Style) -> str | None:
    """Write the new value where the old one stood within a line; None if either needs lines of its own."""
    old = entry.value
    if entry.is_alias or (old.style in (LITERAL, FOLDED) if old.id == "scalar" else not old.flow_style):
        return None
    if isinstance(value, list | dict) and value:
        alike = old.value and old.id == ("mapping" if isinstance(value, dict) else "sequence")
        return (flow_items(text, old, value) if isinstance(value, list) else flow(value)) if alike else None
    written = scalar(value, entry.name.start_mark.column, _like(old, style))
    return None if "\n" in written else written


def _rebuilt(text: str, entry: Entry, value: Any, pen: Pen) -> str:
    """Write all that follows the colon anew; a comment on the line of the key, or behind the value, stays."""
    line, found, _ = text[entry.start : entry.stop].partition("\n")
    own_break = "\r\n" if line.endswith("\r") else found or pen.line_end
    style = pen.style if entry.is_alias else _like(entry.value, pen.style)
    first, *more = after_key(value, entry.name.start_mark.column, style).split("\n")
    return own_break.join([first + _comment(text, entry), *more, ""])


def _comment(text: str, entry: Entry) -> str:
    old, colon = entry.value, entry.colon(text)
    is_inline = old.flow_style if old.id != "scalar" else old.style not in (LITERAL, FOLDED)
    if not entry.is_alias and is_inline:
        between, behind = text[colon + 1 : old.start_mark.index], text[old.end_mark.index : entry.stop]
        return "".join(found[0] for found in map(_REMARK.search, (between, behind)) if found)
    found = _REMARK.search(text[colon + 1 : entry.stop].partition("\n")[0])
    return found[0] if found else ""


def _replace_pairs(lines: Lines, entry: Entry, values: dict[str, Any], pen: Pen) -> str:
    """Change a mapping key by key, from the last line up, so that the places above stay true."""
    found = entries(lines, entry.value, entry.below)
    column, text = found[0].name.start_mark.column, lines.text
    new = _new_after({nested.key for nested in found}, values)
    for nested in reversed(found):
        for key in reversed(new.pop(nested.key, [])):
            text = insert(text, nested.stop, pair(key, values[key], column, pen.style), column, pen)
        if nested.key not in values:
            text = _without(text, nested)
        elif not same(value_of(nested.value), values[nested.key]):
            text = _replace(Lines(text), nested, values[nested.key], pen)
    for key in reversed(new.pop(None, [])):
        text = insert(text, found[0].start, pair(key, values[key], column, pen.style), column, pen)
    return text


def _new_after(known: set[str], values: dict[str, Any]) -> dict[str | None, list[str]]:
    """Say behind which known key each new one belongs: the nearest before it, None for the first place."""
    new: dict[str | None, list[str]] = {}
    last = None
    for key in values:
        if key in known:
            last = key
        else:
            new.setdefault(last, []).append(key)
    return new


def _without(text: str, entry: Entry) -> str:
    entry.colon(text)  # refuses what is not in whole lines
    return text[: entry.start] + text[entry.stop :]


def _like(node: Node, otherwise: Style) -> Style:
    """Choose styles by an old value: one written as we would stays so; any other keeps its way if it can."""
    if otherwise is not usual or node.id != "scalar" or not isinstance(value_of(node), str):
        return otherwise

    def style(text: str, width: int | None) -> str:
        present = node.style or PLAIN
        if present != usual(node.value, width) and can_say(present, text, node.value):
            return present
        return usual(text, width)

    return style
