"""JSON with comments: find, set or remove one member and leave every other byte alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from laconic.cli.install.formats import NotEditable

__all__ = [
    "BadJsonc",
    "MemberSpan",
    "ValueSpan",
    "find",
    "has",
    "load",
    "remove_member",
    "restore_member",
    "set_member",
]

_BOM = "\ufeff"
_COMMENT = r"//[^\r\n]*|/\*.*?\*/"
_QUOTED = r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"'
_SPACE = re.compile(rf"(?:[ \t\r\n]+|{_COMMENT})*", re.DOTALL)
_TRAILING_COMMENT = re.compile(rf"[ \t]*({_COMMENT})", re.DOTALL)
_COMMENTS = re.compile(_COMMENT, re.DOTALL)
_STRING = re.compile(_QUOTED)
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_EXTRAS = re.compile(rf"({_QUOTED})|{_COMMENT}", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_QUOTED})|,(?=[ \t\r\n]*[}}\]])")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"[ \t]*")


class BadJsonc(NotEditable):
    """The text is not JSON with comments, or has no object where one is needed."""


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """The span of a value, and its members if it is an object."""

    start: int
    end: int
    members: tuple[MemberSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class MemberSpan:
    """The span of a name and its value, and the position of the comma after it."""

    name: str
    start: int
    value: ValueSpan
    comma: int | None

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.value.end


def load(text: str) -> object:
    """Parse the whole text; return None if it contains no value."""
    if _parse(text) is None:
        return None
    plain = _EXTRAS.sub(lambda match: match[1] or " ", text.removeprefix(_BOM))
    return json.loads(_LAST_COMMA.sub(lambda match: match[1] or " ", plain))


def find(text: str, path: Sequence[str]) -> MemberSpan | None:
    """Find the member at a path of names.

    Raises: BadJsonc.
    """
    _, found = _trace(text, path)
    return found[-1] if len(found) == len(path) else None


def has(text: str, path: Sequence[str]) -> bool:
    """True if there is a member at a path of names.

    Raises: BadJsonc.
    """
    return find(text, path) is not None


def set_member(text: str, path: Sequence[str], value_json: str) -> str:
    """Set the value at a path of names, adding missing objects, in the style of the text.

    Raises: BadJsonc.
    """
    value = json.loads(value_json)
    root, found = _trace(text, path)
    missing = path[len(found) :]
    for name in reversed(missing[1:]):
        value = {name: value}
    if root is None:
        return _begin(text, {missing[0]: value})
    if not missing:
        return _replace(text, root, found[-1], value)
    return _insert(text, root, found[-1].value if found else root, missing[0], value)


def remove_member(text: str, path: Sequence[str], *, prune: int = 0) -> str:
    """Remove the member at a path of names, and up to `prune` objects around it that it leaves empty.

    Undoes `set_member` byte for byte, except that an object with only white space becomes `{}`, and so does
    a text without a value. Comments stay. A path that does not exist changes nothing.

    Raises: BadJsonc.
    """
    root, found = _trace(text, path)
    if root is None or len(found) < len(path):
        return text
    holders = [root, *(member.value for member in found[:-1])]
    depth = len(path) - 1
    while prune and depth and _holds_only(text, holders[depth], found[depth]):
        depth, prune = depth - 1, prune - 1
    return _cut(text, holders[depth], found[depth])


def restore_member(text: str, path: Sequence[str], original: str) -> str:
    """Replace the value at a path of names by the one that the original has, byte for byte.

    Raises: BadJsonc.
    """
    ours, theirs = find(text, path), find(original, path)
    if ours is None or theirs is None:
        return text
    return text[: ours.value.start] + original[theirs.value.start : theirs.end] + text[ours.end :]


# Reading


def _trace(text: str, path: Sequence[str]) -> tuple[ValueSpan | None, list[MemberSpan]]:
    """Follow the path as far as it exists."""
    if not path:
        raise ValueError("the path is empty")
    root = _parse(text)
    found: list[MemberSpan] = []
    node = root
    for depth, name in enumerate(path):
        if node is None:
            break
        if node.members is None:
            place = "The outermost value" if not depth else f"'{'.'.join(path[:depth])}'"
            raise BadJsonc(f"{place} is not an object.")
        same = [member for member in node.members if member.name == name]
        if len(same) > 1:
            raise BadJsonc(f"'{'.'.join(path[: depth + 1])}' occurs {len(same)} times.")
        if not same:
            break
        found.append(same[0])
        node = same[0].value
    return root, found


def _parse(text: str) -> ValueSpan | None:
    start = _skip(text, len(_BOM) if text.startswith(_BOM) else 0)
    if start == len(text):
        return None
    try:
        node = _value(text, start)
    except RecursionError:
        raise BadJsonc("The values are nested too deeply.") from None
    end = _skip(text, node.end)
    if end < len(text):
        raise _unexpected(text, end, "the end")
    return node


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> ValueSpan:
    if text.startswith("{", at):
        return _object(text, at)
    if text.startswith("[", at):
        return _array(text, at)
    match = _STRING.match(text, at) or _SCALAR.match(text, at)
    if not match:
        raise _unexpected(text, at, "a value")
    return ValueSpan(at, match.end())


def _object(text: str, start: int) -> ValueSpan:
    members: list[MemberSpan] = []
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        name = _STRING.match(text, at)
        if members and members[-1].comma is None:
            raise _unexpected(text, at, "',' or '}'")
        if not name:
            raise _unexpected(text, at, "a name in double quotes")
        colon = _skip(text, name.end())
        if not text.startswith(":", colon):
            raise _unexpected(text, colon, "':'")
        value = _value(text, _skip(text, colon + 1))
        after = _skip(text, value.end)
        comma = after if text.startswith(",", after) else None
        members.append(MemberSpan(json.loads(name[0]), at, value, comma))
        at = after if comma is None else _skip(text, after + 1)
    return ValueSpan(start, at + 1, tuple(members))


def _array(text: str, start: int) -> ValueSpan:
    at, open_ = _skip(text, start + 1), True
    while not text.startswith("]", at):
        if not open_:
            raise _unexpected(text, at, "',' or ']'")
        at = _skip(text, _value(text, at).end)
        open_ = text.startswith(",", at)
        at = _skip(text, at + 1) if open_ else at
    return ValueSpan(start, at + 1)


def _unexpected(text: str, at: int, wanted: str) -> BadJsonc:
    lines = _NEWLINE.split(text[:at])
    given = f"'{text[at]}'" if at < len(text) else "the end"
    return BadJsonc(f"Line {len(lines)}, column {len(lines[-1]) + 1}: {given} where {wanted} should be.")


# Writing


def _newline(text: str) -> str:
    match = _NEWLINE.search(text)
    return match[0] if match else "\n"


def _indent(text: str, at: int) -> str:
    """Return the indentation of the line at this position."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    match = _INDENT.match(text, start + text.startswith(_BOM, start))
    return match[0] if match else ""


def _starts_line(text: str, at: int) -> bool:
    return text[:at].rstrip(" \t").endswith(("\n", "\r"))


def _unit(text: str, root: ValueSpan) -> str:
    first = root.members[0] if root.members else None
    return (_indent(text, first.start) if first and _starts_line(text, first.start) else "") or "  "


def _rows(text: str, root: ValueSpan, value: object, indent: str) -> str:
    laid_out = json.dumps(value, indent=_unit(text, root), ensure_ascii=False)
    return laid_out.replace("\n", _newline(text) + indent)


def _row(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _begin(text: str, value: object) -> str:
    newline = _newline(text)
    kept = text if text.removeprefix(_BOM).strip() else text[: text.startswith(_BOM)]
    gap = newline if kept.removeprefix(_BOM) and not kept.endswith(("\n", "\r")) else ""
    return kept + gap + json.dumps(value, indent=2, ensure_ascii=False).replace("\n", newline) + newline


def _replace(text: str, root: ValueSpan, member: MemberSpan, value: object) -> str:
    old = text[member.value.start : member.end]
    if json.dumps(load(old), sort_keys=True) == json.dumps(value, sort_keys=True):
        return text
    in_rows = _NEWLINE.search(old) or _starts_line(text, member.start)
    new = _rows(text, root, value, _indent(text, member.start)) if in_rows else _row(value)
    return text[: member.value.start] + new + text[member.end :]


def _insert(text: str, root: ValueSpan, holder: ValueSpan, name: str, value: object) -> str:
    members = holder.members or ()
    key = _row(name) + ": "
    inner = next((_indent(text, m.start) for m in reversed(members) if _starts_line(text, m.start)), None)
    if inner is None:
        inner = _indent(text, holder.start) + _unit(text, root)
    line = _newline(text) + inner + key + _rows(text, root, value, inner)

    opened, closed = holder.start + 1, holder.end - 1
    if not text[opened:closed].strip():
        if root.members and not _NEWLINE.search(text, root.start, root.end):
            return text[:opened] + key + _row(value) + text[closed:]
        return text[:opened] + line + _newline(text) + _indent(text, holder.start) + text[closed:]

    last = members[-1] if members else None
    comma = last.comma if last else None
    anchor = opened if last is None else last.end if comma is None else comma + 1
    at = _past_comments(text, anchor)
    head_end = members[0].start if members else opened
    in_rows = _NEWLINE.search(text, holder.start, head_end) or _NEWLINE.search(text, anchor, closed)
    added = (line if in_rows else f" {key}{_row(value)}") + ("" if comma is None else ",")
    separator = "," if last and comma is None else ""
    return text[:anchor] + separator + text[anchor:at] + added + text[at:]


def _past_comments(text: str, at: int) -> int:
    """Skip the comments that end on this line: they belong to what precedes them."""
    while (match := _TRAILING_COMMENT.match(text, at)) and not _NEWLINE.search(match[1]):
        at = match.end()
    return at


def _holds_only(text: str, holder: ValueSpan, member: MemberSpan) -> bool:
    rest = text[holder.start + 1 : member.start] + text[member.end : holder.end - 1]
    return len(holder.members or ()) == 1 and not rest.replace(",", "", 1).strip()


def _cut(text: str, holder: ValueSpan, member: MemberSpan) -> str:
    members = holder.members or ()
    index = members.index(member)
    previous = members[index - 1].comma if index else None
    floor = holder.start + 1 if previous is None else previous + 1
    comments = list(_COMMENTS.finditer(text, floor, member.start))
    start = comments[-1].end() if comments else floor

    if member.comma is None:
        rest = text[member.end :]
    else:
        rest = text[member.end : member.comma] + text[member.comma + 1 :]
    if comments and comments[-1][0].startswith("//") and not rest.lstrip(" \t").startswith(("\n", "\r")):
        start = member.start  # otherwise the rest of the line would become part of the comment

    if _holds_only(text, holder, member):
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if member.comma is None and previous is not None:
        return text[:previous] + text[previous + 1 : start] + rest
    return text[:start] + rest
