"""Cycles: issues that block each other, so none of them is ever ready."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cycles(waits: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Find cycles, given what each issue waits for: enough of them that breaking these breaks all."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in sorted(waits):
        path: list[str] = []
        open_: list[list[str]] = [[start]]  # what is left to visit at each step of the path
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
