"""JSON as text: its outline, and its items when it is a list or holds one."""

import json
from collections import Counter

from laconic.text.json_scan import elements, members, root, value_end
from laconic.text.lines import Span

_LINES = 40
_KEYS = 8  # of an object shown on one line
_DEPTH = 3  # how deep the one list may lie: {"data": {"page": {"rows": [...]}}}
_LONG = 100
_KINDS = {'"': "string", "{": "object", "[": "array", "t": "boolean", "f": "boolean", "n": "null"}


def items(text: str) -> list[Span]:
    """Find the items of the top-level array, or of the one array that matters in a top-level object.

    From the start of one item to the end of another, in brackets, is a JSON array again.
    """
    start = _list_in(text, root(text), _DEPTH)
    return [] if start is None else elements(text, start)


def _list_in(text: str, start: int, depth: int) -> int | None:
    """The array itself; of an object, the array in the member that is most of it, or its only array."""
    letter = text[start : start + 1]
    if letter != "{" or not depth:
        return start if letter == "[" else None
    found = members(text, start)
    sizes = [member.end - member.start for member in found]
    if sizes and 2 * max(sizes) > sum(sizes):
        inner = _list_in(text, found[sizes.index(max(sizes))].start, depth - 1)
        if inner is not None:
            return inner
    arrays = [member.start for member in found if text[member.start] == "["]
    return arrays[0] if len(arrays) == 1 else None


def outline(source: object) -> str:
    """Say what a JSON text, or a value, holds: keys, types and counts, two levels deep."""
    text = source if isinstance(source, str) else json.dumps(source, ensure_ascii=False, default=str)
    start = root(text)
    lines = _lines(text, start, 2)
    lines = lines if len(lines) <= _LINES else _lines(text, start, 1)
    more = len(lines) - _LINES
    return "\n".join(lines if more <= 0 else [*lines[:_LINES], f"… {more:,} more keys"])


def _lines(text: str, start: int, depth: int) -> list[str]:
    """One line for the value, or for each member of an object; below it what the next level holds."""
    if text[start : start + 1] == "[":
        first = [] if depth < 2 else [start for start, _ in elements(text, start)[:1] if text[start] == "{"]
        return [_said(text, start), *(f"  {line}" for at in first for line in _lines(text, at, 1))]
    lines = []
    for member in members(text, start) if text[start : start + 1] == "{" else []:
        inner = _lines(text, member.start, 1) if depth > 1 and text[member.start] == "{" else []
        said = f"object of {len(inner):,} keys" if len(inner) > 1 else _said(text, member.start)
        lines += [f"{_key(text, member.key)}: {said}", *(f"  {line}" for line in inner if len(inner) > 1)]
    return lines or [_said(text, start)]


def _said(text: str, start: int) -> str:
    kind = _kind(text, start)
    if kind == "object":
        return f"object {_keys(text, start)}"
    if kind == "array":
        return _counted(text, elements(text, start))
    length = value_end(text, start) - start - 2
    return f"string of {length:,} characters" if kind == "string" and length > _LONG else kind


def _counted(text: str, found: list[Span]) -> str:
    """`1,000 objects {id, title}`, with the keys of the first; all kinds when there are several."""
    starts = {_kind(text, start): start for start, _ in reversed(found)}
    counts = Counter(_kind(text, start) for start, _ in found)
    parts = []
    for kind, count in counts.most_common():
        keys = f" {_keys(text, starts[kind])}" if kind == "object" else ""
        parts.append(f"{count:,} {kind}{'s' if count > 1 else ''}{keys}")
    return ", ".join(parts) or "empty array"


def _kind(text: str, start: int) -> str:
    return _KINDS.get(text[start : start + 1], "number")


def _keys(text: str, start: int) -> str:
    names = [_key(text, member.key) for member in members(text, start)]
    shown = names if len(names) <= _KEYS else [*names[:_KEYS], "…"]
    return f"{{{', '.join(shown)}}}"


def _key(text: str, span: Span) -> str:
    raw = text[span[0] : span[1]]
    try:
        name = str(json.loads(raw))
    except ValueError:
        name = raw[1:-1]
    name = name if name.isprintable() else raw
    return name if len(name) <= 60 else f"{name[:59]}…"
