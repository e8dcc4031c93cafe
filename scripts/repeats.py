"""Finds blocks of eight or more equal lines that occur twice in src; part of scripts/check.

Blank lines, comments, imports and lone brackets do not count, and indentation is ignored.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = 8
_LONE = re.compile(r"[\])}:,]*")


class Line(NamedTuple):
    path: Path
    number: int
    text: str


def main(root: Path = Path("src")) -> int:
    found = list(repeats(sorted(root.rglob("*.py"))))
    for first, second, length in found:
        print(f"{first.path}:{first.number} and {second.path}:{second.number}: {length} equal lines")
    if found:
        print(
            f"{len(found)} blocks of {BLOCK} or more lines occur twice: one function can serve both places."
        )
    return 1 if found else 0


def repeats(paths: list[Path]) -> Iterator[tuple[Line, Line, int]]:
    """Yield the first line of both places and the length of each block that occurs twice."""
    files = [lines_of(path) for path in paths]
    places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for file, lines in enumerate(files):
        for start in range(len(lines) - BLOCK + 1):
            places[tuple(line.text for line in lines[start : start + BLOCK])].append((file, start))
    reported: set[tuple[int, int, int, int]] = set()
    for file, lines in enumerate(files):
        for start in range(len(lines) - BLOCK + 1):
            block = tuple(line.text for line in lines[start : start + BLOCK])
            for other, begin in places[block]:
                if (other, begin) <= (file, start) or (file, start - 1, other, begin - 1) in reported:
                    reported.add((file, start, other, begin))
                    continue
                reported.add((file, start, other, begin))
                yield lines[start], files[other][begin], _length(lines[start:], files[other][begin:])


def _length(one: list[Line], other: list[Line]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a.text != b.text), min(len(one), len(other)))


def lines_of(path: Path) -> list[Line]:
    """Return the lines that count."""
    text = path.read_text(encoding="utf-8")
    imports = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    stripped = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [
        Line(path, number, line)
        for number, line in stripped
        if number not in imports and not _LONE.fullmatch(line) and not line.startswith("#")
    ]


if __name__ == "__main__":
    sys.exit(main())
