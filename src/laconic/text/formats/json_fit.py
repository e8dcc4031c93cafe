"""The beginning of a JSON value within a number of characters: whole items, and valid JSON."""

from bisect import bisect_right

from laconic.text.formats.json_scan import JsonMember, Scan
from laconic.text.lines import Span

Fitted = tuple[str, int]
"""The text that fits, and how far into the source it reaches without a gap."""

_DEPTH = 8


def fit(scan: Scan, value: Span, budget: int, depth: int = _DEPTH) -> Fitted | None:
    """Shorten a value to fit by leaving out items at its end; None if not even its brackets fit."""
    text = scan.text
    start, end = value
    if end - start <= budget:
        return text[start:end], end
    if budget < 2 or not depth or text[start] not in "[{":
        return None
    if text[start] == "[":
        return _first_items(scan, value, budget, depth) or ("[]", start + 1)
    found = scan.members(start)
    shortened = _largest_shortened(scan, value, found, budget, depth)
    return shortened or _first_members(scan, value, found, budget, depth) or ("{}", start + 1)


def _first_items(scan: Scan, array: Span, budget: int, depth: int) -> Fitted | None:
    """Keep the items that fit completely; if none does, the beginning of the first."""
    found = scan.elements(array[0])
    if kept := _kept(found, array, budget):
        return _without(scan, array, found[kept - 1][1], found[-1][1])
    return _with_shortened(scan, array, found[0], found[-1][1], budget, depth) if found else None


def _largest_shortened(
    scan: Scan, whole: Span, found: list[JsonMember], budget: int, depth: int
) -> Fitted | None:
    """Shorten the one member that makes up most of the object, and keep the others unchanged."""
    largest = max(found, key=lambda member: member.end - member.start, default=None)
    if largest is None or 2 * (largest.end - largest.start) <= whole[1] - whole[0]:
        return None
    part = largest.start, largest.end
    return _with_shortened(scan, whole, part, largest.end, budget, depth) or _left_out(
        scan, whole, found, found.index(largest), budget
    )


def _left_out(scan: Scan, whole: Span, found: list[JsonMember], number: int, budget: int) -> Fitted | None:
    """Return the object without one member, if that fits."""
    first = found[0].key[0]
    before = found[number - 1].end if number else first
    after = found[number].end if number or len(found) == 1 else found[1].key[0]
    return _without(scan, whole, before, after) if before - whole[0] + whole[1] - after <= budget else None


def _first_members(
    scan: Scan, whole: Span, found: list[JsonMember], budget: int, depth: int
) -> Fitted | None:
    """Keep the members that fit completely, and the beginning of the next."""
    kept = _kept([(member.start, member.end) for member in found], whole, budget)
    if kept < len(found):
        after = found[kept].start, found[kept].end
        if shortened := _with_shortened(scan, whole, after, found[-1].end, budget, depth):
            return shortened
    return _without(scan, whole, found[kept - 1].end, found[-1].end) if kept else None


def _kept(spans: list[Span], whole: Span, budget: int) -> int:
    """Count the values that fit, together with what precedes and follows them."""
    closing = whole[1] - spans[-1][1] if spans else 0
    return bisect_right(spans, budget - closing, key=lambda span: span[1] - whole[0])


def _without(scan: Scan, whole: Span, cut: int, tail: int) -> Fitted:
    return scan.text[whole[0] : cut] + scan.text[tail : whole[1]], cut


def _with_shortened(scan: Scan, whole: Span, part: Span, tail: int, budget: int, depth: int) -> Fitted | None:
    """Return the whole with one part shortened, and nothing between that part and the tail."""
    before, after = scan.text[whole[0] : part[0]], scan.text[tail : whole[1]]
    inner = fit(scan, part, budget - len(before) - len(after), depth - 1)
    return (before + inner[0] + after, inner[1]) if inner else None
