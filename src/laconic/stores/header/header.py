"""Header: the YAML above a markdown text, kept as lines; an edit changes the lines it must and no other."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

from laconic.stores.errors import Unreadable
from laconic.stores.header import yaml_edits, yaml_rescue
from laconic.stores.header.fences import Fenced
from laconic.stores.header.reading import ParsedHeader, read
from laconic.stores.header.yaml_blocks import Pen, normal, on_one_line, pair
from laconic.stores.header.yaml_nodes import same, value_of

_CONFLICT_MARK: Final = "# conflict: "
_CONFLICT: Final = re.compile(rf"^{_CONFLICT_MARK}(([^\s.:]+).*?)\r?(?:\n|\Z)", re.MULTILINE)


class Header:
    """The header of a file, and the body below it.

    Reading never raises: what is wrong is in `problem`. An edit keeps every line but its own byte for byte,
    or raises `Unreadable` and changes nothing.
    """

    def __init__(self, file: Fenced, order: Sequence[str] = ()) -> None:
        self._file = file
        self._order = tuple(order)
        self._parsed: ParsedHeader | None = None

    @classmethod
    def of(cls, text: str, order: Sequence[str] = ()) -> Self:
        """Read a whole file. A new key goes behind the nearest key before it in `order`, else to the end."""
        return cls(Fenced.of(text), order)

    @property
    def body(self) -> str:
        """The text below the header."""
        return self._file.body

    @property
    def problem(self) -> str | None:
        """What is wrong with the header, in a sentence; values may be missing then."""
        return self._read().problem

    @property
    def is_broken(self) -> bool:
        """Whether the header is not YAML, in conflict or never closed: it can be read in parts at best."""
        return self._read().is_broken

    def text(self) -> str:
        """Return the whole file."""
        return self._file.text()

    def values(self) -> dict[str, Any]:
        """Return all keys with their values; of a broken header those that can be read.

        Plain true, false, null and whole numbers are themselves; every other scalar is a string as written,
        also `yes`, `000123`, `1e3`, `1.10` and `2025-01-01`. Of a key that stands twice the last counts.
        """
        return {key: value_of(node) for key, node in self._read().nodes.items()}

    def raw(self, key: str) -> str | None:
        """Return a scalar's text before it gets a meaning, as `true`, `12` or `~`; None if there is none."""
        node = self._read().nodes.get(key)
        if node is None or isinstance(node, str):
            return node
        return str(node.value) if node.id == "scalar" else None

    def set(self, key: str, value: Any) -> None:
        """Give a key a value; None takes the key out. The value it has already changes nothing.

        What a merge left in doubt about the key is settled with it.

        Raises:
            Unreadable: the lines of the key cannot be told, or other values would change with it.
            TypeError: the value is none that a header can hold.
        """
        key, value, now = normal(key), normal(value), self.values()
        if value is None:
            self.remove(key)
        elif self.is_broken or key not in now or not same(now[key], value):
            put = yaml_rescue.put if self.is_broken else yaml_edits.put
            pens = [Pen(self._file.line_end()), Pen(self._file.line_end(), on_one_line)]
            edits = (put(self._file.header, key, value, self._order, pen) for pen in pens)
            self._take(edits, {**now, key: value})
        if _CONFLICT_MARK in self._file.header and not self.is_broken:
            kept = _CONFLICT.sub(lambda found: "" if found[2] == key else found[0], self._file.header)
            self._take([kept], self.values())

    def remove(self, key: str) -> None:
        """Take a key out, as often as it stands there; nothing happens if it does not.

        Raises:
            Unreadable: the lines of the key cannot be told, or other values would change with it.
        """
        left = self.values()
        if key in left:
            del left[key]
            cut = yaml_rescue.cut if self.is_broken else yaml_edits.cut
            # a block above would take in what stands indented below the key: that goes too then
            self._take((cut(self._file.header, key, with_remarks=more) for more in (False, True)), left)

    def lines(self, key: str) -> str:
        """Return the lines of a key as they stand; nothing if there are none.

        Raises:
            Unreadable: the header is broken.
        """
        return yaml_edits.lines_of(self._file.header, key)

    def copy(self, key: str, other: "Header") -> None:
        """Take over the lines that a key has in another header, with its quotes and comments.

        Raises:
            Unreadable: either header is broken, or other values would change with it.
        """
        edit = yaml_edits.put_lines(self._file.header, key, other.lines(key), self._order)
        self._take([edit], {**self.values(), key: other.values().get(key)})

    def remark(self, key: str, words: str) -> None:
        """Put a comment line below a key, or where the key would stand.

        Raises:
            Unreadable: the header is broken.
        """
        line = " ".join(words.splitlines())
        pen = Pen(self._file.line_end())
        self._take([yaml_edits.remark(self._file.header, key, line, self._order, pen)], self.values())

    def note_conflict(self, key: str, words: str) -> None:
        """Say in a comment below a key what a merge could not decide; `set` takes it away.

        Raises:
            Unreadable: the header is broken.
        """
        self.remark(key, _CONFLICT_MARK[2:] + words)

    def conflicts(self) -> list[str]:
        """Return what merges could not decide, in the words of `note_conflict`."""
        header = self._file.header
        return [found[1] for found in _CONFLICT.finditer(header)] if _CONFLICT_MARK in header else []

    def set_body(self, text: str) -> None:
        """Replace the body. LF becomes the line end of the file, and a final one is set unless it had none.

        Raises:
            Unreadable: it cannot be told where the body begins.
        """
        self._check_parts()
        if text != self.body:
            self._file = self._file.with_body(self._file.fitted(text))

    def _read(self) -> ParsedHeader:
        if self._parsed is None:
            self._parsed = read(self._file)
        return self._parsed

    def _take(self, headers: Iterable[str], values: dict[str, Any]) -> None:
        """Accept the first of some edits that is seen to do what it should and nothing else."""
        self._check_parts()
        for header in headers:
            file = self._file.with_header(header)
            after = Header.of(file.text())
            is_worse = after.is_broken and not self.is_broken
            if not is_worse and after.body == self.body and same(after.values(), values):
                self._file, self._parsed = file, None
                return
        raise Unreadable("The header cannot be changed there without changing other values.")

    def _check_parts(self) -> None:
        flaw = self._file.flaw()
        if flaw is not None:
            raise Unreadable(flaw)


def compose(values: Mapping[str, Any], order: Sequence[str], body: str) -> str:
    """Write a new file: the keys of `order` first, then all others; keys without a value are left out.

    Raises:
        Unreadable: a text holds half a character, or a value is nested too deeply.
        TypeError: a value is none that a header can hold.
    """
    keys = [key for key in dict.fromkeys((*order, *values)) if values.get(key) is not None]
    lines = [pair(normal(key), normal(values[key]), 0) for key in keys]
    end = "" if not body or body.endswith("\n") else "\n"
    return "\n".join(["---", *lines, "---", body + end])
