"""Stubs: what a package offers by looking it up on first use, written out for type checkers and editors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["stale", "stub_of"]

_TABLE = "_HOMES"  # in a package's __init__.py: the names it offers, by the module that has them


def stale(root: Path) -> dict[str, str]:
    """The text that each stale stub should have, by its path."""
    found: dict[str, str] = {}
    for source in sorted((root / "src").rglob("__init__.py")):
        text = stub_of(source.read_text(encoding="utf-8"), _package(source.relative_to(root / "src")))
        path = source.with_suffix(".pyi")
        now = path.read_text(encoding="utf-8") if path.exists() else ""
        if text and text != now:
            found[path.relative_to(root).as_posix()] = text
    return found


def stub_of(source: str, package: str) -> str:
    """The stub of a package, from its source; empty where it has no table of names."""
    homes = {name: f"{package}.{module}" for module, name in _names(source)}
    if not homes:
        return ""
    imports = [
        f"from {homes[name]} import {name} as {name}"
        for name in sorted(homes, key=lambda one: (homes[one], _place(one)))
    ]
    offered = [f'    "{name}",' for name in sorted(homes, key=_place)]
    head = f"# Written by scripts/docs from {_TABLE} in __init__.py."
    return "\n".join([head, "", *imports, "", "__all__ = [", *offered, "]", ""])


def _names(source: str) -> Iterator[tuple[str, str]]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == _TABLE for target in node.targets
        ):
            for module, names in ast.literal_eval(node.value).items():
                yield from ((module, name) for name in names)


def _place(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions: the order ruff keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _package(path: Path) -> str:
    return ".".join(path.parent.parts)
