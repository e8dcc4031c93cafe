"""PDF: a text as pages of plain lines, which any viewer opens."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

__all__ = ["pdf_of"]

_LETTERS, _LINES = 92, 50  # of a line, and of a page
_HEAD: Final = b"%PDF-1.4\n"


def pdf_of(text: str) -> bytes:
    """Return a text as a PDF; letters that its font does not have become question marks."""
    lines = [part for line in text.expandtabs(4).splitlines() for part in wrap(line, _LETTERS) or [""]]
    pages = [lines[first : first + _LINES] for first in range(0, max(1, len(lines)), _LINES)]
    numbers = range(4, 4 + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(numbers, pages, strict=True):
        drawn = b"BT /F1 11 Tf 14 TL 56 786 Td\n" + b"".join(map(_line, page)) + b"ET"
        parts += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            f"<< /Length {len(drawn)} >>\nstream\n".encode() + drawn + b"\nendstream",
        ]
    return _joined(parts)


def _line(text: str) -> bytes:
    raw = text.encode("cp1252", errors="replace")
    for sign in (b"\\", b"(", b")"):
        raw = raw.replace(sign, b"\\" + sign)
    return b"(" + raw + b") Tj T*\n"


def _joined(parts: list[bytes]) -> bytes:
    found, places = _HEAD, list[int]()
    for number, part in enumerate(parts, 1):
        places.append(len(found))
        found += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(parts) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(found)}\n%%EOF\n"
    return found + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()
