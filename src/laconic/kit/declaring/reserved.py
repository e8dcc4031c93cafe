"""Reserved names: those of the parameters that the kit adds to a tool, which no parameter of it may have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laconic.kit.answers.records import options_of
from laconic.kit.declaring.classes import classes_of
from laconic.kit.errors import BadConfiguration
from laconic.text import case_of

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import Spec

__all__ = ["key_name", "refuse_reserved"]


def key_name(spec: Spec) -> str:
    """Return the wire name of a tool's idempotency key."""
    return case_of("idempotency_key", spec.case)


def refuse_reserved(spec: Spec) -> None:
    """Refuse a tool with a parameter that the kit adds to it.

    Raises:
        BadConfiguration: with the names of the tool and of the parameter.
    """
    taken = {*spec.names, *_inline(spec)}.intersection(_reserved(spec))
    if taken:
        raise BadConfiguration(
            f"{spec.name}: its parameter {min(taken)} is also a parameter of the kit: rename it."
        )


def _reserved(spec: Spec) -> Iterator[str]:
    if spec.signature.window is not None:
        yield from ("limit", "cursor", *(["offset"] if spec.signature.window[1].offset else []))
    record = spec.signature.record
    if record is not None and not spec.writes:
        yield from ["format"] if len(options_of(record).formats) > 1 else []
        yield from [spec.fields] if spec.fields else []
    if spec.json:
        yield spec.json
    if spec.confirm:
        yield "confirm"
    if spec.guard:
        yield str(spec.guard)
    if spec.replays:
        yield from (key_name(spec), "again")
    if spec.budget != 0:
        yield "budget"


def _inline(spec: Spec) -> Iterator[str]:
    """Yield the fields of models that are at the top of the arguments."""
    for parameter in spec.signature.parameters:
        if parameter.is_inline:
            for kind in classes_of(parameter.annotation):
                fields = getattr(kind, "model_fields", {})
                yield from (field.alias or name for name, field in fields.items())
