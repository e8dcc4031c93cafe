"""The beginning of a JSON value that fits a room: whole items, and valid JSON itself."""

from bisect import bisect_right

from laconic.text.formats.json_scan import JsonMember, Scan
from laconic.text.lines import Span

Fitted = tuple[str, int]
"""The text that fits, and how far into the source it reaches without a gap."""

_DEPTH = 8


def fit(scan: Scan, value: Span, room: int, depth: int = _DEPTH) -> Fitted | None:
    """Shorten a value to a room by leaving out items at its end; None when not even its brackets fit."""
    text = scan.text
    start, end = value
    if end - start <= room:
        return text[start:end], end
    if room < 2 or not depth or text[start] not in "[{":
        return None
    if text[start] == "[":
        return _first_items(scan, value, room, depth) or ("[]", start + 1)
    found = scan.members(start)
    shortened = _largest_shortened(scan, value, found, room, depth)
    return shortened or _first_members(scan, value, found, room, depth) or ("{}", start + 1)


def _first_items(scan: Scan, array: Span, room: int, depth: int) -> Fitted | None:
    """Keep the items that fit whole; if not even one does, the beginning of the first."""
    found = scan.elements(array[0])
    if kept := _kept(found, array, room):
        return _without(scan, array, found[kept - 1][1], found[-1][1])
    return _with_shortened(scan, array, found[0], found[-1][1], room, depth) if found else None


def _largest_shortened(
    scan: Scan, whole: Span, found: list[JsonMember], room: int, depth: int
) -> Fitted | None:
    """Shorten the one member that is most of the object, and leave the others as they are."""
    largest = max(found, key=lambda member: member.end - member.start, default=None)
    if largest is None or 2 * (largest.end - largest.start) <= whole[1] - whole[0]:
        return None
    part = largest.start, largest.end
    return _with_shortened(scan, whole, part, largest.end, room, depth) or _left_out(
        scan, whole, found, found.index(largest), room
    )


def _left_out(scan: Scan, whole: Span, found: list[JsonMember], number: int, room: int) -> Fitted | None:
    """The object without one member."""
    first = found[0].key[0]
    before = found[number - 1].end if number else first
    after = found[number].end if number or len(found) == 1 else found[1].key[0]
    return _without(scan, whole, before, after) if before - whole[0] + whole[1] - after <= room else None


def _first_members(scan: Scan, whole: Span, found: list[JsonMember], room: int, depth: int) -> Fitted | None:
    """Keep the members that fit whole, and the beginning of the next."""
    kept = _kept([(member.start, member.end) for member in found], whole, room)
    if kept < len(found):
        after = found[kept].start, found[kept].end
        if shortened := _with_shortened(scan, whole, after, found[-1].end, room, depth):
            return shortened
    return _without(scan, whole, found[kept - 1].end, found[-1].end) if kept else None


def _kept(spans: list[Span], whole: Span, room: int) -> int:
    """How many of the values fit, with what stands before and after them all."""
    closing = whole[1] - spans[-1][1] if spans else 0
    return bisect_right(spans, room - closing, key=lambda span: span[1] - whole[0])


def _without(scan: Scan, whole: Span, cut: int, tail: int) -> Fitted:
    return scan.text[whole[0] : cut] + scan.text[tail : whole[1]], cut


def _with_shortened(scan: Scan, whole: Span, part: Span, tail: int, room: int, depth: int) -> Fitted | None:
    """The whole with one part shortened, and nothing between that part and the tail."""
    before, after = scan.text[whole[0] : part[0]], scan.text[tail : whole[1]]
    inner = fit(scan, part, room - len(before) - len(after), depth - 1)
    return (before + inner[0] + after, inner[1]) if inner else None
