"""scripts/mutants: what it changes, what it keeps, and that the kept result is good enough."""

from pathlib import Path

import pytest

from scripts.mutation import results
from scripts.mutation.changes import mutants_of
from scripts.mutation.results import ENOUGH, SAMPLE, Result, Survivor, kept
from scripts.mutation.running import failing, first_failing
from scripts.mutation.sampling import MODULES, possible_changes, sample_of

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


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("if sys.platform == 'win32':\n    x(1)\nelse:\n    y()", ["sys.platform == 'win32'", "y()"]),
        ("if TYPE_CHECKING:\n    x(1)", []),
        ("def f() -> bool:\n    return False", ["False → True"]),
    ],
)
def test_what_no_test_here_can_notice_is_left_alone(source: str, changes: list[str]) -> None:
    found = [one.change for one in mutants_of(source)]

    assert len(found) == len(changes)
    assert all(one.startswith(change) for one, change in zip(found, changes, strict=True))


def test_operands_stay_what_they_were() -> None:
    changes = [one.change for one in mutants_of("x = (a + b) * c > (d if e else f)")]

    assert "(a + b) * c → ((a + b) // c)" in changes
    assert "(a + b) * c > (d if e else f) → ((a + b) * c) >= (d if e else f)" in changes


def test_a_line_outside_functions_runs_on_import() -> None:
    found = mutants_of("A = 1\n\n\nclass B:\n    c = 1\n\n    def d(self) -> int:\n        return 1\n")

    assert [(one.function, one.on_import) for one in found if one.after == "2"] == [
        ("module", True),
        ("B", True),
        ("B.d", False),
    ]


def test_the_same_code_gives_the_same_sample() -> None:
    possible = possible_changes("stores/durable")

    assert sample_of("stores/durable", possible, 5) == sample_of("stores/durable", possible, 5)
    assert sample_of("stores/durable", possible[:3], 5) != possible[:2]


def test_a_mutant_is_noticed_by_the_first_test_that_fails_on_it() -> None:
    module = "tests/unit/stores/test_durable.py"
    other, test = (
        f"{module}::{name}"
        for name in ("test_a_new_file_never_replaces_another", "test_only_old_drafts_are_cleared")
    )
    change = next(one for one in possible_changes("stores/durable") if one.function == "durable.is_draft")

    assert first_failing(change.mutant, change.file, [other, test]) == test
    assert first_failing(change.mutant, change.file, [other]) is None
    assert failing([other, test]) == set()


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


@pytest.mark.parametrize("module", MODULES)
def test_of_ten_changes_nine_are_noticed(module: str) -> None:
    result = kept()[module]

    assert result.tried == min(SAMPLE, result.possible)
    assert result.noticed >= ENOUGH * result.tried


@pytest.mark.parametrize("module", MODULES)
def test_every_survivor_is_explained_and_its_function_exists(module: str) -> None:
    functions = {one.function for one in possible_changes(module)}

    for survivor in kept()[module].survivors:
        assert survivor.reason, survivor
        assert survivor.function in functions
