"""The arguments of a tool made from data: its own as they are described, and those of the kit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.arguments.checked import Checked
from laconic.kit.arguments.described import Described
from laconic.kit.arguments.notation import Notation
from laconic.kit.arguments.schema import Arguments, too_deep
from laconic.kit.arguments.secrecy import secret_names
from laconic.kit.arguments.told import distinct
from laconic.kit.errors import BadArguments, Problem

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.declaring.takes import Takes

__all__ = ["CollectedArguments"]

_NOTHING: Final = Described({})
_OF_KIT: dict[Any, Arguments] = {}


class CollectedArguments(Arguments):
    """What a tool made from data accepts."""

    def __init__(self, spec: Spec, takes: Takes) -> None:
        super().__init__(spec)
        self._takes = takes

    @cached_property
    def _of_kit(self) -> Arguments:
        """The kit's arguments alone; tools that have the same ones share them, because a model is costly."""
        spec, extras = self._spec, self.extras
        parts = tuple((name, id(kind), id(options)) for name, (kind, options) in extras.items())
        key = (parts, spec.fields, spec.guard, spec.case)
        if key not in _OF_KIT:
            bare = replace(spec, takes=_NOTHING, rules=(), unlisted=(), extra_schema={}, gathers=None)
            of_kit = Arguments(bare)
            of_kit.extras = extras  # the same objects: while they are kept, nothing else has their ids
            _OF_KIT[key] = of_kit
        return _OF_KIT[key]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The listed schema, the tool's own arguments first."""
        own = dict(self._takes.schema)
        listed = {
            name: node for name, node in own.get("properties", {}).items() if name not in self._spec.unlisted
        }
        own["properties"] = {**listed, **self._of_kit.schema["properties"]}
        return {**own, **self._spec.extra_schema}

    @cached_property
    def names(self) -> list[str]:
        """Every wire name that a call may use."""
        return [*self._takes.names, *self.extras]

    @cached_property
    def secret(self) -> frozenset[str]:
        """The wire names of arguments that are secrets, or contain one."""
        return secret_names(self._takes.schema)

    @cached_property
    def _inside(self) -> frozenset[str] | None:
        """The members of the argument that gathers; None: it takes any."""
        node = self._takes.schema.get("properties", {}).get(self._spec.gathers, {})
        return frozenset(node["properties"]) if "properties" in node else None

    def notation(self) -> str:
        """Return the arguments in short form; further lines explain names in it."""
        first, *rest = self._takes.notation().split("\n")
        kit = Notation({}, deepest=1).fields(self._of_kit.schema)
        return "\n".join([", ".join(filter(None, (first, kit))), *rest])

    def check(self, raw: Mapping[str, Any]) -> Checked:
        """Check the arguments of one call.

        Raises:
            BadArguments: with one line per problem.
        """
        problems: list[Problem] = [] if self._known.issuperset(raw) else self._unknown(raw)
        given = self._meant(raw, problems) if problems else raw
        of_kit = {name: value for name, value in given.items() if name in self.extras}
        own: Mapping[str, Any] = {}
        checked = Checked({}, {})
        try:
            own = self._takes.check({name: value for name, value in given.items() if name not in of_kit})
        except RecursionError:
            raise too_deep() from None
        except BadArguments as error:
            if not error.problems:
                raise
            problems = [*problems, *error.problems]
        try:
            checked = self._of_kit.check(of_kit)
        except BadArguments as error:
            problems = [*problems, *error.problems]
        if problems:
            raise BadArguments(distinct(problems))
        checked.size = 0  # it was that of the kit's alone
        checked.values = {self._signature.collects: own}
        checked.wire = {**own, **checked.wire}  # the latter: what is made for each call depends on it
        self._rules(checked)
        return checked
