"""Tools: from a function and its options to the spec that everything else reads."""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from laconic.kit.declaring.checks import check_declaration
from laconic.kit.declaring.spec import Effect, Function, ToolSpec
from laconic.kit.errors import BadConfiguration
from laconic.kit.errors.words import listing
from laconic.kit.peer import AWAITED
from laconic.kit.pipeline import Answer

if TYPE_CHECKING:
    from laconic.kit.threads import Worker
    from laconic.kit.toolset import Toolset

__all__ = ["tool_of"]


def tool_of(
    toolset: Toolset,
    worker: Worker,
    effect: Effect,
    function: Function,
    options: dict[str, Any],
    **described: Any,
) -> ToolSpec:
    """Return the spec of a tool; `described` is what a tool made from data has beside its options.

    Raises:
        BadConfiguration: with the tool's name and what to change.
    """
    _complete(options, toolset, effect)
    is_sync = not iscoroutinefunction(function)
    if is_sync:
        writes = effect is not Effect.READ
        in_order = writes if options.get("in_order") is None else options["in_order"]
        function = worker.awaited(function, writes=writes, in_order=in_order)
    spec = ToolSpec(
        **options,
        **described,
        toolset=toolset.name,
        root=toolset.root.name,
        function=function,
        case=toolset.case,
        provides=toolset.provides,
        effect=effect,
        each=toolset.each,
    )
    _refuse(spec, is_sync)
    check_declaration(spec, also=(Answer,))
    return spec


def _complete(options: dict[str, Any], toolset: Toolset, effect: Effect) -> None:
    """Fill in what the toolset and the effect decide.

    Raises:
        BadConfiguration: it differs from the table of annotations and does not say why.
    """
    given, name = options.get, options["name"]
    differs = (given("destructive"), given("idempotent"), given("open_world")) != (None, None, None)
    if differs and not given("because"):
        raise BadConfiguration(
            f"{name} differs from the table of annotations: give the reason with because=."
        )
    if given("open_world") is None:
        options["open_world"] = toolset.open_world
    if given("replays") is None:
        options["replays"] = effect is Effect.CREATE
    options["says"] = (*given("says", ()), *toolset.phrases.get(name, ()))


def _refuse(spec: ToolSpec, is_sync: bool) -> None:
    """Refuse a function that cannot use what it is supplied with, or lacks what it declares."""
    awaits = {kind.__name__ for kind in spec.signature.supplied.values() if kind in AWAITED}
    if is_sync and awaits:
        raise BadConfiguration(f"{spec.name} uses {listing(sorted(awaits))} and must be an async function.")
    if spec.guard and not spec.signature.takes_guard:
        raise BadConfiguration(
            f"{spec.name} is declared with guard= and has no parameter of type Guard to check it."
        )
