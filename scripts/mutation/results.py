"""The last result of each module, kept in tests/mutants.toml with the reason of every survivor."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

__all__ = ["ENOUGH", "FILE", "SAMPLE", "Result", "Survivor", "keep", "kept"]

SAMPLE = 40  # mutants of a module that are tried
ENOUGH = 0.9  # of them must be noticed

FILE = Path(__file__).resolve().parents[2] / "tests" / "mutants.toml"
_HEAD = """\
# Written by scripts/mutants: how many small changes to a module are noticed. The reasons are written by hand.
"""


@dataclass(frozen=True)
class Survivor:
    """A change that no test noticed, and why that is right."""

    function: str
    change: str
    reason: str = ""


@dataclass(frozen=True)
class Result:
    """What came of the mutants of one module."""

    module: str
    possible: int
    tried: int
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def noticed(self) -> int:
        """How many were noticed."""
        return self.tried - len(self.survivors)

    def is_survivor(self, function: str, change: str) -> bool:
        """True if no test noticed this change."""
        return any((one.function, one.change) == (function, change) for one in self.survivors)


def kept() -> dict[str, Result]:
    """Return the last result of each module."""
    if not FILE.exists():
        return {}
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")).get("module", {})
    return {
        name: Result(
            name, one["possible"], one["tried"], [Survivor(**each) for each in one.get("survivors", [])]
        )
        for name, one in tables.items()
    }


def keep(result: Result) -> None:
    """Write a module's result; a survivor that was known keeps its reason."""
    results = kept()
    known = results.get(result.module)
    reasons = {(one.function, one.change): one.reason for one in known.survivors} if known else {}
    survivors = [
        replace(one, reason=one.reason or reasons.get((one.function, one.change), ""))
        for one in result.survivors
    ]
    results[result.module] = Result(result.module, result.possible, result.tried, survivors)
    FILE.write_text(_HEAD + "".join(_table(results[name]) for name in sorted(results)), encoding="utf-8")


def _table(result: Result) -> str:
    lines = [f"\n[module.{_text(result.module)}]", f"possible = {result.possible}", f"tried = {result.tried}"]
    if result.survivors:
        lines.append("survivors = [")
        lines += [f"    {{ {_pairs(one)} }}," for one in result.survivors]
        lines.append("]")
    return "\n".join(lines) + "\n"


def _pairs(one: Survivor) -> str:
    return ", ".join(f"{name} = {_text(value)}" for name, value in vars(one).items())


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
