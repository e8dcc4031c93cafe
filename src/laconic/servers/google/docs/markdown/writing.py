"""Writing: blocks as markdown, in its normal form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from laconic.servers.google.docs.markdown.inline import inline
from laconic.servers.google.docs.reading.blocks import BOX, BREAK, NUMBER, Block, Span

_STARTS: Final = re.compile(r"#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-(?:\s*-){2,}\s*$|[|:\- \t]+$")
_LEADS: Final = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|\[\^\d+\](?=:)")  # of a list, of a footnote's text
_FENCE: Final = re.compile(r"^\s*(`{3,})", re.M)
_RULES: Final = {"": "---", "left": ":--", "center": ":-:", "right": "--:"}


class MarkdownWriter:
    """Writes blocks one after the other; footnotes are numbered, and their texts come last."""

    def __init__(self) -> None:
        self.notes: list[tuple[Span, ...]] = []
        self._indents: list[int] = []  # of the current list, per level
        self._counts: list[int] = []  # numbers of the current list, per level

    def write(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Yield the markdown of blocks, with what separates them."""
        before: Block | None = None
        for block in blocks:
            if block.kind != "item" or before is None or before.kind != "item":
                self._indents, self._counts = [], []
            if before is not None:
                yield self._between(before, block)
            yield self._block(block)
            before = block
        for number, spans in enumerate(self.notes, 1):
            lead = "\n\n" if number == 1 and before is not None else "\n"
            yield f"{lead}[^{number}]: {_one_line(inline(spans, lambda _: ''))}"

    def _between(self, before: Block, block: Block) -> str:
        kinds = (before.kind, block.kind)
        if kinds == ("item", "item"):
            is_new = (
                not block.level and not before.level and (before.mark == NUMBER) != (block.mark == NUMBER)
            )
            return "\n\n" if is_new else "\n"
        return "\n>\n" if kinds == ("quote", "quote") else "\n\n"

    def note(self, spans: tuple[Span, ...]) -> str:
        """Return the sign of a footnote."""
        self.notes.append(spans)
        return f"[^{len(self.notes)}]"

    def _block(self, block: Block) -> str:
        match block.kind:
            case "heading":
                text = _one_line(inline(block.spans, self.note))
                closed = f"{text[:-1]}\\#" if text.endswith("#") else text
                return f"{'#' * block.level} {closed}"
            case "item":
                return self._item(block)
            case "quote":
                return "> " + _lines(inline(block.spans, self.note), "> ")
            case "code":
                return _code(block)
            case "table":
                return self._table(block)
            case "rule":
                return "---"
        return _lines(inline(block.spans, self.note), "")

    def _item(self, block: Block) -> str:
        del self._indents[block.level + 1 :], self._counts[block.level + 1 :]
        if len(self._counts) <= block.level:
            self._counts.append(0)
        is_number = block.mark == NUMBER
        self._counts[block.level] = self._counts[block.level] + 1 if is_number else 0
        mark = f"{self._counts[block.level]}." if is_number else block.mark
        own = sum(self._indents[: block.level])
        del self._indents[block.level :]
        self._indents.append(len(mark) + 1 if is_number else 2)
        indent = " " * (own + self._indents[-1])
        return f"{' ' * own}{mark} {_lines(inline(block.spans, self.note), indent)}"

    def _table(self, block: Block) -> str:
        rows = [[self._cell(cell) for cell in row] for row in block.rows]
        rules = [_RULES[block.aligned[at] if at < len(block.aligned) else ""] for at in range(len(rows[0]))]
        return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rules, *rows[1:]))

    def _cell(self, spans: tuple[Span, ...]) -> str:
        return _one_line(inline(spans, self.note)).replace("|", "\\|")


def markdown_of(blocks: Iterable[Block]) -> str:
    """Return blocks as markdown, in its normal form."""
    return "".join(MarkdownWriter().write(blocks))


def key_of(block: Block) -> str:
    """Return what markdown says of a block: the same for blocks that markdown writes alike."""
    lead = f"{block.kind} {block.level} {block.mark} {' '.join(block.aligned)}"
    if block.kind == "code":
        return f"{lead}\n{block.plain}"
    parts = [block.spans] if block.kind != "table" else [cell for row in block.rows for cell in row]
    shape = f" {len(block.rows)}" if block.kind == "table" else ""
    return f"{lead}{shape}\n" + "\n".join(inline(_undescribed(part), _note_key) for part in parts)


def _undescribed(spans: Sequence[Span]) -> list[Span]:
    return [span._replace(text="") if span.image else span for span in spans]


def _note_key(spans: tuple[Span, ...]) -> str:
    return f"[^{inline(spans, lambda _: '')}]"


def _code(block: Block) -> str:
    text = block.plain.replace(BREAK, "\n")
    fence = "`" * max(3, 1 + max((len(one) for one in _FENCE.findall(text)), default=0))
    return f"{fence}{block.mark}\n{text}\n{fence}" if text else f"{fence}{block.mark}\n{fence}"


def _one_line(text: str) -> str:
    return _lead(text.replace(BREAK, "<br>"))


def _lines(text: str, indent: str) -> str:
    """Return lines of a paragraph, none of which is read as the beginning of something else."""
    return f"\\\n{indent}".join(_line(line) for line in text.split(BREAK))


def _line(line: str) -> str:
    if not line or line[0].isalpha():
        return line
    if line[0].isspace():
        return _lead(line)
    if _STARTS.match(line):
        return "\\" + line
    found = _LEADS.match(line)
    return f"{found[0]}\\{line[found.end() :]}" if found else line


def _lead(line: str) -> str:
    return f"&#{ord(line[0])};{line[1:]}" if line[:1].isspace() else line


__all__ = ["BOX", "MarkdownWriter", "key_of", "markdown_of"]
