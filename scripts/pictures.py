"""The pictures in docs/images, each from a run: answers side by side, the packages, the demo, a board."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from laconic.cli.cost import Meter, meter
from laconic.cli.demo.day import spend
from laconic.cli.demo.picture import INK, OURS, PALE, THEIRS, draw, picture, rectangle, words
from laconic.cli.demo.sample import write_memos
from laconic.cli.demo.thin_wrapper import pretty
from laconic.kit.endpoint import Endpoint
from laconic.kit.peer import SilentPeer
from laconic.kit.settings import Settings
from laconic.servers.example.tools import example
from scripts.architecture.picture import architecture
from scripts.board_picture import board

FOLDER = Path("docs") / "images"
SHOWN = 12  # records in both answers
MONO = "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
LETTER, LINE = 6.7, 17  # of 11 pixel type, wide enough for every font of the list
PANES, GAP, EDGE, TOP = (552, 388), 24, 20, 84
MOST_LINES = 24
MOST_LETTERS = int(PANES[1] / LETTER)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, drawn in pictures().items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")
        print(f"pictures: wrote {FOLDER / name}")


def pictures() -> dict[str, str]:
    """Return every picture by its file name."""
    scale = meter()
    day = asyncio.run(spend(scale.count))
    return {
        "architecture.svg": architecture(),
        "answers.svg": _answers(*asyncio.run(answers()), scale),
        "board.svg": board(),
        "demo.svg": draw(day, scale),
    }


async def answers() -> tuple[str, str]:
    """A list of memos as Laconic answers it, and the same records as indented JSON."""
    with TemporaryDirectory() as folder:
        write_memos(Path(folder))
        endpoint = Endpoint([example], settings=Settings(sections={"example": {"workspace": folder}}))
        try:
            answer = await endpoint.call_tool("memo_list", {"limit": SHOWN}, SilentPeer())
        finally:
            await endpoint.close()
    return answer.text, pretty(answer.value)


def _answers(ours: str, theirs: str, scale: Meter) -> str:
    left, right = ours.splitlines(), theirs.splitlines()
    height = TOP + MOST_LINES * LINE + 44
    heads = (
        f"laconic: {scale.describe(scale.count(ours))}",
        f"a thin wrapper: {scale.describe(scale.count(theirs))}",
    )
    parts = [words(EDGE, 30, f"memo_list limit={SHOWN}: the same {SHOWN} records in both", fill=PALE)]
    for column, (head, colour, lines) in enumerate(
        zip(heads, (OURS, THEIRS), (_columns(left), _cut(right)), strict=True)
    ):
        x = EDGE + column * (PANES[0] + GAP)
        parts.append(words(x, 58, head, size=17, fill=colour, more='font-weight="600"'))
        parts.append(rectangle(x, 68, PANES[column], 2, colour))
        parts += [
            words(x + at * LETTER, TOP + (number + 1) * LINE, text, size=11, font=MONO, fill=fill)
            for number, (at, text, fill) in _placed(lines)
        ]
    parts.append(words(EDGE, height - 16, scale.footnote, size=11, fill=PALE))
    return picture(sum(PANES) + GAP + 2 * EDGE, height, f"{heads[0]}; {heads[1]}", parts)


Cell = tuple[int, str, str]  # the column it starts at, its text, its colour


def _placed(lines: Sequence[Sequence[Cell]]) -> Iterator[tuple[int, Cell]]:
    for number, cells in enumerate(lines):
        yield from ((number, cell) for cell in cells if cell[1])


def _columns(lines: Sequence[str]) -> list[list[Cell]]:
    """Lay out lines with tabs, each cell under its heading, as an editor with wide tabs does."""
    rows = [line.split("\t") for line in lines]
    widths = [
        max(len(cell) for cell in column) + 2
        for column in zip_longest(*(row for row in rows if len(row) > 1), fillvalue="")
    ]
    starts = [sum(widths[:number]) for number in range(len(widths))]
    return [[(start, cell, INK) for start, cell in zip(starts, row, strict=False)] for row in rows]


def _cut(lines: Sequence[str]) -> list[list[Cell]]:
    """Return the lines that fit, long ones cut at the edge, and how many are not shown."""
    shown = [
        line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"
        for line in lines[: MOST_LINES - 1]
    ]
    rest = f"… {len(lines) - len(shown):,} more lines; long ones are cut here only"
    return [*([(0, line, INK)] for line in shown), [(0, rest, PALE)]]


if __name__ == "__main__":
    main()
