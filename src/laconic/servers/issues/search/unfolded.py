"""Searching a text as it is in its file: folding it costs ten times as much, and seldom decides."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from laconic.lazily import regex
from laconic.servers.issues.index.reading import decode, description_of
from laconic.servers.issues.search.folding import fold

_RUNS: Final = regex(rb"[\x21-\x7e]+")
# In UTF-8, everything that folding takes for white space.
_SPACES: Final = (
    rb"(?:[\t-\r\x1c-\x20]|\xc2[\x85\xa0]|\xe1\x9a\x80"
    rb"|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80)+"
)
# All characters beyond ASCII whose folded form has some of ASCII, and a few more: letters with accents,
# ligatures, the Kelvin and the Angstrom sign, crossed-out punctuation.
_FOLDING_TO_ASCII: Final = regex(
    "[\u00c0-\u027f\u037e\u1e00-\u1eff\u1fef\u212a\u212b\u2260\u226e\u226f\ufb00-\ufb06]"
)


class Sought:
    """A folded query, prepared for texts that are not folded."""

    def __init__(self, query: bytes) -> None:
        self.query: Final = query
        self.is_ascii: Final = query.isascii()
        self.runs: Final = _RUNS.findall(query)
        self.pattern: Final = re.compile(_SPACES.join(map(re.escape, query.split(b" "))))


class FoldedText:
    """A text that is folded already."""

    def __init__(self, folded: bytes) -> None:
        self.folded: Final = folded

    def contains(self, sought: Sought) -> bool:
        """True if the text contains the query."""
        return sought.query in self.folded


class UnfoldedText:
    """The text below the header of a file; it is decoded and folded only if that decides."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._lowered = content.lower()  # only letters of ASCII change

    def contains(self, sought: Sought) -> bool:
        """True if the folded text contains the query."""
        if sought.is_ascii and sought.pattern.search(self._lowered) and sought.pattern.search(self._body):
            return True
        if self._content.isascii():
            return False
        has_runs = not sought.is_ascii and all(run in self._lowered for run in sought.runs)
        return (has_runs or self._folds_to_ascii) and sought.query in self.folded

    @cached_property
    def folded(self) -> bytes:
        """The folded text."""
        return fold(self._description)

    @cached_property
    def _folds_to_ascii(self) -> bool:
        return _FOLDING_TO_ASCII.search(self._content.decode(errors="replace")) is not None

    @cached_property
    def _description(self) -> str:
        return description_of(decode(self._content)[0])

    @cached_property
    def _body(self) -> bytes:
        return self._description.encode(errors="surrogatepass").lower()
