"""The trial servers use what every author can use: public names of public packages."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PUBLIC = {"laconic.kit", "laconic.kit.testing", "laconic.stores", "laconic.text", "laconic.upstream"}


def private(source: str) -> list[str]:
    """Return the modules of ours that are no public package, and names with an underscore."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("laconic") and module not in PUBLIC:
                found.append(module)
            case ast.Import(names=names):
                found += [
                    one.name for one in names if one.name.startswith("laconic") and one.name not in PUBLIC
                ]
            case ast.Attribute(attr=name) if name.startswith("_"):
                found.append(name)
    return found


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("test_*.py")))
def test_a_trial_touches_nothing_private(name: str) -> None:
    assert private((HERE / name).read_text("utf-8")) == []


def test_what_is_private_is_found() -> None:
    source = "from laconic.kit.pipeline import Call\nimport laconic.kit.endpoint\nspec._arguments\n"
    assert private(source) == ["laconic.kit.pipeline", "laconic.kit.endpoint", "_arguments"]
