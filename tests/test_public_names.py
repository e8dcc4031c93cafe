"""What a room offers is what its __all__ says, no more and no less."""

import ast
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import laconic
from laconic import kit

MODULES = [
    module for module in pkgutil.walk_packages(laconic.__path__, "laconic.") if "__main__" not in module.name
]
ROOMS = [
    module.name
    for module in MODULES
    if module.ispkg and module.name.count(".") == (2 if module.name.startswith("laconic.servers.") else 1)
]


def visible(room: ModuleType) -> set[str]:
    """The names of ours that a room shows; its files are found as modules anyway."""
    return {
        name
        for name, value in vars(room).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith("laconic")
    }


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_shows_no_more_than_it_says(name: str) -> None:
    room = import_module(name)

    assert visible(room) <= set(getattr(room, "__all__", ()))


@pytest.mark.parametrize("name", [module.name for module in MODULES])
def test_every_name_a_module_offers_is_there(name: str) -> None:
    module = import_module(name)

    missing = [word for word in getattr(module, "__all__", ()) if not hasattr(module, word)]

    assert missing == []


def homes_for_type_checkers() -> dict[str, str]:
    """Where __init__.pyi says that each name lives."""
    tree = ast.parse(Path(str(kit.__file__)).with_suffix(".pyi").read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: (node.module or "").removeprefix("laconic.kit.")
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_kits_table_its_stub_and_its_all_agree() -> None:
    table = kit._HOMES  # type: ignore[attr-defined]  # the stub hides it
    homes = {name: module for module, names in table.items() for name in names}

    assert homes_for_type_checkers() == homes
    assert sorted(kit.__all__) == sorted(homes)  # type: ignore[attr-defined]  # the stub hides them


@pytest.mark.parametrize("name", sorted(homes_for_type_checkers()))
def test_a_name_of_the_kit_is_public_where_it_lives(name: str) -> None:
    home = import_module(f"laconic.kit.{homes_for_type_checkers()[name]}")

    assert getattr(kit, name) is getattr(home, name)
    assert name in home.__all__


def test_a_name_the_kit_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Toolsets'"):
        kit.Toolsets  # type: ignore[attr-defined]  # noqa: B018  # looked up on purpose
