"""Pictures: a page drawn as boxes and bars, as a PNG."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final

__all__ = ["Canvas"]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
Colour = tuple[int, int, int]


class Canvas:
    """A picture with up to 256 colours."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.width, self.height = width, height
        self._palette: dict[Colour, int] = {background: 0}
        self._lines = [bytearray(width) for _ in range(height)]

    def _index(self, colour: Colour) -> int:
        return self._palette.setdefault(colour, min(len(self._palette), 255))

    def fill(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Fill a box, or the part of it that is in the picture."""
        first, last = max(round(left), 0), min(max(round(right), round(left) + 1), self.width)
        if first >= last:
            return
        part = bytes([self._index(colour)]) * (last - first)
        for line in self._lines[max(round(top), 0) : max(round(bottom), round(top) + 1, 0)]:
            line[first:last] = part

    def frame(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Draw the four sides of a box."""
        self.fill(left, top, right, top, colour)
        self.fill(left, bottom, right, bottom, colour)
        self.fill(left, top, left, bottom, colour)
        self.fill(right, top, right, bottom, colour)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: Colour) -> None:
        """Draw a line."""
        steps = max(int(abs(x2 - x1)), int(abs(y2 - y1)), 1)
        for step in range(steps + 1):
            x, y = x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps
            self.fill(x, y, x, y, colour)

    def png(self) -> bytes:
        """Return the picture as a file."""
        colours = b"".join(bytes(one) for one in list(self._palette)[:256])
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        rows = b"".join(b"\x00" + bytes(line) for line in self._lines)
        parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def colour_of(fill: dict[str, Any], theme: dict[str, Colour]) -> Colour | None:
    """Return the colour of a fill; nothing if it is not seen."""
    if fill.get("propertyState") in ("NOT_RENDERED", "INHERIT") or "solidFill" not in fill:
        return None
    given = fill["solidFill"].get("color", {})
    if "themeColor" in given:
        return theme.get(given["themeColor"], (0, 0, 0))
    return rgb(given.get("rgbColor", {}))


def rgb(parts: dict[str, float]) -> Colour:
    """Return a colour of whole numbers."""
    red, green, blue = (round(255 * parts.get(name, 0)) & 255 for name in ("red", "green", "blue"))
    return red, green, blue
