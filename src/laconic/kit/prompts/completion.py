"""Completion: suggestions while a person types an argument of a prompt or of a resource's address."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from laconic.kit.catalogue import unknown
from laconic.kit.prompts.sources import Prompts

if TYPE_CHECKING:
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.declaring.signature import Parameter
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.peer import Caller
    from laconic.kit.supplying.supply import Supplies

__all__ = ["suggest"]


async def suggest(
    catalogue: Catalogue,
    supplies: Supplies,
    caller: Caller,
    kind: str,
    name: str,
    argument: str,
    typed: str,
    others: Mapping[str, str],
) -> list[str]:
    """Suggest values, those that start with the typed text first."""
    spec = _spec(catalogue, kind, name)
    if spec is None:
        _, source, entry = await Prompts(catalogue, supplies).entry(caller, name)
        return list(await source.complete(caller, entry, argument, typed, others))
    for parameter in spec.signature.parameters:
        if parameter.wire == argument:
            values = await _values(supplies, caller, spec, parameter, typed)
            return sorted(
                (v for v in values if typed.lower() in v.lower()), key=lambda v: not v.startswith(typed)
            )
    return []


def _spec(catalogue: Catalogue, kind: str, name: str) -> Spec | None:
    if kind == "prompt":
        return catalogue.prompts.get(name)
    for spec in catalogue.resources:
        if spec.uri == name:
            return spec
    raise unknown("resource template", name)


async def _values(
    supplies: Supplies, caller: Caller, spec: Spec, parameter: Parameter, typed: str
) -> list[str]:
    if parameter.complete is not None:
        return await _call(supplies, caller, spec, parameter.complete.values, typed)
    kind: Any = parameter.annotation
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return []


async def _call(supplies: Supplies, caller: Caller, spec: Spec, function: Any, typed: str) -> list[str]:
    """Call an author's completion with the services it takes and the typed text."""
    supplied = await supplies.given(spec.toolset, function, caller)
    rest = [name for name in inspect.signature(function).parameters if name not in supplied]
    return list(await function(**supplied, **{name: typed for name in rest[:1]}))
