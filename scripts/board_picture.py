"""The picture of a board: what `laconic issues board` draws on a terminal, character by character."""

import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style

from laconic.cli.demo.picture import INK, OURS, PALE, picture, words
from laconic.cli.issues.viewing.drawing import draw
from laconic.cli.issues.viewing.lanes import lanes_of
from laconic.cli.issues.viewing.query import Wanted, query_of
from laconic.cli.issues.workspace import OpenWorkspace
from laconic.servers.issues.service import Categories, Tracker
from laconic.servers.issues.store import IssueStore

WIDTH = 100  # characters
LETTER, LINE, EDGE, TOP = 7.3, 18, 20, 62  # of 12 pixel type
MONO = "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
COLOURS = {1: "#c02a2a", 2: OURS, 3: "#9a6700", 6: "#0969a8"}  # red, green, yellow, cyan
_RUN = re.compile(r"\S+(?: \S+)*")  # words with single spaces: wider gaps are kept by position
SAMPLE = (
    ("Login fails when the sign-on of a customer is slow", "in_progress", "critical", "ada"),
    ("Payments are charged twice after a retry", "open", "high", ""),
    ("Reset mails end up in the spam folder", "open", "medium", "noor"),
    ("Mention the new exports in the release notes", "open", "low", ""),
    ("Move reports to the new queue", "in_progress", "medium", "kim"),
    ("Dates in invoices follow the customer's zone", "closed", "high", "ada"),
    ("A search that finds what it lists", "closed", "medium", "kim"),
    ("Another logo", "cancelled", "low", ""),
)


def board() -> str:
    """Return the picture as SVG."""
    lines = list(AnsiDecoder().decode(_printed()))
    while not lines[-1].plain.strip():
        lines.pop()
    parts = [words(EDGE, 34, "$ laconic issues board", size=13, fill=PALE, font=MONO)]
    for number, line in enumerate(lines):
        at = 0
        for segment in line.render(Console()):
            for run in _RUN.finditer(segment.text):
                x = EDGE + (at + cell_len(segment.text[: run.start()])) * LETTER
                parts.append(_written(x, TOP + number * LINE, run[0], segment.style or Style()))
            at += cell_len(segment.text)
    label = "A board with a column for each status, each with its count and its cards"
    return picture(int(WIDTH * LETTER) + 2 * EDGE, TOP + len(lines) * LINE + 6, label, parts)


def _printed() -> str:
    """Return what the command prints, with its colours."""
    file = io.StringIO()
    console = Console(file=file, width=WIDTH, force_terminal=True, color_system="standard", no_color=False)
    with TemporaryDirectory() as folder:
        store = IssueStore(Path(folder), environ={})
        opened = OpenWorkspace(store, Tracker(store), Categories(store))
        for title, status, priority, assignee in SAMPLE:
            values = {"title": title, "status": status, "priority": priority, "assignee": assignee or None}
            opened.tracker.add(values, "")
        draw(console, lanes_of(opened, query_of(opened, Wanted(), unfinished=False), None, WIDTH))
    return file.getvalue()


def _written(x: float, y: int, text: str, style: Style) -> str:
    number = style.color.number if style.color else None
    colour = COLOURS.get(number or 0, PALE if style.dim else INK)
    bold = 'font-weight="600"' if style.bold else ""
    return words(x, y, text, size=12, fill=colour, font=MONO, more=bold)
