"""Replacing a value: on the same line if possible, in the same style, with the same comment."""

import re
from typing import Any, Final

from laconic.stores.header.yaml_blocks import Pen, Style, after_key, flow, pair, scalar
from laconic.stores.header.yaml_lines import YamlEntry, YamlLines, entries
from laconic.stores.header.yaml_lists import flow_items, item_lines
from laconic.stores.header.yaml_nodes import YamlNode, same, value_of
from laconic.stores.header.yaml_scalars import FOLDED, LITERAL, PLAIN, can_write, usual

_REMARK: Final = re.compile(r"[ \t]+#[^\r\n]*")


def replace(lines: YamlLines, entry: YamlEntry, value: Any, pen: Pen) -> str:
    """Return the whole text with another value for a key.

    Raises:
        Unreadable: the key is written in a form that cannot be edited.
    """
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


def insert(header: str, at: int, text: str, column: int, pen: Pen) -> str:
    """Insert lines into a header; LF becomes the header's own line ending."""
    return header[:at] + (" " * column + text + "\n").replace("\n", pen.line_end) + header[at:]


def without(text: str, entry: YamlEntry) -> str:
    """Remove the lines of a key."""
    entry.colon(text)  # raises if the key does not occupy whole lines
    return text[: entry.start] + text[entry.stop :]


def _inline(text: str, entry: YamlEntry, value: Any, style: Style) -> str | None:
    """Write the new value within the old one's line; None if either needs separate lines."""
    old = entry.value
    if entry.is_alias or (old.style in (LITERAL, FOLDED) if old.id == "scalar" else not old.flow_style):
        return None
    if isinstance(value, list | dict) and value:
        alike = old.value and old.id == ("mapping" if isinstance(value, dict) else "sequence")
        return (flow_items(text, old, value) if isinstance(value, list) else flow(value)) if alike else None
    written = scalar(value, entry.name.start_mark.column, _like(old, style))
    return None if "\n" in written else written


def _rebuilt(text: str, entry: YamlEntry, value: Any, pen: Pen) -> str:
    """Rewrite everything after the colon; a comment on the key's line or after the value is kept."""
    line, found, _ = text[entry.start : entry.stop].partition("\n")
    own_break = "\r\n" if line.endswith("\r") else found or pen.line_end
    style = pen.style if entry.is_alias else _like(entry.value, pen.style)
    first, *more = after_key(value, entry.name.start_mark.column, style).split("\n")
    return own_break.join([first + _comment(text, entry), *more, ""])


def _comment(text: str, entry: YamlEntry) -> str:
    old, colon = entry.value, entry.colon(text)
    is_inline = old.flow_style if old.id != "scalar" else old.style not in (LITERAL, FOLDED)
    if not entry.is_alias and is_inline:
        between, behind = text[colon + 1 : old.start_mark.index], text[old.end_mark.index : entry.stop]
        return "".join(found[0] for found in map(_REMARK.search, (between, behind)) if found)
    found = _REMARK.search(text[colon + 1 : entry.stop].partition("\n")[0])
    return found[0] if found else ""


def _replace_pairs(lines: YamlLines, entry: YamlEntry, values: dict[str, Any], pen: Pen) -> str:
    """Change a mapping key by key, from the last line up, so that positions above stay valid."""
    found = entries(lines, entry.value, entry.below)
    column, text = found[0].name.start_mark.column, lines.text
    new = _new_after({nested.key for nested in found}, values)
    for nested in reversed(found):
        for key in reversed(new.pop(nested.key, [])):
            text = insert(text, nested.stop, pair(key, values[key], column, pen.style), column, pen)
        if nested.key not in values:
            text = without(text, nested)
        elif not same(value_of(nested.value), values[nested.key]):
            text = replace(YamlLines(text), nested, values[nested.key], pen)
    for key in reversed(new.pop(None, [])):
        text = insert(text, found[0].start, pair(key, values[key], column, pen.style), column, pen)
    return text


def _new_after(known: set[str], values: dict[str, Any]) -> dict[str | None, list[str]]:
    """Map each known key to the new keys that follow it; new keys at the beginning are under None."""
    new: dict[str | None, list[str]] = {}
    last = None
    for key in values:
        if key in known:
            last = key
        else:
            new.setdefault(last, []).append(key)
    return new


def _like(node: YamlNode, otherwise: Style) -> Style:
    """Choose styles like the old value's: an unusual style is kept if it can express the new value."""
    if otherwise is not usual or node.id != "scalar" or not isinstance(value_of(node), str):
        return otherwise

    def style(text: str, width: int | None) -> str:
        present = node.style or PLAIN
        if present != usual(node.value, width) and can_write(present, text, node.value):
            return present
        return usual(text, width)

    return style
