"""JSON as text: its outline, and the items of the list that it is or contains."""

import json
from collections import Counter

from laconic.text.formats.json_scan import Scan, root, value_end
from laconic.text.lines import Span

_LINES = 40
_KEYS = 8  # shown of an object on one line
_DEPTH = 3  # how deep the list may be: {"data": {"page": {"rows": [...]}}}
_LONG = 100
_KINDS = {'"': "string", "{": "object", "[": "array", "t": "boolean", "f": "boolean", "n": "null"}


def items(source: str | Scan) -> list[Span]:
    """Find the items of the top-level array, or of the main array in a top-level object.

    The text from the start of one item to the end of another, in brackets, is a JSON array again.
    """
    scan = Scan(source) if isinstance(source, str) else source
    start = _list_in(scan, root(scan.text), _DEPTH)
    return [] if start is None else scan.elements(start)


def _list_in(scan: Scan, start: int, depth: int) -> int | None:
    """Find the array itself; in an object, the array in its largest member, or its only array."""
    letter = scan.text[start : start + 1]
    if letter != "{" or not depth:
        return start if letter == "[" else None
    found = scan.members(start)
    sizes = [member.end - member.start for member in found]
    if sizes and 2 * max(sizes) > sum(sizes):
        inner = _list_in(scan, found[sizes.index(max(sizes))].start, depth - 1)
        if inner is not None:
            return inner
    arrays = [member.start for member in found if scan.text[member.start] == "["]
    return arrays[0] if len(arrays) == 1 else None


def outline(source: object) -> str:
    """Outline a JSON text or a value: keys, types and counts, two levels deep."""
    if not isinstance(source, Scan):
        source = Scan(
            source if isinstance(source, str) else json.dumps(source, ensure_ascii=False, default=str)
        )
    start = root(source.text)
    lines = _lines(source, start, 2)
    lines = lines if len(lines) <= _LINES else _lines(source, start, 1)
    more = len(lines) - _LINES
    return "\n".join(lines if more <= 0 else [*lines[:_LINES], f"… {more:,} more keys"])


def _lines(scan: Scan, start: int, depth: int) -> list[str]:
    """Return one line for the value, or for each member of an object, with the next level below it."""
    text = scan.text
    if text[start : start + 1] == "[":
        first = [] if depth < 2 else [at for at, _ in scan.elements(start)[:1] if text[at] == "{"]
        return [_described(scan, start), *(f"  {line}" for at in first for line in _lines(scan, at, 1))]
    lines = []
    for member in scan.members(start) if text[start : start + 1] == "{" else []:
        inner = _lines(scan, member.start, 1) if depth > 1 and text[member.start] == "{" else []
        words = f"object of {len(inner):,} keys" if len(inner) > 1 else _described(scan, member.start)
        lines += [f"{_key(text, member.key)}: {words}", *(f"  {line}" for line in inner if len(inner) > 1)]
    return lines or [_described(scan, start)]


def _described(scan: Scan, start: int) -> str:
    kind = _kind(scan.text, start)
    if kind == "object":
        return f"object {_keys(scan, start)}"
    if kind == "array":
        return _counted(scan, scan.elements(start))
    length = value_end(scan.text, start) - start - 2
    return f"string of {length:,} characters" if kind == "string" and length > _LONG else kind


def _counted(scan: Scan, found: list[Span]) -> str:
    """Return `1,000 objects {id, title}`, with the keys of the first; lists every type there is."""
    kinds = [_KINDS.get(scan.text[start], "number") for start, _ in found]
    parts = []
    for kind, count in Counter(kinds).most_common():
        keys = f" {_keys(scan, found[kinds.index(kind)][0])}" if kind == "object" else ""
        parts.append(f"{count:,} {kind}{'s' if count > 1 else ''}{keys}")
    return ", ".join(parts) or "empty array"


def _kind(text: str, start: int) -> str:
    return _KINDS.get(text[start : start + 1], "number")


def _keys(scan: Scan, start: int) -> str:
    names = [_key(scan.text, member.key) for member in scan.members(start)]
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
