"""The public names of a package, with the first paragraph that the code says about each."""

import ast
import inspect
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from scripts.documentation.tables import table

__all__ = ["public_names"]


def public_names(package: str) -> str:
    """Return a table of what authors may import from a package.

    Raises:
        ValueError: nothing is said about a name.
    """
    module = import_module(package)
    names = sorted(module.__all__, key=lambda name: (name.lower(), name))
    return table(["name", "what it is"], ([f"`{name}`", _said(module, name)] for name in names))


def _said(module: ModuleType, name: str) -> str:
    found = getattr(module, name)
    has_docstring = inspect.isclass(found) or inspect.isroutine(found)
    said = (
        inspect.getdoc(found)
        if has_docstring
        else _below_assignments(Path(inspect.getfile(module)).parent).get(name)
    )
    if not said:
        raise ValueError(f"nothing is said about {module.__name__}.{name}")
    return said.partition("\n\n")[0]


@cache
def _below_assignments(folder: Path) -> dict[str, str]:
    """Return the texts below assignments at the top of all modules of a folder, by name."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for made, text in pairwise(body):
            target = made.targets[0] if isinstance(made, ast.Assign) else getattr(made, "target", None)
            if isinstance(target, ast.Name) and isinstance(text, ast.Expr):
                found[target.id] = inspect.cleandoc(str(ast.literal_eval(text.value)))
    return found
