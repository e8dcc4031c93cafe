"""Relaying: tools that call other tools, one per kind of permission that a host may ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from laconic.kit.arguments.known import arguments_of
from laconic.kit.catalogue import Catalogue
from laconic.kit.declaring.spec import Effect, ToolSpec
from laconic.kit.errors import BadArguments, Problem
from laconic.kit.peer import Peer
from laconic.kit.pipeline import Answer
from laconic.kit.toolset import Toolset
from laconic.text import did_you_mean, nearest

__all__ = ["Run", "add_callers"]

Run = Callable[[str, Mapping[str, Any], Peer], Awaitable[Answer]]
"""Calls a tool of the endpoint, on the same path as a direct call."""

_READ, _WRITE, _DELETE = "tools_read", "tools_write", "tools_delete"
_DOES = {_READ: "only reads", _WRITE: "creates or changes", _DELETE: "deletes"}
_INSIDE = ("arguments", "args", "argument", "parameters", "params", "input")  # what models call them


def add_callers(toolset: Toolset, catalogue: Callable[[], Catalogue], run: Run, open_world: bool) -> None:
    """Declare the three calling tools; `open_world` is true if a tool they call is."""
    for way, verb in ((_READ, toolset.read), (_WRITE, toolset.create), (_DELETE, toolset.delete)):
        options: dict[str, Any] = {"gathers": "arguments", "unlisted": ["name"]}
        if open_world:
            options |= {"open_world": True, "because": "a tool it calls reaches beyond"}
        call = _caller(way, toolset.name, catalogue, run)
        verb(name=way, replays=False, budget=0, relays=True, extra_schema={"required": ["tool"]}, **options)(
            call
        )


def _caller(way: str, own: str, catalogue: Callable[[], Catalogue], run: Run) -> Any:
    async def call(
        peer: Peer,
        tool: Annotated[str | None, "Its name."] = None,
        arguments: Annotated[dict[str, Any] | None, "Its arguments."] = None,
        name: Annotated[Any, "Also its name, where tool is left out; else one of its arguments."] = None,
    ) -> Answer:
        tool, given = _meant(tool, arguments or {}, name)
        spec = catalogue().tool(tool)
        if spec.toolset == own:
            raise _wrong(tool, f"{spec.name} is called by itself, not with {way}.")
        right = _way(spec)
        if right != way:
            raise _wrong(tool, f"{spec.name} is called with {right}, not {way}.{did_you_mean([right])}")
        return await run(tool, _unwrapped(spec, given), peer)

    call.__name__ = way
    call.__doc__ = f"Call a tool that {_DOES[way]}."
    return call


def _wrong(tool: str, message: str) -> BadArguments:
    return BadArguments([Problem("tool", message, tool)])


def _meant(tool: str | None, arguments: dict[str, Any], name: Any) -> tuple[str, dict[str, Any]]:
    """Return the tool and its arguments; many models write `name` for `tool`."""
    if tool is not None:
        return tool, arguments if name is None else {"name": name, **arguments}
    if not isinstance(name, str):
        raise BadArguments([Problem("tool", "Missing tool: the name of a tool.")])
    return name, arguments


def _way(spec: ToolSpec) -> str:
    """Return the calling tool for this one: its annotations decide, as they do for a host."""
    if spec.effect is Effect.DELETE or spec.hints.destructive:
        return _DELETE
    return _WRITE if spec.writes else _READ


def _unwrapped(spec: ToolSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    """Unpack arguments from an object that was meant to be `arguments`."""
    if len(arguments) == 1:
        ((key, inside),) = arguments.items()
        is_other = key not in arguments_of(spec).names and isinstance(inside, dict)
        if is_other and nearest(key, _INSIDE, least=0.8):
            return dict(inside)
    return arguments
