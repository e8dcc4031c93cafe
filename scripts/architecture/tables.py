"""Tables of docs/architecture.md: the packages with their parts, and the path of a call."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.architecture.packages import ROOT, boxes, graph, parts_of, purpose_of
from scripts.architecture.path import Entered, stations


def packages(of: str) -> str:
    """One table per package: its subpackages and modules with the first sentence of their docstrings."""
    return "\n\n".join(_part(package.name) for row in boxes() for package in row)


def _part(name: str) -> str:
    head = f"### `{name}`\n\n{purpose_of(f'{ROOT}.{name}')}"
    rows = [row for part in parts_of(name) for row in _rows(name, part)]
    return "\n".join([head, "", "| part | holds |", "| --- | --- |", *rows]) if rows else head


def _rows(package: str, part: str) -> Iterator[str]:
    """One row for a module; for a subpackage a row for itself and one for each of its parts."""
    inside = sorted(graph().find_children(f"{ROOT}.{package}.{part}"))
    shown = f"**`{part}/`**" if inside else f"`{part}.py`"
    yield f"| {shown} | {purpose_of(f'{ROOT}.{package}.{part}')} |"
    for child in inside:
        below = sorted(one.rpartition(".")[2] for one in graph().find_children(child))
        place = f"{part}/{child.rpartition('.')[2]}" + ("/" if below else ".py")
        names = f" ({', '.join(below)})" if below else ""
        yield f"| `{place}` | {purpose_of(child)}{names} |"


def path(of: str) -> str:
    """The parts a call enters, numbered as in the picture, with the first function in each module."""
    rows = [
        f"| {number} | `{part}` | {_shown(part, entered)} |"
        for number, (part, entered) in enumerate(stations().items(), 1)
    ]
    return "\n".join(["| | part | functions entered |", "| --: | --- | --- |", *rows])


def _shown(part: str, entered: list[Entered]) -> str:
    functions = [
        f"{one.module.removeprefix(part).lstrip('.')}:{one.function.replace('.<locals>', '')}".lstrip(":")
        for one in entered
        if "__create_fn__" not in one.function  # a dataclass was made
    ]
    return ", ".join(f"`{function}`" for function in functions) or "makes its data"
