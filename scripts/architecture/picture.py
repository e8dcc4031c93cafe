"""The packages as a picture: one row per layer, what each imports, and the stations of a call in order."""

from __future__ import annotations

from collections.abc import Iterator

from laconic.cli.demo.picture import INK, OURS, PALE, picture, words
from scripts.architecture.packages import Package, boxes
from scripts.architecture.path import stations

WIDTH, EDGE, GAP = 980, 24, 14
LETTER, CHIP, LINE = 6.6, 20, 26  # of 11 pixel type; the height of a chip and of a row of chips
MOST_CHIPS = 28  # a package with more parts shows how many it leaves out


def architecture() -> str:
    """Draw the rows of packages from top to bottom: a package imports only what is below it."""
    numbers = {part: number for number, part in enumerate(stations(), 1)}
    y = 92.0
    parts = [
        words(EDGE, 38, "Packages of Laconic", size=18, more='font-weight="600"'),
        words(EDGE, 62, "A package imports only packages below it.", fill=PALE),
        *_badge(330, 58, 1),
        words(344, 62, "the path of a call, in the order it enters each part", fill=PALE),
    ]
    for row in boxes():
        wide = (WIDTH - 2 * EDGE - GAP * (len(row) - 1)) / len(row)
        height = max(_height(package, wide) for package in row)
        for column, package in enumerate(row):
            parts += _box(package, EDGE + column * (wide + GAP), y, wide, height, numbers)
        y += height + GAP
    return picture(
        WIDTH, int(y) + 12, "The packages of Laconic, what each imports, and the path of a call", parts
    )


def _chips(package: Package, wide: float) -> Iterator[tuple[float, int, str]]:
    """Place the parts in rows: offset, row, name."""
    x, row = 14.0, 0
    names = list(package.parts[:MOST_CHIPS])
    if left := len(package.parts) - len(names):
        names.append(f"and {left} more")
    for name in names:
        width = len(name) * LETTER + 34
        if x + width > wide - 10:
            x, row = 14.0, row + 1
        yield x, row, name
        x += width


def _height(package: Package, wide: float) -> float:
    rows = max((row for _, row, _ in _chips(package, wide)), default=-1) + 1
    return 58 + rows * LINE + (6 if rows else 0)


def _box(
    package: Package, x: float, y: float, wide: float, height: float, numbers: dict[str, int]
) -> Iterator[str]:
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{height:g}"'
    yield f'<rect {place} rx="6" fill="#f6f8fa" stroke="#d1d9e0"/>'
    yield words(x + 14, y + 24, package.name, size=15, more='font-weight="600"')
    below = ", ".join(package.imports) or "nothing of ours"
    yield words(x + 14, y + 44, f"imports {below}", size=11, fill=PALE)
    for offset, row, name in _chips(package, wide):
        top = y + 56 + row * LINE
        yield words(x + offset + 18, top + 14, name, size=11, fill=INK)
        if number := numbers.get(f"{package.name}.{name}"):
            yield from _badge(x + offset + 8, top + 10, number)
        else:
            yield f'<circle cx="{x + offset + 8:g}" cy="{top + 10:g}" r="2" fill="#b1bac4"/>'


def _badge(x: float, y: float, number: int) -> Iterator[str]:
    yield f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="{OURS}"/>'
    yield words(x, y + 3.5, str(number), size=9, fill="#fff", more='text-anchor="middle"')
