"""The parameters the kit adds to a tool: paging, views, confirmation, keys, budget."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from laconic.kit.answers.records import field_names, options_of
from laconic.kit.declaring.options import Versioned
from laconic.kit.declaring.reserved import key_name, refuse_reserved

if TYPE_CHECKING:
    from laconic.kit.declaring.signature import EachCall
    from laconic.kit.declaring.spec import Spec

__all__ = ["LEAST_BUDGET", "Extras", "extras_of"]

Extras = dict[str, tuple[Any, dict[str, Any]]]
"""Type and options of each field, by wire name; described only if the name is not enough."""

LEAST_BUDGET = 500  # that a caller may ask for
_CURSOR = "From the previous page, with its filters."
_UNLISTED: dict[str, Any] = {"json_schema_extra": {"x-unlisted": True}}

# Equal parameters are the same objects: so tools made from data can share what is made from them.
_BARE: dict[str, Any] = {}
_BUDGET: Any = Annotated[int | None, Field(ge=LEAST_BUDGET)]
_FLAG: Any = bool | None
_TEXTS: Any = Literal["markdown", "json"]
_AS_TEXT: dict[str, Any] = {"default": "markdown"}
_KEY: Any = Annotated[str | None, Field(min_length=1)]
_RETRIED: dict[str, Any] = {"description": "Send the same again when you retry."}


def extras_of(spec: Spec) -> Extras:
    """Return the parameters that the kit adds to this tool.

    Raises:
        BadConfiguration: the tool has a parameter of the same name.
    """
    extras = {**_paging(spec), **_viewing(spec), **_asking(spec), **_ambient(spec)}
    if spec.json:
        extras[spec.json] = (_TEXTS, _AS_TEXT)
    if spec.budget != 0:
        extras["budget"] = (_BUDGET, _UNLISTED)
    refuse_reserved(spec)
    return extras


def _paging(spec: Spec) -> Extras:
    if spec.signature.window is None:
        return {}
    window = spec.signature.window[1]
    is_listed = window.offset == "listed"
    extras: Extras = {
        "limit": (Annotated[int | None, Field(ge=1)], {"json_schema_extra": {"x-default": window.size}}),
        "cursor": (str | None, _UNLISTED if is_listed else {"description": _CURSOR}),
    }
    if window.offset:
        extras["offset"] = (Annotated[int | None, Field(ge=0)], {} if is_listed else _UNLISTED)
    return extras


def _ambient(spec: Spec) -> Extras:
    """Return the parameters of what is made for each call; one that the tool itself declares is the same."""
    own = set(spec.names) if spec.signature.each else ()
    each = (item for one in spec.signature.each for item in _of_each(one).items())
    return {name: extra for name, extra in each if name not in own}


@cache
def _of_each(each: EachCall) -> Extras:
    extras: Extras = {}
    for parameter in each.signature.parameters:
        listed = {"description": parameter.description or None} if each.listed is True else _UNLISTED
        extras[parameter.wire] = (parameter.annotation, {"default": parameter.default, **listed})
    return extras


def _viewing(spec: Spec) -> Extras:
    record = spec.signature.record
    if record is None or spec.writes:
        return {}
    extras: Extras = {}
    options = options_of(record)
    if len(options.formats) > 1:
        default = spec.format or options.default_format
        extras["format"] = (Literal[tuple(options.formats)], {"default": default})
    if spec.fields:
        choices: Any = Literal[tuple(field_names(record, spec.case))]
        extras[spec.fields] = (list[choices] | None, {})
    return extras


def _asking(spec: Spec) -> Extras:
    extras: Extras = {}
    if spec.confirm:
        extras["confirm"] = (_FLAG, _BARE)
    if spec.guard:
        kind: Any = spec.guard.kind if isinstance(spec.guard, Versioned) else None
        extras[str(spec.guard)] = _guard(spec.guard, kind)  # a plain name: lists are kept in files
    if spec.replays:
        extras[key_name(spec)] = (_KEY, _RETRIED)
        extras["again"] = (_FLAG, _UNLISTED)
    return extras


@cache
def _guard(name: str, kind: Any) -> tuple[Any, dict[str, Any]]:
    if kind is not None:
        return kind | None, _BARE
    return int | str | None, {"description": f"Refuse unless it is still at this {name}."}
