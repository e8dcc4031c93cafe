"""Tables of docs/architecture.md: the packages with their parts, and the path of a call."""

from __future__ import annotations

from scripts.architecture.packages import ROOT, boxes, graph, parts_of, purpose_of
from scripts.architecture.path import Entered, stations


def packages(of: str) -> str:
    """One table per package: its subpackages and modules with the first sentence of their docstrings."""
    return "\n\n".join(_part(package.name) for row in boxes() for package in row)


def _part(name: str) -> str:
    head = f"### `{name}`\n\n{purpose_of(f'{ROOT}.{name}')}"
    rows = [_row(f"{name}.{part}") for part in parts_of(name)]
    return "\n".join([head, "", "| part | holds |", "| --- | --- |", *rows]) if rows else head


def _row(name: str) -> str:
    path = name.split(".")
    is_package = graph().find_children(f"{ROOT}.{name}")
    inside = f" ({', '.join(sorted(child.rpartition('.')[2] for child in is_package))})" if is_package else ""
    place = path[-1] + ("/" if is_package else ".py")
    return f"| `{place}` | {purpose_of(f'{ROOT}.{name}')}{inside} |"


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
    return ", ".join(f"`{function}`" for function in functions) or "data"
