"""Listing: lines that begin with a mark, as outlines show lists, become the items of a list."""

from __future__ import annotations

import re
from typing import Final

from laconic.servers.google.docs.reading.blocks import BULLET, NUMBER, Block, Span

_ITEM: Final = re.compile(r"([ \t]*)(?:(-)|\d{1,3}[.)]) +(\S.*)")
_LITERAL: Final = re.compile(r"([ \t]*)\\(-|\d{1,3}[.)]) ")  # a mark that is meant as it is
_DEEPEST: Final = 8


def blocks_of(text: str) -> list[Block]:
    """Return the paragraphs of a text; one number alone, as of a date, begins no list."""
    lines = text.split("\n")
    found = [_ITEM.fullmatch(line) for line in lines]
    has_numbers = sum(one is not None and not one[2] for one in found) > 1
    blocks: list[Block] = []
    for line, item in zip(lines, found, strict=True):
        if item is None or not (item[2] or has_numbers):
            blocks.append(Block("paragraph", (Span(_LITERAL.sub(r"\1\2 ", line, count=1)),)))
            continue
        deepest = blocks[-1].level + 1 if blocks and blocks[-1].kind == "item" else 0
        level = min(len(item[1].replace("\t", "  ")) // 2, deepest, _DEEPEST)
        blocks.append(Block("item", (Span(item[3]),), level, BULLET if item[2] else NUMBER))
    return blocks
