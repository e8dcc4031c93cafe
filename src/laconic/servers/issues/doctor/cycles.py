"""Cycles: things that wait for each other, so that none of them is ever ready."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cycles(waits: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Find circles, given what each one waits for: enough of them that without these none is left."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in sorted(waits):
        path: list[str] = []
        open_: list[list[str]] = [[start]]  # what is still to be looked at, below each step of the path
        while open_:
            if not open_[-1]:
                open_.pop()
                done.update([path.pop()] if path else [])
                continue
            name = open_[-1].pop()
            if name in path:
                found.append(path[path.index(name) :])
            elif name not in done:
                path.append(name)
                open_.append(sorted((one for one in waits.get(name, ()) if one in waits), reverse=True))
    return found
