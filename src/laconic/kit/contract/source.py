"""Rules that are checked on the source: tools call a service and return its result."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from laconic.kit.contract.terms import Untried
from laconic.kit.contract.trial import Declared

_BANNED = ("json", "mcp", "mcp_types", "fastmcp")


def tools_only_call_the_service(tool: Declared) -> None:
    """A module of tools has no try, no json and no protocol SDK: the kit does what these are for.

    A module called `tools`, or in a folder of that name, is checked whole; elsewhere only the tool itself,
    because other code is there as well.
    """
    function: Any = inspect.unwrap(tool.spec.function)
    function = inspect.unwrap(function.func) if isinstance(function, partial) else function
    try:
        path = Path(inspect.getsourcefile(function) or "")
        whole = "tools" in (path.stem, path.parent.name)
        source = path.read_text(encoding="utf-8") if whole else inspect.getsource(function)
    except (OSError, TypeError):
        raise Untried(f"{tool.spec.name}: its source cannot be read") from None
    for line, what in offences(source):
        where = f"{path.name}, line {line}" if whole else f"line {line} of the function"
        raise tool.broken(f"{what} ({where}).", "move it to the service, or leave it to the kit")


def offences(source: str) -> Iterator[tuple[int, str]]:
    """Return what tools should not do, with the line."""
    for node in ast.walk(ast.parse(textwrap.dedent(source))):
        if isinstance(node, ast.Try | ast.TryStar):
            yield node.lineno, "there is a try"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in _BANNED:
                    yield node.lineno, f"it imports {alias.name}"
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            if (node.module or "").partition(".")[0] in _BANNED:
                yield node.lineno, f"it imports from {node.module}"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "json":
            yield node.lineno, f"it uses json.{node.attr}"
