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
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("laconic"):
                found += [] if module in PUBLIC else [module]
                found += [one.name for one in names if one.name.startswith("_")]
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
    source += "from laconic.kit import Toolset, _HOMES as homes\n"
    assert sorted(private(source)) == ["_HOMES", "_arguments", "laconic.kit.endpoint", "laconic.kit.pipeline"]
