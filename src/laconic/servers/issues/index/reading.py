"""Reading what people, programs and merges write into a header: never an error, at most a flaw."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from sys import intern
from typing import Any, Final

from laconic.lazily import regex
from laconic.servers.issues.index.flaws import Flaw, FlawKind
from laconic.servers.issues.models import KEY_ORDER
from laconic.stores.header.fences import ProblemKind
from laconic.stores.header.header import Header
from laconic.text.formats.blocks import Blocks, Fence

# A language after the opening dashes: json is read, any other is plain text. Nothing is ever run.
_LANGUAGE: Final = regex(r"\ufeff?---[ \t]*(?!ya?ml\b)([a-z][a-z0-9]*)[ \t]*\r?\n", re.IGNORECASE)
_CLOSING: Final = regex(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_OURS, _THEIRS = regex(r"^<{7,} ", re.MULTILINE), regex(r"^>{7,} ", re.MULTILINE)
_LONGEST: Final = 200  # characters of a value in a warning
_HALVES: Final = regex("[\ud800-\udfff]")
_TYPES: Final = {bool: "yes or no", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
_HEADERS: Final[Mapping[ProblemKind, FlawKind]] = {
    "conflict": "header in conflict",
    "unclosed": "header not closed",
    "repeated": "repeated key",
    "invalid": "header not valid",
}


def decode(content: bytes) -> tuple[str, Flaw | None]:
    """Decode a file so that `encode` restores it byte for byte, and return what is wrong with it."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        text = content.decode(errors="surrogateescape")
        return text, Flaw("not UTF-8", detail=f"{error.start:,}")
    return text, Flaw("zero bytes") if "\0" in text else None


def encode(text: str) -> bytes:
    """Encode a text that `decode` returned."""
    return text.encode(errors="surrogateescape")


def readable(text: str) -> str:
    """Replace bytes that were no characters, so that the text can be sent."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def description_of(text: str) -> str:
    """Return the text below the header, without parsing the header."""
    is_plain = _LANGUAGE.match(text) is None
    return readable(Header.of(text).body.strip()) if is_plain else TolerantReader(text, []).description


def has_json_header(text: str) -> bool:
    """True if the header is JSON, which can be read but not edited."""
    language = _LANGUAGE.match(text)
    return language is not None and language[1].lower() == "json"


class TolerantReader:
    """Reads values of a file's header, and collects flaws instead of raising errors."""

    def __init__(self, text: str, flaws: list[Flaw], header: Header | None = None) -> None:
        self.flaws = flaws
        self._language = _LANGUAGE.match(text)
        self.header = Header.of(text, KEY_ORDER) if header is None else header
        self._values = self._json(text) if self._is_json else self.header.values()
        if self.header.problem_kind:
            self._add(_HEADERS[self.header.problem_kind], detail=str(self.header.problem))
        else:
            self._look_for_conflict()
        for words in self.header.conflicts():
            self._add("open conflict", detail=words[:_LONGEST])
        if self._language and not self._is_json:
            self._add("header not read", detail=self._language[1])

    @property
    def is_note(self) -> bool:
        """True if there is no header, not even a broken one."""
        return not self._values and self._language is None and self.header.problem_kind is None

    def _add(self, kind: FlawKind, name: str = "", detail: str = "") -> None:
        self.flaws.append(Flaw(kind, name, detail))

    @property
    def _is_json(self) -> bool:
        return self._language is not None and self._language[1].lower() == "json"

    @cached_property
    def body(self) -> str:
        """The text below the header, exactly as in the file."""
        if self._is_json and self._closing:
            return self._closing.string[self._closing.end() :]
        return self.header.body

    @property
    def description(self) -> str:
        """The text below the header."""
        return readable(self.body.strip())

    def word(self, key: str) -> str | None:
        """Read one line of text; for a value of another type, its text in the file, with a flaw."""
        value = self._values.get(key)
        if not isinstance(value, str):
            value = self._in_words(key, value)
        value = readable(value if "\n" not in value else " ".join(value.split())).strip()
        return (intern(value) if len(value) < 40 else value) or None

    def choice(self, key: str, known: Sequence[str], default: str) -> str:
        """Read one of several words; another one is kept, with a flaw."""
        value = self.word(key)
        if value is not None and value not in known and isinstance(self._values.get(key), str):
            self._add("unknown value", key, f"is {value[:40]}, not {', '.join(known[:-1])} or {known[-1]}")
        return value or default

    def words(self, key: str) -> tuple[str, ...]:
        """Read a list of texts; a single text is split at commas."""
        value = self._values.get(key)
        if value is None or value == "":
            return ()
        if not isinstance(value, list):
            said = self._in_words(key, value) if not isinstance(value, str) else value
            self._add("not a list", key)
            value = said.split(",")
        texts = [readable(item if isinstance(item, str) else _written(item)) for item in value]
        found = [" ".join(text.split()) if "\n" in text else text.strip() for text in texts]
        if any(isinstance(item, dict | list) for item in value):
            self._add("not words", key)
        return tuple(intern(word) for word in found if word)

    def moment(self, key: str) -> datetime | None:
        """Read a date, with or without time; UTC if it has no time zone."""
        value = self._values.get(key)
        if value is None or value == "":
            return None
        with suppress(ValueError, OverflowError):
            if isinstance(value, str):
                moment = datetime.fromisoformat(value.strip())
                return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        self._add("not a date", key)
        return None

    def mapping(self, key: str) -> Mapping[str, Any] | None:
        """Read a mapping."""
        value = self._values.get(key)
        if value is None or isinstance(value, dict):
            return value or None
        self._add("not a mapping", key)
        return None

    def _in_words(self, key: str, value: Any) -> str:
        if value is None:
            return ""
        self._add("not a text", key, _TYPES.get(type(value), "no text"))
        written = None if self._is_json else self.header.raw(key)
        return _written(value) if written is None else written

    @cached_property
    def _closing(self) -> re.Match[str] | None:
        start = self._language
        return _CLOSING.search(start.string, start.end()) if start else None

    def _json(self, text: str) -> dict[str, Any]:
        end = self._closing
        if self._language is not None and end is not None:
            with suppress(ValueError, RecursionError):
                values = json.loads(text[self._language.end() : end.start()])
                if isinstance(values, dict):
                    return values
        self._add("header not JSON")
        return {}

    def _look_for_conflict(self) -> None:
        if "<<<<<<< " not in self.body:
            return
        fences = Blocks(self.body).fences  # what is quoted there is no conflict
        marks = [
            [found for found in mark.finditer(self.body) if not _is_inside(found.start(), fences)]
            for mark in (_OURS, _THEIRS)
        ]
        if all(marks) and marks[1][-1].start() > marks[0][0].start():
            line = self.body.count("\n", 0, marks[0][0].start()) + 1
            self._add("text in conflict", detail=str(line))


def _is_inside(place: int, fences: Sequence[Fence]) -> bool:
    return any(fence.start <= place < fence.end for fence in fences)


def _written(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
