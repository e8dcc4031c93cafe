"""Footnotes: two rules for the markdown parser, one for `[^1]: text` and one for `[^1]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

NOTES: Final = "notes"  # in the parser's environment: texts by name, with blank lines between paragraphs
USED: Final = "used"  # in the same place: the names of those that something refers to
MISSING: Final = "missing"  # in the same place: the names of those that have no text
_INDENT: Final = 4  # of further paragraphs
_TEXT: Final = re.compile(r"\[\^([^\]\s]+)\]:[ \t]*(.*)", re.S)
_SIGN: Final = re.compile(r"\[\^([^\]\s]+)\]")


def add_footnotes(parser: MarkdownIt) -> None:
    """Teach a parser footnotes."""
    ends = ["paragraph", "reference", "blockquote", "list"]  # what it may follow without a blank line
    parser.block.ruler.before("reference", "footnote_text", _text, {"alt": ends})
    parser.inline.ruler.before("link", "footnote", _sign)


def _text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith("[^") or state.is_code_block(start):
        return False
    found = _TEXT.match(line)
    if found is None:
        return False
    if silent:
        return True
    lines, after = [found[2]], start + 1
    while (place := _further(state, after, end)) < end:
        lines += [""] * (place > after)
        lines.append(state.src[state.bMarks[place] + state.tShift[place] : state.eMarks[place]])
        after = place + 1
    state.env.setdefault(NOTES, {}).setdefault(found[1], "\n".join(lines).strip())
    state.line = after
    return True


def _further(state: StateBlock, after: int, end: int) -> int:
    """Return the next line of a text, or after blank lines of a further paragraph; else the end."""
    line = next((one for one in range(after, end) if not state.isEmpty(one)), end)
    least = _INDENT if line > after else 1
    return line if line < end and state.sCount[line] - state.blkIndent >= least else end


def _sign(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("[^", state.pos):
        return False
    found = _SIGN.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if found[1] not in state.env.get(NOTES, {}):
        state.env.setdefault(MISSING, set()).add(found[1])
        return False
    if not silent:
        state.push("footnote", "", 0).content = found[1]
    state.pos = found.end()
    return True
