"""The arguments of a tool: a pydantic model of its signature, and the lean JSON schema of that model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import to_json

from laconic.kit.arguments.checked import Checked
from laconic.kit.arguments.extras import Extras, extras_of
from laconic.kit.arguments.inlining import flatten, lifted_names
from laconic.kit.arguments.lean import lean
from laconic.kit.arguments.problems import MOST_TEXT, problems_of, unknown_arguments
from laconic.kit.arguments.secrecy import secret_names
from laconic.kit.arguments.sound import are_sound, sound_types
from laconic.kit.arguments.texts import text_problems
from laconic.kit.arguments.tidy import tidy
from laconic.kit.arguments.told import distinct
from laconic.kit.declaring.reserved import key_name
from laconic.kit.declaring.signature import Unset
from laconic.kit.errors import BadArguments, Problem

if TYPE_CHECKING:
    from laconic.kit.declaring.signature import Parameter
    from laconic.kit.declaring.spec import Spec

__all__ = ["Arguments", "as_json", "too_deep"]


class Arguments:
    """What a tool accepts: the listed schema, and the check of each call."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._signature = spec.signature

    @cached_property
    def extras(self) -> Extras:
        """The parameters the kit adds to this tool."""
        return extras_of(self._spec)

    @cached_property
    def model(self) -> type[BaseModel]:
        """The pydantic model; built on the first call or listing."""
        fields: dict[str, Any] = {}
        for parameter in self._signature.parameters:
            fields[f"a_{parameter.name}"] = _field(parameter)
        for name, (kind, options) in self.extras.items():
            fields[f"k_{name}"] = (kind, Field(**{"default": None, "alias": name, **options}))
        return create_model(
            f"{self._spec.name}_arguments",
            __config__=ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=False),
            **fields,
        )

    @cached_property
    def _validate(self) -> Callable[[str | bytes], BaseModel]:
        return self.model.__pydantic_validator__.validate_json  # what model_validate_json calls

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The schema with every constraint, used in errors."""
        return self.model.model_json_schema(by_alias=True)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The lean schema that models see; it accepts everything that is valid, and more."""
        slim = self._flat(lean(self.whole, longest=MOST_TEXT))
        slim["properties"] = {
            name: node for name, node in slim["properties"].items() if name not in self._spec.unlisted
        }
        return {**slim, **self._spec.extra_schema}

    def _flat(self, slim: dict[str, Any]) -> dict[str, Any]:
        """Return a schema with the fields of inlined parameters at its top."""
        for parameter in self._signature.parameters:
            if parameter.is_inline:
                slim = flatten(slim, parameter.wire)
        return slim

    @cached_property
    def _accepted(self) -> dict[str, Any]:
        """The lean schema with the unlisted parameters, which are sent as carelessly as the others."""
        every = self._flat(lean(self.whole, longest=MOST_TEXT, with_unlisted=True))
        return {**self.schema, **every, "properties": {**self.schema["properties"], **every["properties"]}}

    def notation(self) -> str | None:
        """Return the arguments in short form, if they have one of their own."""
        return None

    @cached_property
    def names(self) -> list[str]:
        """Every wire name that a call may use."""
        names: list[str] = []
        for parameter in self._signature.parameters:
            names += self._inline_names(parameter.wire) if parameter.is_inline else [parameter.wire]
        return [*names, *self.extras]

    @cached_property
    def secret(self) -> frozenset[str]:
        """The wire names of arguments that are secrets, or contain one."""
        return secret_names(self._accepted)

    @cached_property
    def _offered(self) -> list[str]:
        """The wire names an error may suggest: those that are listed."""
        return [name for name in self.names if name in self.schema["properties"]]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _inline(self) -> dict[str, frozenset[str]]:
        """The parameters whose own fields are at the top, with the names of these fields."""
        wires = [parameter.wire for parameter in self._signature.parameters if parameter.is_inline]
        return {wire: frozenset(self._inline_names(wire)) for wire in wires}

    @cached_property
    def _raw(self) -> frozenset[str]:
        """The parameters that accept texts of any length, and zero bytes in them."""
        return frozenset(one.wire for one in self._signature.parameters if one.is_raw)

    @cached_property
    def _taken(self) -> list[tuple[str, str, str]]:
        """The function's own arguments in the model: attribute, Python name, wire name."""
        return [(f"a_{p.name}", p.name, p.wire) for p in self._signature.parameters]

    @cached_property
    def _extra(self) -> list[tuple[str, str]]:
        """The kit's arguments: their attribute in the model, and in `Checked`."""
        spec = self._spec
        renamed = {spec.fields: "fields", spec.guard: "guard", key_name(spec): "key", spec.json: "json"}
        return [(f"k_{name}", renamed.get(name, name)) for name in self.extras if name not in self._ambient]

    @cached_property
    def _ambient(self) -> frozenset[str]:
        """The wire names of parameters that belong to what is made for each call."""
        return frozenset(self._signature.ambient.keys() & self.extras.keys())

    def _inline_names(self, wire: str) -> list[str]:
        every = lean(self.whole, longest=MOST_TEXT, with_unlisted=True)
        return lifted_names(every["properties"].get(wire, {}))

    def check(self, raw: Mapping[str, Any]) -> Checked:
        """Check the arguments of one call, after `gathered`.

        Raises:
            BadArguments: with one line per problem.
        """
        is_known = self._known.issuperset(raw)
        unknown = [] if is_known else self._unknown(raw)
        try:
            meant = raw if is_known else self._meant(raw, unknown)
            notes: list[str] = []
            given = self._tidied(meant, notes) if meant else {}  # without, no schema is made
            if "cursor" in self.extras and type(meant.get("cursor")) is int:
                given["cursor"] = meant["cursor"]  # most often a page's number: refused, not read as text
            nested = self._nest(given)
            encoded = as_json(nested)
            texts = text_problems(nested, encoded, lambda: self.whole, self._raw, tuple(self._inline))
            model = self._validate(encoded)
        except RecursionError:
            raise too_deep() from None
        except ValidationError as error:
            found = problems_of(error, self.whole, tuple(self._inline))
            raise BadArguments(distinct([*unknown, *found, *texts])) from None
        if unknown or texts:
            raise BadArguments(distinct([*unknown, *texts]))
        checked = self._checked(model)
        checked.size = len(encoded)
        checked.notes += notes
        return checked

    def _tidied(self, meant: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
        return dict(meant) if are_sound(meant, self._sound) else tidy(meant, self._accepted, notes)

    @cached_property
    def _sound(self) -> dict[str, type]:
        return sound_types(self._accepted)

    def gathered(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Move arguments into the one they belong in: models forget to nest."""
        into = self._spec.gathers
        if into is None or self._known.issuperset(raw):
            return raw
        beside = [name for name in raw if name not in self._known]
        beside = [name for name in beside if self._inside is None or name in self._inside]
        inside = raw.get(into)
        if not beside or not isinstance(inside, dict | None):
            return raw
        rest = {name: value for name, value in raw.items() if name not in beside}
        return rest | {into: {**{name: raw[name] for name in beside}, **(inside or {})}}

    @cached_property
    def _inside(self) -> frozenset[str] | None:
        """The fields of the argument that gathers; None: it takes any."""
        node = self.whole["properties"].get(self._spec.gathers, {})
        names = [one["$ref"].rpartition("/")[2] for one in (node, *node.get("anyOf", ())) if "$ref" in one]
        return frozenset(self.whole["$defs"][names[0]].get("properties", ())) if names else None

    def _unknown(self, raw: Mapping[str, Any]) -> list[Problem]:
        return unknown_arguments(raw, self.names, self._offered, self._spec.elsewhere)

    def _meant(self, raw: Mapping[str, Any], unknown: list[Problem]) -> dict[str, Any]:
        """Read a misspelled argument as the one meant, so that one answer reports everything wrong."""
        others = [name for name in raw if name not in self.names]
        meant = dict(zip(others, (problem.near for problem in unknown), strict=False))  # of the first ones
        given = {name: value for name, value in raw.items() if name in self.names}
        for name, near in meant.items():
            if near is not None:
                given.setdefault(near, raw[name])
        return given

    def _nest(self, given: dict[str, Any]) -> dict[str, Any]:
        for wire, names in self._inline.items():
            inside = {key: value for key, value in given.items() if key in names}
            given = {key: value for key, value in given.items() if key not in names}
            given[wire] = inside
        return given

    def _checked(self, model: BaseModel) -> Checked:
        values: dict[str, Any] = {}
        wire: dict[str, Any] = {}
        given, found = model.model_fields_set, vars(model)
        for attribute, name, wire_name in self._taken:
            if attribute in given:
                values[name] = wire[wire_name] = found[attribute]
                if wire_name in self._inline:  # rules use the names of its fields
                    wire |= _fields_of(found[attribute])
        checked = Checked(values, wire)
        for attribute, target in self._extra:
            if found[attribute] is not None:
                setattr(checked, target, found[attribute])
        for wire_name in self._ambient:
            if f"k_{wire_name}" in given:
                wire[wire_name] = found[f"k_{wire_name}"]
        if self._spec.rules:
            self._rules(checked)
        if checked.limit is not None:
            self._clamp(checked, checked.limit)
        return checked

    def _rules(self, checked: Checked) -> None:
        broken = [problem for rule in self._spec.rules if (problem := rule(checked.wire))]
        if broken:
            raise BadArguments(broken)

    def _clamp(self, checked: Checked, limit: int) -> None:
        if self._signature.window is None:
            return
        most = self._signature.window[1].most
        if limit > most:
            checked.notes.append(f"limit {limit} is more than the {most} allowed; {most} used.")
            checked.limit = most


def too_deep() -> BadArguments:
    """Return the failure for arguments that no check can follow."""
    return BadArguments("The arguments are nested too deeply. Expected: at most 100 levels.")


def as_json(given: dict[str, Any]) -> str | bytes:
    """Return arguments as JSON: pydantic's strict mode converts JSON's types, but not Python's."""
    try:
        return to_json(given)
    except ValueError:  # a lone surrogate, or nested too deeply for it; the slower encoder can do it
        return json.dumps(given)


def _field(parameter: Parameter) -> tuple[Any, Any]:
    kind = parameter.annotation
    description = parameter.description or None
    if isinstance(parameter.default, Unset):  # left out is not null here: the schema shows no default
        return (kind, Field(default_factory=Unset, alias=parameter.wire, description=description))
    default = ... if parameter.is_required else parameter.default
    return (kind, Field(default, alias=parameter.wire, description=description))


def _fields_of(model: BaseModel) -> dict[str, Any]:
    kinds = type(model).model_fields
    return {kinds[name].alias or name: getattr(model, name) for name in model.model_fields_set}
