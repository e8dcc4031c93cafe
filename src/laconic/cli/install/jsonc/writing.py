"""Changes to the text of JSON with comments, in its own style: begin, replace, insert or cut."""

from __future__ import annotations

import json
import re

from laconic.cli.install.jsonc.parsing import BOM, COMMENT, NEWLINE, MemberSpan, ValueSpan, load

__all__ = ["begin", "cut", "holds_only", "insert", "replace"]

_TRAILING_COMMENT = re.compile(rf"[ \t]*({COMMENT})", re.DOTALL)
_COMMENTS = re.compile(COMMENT, re.DOTALL)
_INDENT = re.compile(r"[ \t]*")


def _newline(text: str) -> str:
    match = NEWLINE.search(text)
    return match[0] if match else "\n"


def _indent(text: str, at: int) -> str:
    """Return the indentation of the line at this position."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    match = _INDENT.match(text, start + text.startswith(BOM, start))
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


def begin(text: str, value: object) -> str:
    """Write the first value of a text that has none."""
    newline = _newline(text)
    kept = text if text.removeprefix(BOM).strip() else text[: text.startswith(BOM)]
    gap = newline if kept.removeprefix(BOM) and not kept.endswith(("\n", "\r")) else ""
    return kept + gap + json.dumps(value, indent=2, ensure_ascii=False).replace("\n", newline) + newline


def replace(text: str, root: ValueSpan, member: MemberSpan, value: object) -> str:
    """Give a member another value; an equal one changes nothing."""
    old = text[member.value.start : member.end]
    if json.dumps(load(old), sort_keys=True) == json.dumps(value, sort_keys=True):
        return text
    in_rows = NEWLINE.search(old) or _starts_line(text, member.start)
    new = _rows(text, root, value, _indent(text, member.start)) if in_rows else _row(value)
    return text[: member.value.start] + new + text[member.end :]


def insert(text: str, root: ValueSpan, holder: ValueSpan, name: str, value: object) -> str:
    """Add a member to an object."""
    members = holder.members or ()
    key = _row(name) + ": "
    inner = next((_indent(text, m.start) for m in reversed(members) if _starts_line(text, m.start)), None)
    if inner is None:
        inner = _indent(text, holder.start) + _unit(text, root)
    line = _newline(text) + inner + key + _rows(text, root, value, inner)

    opened, closed = holder.start + 1, holder.end - 1
    if not text[opened:closed].strip():
        if root.members and not NEWLINE.search(text, root.start, root.end):
            return text[:opened] + key + _row(value) + text[closed:]
        return text[:opened] + line + _newline(text) + _indent(text, holder.start) + text[closed:]

    last = members[-1] if members else None
    comma = last.comma if last else None
    anchor = opened if last is None else last.end if comma is None else comma + 1
    at = _past_comments(text, anchor)
    head_end = members[0].start if members else opened
    in_rows = NEWLINE.search(text, holder.start, head_end) or NEWLINE.search(text, anchor, closed)
    added = (line if in_rows else f" {key}{_row(value)}") + ("" if comma is None else ",")
    separator = "," if last and comma is None else ""
    return text[:anchor] + separator + text[anchor:at] + added + text[at:]


def _past_comments(text: str, at: int) -> int:
    """Skip the comments that end on this line: they belong to what precedes them."""
    while (match := _TRAILING_COMMENT.match(text, at)) and not NEWLINE.search(match[1]):
        at = match.end()
    return at


def holds_only(text: str, holder: ValueSpan, member: MemberSpan) -> bool:
    """True if an object has this member and nothing else, not even a comment."""
    rest = text[holder.start + 1 : member.start] + text[member.end : holder.end - 1]
    return len(holder.members or ()) == 1 and not rest.replace(",", "", 1).strip()


def cut(text: str, holder: ValueSpan, member: MemberSpan) -> str:
    """Remove a member with its comma; comments stay."""
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

    if holds_only(text, holder, member):
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if member.comma is None and previous is not None:
        return text[:previous] + text[previous + 1 : start] + rest
    return text[:start] + rest
