"""The arguments of any spec: of a function by its signature, of a tool made from data as it is described."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.kit.arguments.schema import Arguments

if TYPE_CHECKING:
    from laconic.kit.declaring.spec import Spec

__all__ = ["arguments_of"]


def arguments_of(spec: Spec) -> Arguments:
    """Return the arguments of a spec; made once."""
    made: Arguments | None = spec.__dict__.get("_arguments")
    if made is None:
        made = spec.__dict__["_arguments"] = _made(spec)  # where cached properties are kept
    return made


def _made(spec: Spec) -> Arguments:
    if spec.takes is None:
        return Arguments(spec)
    from laconic.kit.arguments.collected import CollectedArguments

    return CollectedArguments(spec, spec.takes)
