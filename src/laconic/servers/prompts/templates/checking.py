"""Checking: everything that can be known to be wrong with a template before it is rendered, with its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jinja2 import TemplateSyntaxError, nodes
from jinja2.parser import Parser

from laconic.servers.prompts.templates.environment import FILTERS, METHODS, TESTS, RestrictedEnvironment
from laconic.servers.prompts.templates.limits import TemplateFault
from laconic.servers.prompts.templates.scopes import scopes_of

__all__ = ["includes_of", "inspect"]

_DEEPEST: Final = 60  # blocks and expressions inside each other
_ABSENT: Final[dict[type[nodes.Node], str]] = {
    nodes.Extends: "{% extends %}",
    nodes.Import: "{% import %}",
    nodes.FromImport: "{% from … import %}",
    nodes.ScopedEvalContextModifier: "{% autoescape %}",
}
_DEFAULTS: Final = ("default", "d")
_FILTERED: Final = "A filter of {% set %} uses a name: use a {% filter %} inside of it instead."
_DEFINED: Final = ("defined", "undefined")


def inspect(environment: RestrictedEnvironment, source: str) -> dict[str, Any]:
    """Return what a template needs: its variables, and the prompts it includes.

    Raises:
        TemplateFault: it cannot be saved.
    """
    parser = Parser(environment, source)
    try:
        tree = parser.parse()
    except TemplateSyntaxError as error:
        raise TemplateFault("invalid", _sentence(error.message or "syntax error"), error.lineno) from None
    except RecursionError:
        raise _too_deep(parser.stream.current.lineno) from None
    depth, line = _deepest(tree)
    if depth > _DEEPEST:
        raise _too_deep(line)
    for node in _every(tree):
        _check(node)
    try:
        scopes = scopes_of(tree, environment.globals)
        environment.compile(tree)
    except TemplateSyntaxError as error:
        raise TemplateFault("invalid", _sentence(error.message or "syntax error"), error.lineno) from None
    except (RecursionError, SyntaxError):  # Python itself allows 20 blocks inside each other
        raise _too_deep(line) from None
    except AssertionError:  # of Jinja, which forgets to look up the names in such a filter
        raise TemplateFault("invalid", _FILTERED, _filtered(tree)) from None
    optional = _optional(tree)
    if soon := next((name for name in scopes.too_soon if name not in optional), ""):
        raise TemplateFault("invalid", f"'{soon[:80]}' is used before it is set.", scopes.too_soon[soon])
    return {
        "variables": [(name, line, name in optional) for name, line in scopes.needed.items()],
        "includes": includes_of(tree),
        "bound": {name: sorted(names) for name, names in scopes.bound.items()},
    }


def _every(tree: nodes.Node) -> Iterator[nodes.Node]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed([*node.iter_child_nodes()])


def _deepest(tree: nodes.Node) -> tuple[int, int]:
    """Return how deep the deepest part is inside others, and its line."""
    deepest, waiting = (0, 1), [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > deepest[0]:
            deepest = (depth, node.lineno)
        waiting += [(child, depth + 1) for child in node.iter_child_nodes()]
    return deepest


def _too_deep(line: int) -> TemplateFault:
    return TemplateFault("invalid", "Too many blocks or brackets are inside each other.", line)


def _filtered(tree: nodes.Template) -> int | None:
    """Return the line of the first block that is set through a filter which uses a name."""
    filters = (node.filter for node in tree.find_all(nodes.AssignBlock) if node.filter is not None)
    return next((found.lineno for found in filters if found.find(nodes.Name)), None)


def _check(node: nodes.Node) -> None:
    """Refuse a part of a template that could never be rendered."""
    wrong = ""
    if absent := _ABSENT.get(type(node)):
        wrong = f"{absent} is not available."
    elif isinstance(node, nodes.Filter) and node.name not in FILTERS:
        wrong = f"There is no filter '{node.name}'."
    elif isinstance(node, nodes.Test) and node.name not in TESTS:
        wrong = f"There is no test '{node.name}'."
    elif isinstance(node, nodes.Name) and node.name in ("self", "super", "lipsum"):
        wrong = f"'{node.name}' is not available."
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
        if node.node.attr not in METHODS:
            wrong = f"There is no method '{node.node.attr}'."
    elif isinstance(node, nodes.Getattr) and node.attr.startswith("_"):
        wrong = f"The attribute '{node.attr}' is not available."
    elif isinstance(node, nodes.Include) and not _included(node):
        wrong = "{% include %} needs the name of a prompt in quotes."
    elif isinstance(node, nodes.Include) and not node.with_context:
        wrong = "'without context' is not available."
    if wrong:
        raise TemplateFault("invalid", wrong, node.lineno)


def _included(node: nodes.Include) -> str | None:
    found = node.template
    return found.value if isinstance(found, nodes.Const) and isinstance(found.value, str) else None


def includes_of(tree: nodes.Node) -> dict[str, int]:
    """Return the names of what a template includes, and the first line of each."""
    found: dict[str, int] = {}
    for node in _every(tree):
        if isinstance(node, nodes.Include) and (name := _included(node)):
            found.setdefault(name, node.lineno)
    return found


def _optional(tree: nodes.Template) -> set[str]:
    """Return the names without which the template knows what to do."""
    found: set[str] = set()
    for node in _every(tree):
        has_way_out = (isinstance(node, nodes.Filter) and node.name in _DEFAULTS) or (
            isinstance(node, nodes.Test) and node.name in _DEFINED
        )
        if has_way_out and isinstance(of := getattr(node, "node", None), nodes.Name):
            found.add(of.name)
    return found


def _sentence(message: str) -> str:
    said = message.strip().rstrip(".")[:200]
    return f"{said[:1].upper()}{said[1:]}."
