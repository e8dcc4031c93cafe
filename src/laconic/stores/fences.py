"""A file parted at its fences: the `---` lines, the header between them, the body below; nothing is lost."""

import re
from dataclasses import dataclass, replace
from typing import Final, Self

_OPENING: Final = r"---[ \t]*(?i:ya?ml)?[ \t]*\r?\n"  # any other language, `---js` above all, is plain text
_FENCES: Final = re.compile(rf"({_OPENING})((?:.*?\n)??)(---[ \t]*(?:\r?\n|\Z))", re.DOTALL)
_NEVER_CLOSED: Final = re.compile(_OPENING + r"[^\W\d][\w.-]*[ \t]*:\s")
_MISTAKABLE: Final = (
    "---",
    "<<<<<<<",
    "\ufeff",
)  # a body that begins so is told from a header by fences above


@dataclass(frozen=True, slots=True)
class Fenced:
    """A file in five parts; without a header the first fence, the header and the second are empty."""

    mark: str  # the byte order mark, if there is one
    opening: str
    header: str
    closing: str
    body: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Part a text; a header that is never closed is none."""
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        found = _FENCES.match(text, len(mark))
        if found is None:
            return cls(mark, "", "", "", text[len(mark) :])
        return cls(mark, found[1], found[2], found[3], text[found.end() :])

    def text(self) -> str:
        """Return the whole file."""
        return self.mark + self.opening + self.header + self.closing + self.body

    def flaw(self) -> str | None:
        """Say why it cannot be told whether there is a header, if so."""
        if self.opening:
            return None
        if self.body.startswith("<<<<<<< "):
            return "The file begins with a conflict marker."
        return "The header is never closed." if _NEVER_CLOSED.match(self.body) else None

    def line_end(self) -> str:
        """Return the line end of the header: what most of its lines have."""
        return _line_end(self.opening + self.header + self.closing) or _line_end(self.body) or "\n"

    def with_header(self, header: str) -> Self:
        """Replace the header; fences are set where there are none."""
        fence = "---" + self.line_end()
        closing = self.closing if self.closing.endswith("\n") or not self.body else fence
        return replace(self, opening=self.opening or fence, header=header, closing=closing or fence)

    def with_body(self, text: str) -> Self:
        """Replace the body; LF becomes its line end, and a final one is set unless there was none."""
        end = _line_end(self.body) or self.line_end()
        if text and not text.endswith("\n") and (not self.body or self.body.endswith("\n")):
            text += _line_end(text) or "\n"
        body = text if "\r" in text else text.replace("\n", end)
        needs_fences = self.opening or body.startswith(_MISTAKABLE)
        changed = replace(self, body=body)
        return changed.with_header(self.header) if needs_fences else changed


def _line_end(text: str) -> str | None:
    both = text.count("\r\n")
    alone = text.count("\n") - both
    return None if not both + alone else "\r\n" if both > alone else "\n"
