"""Geometry: lengths in EMU, and the place of an element on its page."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.google.decks.layouts import length
from laconic.sandbox.google.decks.objects import refused

__all__ = ["applied", "box", "checked_transform", "emu", "size_of"]

Row = dict[str, Any]
Box = tuple[float, float, float, float]  # left, top, right, bottom
_POINT: Final = 12_700
_DEFAULT: Final = 3_000_000


def emu(length: Row | None, default: float = 0) -> float:
    """Return a length in EMU."""
    if not length:
        return default
    return float(length.get("magnitude", 0)) * (_POINT if length.get("unit") == "PT" else 1)


def size_of(given: Row, width: float = _DEFAULT, height: float = _DEFAULT) -> Row:
    """Return the size of a new element."""
    size = given.get("size", {})
    return {"width": length(emu(size.get("width"), width)), "height": length(emu(size.get("height"), height))}


def checked_transform(given: Row | None) -> Row:
    """Return a transform in EMU; one that would leave nothing to see is refused."""
    if not given:
        return {"scaleX": 1, "scaleY": 1, "unit": "EMU"}
    unit = _POINT if given.get("unit") == "PT" else 1
    if given.get("unit") not in ("PT", "EMU"):
        raise refused("The unit of the transform must be specified.")
    names = ("scaleX", "scaleY", "shearX", "shearY")
    found = {name: given[name] for name in names if given.get(name)}
    found |= {name: given[name] * unit for name in ("translateX", "translateY") if given.get(name)}
    if _determinant(found) == 0:
        raise refused("The transform matrix is not invertible: give scaleX and scaleY.")
    return {**found, "unit": "EMU"}


def _determinant(one: Row) -> float:
    return float(one.get("scaleX", 0) * one.get("scaleY", 0) - one.get("shearX", 0) * one.get("shearY", 0))


def applied(outer: Row, inner: Row) -> Row:
    """Return the transform that has the effect of the inner one, then the outer one."""
    a, b = (_matrix(one) for one in (outer, inner))
    found = {
        "scaleX": a[0] * b[0] + a[1] * b[3],
        "shearX": a[0] * b[1] + a[1] * b[4],
        "translateX": a[0] * b[2] + a[1] * b[5] + a[2],
        "shearY": a[3] * b[0] + a[4] * b[3],
        "scaleY": a[3] * b[1] + a[4] * b[4],
        "translateY": a[3] * b[2] + a[4] * b[5] + a[5],
    }
    return {**{name: value for name, value in found.items() if value}, "unit": "EMU"}


def _matrix(one: Row) -> tuple[float, ...]:
    names = ("scaleX", "shearX", "translateX", "shearY", "scaleY", "translateY")
    return tuple(float(one.get(name, 0)) for name in names)


def box(element: Row, outer: Row | None = None) -> Box:
    """Return the box that an element fills on its page."""
    transform = element.get("transform", {"scaleX": 1, "scaleY": 1})
    whole = applied(outer, transform) if outer else transform
    if "elementGroup" in element:
        inner = [box(one, whole) for one in element["elementGroup"]["children"]]
        return (
            *(min(one[side] for one in inner) for side in (0, 1)),
            *(max(one[side] for one in inner) for side in (2, 3)),
        )  # type: ignore[return-value]  # four of them
    size = element.get("size", {})
    width, height = emu(size.get("width")), emu(size.get("height"))
    a, c, x, d, b, y = _matrix(whole)
    corners = [(a * w + c * h + x, d * w + b * h + y) for w in (0, width) for h in (0, height)]
    across, down = [one[0] for one in corners], [one[1] for one in corners]
    return min(across), min(down), max(across), max(down)
