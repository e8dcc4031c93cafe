"""The arguments of an operation: listed to a depth of one, described and checked as deep as they go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from laconic.kit import BadArguments, Described, Problem, exactly_one
from laconic.servers.google.catalogue.addresses import with_ids
from laconic.servers.google.catalogue.index import Entry
from laconic.servers.google.catalogue.operations import input_types, operation


class OperationArguments:
    """What an operation takes; the facts of its API are read on first use."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self.names: Collection[str] = entry.takes

    @cached_property
    def _inner(self) -> Described:
        found = operation(self._entry.name)
        return Described(found.properties, found.required, types=input_types(self._entry.api), depth=1)

    @property
    def schema(self) -> Mapping[str, Any]:
        """The schema that models see."""
        return self._inner.schema

    def notation(self) -> str:
        """Return the arguments in short form; further lines explain types."""
        return self._inner.notation()

    def check(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of one call.

        Raises:
            BadArguments: with every problem.
        """
        tidied = self._inner.check(with_ids(given))
        problems = [exactly_one(*names)(tidied) for names in operation(self._entry.name).choices]
        found: list[Problem] = [problem for problem in problems if problem is not None]
        if found:
            raise BadArguments(found)
        return tidied
