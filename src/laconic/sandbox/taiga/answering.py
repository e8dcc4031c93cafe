"""Answering: what a request asks for, the table of routes, and what an answer has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.pages import cut
from laconic.sandbox.taiga.refusals import Refusal, missing, not_a_field
from laconic.sandbox.taiga.site.kinds import KINDS
from laconic.sandbox.taiga.site.people import Visitor

__all__ = ["Answered", "Asked", "handler_of", "route"]


@dataclass(frozen=True)
class Asked:
    """A request that was let in."""

    state: State
    visitor: Visitor
    query: Mapping[str, str]
    headers: Mapping[str, str]
    address: str
    now: str
    given: Any = None  # the body

    @property
    def body(self) -> dict[str, Any]:
        """The body, which must be an object."""
        if not isinstance(self.given, dict):
            raise not_a_field(non_field_errors=["Invalid data"])
        return self.given

    @property
    def me(self) -> int | None:
        """The id of whoever asks; None if nobody signed in."""
        return self.visitor.user["id"] if self.visitor.user else None

    def row(self, table: str, id: Any) -> Row:
        """Return a row of a table; 404 if there is none."""
        found = self.state.rows(table).get(int(id))
        if found is None:
            raise missing("No match for the given query.")
        return found

    def project_of(self, row: Row) -> Row:
        """Return the project that a row belongs to."""
        return self.state.rows("projects")[row["project"]]

    def page(self, rows: Sequence[Any], show: Callable[[Any], Any] = lambda row: row) -> Answered:
        """Return a page of rows."""
        shown, about = cut(rows, self.query, self.headers, self.address)
        return Answered([show(row) for row in shown], headers=about)


@dataclass(frozen=True)
class Answered:
    """A success: no data is an empty body."""

    data: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[..., Answered]
_ROUTES: Final[list[tuple[str, re.Pattern[str], Handler]]] = []


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Register the function that answers a method and a path; `{id}` is a number, `{table}` a kind."""
    pattern = path.replace("{id}", r"(?P<id>\d+)").replace("{other}", r"(?P<other>\d+)")
    pattern = pattern.replace("{table}", f"(?P<table>{'|'.join(KINDS)})")
    compiled = re.compile(re.sub(r"{(\w+):([^}]+)}", r"(?P<\1>\2)", pattern) + r"\Z")

    def register(function: Handler) -> Handler:
        _ROUTES.append((method, compiled, function))
        return function

    return register


def handler_of(method: str, path: str) -> tuple[Handler, dict[str, str]]:
    """Return the function for a request, and the variables of its path.

    Raises:
        Refusal: there is no such route, which is answered with a page, or no such method.
    """
    methods = set()
    for known, pattern, function in _ROUTES:
        if found := pattern.match(path):
            if known == method:
                return function, found.groupdict()
            methods.add(known)
    if methods:
        raise Refusal(405, {"_error_message": f"Method '{method}' not allowed."})
    raise Refusal(404, "<!doctype html><title>Not Found</title>", is_html=True)
