"""Flaws: what is wrong with an issue's file, as data; the sentence is written where a flaw is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

FlawKind = Literal[
    "shared id",
    "unreadable file",
    "not UTF-8",
    "zero bytes",
    "header in conflict",
    "header not closed",
    "header not valid",
    "header not JSON",
    "header not read",
    "repeated key",
    "open conflict",
    "text in conflict",
    "not a text",
    "not a list",
    "not words",
    "not a date",
    "not a mapping",
    "unknown value",
]

_SENTENCES: Final[Mapping[FlawKind, str]] = {
    "shared id": "shared id: call it {name}",
    "unreadable file": "The file cannot be read: {detail}.",
    "not UTF-8": "The file is not UTF-8 text (byte {detail}).",
    "zero bytes": "The file contains zero bytes, so it is not text.",
    "header in conflict": "{detail}",
    "header not closed": "{detail}",
    "header not valid": "{detail}",
    "header not JSON": "The header is not valid JSON.",
    "header not read": "The header is {detail}, which is not read and never run.",
    "repeated key": "{detail}",
    "open conflict": "A merge left open: {detail}",
    "text in conflict": "The text contains conflict markers, line {detail}.",
    "not a text": "{name} is {detail}, read as text.",
    "not a list": "{name} is not a list.",
    "not words": "{name} contains more than words.",
    "not a date": "{name} is not a date.",
    "not a mapping": "{name} is not a mapping.",
    "unknown value": "{name} {detail}.",
}


class Flaw(NamedTuple):
    """One thing that is wrong: its kind, and the details that differ from file to file."""

    kind: FlawKind
    name: str = ""  # the key; for a shared id, the name that finds the file
    detail: str = ""

    @property
    def sentence(self) -> str:
        """The flaw as a sentence."""
        return _SENTENCES[self.kind].format(name=self.name, detail=self.detail)
