"""No tool and no defect of the earlier server is forgotten: each is called, or shown absent, in a test."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from laconic.servers.google.tools import google

HERE = Path(__file__).parent
DEFECTS = 13  # of the earlier server


def called(*files: Path) -> set[str]:
    """The names of tools in tests that call something: those of their cases, and of their own calls."""
    return {name for file in files for name in _texts(ast.parse(file.read_text(encoding="utf-8")))}


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("api", ["server_", "auth_", "drive_", "docs_", "sheets_", "slides_"])
def test_every_classic_tool_is_called(api: str) -> None:
    files = [HERE / "classic" / f"test_{name}.py" for name in ("docs", "drive", "sheets", "slides")]
    wanted = {name for name in google.select("classic").listed if name.startswith(api)}
    assert wanted and wanted <= called(*files)


@pytest.mark.parametrize(
    ("api", "file"), [("docs_", HERE / "docs" / "test_tools.py"), ("slides_", HERE / "test_slides.py")]
)
def test_every_tool_for_docs_and_slides_is_called(api: str, file: Path) -> None:
    wanted = {name for name in google.select("lean").listed if name.startswith(api)}
    assert len(wanted) >= 4 and wanted <= called(file, HERE / "test_reading.py")


def test_every_defect_of_the_earlier_server_is_shown_absent() -> None:
    text = (HERE / "classic" / "test_defects.py").read_text(encoding="utf-8")
    numbers = {int(found) for found in re.findall(r"def test_(\d+)_", text)}
    assert numbers == set(range(1, DEFECTS + 1))
