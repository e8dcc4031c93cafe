"""What a package offers is what its __all__ says, no more and no less."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import laconic
from laconic import kit

ROOT = Path(__file__).parent.parent
MODULES = [
    module for module in pkgutil.walk_packages(laconic.__path__, "laconic.") if "__main__" not in module.name
]
PACKAGES = [
    module.name
    for module in MODULES
    if module.ispkg and module.name.count(".") == (2 if module.name.startswith("laconic.servers.") else 1)
]


def visible(package: ModuleType) -> set[str]:
    """Return the names of ours that a package shows; its modules are public anyway."""
    return {
        name
        for name, value in vars(package).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith("laconic")
    }


def test_a_package_shows_no_more_than_it_says() -> None:
    packages = [import_module(name) for name in PACKAGES]
    more = {package.__name__: visible(package) - set(getattr(package, "__all__", ())) for package in packages}

    assert {name: names for name, names in more.items() if names} == {}


def _system(module: str) -> str:
    """Return the server or sandbox that a module is of, or evals: none knows the classes of another."""
    _, package, *rest = module.split(".")
    if package in ("servers", "sandbox") and rest:
        return f"{package}.{rest[0]}"
    return package if package == "evals" else ""


def test_one_class_name_means_one_class_except_in_two_systems() -> None:
    homes: dict[str, list[str]] = {}
    for module in [import_module(module.name) for module in MODULES]:
        for name, value in vars(module).items():
            if isinstance(value, type) and value.__module__ == module.__name__:
                homes.setdefault(name, []).append(module.__name__)

    def is_clear(name: str, modules: list[str]) -> bool:
        """An issue of Taiga is another thing than one of ours; what authors import has its name alone."""
        servers = [module for module in modules if not module.startswith("laconic.sandbox")]
        return len(set(map(_system, modules))) == len(modules) and (
            name not in kit.__all__ or len(servers) == 1
        )

    found = {name: modules for name, modules in homes.items() if len(modules) > 1}
    assert {name: modules for name, modules in found.items() if not is_clear(name, modules)} == {}


def test_every_name_a_module_offers_is_there() -> None:
    modules = [import_module(module.name) for module in MODULES]
    missing = [
        f"{module.__name__}.{name}"
        for module in modules
        for name in getattr(module, "__all__", ())
        if not hasattr(module, name)
    ]

    assert missing == []


@pytest.mark.parametrize("name", ["laconic.kit", "laconic.stores", "laconic.text", "laconic.upstream"])
def test_a_name_that_a_package_looks_up_is_public_where_it_lives(name: str) -> None:
    package = import_module(name)
    table: dict[str, tuple[str, ...]] = package._HOMES
    homes = {word: import_module(f"{name}.{module}") for module, words in table.items() for word in words}

    assert sorted(package.__all__) == sorted(homes)
    assert [word for word, home in homes.items() if getattr(package, word) is not getattr(home, word)] == []
    assert [word for word, home in homes.items() if word not in getattr(home, "__all__", [word])] == []


def test_every_name_of_the_kit_is_on_a_page_that_tells_how_to_use_it() -> None:
    lists = ("names.md", "architecture.md")  # generated, a line each
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md") if page.name not in lists]
    words = set(re.findall(r"\w+", "\n".join(pages)))

    assert sorted(set(kit.__all__) - words) == []


def test_a_name_the_kit_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Toolsets'"):
        kit.Toolsets  # type: ignore[attr-defined]  # noqa: B018  # looked up on purpose
