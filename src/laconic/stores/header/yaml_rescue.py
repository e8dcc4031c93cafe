"""Broken headers: reading what can still be read, and edits that do no further damage.

A header that is not YAML, or that has conflict markers, is read key by key: a key at the start of a line and
all lines up to the next key are a block, which often is valid YAML by itself.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from laconic.lazily import regex
from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_blocks import Pen, after_key, pair
from laconic.stores.header.yaml_edits import Located
from laconic.stores.header.yaml_edits import put as put_into_block
from laconic.stores.header.yaml_lines import YamlLines, is_content
from laconic.stores.header.yaml_nodes import YamlNode, nodes_of, same, value_of
from laconic.stores.header.yaml_parser import root_of

_KEY: Final = regex(r"(?P<key>[^\W\d][\w.-]*|\"[^\"\\\r\n]+\"|'[^'\r\n]+')[ \t]*:(?=\s|\Z)")
_MARKER: Final = regex(r"(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t].*)?\s*\Z")
_SIDES: Final = {"<": "ours", "|": "base", "=": "theirs", ">": ""}
_CONTROL: Final = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Block(NamedTuple):
    """A key and its lines, or lines without a key, and the side of a conflict they belong to."""

    key: str | None
    text: str
    side: str


def marker_line(header: str) -> int | None:
    """Return the line number of the first conflict marker, counted from one."""
    if not any(mark * 7 in header for mark in _SIDES):
        return None
    lines = YamlLines(header).all()
    return next((number for number, line in enumerate(lines, 1) if _MARKER.match(line)), None)


def rescue(header: str) -> dict[str, YamlNode | str]:
    """Read what can be read: our side of a conflict, and the text of a value that is not YAML."""
    blocks = [block for block in _blocks(header) if block.key and block.side in ("", "ours")]
    return {str(block.key): _read(block) for block in blocks}


def put(header: str, key: str, value: Any, order: Sequence[str], pen: Pen) -> str:
    """Set a key, if it is certain where its lines are or belong.

    Raises:
        Unreadable: it is not certain.
    """
    blocks = _blocks(header)
    at = _own(blocks, key)
    if at is None:
        at = _place(blocks, key, order)
        blocks.insert(at, Block(key, f"{pair(key, value, 0, pen.style)}\n".replace("\n", pen.line_end), ""))
        _check_closed(blocks[:at])
    else:
        if _is_yaml(blocks[at].text) and same(value_of(_read(blocks[at])), value):
            return header
        before = blocks[: at + 1]
        blocks[at] = Block(key, _with_value(blocks[at], value, pen), "")
        if not _is_yaml(_joined(blocks)):
            _check_closed(before)
    return _joined(blocks)


def cut(header: str, key: str, *, with_remarks: bool = False) -> str:
    """Remove a key, if it is certain which lines belong to it.

    Raises:
        Unreadable: it is not certain.
    """
    blocks = _blocks(header)
    at = _own(blocks, key)
    if at is None:
        return header
    before = blocks[: at + 1]
    _, remarks = _split(blocks[at])
    blocks[at] = Block(None, "" if with_remarks else "".join(remarks), "")
    if not _is_yaml(_joined(blocks)):
        _check_closed(before)
    return _joined(blocks)


def _blocks(header: str) -> list[Block]:
    blocks: list[Block] = []
    side = ""
    for line in YamlLines(header).all():
        marker, key = _MARKER.match(line), _KEY.match(line)
        if marker:
            side = _SIDES[line[0]]
            blocks.append(Block(None, line, side or "theirs"))
        elif key or not blocks or _MARKER.match(blocks[-1].text):
            blocks.append(Block(key["key"].strip("'\"") if key else None, line, side))
        else:
            blocks[-1] = blocks[-1]._replace(text=blocks[-1].text + line)
    return blocks


def _joined(blocks: list[Block]) -> str:
    return "".join(block.text for block in blocks)


def _read(block: Block) -> YamlNode | str:
    try:
        found = nodes_of(root_of(block.text)).get(str(block.key))
    except Unreadable:
        found = None
    return found or "".join(_split(block)[0]).partition(":")[2].strip()


def _split(block: Block) -> tuple[list[str], list[str]]:
    """Split a block into its lines and the comments and blank lines below them."""
    lines = YamlLines(block.text).all()
    end = max((number for number, line in enumerate(lines, 1) if is_content(line)), default=0)
    return lines[:end], lines[end:]


def _own(blocks: list[Block], key: str) -> int | None:
    found = [number for number, block in enumerate(blocks) if block.key == key]
    if len(found) > 1 or any(blocks[number].side for number in found):
        raise Unreadable(f"The header names {key} in a conflict, or more than once; resolve that first.")
    return found[0] if found else None


def _place(blocks: list[Block], key: str, order: Sequence[str]) -> int:
    before = order[: order.index(key)] if key in order else ()
    stops = {block.key: number + 1 for number, block in enumerate(blocks) if block.key}
    if not stops:
        raise Unreadable("The header is not a mapping of names to values.")
    at = next((stops[name] for name in reversed(before) if name in stops), len(blocks))
    if at and blocks[at - 1].side and not blocks[at - 1].text.startswith(">"):
        raise Unreadable(f"The header has a conflict where {key} belongs; resolve that first.")
    return at


def _with_value(block: Block, value: Any, pen: Pen) -> str:
    if block.key is not None and _is_yaml(block.text):
        return put_into_block(Located.of(block.text, root_of(block.text)), block.key, value, (), pen)
    lines, rest = _split(block)
    name = _KEY.match(block.text)
    if name is None or len(lines) > 1:
        raise Unreadable(f"The header is not valid YAML. It is unclear where the value of {block.key} ends.")
    return name[0] + f"{after_key(value, 0, pen.style)}\n".replace("\n", pen.line_end) + "".join(rest)


def _is_yaml(text: str) -> bool:
    try:
        return root_of(text) is not None
    except Unreadable:
        return False


def _check_closed(blocks: list[Block]) -> None:
    """Refuse an edit below an unclosed quote or bracket, because the lines there may belong to its value."""
    for block in blocks:
        try:
            root_of(_CONTROL.sub(" ", block.text))
        except Unreadable as error:
            mark = getattr(error.__cause__, "problem_mark", None)
            if mark.line >= len(YamlLines(block.text)) if mark else block.key is not None:
                value = f"the value of {block.key}" if block.key else "a value"
                raise Unreadable(
                    f"The header is not valid YAML. It is unclear where {value} ends."
                ) from error
