"""A file split at its fences (the `---` lines) into header and body, without losing a byte."""

import re
from dataclasses import replace
from typing import Final, Literal, NamedTuple, Self

from laconic.data import dataclass
from laconic.lazily import regex

_OPENING: Final = r"---[ \t]*(?i:ya?ml)?[ \t]*\r?\n"  # any other language, such as `---js`, is plain text
_FENCES: Final = regex(rf"({_OPENING})((?:.*?\n)??)(---[ \t]*(?:\r?\n|\Z))", re.DOTALL)
_NEVER_CLOSED: Final = regex(_OPENING + r"[^\W\d][\w.-]*[ \t]*:\s")
_MARKER: Final = regex("<{7,} ")
_MISTAKABLE: Final = ("---", "<<<<<<<", "\ufeff")  # a body that starts like this needs fences above it

_AFTER_DASHES: Final = frozenset(["", " ", "\t", "\r"])  # perhaps the end, or not

ProblemKind = Literal["conflict", "unclosed", "repeated", "invalid"]


class HeaderProblem(NamedTuple):
    """What is wrong with a header: its kind, and the sentence for a person."""

    kind: ProblemKind
    sentence: str


@dataclass(frozen=True, slots=True)
class Fenced:
    """A file in five parts; without a header, both fences and the header are empty."""

    mark: str  # the byte order mark, if there is one
    opening: str
    header: str
    closing: str
    body: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Split a text; a header that is never closed does not count as one."""
        end = _plain_end(text)
        if end is not None:
            return cls("", text[:4], text[4 : end + 1], text[end + 1 : end + 5], text[end + 5 :])
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        found = _FENCES.match(text, len(mark))
        if found is None:
            return cls(mark, "", "", "", text[len(mark) :])
        return cls(mark, found[1], found[2], found[3], text[found.end() :])

    def text(self) -> str:
        """Return the whole file."""
        return self.mark + self.opening + self.header + self.closing + self.body

    def problem(self) -> HeaderProblem | None:
        """Return why it is unclear whether there is a header; None if it is clear."""
        if self.opening:
            return None
        if _MARKER.match(self.body):
            return HeaderProblem("conflict", "The file begins with a conflict marker.")
        is_unclosed = _NEVER_CLOSED.match(self.body) is not None
        return HeaderProblem("unclosed", "The header is never closed.") if is_unclosed else None

    def line_end(self) -> str:
        """Return the line ending that most lines of the header have."""
        return line_end(self.opening + self.header + self.closing) or line_end(self.body) or "\n"

    def with_header(self, header: str) -> Self:
        """Replace the header; missing fences are added."""
        end = self.line_end()
        closing = self.closing or f"---{end}"
        if self.body and not closing.endswith("\n"):
            closing += end
        return replace(self, opening=self.opening or f"---{end}", header=header, closing=closing)

    def with_body(self, text: str) -> Self:
        """Replace the body; fences are added above a body that could be mistaken for a header."""
        changed = replace(self, body=text)
        needs_fences = self.opening or text.startswith(_MISTAKABLE)
        return changed.with_header(self.header) if needs_fences else changed

    def fitted(self, text: str) -> str:
        """Give a text the line endings of the body, unless it contains CR, and end its last line."""
        if text and not text.endswith("\n") and (not self.body or self.body.endswith("\n")):
            text += line_end(text) or "\n"
        return text if "\r" in text else text.replace("\n", line_end(self.body) or self.line_end())


def _plain_end(text: str) -> int | None:
    """Return where the header ends that has three dashes alone above and below it; None for any other."""
    end = text.find("\n---", 3) if text.startswith("---\n") else -1
    while end >= 0:
        after = text[end + 4 : end + 5]
        if after == "\n":
            return end
        if after in _AFTER_DASHES:
            return None
        end = text.find("\n---", end + 1)
    return None


def line_end(text: str) -> str | None:
    """Return the line ending that most lines of a text have; None if it is a single line."""
    both = text.count("\r\n")
    alone = text.count("\n") - both
    return None if not both + alone else "\r\n" if both > alone else "\n"


def in_line_ends_of(model: str, text: str) -> str:
    """Give a text the line endings of another one, if most of its own differ from them."""
    wanted, present = line_end(model), line_end(text)
    return text if wanted in (None, present) else re.sub("\r?\n", str(wanted), text)
