"""Every pattern of requirement 003's checklist has its example, its test and its section in the docs."""

import ast
import os
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from laconic.kit import Toolset
from tests import warm
from tests.examples.conftest import make_repository

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MOST_LINES = 80  # a page

CHECKLIST = {
    "Annotations: all four hints are declared and match what the tool does": ["fibonacci"],
    "Inputs: modes are a discriminated union, not a flat schema with many optionals": ["search"],
    "Inputs: a value is refined, a rule crosses fields, a text is normalised": ["search"],
    "Lists: a cursor that carries its filters; pages do not overlap; the last has none": ["live_list"],
    "Content: text for what is read": ["repo_summary", "folder"],
    "Content: pictures as images, never drawn in text": ["screenshot"],
    "Content: files, diffs and blobs with identity as embedded resources": ["config_file", "branch"],
    "Content: several kinds in one answer": ["branch"],
    "Content: texts by other people cannot pass for the server's words": ["inbox"],
    "Errors: expected failures are answers with isError": ["search", "config_file", "branch"],
    "Middleware: cross-cutting concerns are composed around the handler": ["counter_step"],
    "Long work: progress notifications for a caller that gave a token": ["folder"],
    "Long work: cancellation stops the work": ["folder", "screenshot"],
    "Writes: an idempotency key, deduplicated": ["outbox"],
    "Composition: small functions side by side, partial results": ["repo_summary"],
    "Versions: a renamed tool answers to its former name with a note": ["renamed"],
    "Size: what is longer than an answer is read by sections": ["document"],
}
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "__init__")
PATTERNS = (ROOT / "docs" / "patterns.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^```python no-run: part of examples/(\w+)\.py[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def source(name: str) -> str:
    return (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")


def commands(name: str) -> list[str]:
    """Return the command lines in an example's docstring that end by themselves."""
    about = ast.get_docstring(ast.parse(source(name))) or ""
    return [line.strip() for line in about.splitlines() if line.startswith("    laconic call ")]


COMMANDS = [
    pytest.param(line, marks=[pytest.mark.needs("chromium")] if name == "screenshot" else [])
    for name in NAMES
    for line in commands(name)
]


@pytest.mark.parametrize("item", CHECKLIST)
@pytest.mark.requirement("003-12")
def test_every_item_of_the_checklist_has_an_example(item: str) -> None:
    assert CHECKLIST[item] and set(CHECKLIST[item]) <= set(NAMES)


def test_every_example_serves_the_checklist() -> None:
    assert {name for names in CHECKLIST.values() for name in names} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_toolset_on_one_page(name: str) -> None:
    module = import_module(f"examples.{name}")

    assert isinstance(module.toolset, Toolset) and module.toolset.name == name
    assert len(source(name).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.requirement("003-12")
def test_an_example_has_its_test_and_its_place_in_the_docs(name: str) -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    assert (ROOT / "tests" / "examples" / f"test_{name}.py").exists()
    assert f"(../examples/{name}.py)" in PATTERNS and f"(../tests/examples/test_{name}.py)" in PATTERNS
    assert f"({name}.py)" in readme


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_in_the_docs_are_those_of_the_example(name: str) -> None:
    shown = [text for of, text in BLOCK.findall(PATTERNS) if of == name]

    assert shown
    assert [text for text in shown if text not in source(name)] == []


@pytest.mark.parametrize("name", NAMES)
def test_an_example_says_how_to_run_it(name: str) -> None:
    about = ast.get_docstring(ast.parse(source(name))) or ""

    assert f"laconic serve examples.{name}:toolset" in about or f"python -m examples.{name}" in about


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_of_an_example_work(line: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    make_repository(workspace)
    (workspace / "report.html").write_text("<h1>Report</h1>", encoding="utf-8")
    (workspace / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LACONIC_", "XDG_"))}
    done = warm.run(
        [*shlex.split(line)[1:], "--workspace", str(workspace)],
        cwd=ROOT,  # where a person with a checkout is
        env=kept | {"HOME": str(tmp_path / "home"), "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        timeout=30,
    )

    assert (done.returncode, done.stderr) == (0, "") or "[DEPRECATED]" in done.stderr, done.stderr
    assert done.stdout.strip()
