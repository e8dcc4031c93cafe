"""JSON with comments: find, set or remove one member and leave every other byte alone."""

from __future__ import annotations

import json
from collections.abc import Sequence

from laconic.cli.install.jsonc.parsing import BadJsonc, MemberSpan, ValueSpan, load, trace
from laconic.cli.install.jsonc.writing import begin, cut, holds_only, insert, replace

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


def find(text: str, path: Sequence[str]) -> MemberSpan | None:
    """Find the member at a path of names.

    Raises: BadJsonc.
    """
    _, found = trace(text, path)
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
    root, found = trace(text, path)
    missing = path[len(found) :]
    for name in reversed(missing[1:]):
        value = {name: value}
    if root is None:
        return begin(text, {missing[0]: value})
    if not missing:
        return replace(text, root, found[-1], value)
    return insert(text, root, found[-1].value if found else root, missing[0], value)


def remove_member(text: str, path: Sequence[str], *, prune: int = 0) -> str:
    """Remove the member at a path of names, and up to `prune` objects around it that it leaves empty.

    Undoes `set_member` byte for byte, except that an object with only white space becomes `{}`, and so does
    a text without a value. Comments stay. A path that does not exist changes nothing.

    Raises: BadJsonc.
    """
    root, found = trace(text, path)
    if root is None or len(found) < len(path):
        return text
    holders = [root, *(member.value for member in found[:-1])]
    depth = len(path) - 1
    while prune and depth and holds_only(text, holders[depth], found[depth]):
        depth, prune = depth - 1, prune - 1
    return cut(text, holders[depth], found[depth])


def restore_member(text: str, path: Sequence[str], original: str) -> str:
    """Replace the value at a path of names by the one that the original has, byte for byte.

    Raises: BadJsonc.
    """
    ours, theirs = find(text, path), find(original, path)
    if ours is None or theirs is None:
        return text
    return text[: ours.value.start] + original[theirs.value.start : theirs.end] + text[ours.end :]
