"""Suggesting: content that carries suggestions, and what is left of it when they are accepted or rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from laconic.sandbox.google.papers.blocks import is_paragraph, paragraph, table
from laconic.sandbox.google.papers.places import cells_of
from laconic.sandbox.google.papers.presets import indents
from laconic.sandbox.google.papers.runs import Row, run_size, text_run

__all__ = ["Verdict", "decided", "lost", "resolved"]

Verdict = Callable[[str], bool | None]  # whether a suggestion is accepted; None: it stays one
_CHANGES = ("restyled", "rebulleted")


def _kept(thing: Row, verdict: Verdict) -> Row | None:
    """Return a run or a block without the marks of what was decided; None if it goes."""
    found = thing
    for key, gone in (("inserted", False), ("deleted", True)):
        if key in thing:
            verdicts = {id: verdict(id) for id in thing[key]}
            if gone in verdicts.values():
                return None
            left = [id for id, one in verdicts.items() if one is None]
            found = {**found, key: left} if left else _without(found, key)
    return found


def _without(thing: Row, key: str) -> Row:
    return {name: value for name, value in thing.items() if name != key}


def _styled(thing: Row, verdict: Verdict) -> Row:
    """Return a run or a paragraph with the styles that were accepted."""
    found = thing
    for id, change in thing.get("restyled", {}).items():
        if verdict(id):
            style = {name: value for name, value in found["style"].items() if name not in change["fields"]}
            new = {name: value for name, value in change["style"].items() if name in change["fields"]}
            found = {**found, "style": {**style, **new}}
    for id, bullet in thing.get("rebulleted", {}).items():
        if verdict(id) and bullet is None:
            found = _without(found, "bullet")
        elif verdict(id):
            style = {**found["style"], **indents(bullet.get("nestingLevel", 0))}
            found = {**found, "bullet": bullet, "style": style}
    for key in _CHANGES:
        if key in found:
            left = {id: one for id, one in found[key].items() if verdict(id) is None}
            found = {**found, key: left} if left else _without(found, key)
    return found


def _is_marked(block: Row) -> bool:
    if any(key in block for key in ("inserted", "deleted", *_CHANGES)) or "rows" in block:
        return True
    return any(len(run) > 2 for run in block.get("runs", ()))


def resolved(blocks: Sequence[Row], verdict: Verdict) -> list[Row]:
    """Return blocks in which suggestions are accepted or rejected."""
    found: list[Row] = []
    open: Row | None = None  # a paragraph whose newline went
    for block in blocks:
        if open is None and not _is_marked(block):
            found.append(block)
            continue
        kept = _kept(block, verdict)
        if kept is None:
            continue
        if is_paragraph(kept):
            open = _paragraph(_styled(kept, verdict), verdict, open)
            if _ends(open):
                found.append(open)
                open = None
            continue
        if open is not None and open["runs"]:
            found.append(paragraph([*open["runs"], text_run("\n")], open))
        open = None
        found.append(_table(kept, verdict) if "rows" in kept else kept)
    if open is not None:
        found.append(paragraph([*open["runs"], text_run("\n")], open))
    return found


def decided(tab: Row, *, is_accepted: bool) -> Row:
    """Return a tab in which all suggestions are accepted or rejected."""
    segments = {
        id: {**one, "blocks": resolved(one["blocks"], lambda _: is_accepted)}
        for id, one in tab["segments"].items()
    }
    return {**tab, "segments": segments}


def _ends(block: Row) -> bool:
    return bool(block["runs"]) and str(block["runs"][-1].get("text", "")).endswith("\n")


def _paragraph(block: Row, verdict: Verdict, open: Row | None) -> Row:
    kept = [one for run in block["runs"] if (one := _kept(run, verdict)) is not None]
    runs = [_styled(run, verdict) for run in kept]
    if open is not None and open["runs"]:
        return paragraph([*open["runs"], *runs], open)
    return paragraph(runs, block)


def _table(block: Row, verdict: Verdict) -> Row:
    rows = []
    for row in block["rows"]:
        cells = [{**one, "blocks": resolved(one["blocks"], verdict)} for one in row["cells"]]
        rows.append({**row, "cells": cells})
    return table(rows, block)


def lost(blocks: Sequence[Row], verdict: Verdict, base: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where content goes, and how much of it, when suggestions are accepted or rejected."""
    place = base
    for block in blocks:
        if _kept(block, verdict) is None:
            yield place, block["size"]
        elif is_paragraph(block):
            at = place
            for run in block["runs"]:
                if _kept(run, verdict) is None:
                    yield at, run_size(run)
                at += run_size(run)
        else:
            for _, _, start, cell in cells_of(block, place):
                yield from lost(cell["blocks"], verdict, start)
        place += block["size"]
