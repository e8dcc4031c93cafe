"""Runs: pieces of a paragraph with one style; each is text, or an element that counts as one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.sandbox.google.papers.units import offset, units

__all__ = ["Row", "element_run", "inherited", "joined", "lines", "run_size", "split", "text_run"]

Row = dict[str, Any]
_LINKED = ("link", "foregroundColor", "underline")  # what setting a link sets


def text_run(text: str, style: Row | None = None, **more: Any) -> Row:
    """Return a run of text."""
    return {"text": text, "style": style or {}, **more}


def element_run(kind: str, value: Row, style: Row | None = None) -> Row:
    """Return a run that is one element, such as a page break."""
    return {"element": {kind: value}, "style": style or {}}


def run_size(run: Row) -> int:
    """Return how many units a run takes."""
    return units(run["text"]) if "text" in run else run.get("size", 1)


def _alike(one: Row, other: Row) -> bool:
    if "text" not in one or "text" not in other or len(one) != len(other):
        return False
    return all(other.get(key) == value for key, value in one.items() if key != "text")


def joined(runs: Sequence[Row]) -> list[Row]:
    """Return runs without empty ones, in which neighbours that are alike are one."""
    found: list[Row] = []
    for run in runs:
        if run.get("text") == "":
            continue
        if found and _alike(found[-1], run):
            found[-1] = {**found[-1], "text": found[-1]["text"] + run["text"]}
        else:
            found.append(run)
    return found


def split(runs: Sequence[Row], at: int) -> tuple[list[Row], list[Row]]:
    """Return the runs before a unit, and those from there on.

    Raises:
        GoogleRefusal: the unit is inside a surrogate pair, or inside an element.
    """
    for place, run in enumerate(runs):
        if at <= 0:
            return list(runs[:place]), list(runs[place:])
        size = run_size(run)
        if at < size:
            text = run["text"]
            cut = offset(text, at)
            parts = {**run, "text": text[:cut]}, {**run, "text": text[cut:]}
            return [*runs[:place], parts[0]], [parts[1], *runs[place + 1 :]]
        at -= size
    return list(runs), []


def lines(runs: Sequence[Row]) -> list[list[Row]]:
    """Return runs as lines, each with its newline at the end."""
    found: list[list[Row]] = [[]]
    for run in runs:
        for piece in _pieces(run):
            found[-1].append(piece)
            if piece.get("text", "").endswith("\n"):
                found.append([])
    return found if found[-1] else found[:-1]


def _pieces(run: Row) -> list[Row]:
    if "\n" not in run.get("text", ""):
        return [run]
    parts = run["text"].split("\n")
    texts = [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    return [{**run, "text": text} for text in texts]


def inherited(left: Sequence[Row], right: Sequence[Row]) -> Row:
    """Return the style of what is inserted between runs: that of the text before it in its paragraph.

    A link goes on only inside of the link.
    """
    before, after = (left[-1] if left else None), (right[0] if right else None)
    style: Row = dict((before or after or {"style": {}})["style"])
    link = style.get("link")
    if link is not None and (before is None or after is None or after["style"].get("link") != link):
        for name in _LINKED:
            style.pop(name, None)
    return style
