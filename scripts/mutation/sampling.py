"""Which mutants of a module or package are tried: the same ones for the same code."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from scripts.mutation.changes import Mutant, mutants_of
from scripts.mutation.coverage_map import SOURCE

__all__ = ["MODULES", "Change", "possible_changes", "sample_of"]

MODULES = (
    *("kit/answers/pages", "kit/answers/views", "kit/cursors", "kit/endpoint", "kit/keeping/handles"),
    *("kit/pipeline", "kit/present", "kit/steps"),
    *("servers/issues/index", "servers/issues/service", "servers/issues/writing"),
    *("stores/durable", "stores/header", "stores/locks"),
)
"""The modules and packages whose results are kept."""


@dataclass(frozen=True)
class Change:
    """A mutant and the file that it is made of."""

    file: Path
    mutant: Mutant

    @property
    def function(self) -> str:
        """The function that differs, with its module."""
        return f"{self.file.stem}.{self.mutant.function}"


def possible_changes(name: str) -> list[Change]:
    """Return every change that can be made to a module or package."""
    place = SOURCE / "laconic" / name
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_name(f"{place.name}.py")]
    return [Change(file, mutant) for file in files for mutant in mutants_of(file.read_text(encoding="utf-8"))]


def sample_of(name: str, changes: list[Change], most: int) -> list[Change]:
    """Choose some of the changes of a module at random."""
    return random.Random(name).sample(changes, min(most, len(changes)))
