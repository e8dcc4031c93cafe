"""Every requirement of the list has a test, and every test that names one names it right."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def required() -> set[str]:
    documents = tomllib.loads((TESTS / "requirements.toml").read_text(encoding="utf-8"))
    return {f"{document}-{number}" for document, numbers in documents.items() for number in numbers}


def proved() -> Iterator[str]:
    """The numbers that tests carry."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from (number for mark in node.decorator_list for number in _numbers(mark))


def _numbers(mark: ast.expr) -> list[str]:
    if not isinstance(mark, ast.Call) or ast.unparse(mark.func) != "pytest.mark.requirement":
        return []
    return [str(ast.literal_eval(given)) for given in mark.args]


def test_every_requirement_has_a_test() -> None:
    assert required() - {*proved()} == set()


def test_every_number_that_a_test_carries_is_a_requirement() -> None:
    assert {*proved()} - required() == set()
