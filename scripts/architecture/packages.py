"""The packages, what they are for and which they import, read off the import graph and the docstrings."""

from __future__ import annotations

import ast
import re
from configparser import ConfigParser
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import grimp

ROOT = "laconic"
SOURCE = Path(__file__).resolve().parents[2] / "src"
CONTRACTS = SOURCE.parent / ".importlinter"


@dataclass(frozen=True)
class Package:
    """One box of the picture: a package of the first level, or one server."""

    name: str  # without `laconic.`
    purpose: str
    parts: tuple[str, ...]  # its modules and subpackages, those that import others first
    imports: tuple[str, ...]


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(ROOT)


def layers() -> list[list[str]]:
    """Return the existing packages in the order of the import contract, top first."""
    config = ConfigParser()
    config.read(CONTRACTS, encoding="utf-8")
    rows = config["importlinter:contract:packages"]["layers"].split("\n")
    names = [[name.strip("() ") for name in row.split("|")] for row in rows if row.strip()]
    return [found for row in names if (found := [name for name in row if _path(f"{ROOT}.{name}")])]


def boxes() -> list[list[Package]]:
    """Return the packages row by row; `servers` is a row of its servers."""
    rows = [
        sorted(child.removeprefix(f"{ROOT}.") for child in graph().find_children(f"{ROOT}.servers"))
        if row == ["servers"]
        else row
        for row in layers()
    ]
    names = [name for row in rows for name in row]
    return [[_package(name, names) for name in row] for row in rows]


def _package(name: str, others: list[str]) -> Package:
    imports = tuple(other for other in others if other != name and _imports(name, other))
    return Package(name, purpose_of(f"{ROOT}.{name}"), parts_of(name), imports)


def _imports(name: str, other: str) -> bool:
    return graph().direct_import_exists(
        importer=f"{ROOT}.{name}", imported=f"{ROOT}.{other}", as_packages=True
    )


@cache
def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of a package in the order of their imports: what nothing else imports first."""
    below = _imported_parts(sorted(graph().find_children(f"{ROOT}.{name}")))
    level = {child: _level(child, below, ()) for child in below}
    return tuple(child.rpartition(".")[2] for child in sorted(below, key=lambda one: (-level[one], one)))


def _imported_parts(children: list[str]) -> dict[str, set[str]]:
    """Return for each part of a package the others that it imports."""
    owners = {module: child for child in children for module in {child, *graph().find_descendants(child)}}
    below: dict[str, set[str]] = {child: set() for child in children}
    for module, child in owners.items():
        imported = graph().find_modules_directly_imported_by(module)
        below[child] |= {owners[one] for one in imported if one in owners} - {child}
    return below


def _level(child: str, below: dict[str, set[str]], above: tuple[str, ...]) -> int:
    others = (_level(other, below, (*above, child)) for other in below[child] if other not in above)
    return 1 + max(others, default=-1)


def purpose_of(module: str) -> str:
    """Return the first sentence of a module's docstring."""
    path = _path(module)
    text = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) if path else "") or ""
    return re.sub(r"\s+", " ", text.split("\n\n")[0]).strip()


def _path(module: str) -> Path | None:
    place = SOURCE.joinpath(*module.split("."))
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)
