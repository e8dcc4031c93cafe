"""From a signature to the model of its arguments, and from that to a lean JSON schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import to_json

from laconic.kit.errors import BadArguments, BadConfiguration, Problem
from laconic.kit.lean import lean
from laconic.kit.problems import MOST_TEXT, distinct, meant_for, problems_of, unknown_arguments
from laconic.kit.signature import Unset
from laconic.kit.tidy import tidy
from laconic.text import case_of

if TYPE_CHECKING:
    from laconic.kit.signature import Parameter
    from laconic.kit.spec import Spec

__all__ = ["Arguments", "Checked", "arguments_of"]


@dataclass
class Checked:
    """Arguments that fit: the function's own by Python name, the kit's by theirs."""

    values: dict[str, Any]
    wire: dict[str, Any]
    cursor: str | None = None
    limit: int | None = None
    offset: int = 0
    format: str | None = None
    fields: list[str] | None = None
    confirm: bool = False
    guard: Any = None
    key: str | None = None
    again: bool = False
    budget: int | None = None
    notes: list[str] = field(default_factory=list)


class Arguments:
    """What a tool accepts: the schema it lists, and the check that a call goes through."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._signature = spec.signature

    @cached_property
    def extras(self) -> dict[str, tuple[Any, dict[str, Any]]]:
        """The parameters the kit adds to this tool: type and field options by wire name.

        They have a description only where the name does not say all.
        """
        extras = {**self._paging(), **self._viewing(), **self._asking()}
        if self._spec.budget != 0:
            extras["budget"] = (
                Annotated[int | None, Field(ge=500)],
                {"json_schema_extra": {"x-unlisted": True}},
            )
        clash = {parameter.wire for parameter in self._signature.parameters} & set(extras)
        if clash:
            raise BadConfiguration(
                f"{self._spec.name}: its own parameter {clash.pop()} is also the kit's: rename that."
            )
        return extras

    def _paging(self) -> dict[str, tuple[Any, dict[str, Any]]]:
        if self._signature.window is None:
            return {}
        window = self._signature.window[1]
        extras: dict[str, tuple[Any, dict[str, Any]]] = {
            "limit": (Annotated[int | None, Field(ge=1)], {"json_schema_extra": {"x-default": window.size}}),
            "cursor": (str | None, {"description": "From the previous page; pass it alone."}),
        }
        if window.offset:
            extras["offset"] = (
                Annotated[int | None, Field(ge=0)],
                {"json_schema_extra": {"x-unlisted": True}},
            )
        return extras

    def _viewing(self) -> dict[str, tuple[Any, dict[str, Any]]]:
        record, spec = self._signature.record, self._spec
        if record is None or spec.writes:
            return {}
        extras: dict[str, tuple[Any, dict[str, Any]]] = {}
        if len(record.formats) > 1:
            default = spec.format or record.default_format()
            extras["format"] = (Literal[tuple(record.formats)], {"default": default})
        name = spec.fields
        if name:
            choices: Any = Literal[tuple(record.field_names(spec.case))]
            extras[name] = (list[choices] | None, {})
        return extras

    def _asking(self) -> dict[str, tuple[Any, dict[str, Any]]]:
        extras: dict[str, tuple[Any, dict[str, Any]]] = {}
        if self._spec.confirm:
            extras["confirm"] = (bool | None, {})
        guard = self._spec.guard
        if guard:
            extras[guard] = (int | str | None, {"description": f"Refuse unless it is still at this {guard}."})
        if self._spec.replays:
            text = Annotated[str | None, Field(min_length=1)]
            extras[self._key] = (text, {"description": "Send the same again when you retry."})
            extras["again"] = (bool | None, {"json_schema_extra": {"x-unlisted": True}})
        return extras

    @property
    def _key(self) -> str:
        return case_of("idempotency_key", self._spec.case)

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
        return self.model.__pydantic_validator__.validate_json  # what model_validate_json comes to

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The schema with every constraint, which errors speak from."""
        return self.model.model_json_schema(by_alias=True)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The schema the model sees: lean, a superset of what is accepted."""
        slim = lean(self.whole, longest=MOST_TEXT)
        slim["properties"] = {
            name: node for name, node in slim["properties"].items() if name not in self._spec.unlisted
        }
        for parameter in self._signature.parameters:
            if parameter.is_inline:
                slim = _flatten(slim, parameter.wire)
        return {**slim, **self._spec.extra_schema}

    @cached_property
    def names(self) -> list[str]:
        """Every wire name a call may use."""
        names: list[str] = []
        for parameter in self._signature.parameters:
            names += self._inline_names(parameter.wire) if parameter.is_inline else [parameter.wire]
        return [*names, *self.extras]

    @cached_property
    def _offered(self) -> list[str]:
        """The wire names an error may suggest: those that are listed."""
        return [name for name in self.names if name in self.schema["properties"]]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _inline(self) -> dict[str, frozenset[str]]:
        """The parameters whose own fields stand at the top, and the names of those fields."""
        wires = [parameter.wire for parameter in self._signature.parameters if parameter.is_inline]
        return {wire: frozenset(self._inline_names(wire)) for wire in wires}

    @cached_property
    def _taken(self) -> list[tuple[str, str, str]]:
        """Where the function's own arguments stand in the model: attribute, Python name, wire name."""
        return [(f"a_{p.name}", p.name, p.wire) for p in self._signature.parameters]

    @cached_property
    def _extra(self) -> list[tuple[str, str]]:
        """Where the kit's arguments stand in the model, and in what was checked."""
        renamed = {self._spec.fields: "fields", self._spec.guard: "guard", self._key: "key"}
        return [(f"k_{name}", renamed.get(name, name)) for name in self.extras]

    def _inline_names(self, wire: str) -> list[str]:
        inner = lean(self.whole, longest=MOST_TEXT)["properties"].get(wire, {})
        return list(_lifted(_variants(inner)))

    def check(self, raw: Mapping[str, Any]) -> Checked:
        """Check the arguments of one call.

        Raises:
            BadArguments: with one problem a line.
        """
        raw = self.gathered(raw)
        is_known = self._known.issuperset(raw)
        unknown = [] if is_known else self._unknown(raw)
        try:
            given = tidy(raw if is_known else self._meant(raw, unknown), self.schema)
            model = self._validate(_json(self._nest(given)))
        except RecursionError:
            raise BadArguments("The arguments are nested too deeply. Expected: at most 100 levels.") from None
        except ValidationError as error:
            found = problems_of(error, self.whole, tuple(self._inline))
            raise BadArguments(distinct([*unknown, *found])) from None
        if unknown:
            raise BadArguments(unknown)
        return self._checked(model)

    def gathered(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take in what stands beside an argument and belongs inside: models forget to nest."""
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
        """The fields of the argument that gathers; None where it takes any."""
        node = self.whole["properties"].get(self._spec.gathers, {})
        names = [one["$ref"].rsplit("/", 1)[1] for one in (node, *node.get("anyOf", ())) if "$ref" in one]
        return frozenset(self.whole["$defs"][names[0]].get("properties", ())) if names else None

    def _unknown(self, raw: Mapping[str, Any]) -> list[Problem]:
        """What the tool does not have; where one is needed and one is strange, the one is the other."""
        found = unknown_arguments(raw, self.names, self._offered)
        missing = [name for name in self.schema.get("required", ()) if name not in raw]
        strange = [problem for problem in found if problem.near is None]
        if len(missing) != 1 or len(strange) != 1:
            return found
        return [meant_for(problem, missing[0]) if problem is strange[0] else problem for problem in found]

    def _meant(self, raw: Mapping[str, Any], unknown: list[Problem]) -> dict[str, Any]:
        """Read a misspelt argument as the one meant, so that all that is wrong is said in one answer."""
        others = [name for name in raw if name not in self.names]
        meant = dict(zip(others, (problem.near for problem in unknown), strict=True))
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
                if wire_name in self._inline:  # rules speak of its fields by their own names
                    wire |= _fields_of(found[attribute])
        checked = Checked(values, wire)
        for attribute, target in self._extra:
            if found[attribute] is not None:
                setattr(checked, target, found[attribute])
        self._rules(checked)
        self._clamp(checked)
        return checked

    def _rules(self, checked: Checked) -> None:
        broken = [problem for rule in self._spec.rules if (problem := rule(checked.wire))]
        if broken:
            raise BadArguments(broken)

    def _clamp(self, checked: Checked) -> None:
        if self._signature.window is None or checked.limit is None:
            return
        most = self._signature.window[1].most
        if checked.limit > most:
            checked.notes.append(f"limit {checked.limit} is more than the {most} allowed; {most} used.")
            checked.limit = most


def _json(given: dict[str, Any]) -> str | bytes:
    """Write arguments for the validator, which is strict about JSON and not about Python."""
    try:
        return to_json(given)
    except ValueError:  # a lone surrogate, or nested beyond what it follows: the slower one knows what to do
        return json.dumps(given)


def _field(parameter: Parameter) -> tuple[Any, Any]:
    kind = parameter.annotation
    if _is_open_text(kind):
        kind = Annotated[kind, Field(max_length=MOST_TEXT)]
    description = parameter.description or None
    if isinstance(parameter.default, Unset):  # left out differs from null here: the schema shows no default
        return (kind, Field(default_factory=Unset, alias=parameter.wire, description=description))
    default = ... if parameter.is_required else parameter.default
    return (kind, Field(default, alias=parameter.wire, description=description))


def _is_open_text(kind: Any) -> bool:
    """Whether a string parameter sets no limit of its own."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        return inner is str and not any(_has_length(mark) for mark in marks)
    return kind is str


def _has_length(mark: Any) -> bool:
    if getattr(mark, "max_length", None) is not None:
        return True
    return any(getattr(item, "max_length", None) is not None for item in getattr(mark, "metadata", ()))


def _flatten(schema: dict[str, Any], wire: str) -> dict[str, Any]:
    """Lift the fields of one parameter to the top; those of only some variants become optional."""
    properties = dict(schema.get("properties", {}))
    inner = properties.pop(wire, {})
    variants = _variants(inner)
    required = [name for name in schema.get("required", ()) if name != wire]
    shared = set.intersection(*(set(variant.get("required", ())) for variant in variants))
    lifted = _lifted(variants)
    flat = {**schema, "properties": {**lifted, **properties}}
    flat["required"] = [name for name in lifted if name in shared] + required
    if not flat["required"]:
        del flat["required"]
    return flat


def _fields_of(model: BaseModel) -> dict[str, Any]:
    kinds = type(model).model_fields
    return {kinds[name].alias or name: getattr(model, name) for name in model.model_fields_set}


def _variants(node: dict[str, Any]) -> list[dict[str, Any]]:
    return list(node.get("oneOf") or node.get("anyOf") or [node])


def _lifted(variants: list[dict[str, Any]]) -> dict[str, Any]:
    lifted: dict[str, Any] = {}
    for variant in variants:
        for name, node in variant.get("properties", {}).items():
            lifted[name] = _either(lifted.get(name), node)
    return lifted


def _either(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    if one is None or one == other:
        return other
    values = [*_values(one), *_values(other)]
    if values:
        return {"type": "string", "enum": values}
    same = {key: value for key, value in one.items() if other.get(key) == value}
    said = dict.fromkeys(node["description"] for node in (one, other) if node.get("description"))
    return same | ({"description": " ".join(said)} if said else {})


def _values(node: dict[str, Any]) -> list[Any]:
    return list(node.get("enum", ())) or ([node["const"]] if "const" in node else [])


def arguments_of(spec: Spec) -> Arguments:
    """The model of a spec's arguments; made once."""
    made: Arguments | None = spec.__dict__.get("_arguments")
    if made is None:
        made = spec.__dict__["_arguments"] = Arguments(spec)  # beside its cached properties
    return made
