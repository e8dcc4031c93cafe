"""Header: the YAML above a markdown text, kept as lines; an edit changes only the lines it must."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Self

from laconic.stores.errors import Unreadable
from laconic.stores.header import yaml_edits, yaml_rescue
from laconic.stores.header.fences import Fenced, HeaderProblem, ProblemKind
from laconic.stores.header.plain import plain_values
from laconic.stores.header.plain_nodes import plain_root
from laconic.stores.header.reading import ParsedHeader, read
from laconic.stores.header.yaml_blocks import Pen, normal, on_one_line
from laconic.stores.header.yaml_nodes import same, value_of
from laconic.stores.header.yaml_parser import root_of

_CONFLICT_MARK: Final = "# conflict: "
_CONFLICT: Final = re.compile(rf"^{_CONFLICT_MARK}(([^\s.:]+).*?)\r?(?:\n|\Z)", re.MULTILINE)


class Header:
    """The header of a file, and the body below it.

    Reading never raises: what is wrong is in `problem`. An edit keeps all other lines byte for byte,
    or raises `Unreadable` and changes nothing.
    """

    def __init__(self, file: Fenced, order: Sequence[str] = ()) -> None:
        self._file = file
        self._order = tuple(order)
        self._parsed: ParsedHeader | None = None
        self._is_plain: bool | None = None  # it can be read without the parser; None if that is not known yet

    @classmethod
    def of(cls, text: str, order: Sequence[str] = ()) -> Self:
        """Read a whole file. A new key is added after the nearest key before it in `order`, or at the end."""
        return cls(Fenced.of(text), order)

    @property
    def body(self) -> str:
        """The text below the header."""
        return self._file.body

    @property
    def problem(self) -> str | None:
        """What is wrong with the header, in a sentence; if set, values may be missing."""
        found = self._problem
        return found.sentence if found else None

    @property
    def problem_kind(self) -> ProblemKind | None:
        """The kind of that problem, for programs."""
        found = self._problem
        return found.kind if found else None

    @property
    def is_broken(self) -> bool:
        """True if the header is not YAML, has conflict markers or is never closed."""
        return not self._is_plain and self._read().is_broken

    def text(self) -> str:
        """Return the whole file."""
        return self._file.text()

    def values(self) -> dict[str, Any]:
        """Return all keys with their values; of a broken header, those that can be read.

        Unquoted true, false, null and integers get their type; every other scalar is a string as written,
        including `yes`, `000123`, `1e3`, `1.10` and `2025-01-01`. If a key occurs twice, the last one counts.
        """
        may_be_plain = self._file.opening and self._is_plain is not False
        plain = plain_values(self._file.header) if may_be_plain else None
        self._is_plain = plain is not None
        return {key: value_of(node) for key, node in self._read().nodes.items()} if plain is None else plain

    def raw(self, key: str) -> str | None:
        """Return a scalar as it is written, such as `true`, `12` or `~`; None if the key has no scalar."""
        node = self._read().nodes.get(key)
        if node is None or isinstance(node, str):
            return node
        return str(node.value) if node.id == "scalar" else None

    def set(self, key: str, value: Any) -> None:
        """Set the value of a key; None removes the key. Setting the current value changes nothing.

        This also resolves a merge conflict about the key.

        Raises:
            Unreadable: it is unclear which lines belong to the key, or other values would change too.
            TypeError: a header cannot contain such a value.
        """
        key, value, now = normal(key), normal(value), self.values()
        if value is None:
            self.remove(key)
        elif self.is_broken or key not in now or not same(now[key], value):
            pens = [Pen(self._file.line_end()), Pen(self._file.line_end(), on_one_line)]
            self._take((self._put(key, value, pen) for pen in pens), {**now, key: value})
        if _CONFLICT_MARK in self._file.header and not self.is_broken:
            kept = _CONFLICT.sub(lambda found: "" if found[2] == key else found[0], self._file.header)
            self._take([kept], self.values())

    def remove(self, key: str) -> None:
        """Remove every occurrence of a key, if there are any.

        Raises:
            Unreadable: it is unclear which lines belong to the key, or other values would change too.
        """
        left = self.values()
        if key in left:
            del left[key]
            # a block above would absorb what is indented below the key, so that is removed as well
            self._take((self._cut(key, with_remarks=more) for more in (False, True)), left)

    def lines(self, key: str) -> str:
        """Return the lines of a key unchanged; empty if the key is missing.

        Raises:
            Unreadable: the header is broken.
        """
        return yaml_edits.lines_of(self._located(), key)

    def copy(self, key: str, other: "Header") -> None:
        """Copy the lines of a key from another header, with its quotes and comments.

        Raises:
            Unreadable: either header is broken, or other values would change too.
        """
        edit = yaml_edits.put_lines(self._located(), key, other.lines(key), self._order)
        self._take([edit], {**self.values(), key: other.values().get(key)})

    def remark(self, key: str, words: str) -> None:
        """Add a comment line below a key, or where the key would be.

        Raises:
            Unreadable: the header is broken.
        """
        line = " ".join(words.splitlines())
        pen = Pen(self._file.line_end())
        self._take([yaml_edits.remark(self._located(), key, line, self._order, pen)], self.values())

    def note_conflict(self, key: str, words: str) -> None:
        """Note in a comment below a key what a merge could not decide; `set` removes the note.

        Raises:
            Unreadable: the header is broken.
        """
        self.remark(key, _CONFLICT_MARK[2:] + words)

    def conflicts(self) -> list[str]:
        """Return the words of every `note_conflict` that is not yet resolved."""
        header = self._file.header
        return [found[1] for found in _CONFLICT.finditer(header)] if _CONFLICT_MARK in header else []

    def set_body(self, text: str) -> None:
        """Replace the body, with the line endings of the file and, unless the old body had none, a final one.

        Raises:
            Unreadable: it is unclear where the body begins.
        """
        self._check_parts()
        if text != self.body:
            self._file = self._file.with_body(self._file.fitted(text))

    @property
    def _problem(self) -> HeaderProblem | None:
        return None if self._is_plain else self._read().problem

    def _read(self) -> ParsedHeader:
        if self._parsed is None:
            self._parsed = read(self._file)
        return self._parsed

    def _located(self) -> yaml_edits.Located:
        """Find the lines of each key; a plain header is not parsed, and any other only once."""
        header = self._file.header
        root = plain_root(header)
        if root is None:
            root = root_of(header) if self.is_broken else self._read().root
        return yaml_edits.Located.of(header, root)

    def _put(self, key: str, value: Any, pen: Pen) -> str:
        if self.is_broken:
            return yaml_rescue.put(self._file.header, key, value, self._order, pen)
        return yaml_edits.put(self._located(), key, value, self._order, pen)

    def _cut(self, key: str, *, with_remarks: bool) -> str:
        if self.is_broken:
            return yaml_rescue.cut(self._file.header, key, with_remarks=with_remarks)
        return yaml_edits.cut(self._located(), key, with_remarks=with_remarks)

    def _take(self, headers: Iterable[str], values: dict[str, Any]) -> None:
        """Accept the first edit that results in exactly these values and the same body."""
        self._check_parts()
        for header in headers:
            file = self._file.with_header(header)
            after = Header.of(file.text())
            is_same = after.body == self.body and same(after.values(), values)
            if is_same and (self.is_broken or not after.is_broken):
                self._file, self._parsed, self._is_plain = after._file, after._parsed, after._is_plain
                return
        raise Unreadable("The header cannot be changed there without changing other values.")

    def _check_parts(self) -> None:
        problem = self._file.problem()
        if problem is not None:
            raise Unreadable(problem.sentence)
