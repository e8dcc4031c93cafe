"""Scopes: which names a template takes from outside, and which it has set where it includes another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jinja2 import nodes
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_UNDEFINED, Symbols, symbols_for_node
from jinja2.visitor import NodeVisitor

__all__ = ["Scopes", "scopes_of"]

_SCOPES = (nodes.Block, nodes.CallBlock, nodes.FilterBlock, nodes.For, nodes.With)


@dataclass(frozen=True)
class Scopes:
    """The names that matter of a template; the numbers are lines."""

    needed: dict[str, int]
    too_soon: dict[str, int]  # what Jinja takes for a name that is set further down
    bound: dict[str, set[str]]  # by what is included, what is set wherever that is done


def scopes_of(tree: nodes.Template, known: Iterable[str]) -> Scopes:
    """Return the names that matter of a template; `known` are those of functions.

    A name is needed if there is a way to it on which nothing has set it: `jinja2.meta` also counts those
    that are set in every branch of a condition.
    """
    walk = _Walk(tree, known)
    return Scopes(walk.needed, walk.too_soon, walk.bound)


class _Walk(NodeVisitor):
    """Goes through a template in the order in which it is rendered."""

    def __init__(self, tree: nodes.Template, known: Iterable[str]) -> None:
        self.needed: dict[str, int] = {}
        self.too_soon: dict[str, int] = {}
        self.bound: dict[str, set[str]] = {}
        self._known = frozenset(known)
        self._set: list[set[str]] = [set()]  # what is set for sure, in each scope that is open
        self._later = _stored(tree.body)  # also what is set further down, for the bodies of macros
        self._symbols = symbols_for_node(tree)  # how Jinja looks names up in the innermost scope
        self._visit_all(tree.body)

    def visit_Name(self, node: nodes.Name) -> None:
        if node.ctx == "load":
            self._need(node.name, node.lineno)
        else:
            self._set[-1].add(node.name)

    def visit_NSRef(self, node: nodes.NSRef) -> None:
        self._need(node.name, node.lineno)

    def visit_Assign(self, node: nodes.Assign) -> None:
        self.visit(node.node)
        self.visit(node.target)

    def visit_AssignBlock(self, node: nodes.AssignBlock) -> None:
        with self._inside(node, node.body):
            self._visit_all(node.body)
        if node.filter is not None:
            self.visit(node.filter)
        self.visit(node.target)

    def visit_If(self, node: nodes.If) -> None:
        ways = []
        for condition in (node, *node.elif_):
            self.visit(condition.test)
            ways.append(self._way(condition.body))
        self._set[-1] |= set.intersection(*ways, self._way(node.else_))

    def visit_For(self, node: nodes.For) -> None:
        self.visit(node.iter)
        if node.test is not None:
            with self._inside(node, (), branch="test"):
                self._visit_all([node.target, node.test])
        with self._inside(node, node.body, {"loop"}):
            self._visit_all([node.target, *node.body])
        with self._inside(node, node.else_, branch="else"):
            self._visit_all(node.else_)

    def visit_With(self, node: nodes.With) -> None:
        self._visit_all(node.values)
        with self._inside(node, node.body):
            self._visit_all([*node.targets, *node.body])

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> None:
        with self._inside(node, node.body):
            self._visit_all(node.body)
        self.visit(node.filter)

    def visit_Macro(self, node: nodes.Macro) -> None:
        names = {*self._later, "caller", "kwargs", "varargs"}  # it runs when it is called
        with self._inside(node, node.body, names):
            self._visit_all([*node.args, *node.defaults, *node.body])
        self._set[-1].add(node.name)

    def visit_CallBlock(self, node: nodes.CallBlock) -> None:
        self.visit(node.call)
        with self._inside(node, node.body):
            self._visit_all([*node.args, *node.defaults, *node.body])

    def visit_Block(self, node: nodes.Block) -> None:
        with self._inside(node, node.body):
            self._symbols = symbols_for_node(node)  # a block is a function of its own
            if not node.scoped:
                self._set[-1] = set(self._set[0])
            self._visit_all(node.body)

    def visit_Include(self, node: nodes.Include) -> None:
        if isinstance(node.template, nodes.Const) and isinstance(name := node.template.value, str):
            self.bound[name] = self.bound.get(name, self._set[-1]) & self._set[-1]

    def _visit_all(self, found: Iterable[nodes.Node]) -> None:
        for node in found:
            self.visit(node)

    def _need(self, name: str, line: int) -> None:
        if name not in self._set[-1] and name not in self._known:
            (self.too_soon if self._is_local(name) else self.needed).setdefault(name, line)

    def _is_local(self, name: str) -> bool:
        """True if Jinja does not look for a name outside, since the template sets it further down."""
        way, place = VAR_LOAD_ALIAS, self._symbols.find_ref(name)
        while way == VAR_LOAD_ALIAS and place is not None:
            way, place = self._symbols.find_load(place) or ("", None)
        return way == VAR_LOAD_UNDEFINED

    def _way(self, body: Iterable[nodes.Node]) -> set[str]:
        """Visit one branch, and return what is set at its end."""
        before = self._set[-1]
        self._set[-1] = set(before)
        self._visit_all(body)
        after, self._set[-1] = self._set[-1], before
        return after

    @contextmanager
    def _inside(
        self, node: nodes.Node, body: Iterable[nodes.Node], also: Iterable[str] = (), branch: str = "body"
    ) -> Iterator[None]:
        """Open the scope of a node: what is set inside is not set afterwards."""
        before = self._symbols, self._later
        self._symbols = Symbols(parent=self._symbols)
        self._symbols.analyze_node(node, for_branch=branch)
        self._set.append({*self._set[-1], *also})
        self._later = self._later | _stored(body)
        yield
        self._set.pop()
        self._symbols, self._later = before


def _stored(body: Iterable[nodes.Node]) -> set[str]:
    """Return the names that are set in the scope of a body itself, not in one within."""
    names, waiting = set[str](), [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Macro):
            names.add(node.name)
        elif isinstance(node, nodes.AssignBlock):
            waiting.append(node.target)
        elif isinstance(node, nodes.Name):
            names |= {node.name} if node.ctx == "store" else set()
        elif not isinstance(node, _SCOPES):
            waiting += node.iter_child_nodes()
    return names
