"""scripts/mutants: what it changes, what it keeps, and that the kept result is good enough."""

from pathlib import Path

import pytest

from scripts.mutation import results
from scripts.mutation.changes import mutants_of
from scripts.mutation.results import Result, Survivor

SOURCE = '''
from x import y

LIMIT = 3


def ready(entry: int, others: list[int] = []) -> bool:
    """Say so."""
    if entry in others:
        raise ValueError(f"{entry + 1}")
    others.append(entry)
    return entry < LIMIT and not others
'''


def test_every_decision_is_changed_once_in_each_way() -> None:
    found = [(one.function, one.line, one.change) for one in mutants_of(SOURCE)]

    assert found == [
        ("module", 4, "3 → 4"),
        ("module", 4, "3 → 0"),
        ("ready", 9, "entry in others → entry not in others"),
        ("ready", 10, 'raise ValueError(f"{entry + 1}") → pass'),
        ("ready", 11, "others.append(entry) → pass"),
        ("ready", 12, "entry < LIMIT and not others → None"),
        ("ready", 12, "entry < LIMIT and not others → ((entry < LIMIT) or (not others))"),
        ("ready", 12, "entry < LIMIT and not others → ((not others))"),
        ("ready", 12, "entry < LIMIT and not others → ((entry < LIMIT))"),
        ("ready", 12, "entry < LIMIT → entry <= LIMIT"),
        ("ready", 12, "not others → bool(others)"),
    ]


def test_a_mutant_is_the_module_with_one_change() -> None:
    first = mutants_of(SOURCE)[0]

    assert first.source == SOURCE.replace("LIMIT = 3", "LIMIT = 4")


def test_a_survivor_keeps_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "FILE", tmp_path / "mutants.toml")
    old, new = Survivor("f", 'a == "x" → a != "x"', "Only a wait."), Survivor("g", "1 → 2")
    results.keep(Result("kit/a", 50, 40, [old]))

    results.keep(Result("kit/b", 5, 5))
    results.keep(Result("kit/a", 51, 40, [Survivor("f", 'a == "x" → a != "x"'), new]))

    assert results.kept() == {"kit/a": Result("kit/a", 51, 40, [old, new]), "kit/b": Result("kit/b", 5, 5)}
