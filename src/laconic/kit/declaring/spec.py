"""Specs: declared tools, resources and prompts as frozen data that everything else reads."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Literal

from laconic.data import dataclass
from laconic.kit.declaring.options import Options
from laconic.kit.declaring.signature import EachCall, Signature
from laconic.kit.declaring.takes import Takes

__all__ = ["ANNOTATIONS", "Effect", "Former", "Hints", "PromptSpec", "ResourceSpec"]
__all__ += ["RouteSpec", "Spec", "ToolSpec"]

Casing = Literal["camel", "snake"]
Function = Callable[..., Awaitable[Any]]


class Effect(Enum):
    """What a tool does to the world: the four verbs of a Toolset."""

    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True)
class Hints:
    """The four annotations of the protocol."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False

    def wire(self) -> dict[str, bool]:
        """Return them as the protocol names them: all four, because its defaults assume the worst."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }


# The one table of annotations; a tool that differs gives the reason in its declaration.
ANNOTATIONS: Mapping[Effect, Hints] = {
    Effect.READ: Hints(read_only=True, destructive=False, idempotent=True),
    Effect.CREATE: Hints(read_only=False, destructive=False, idempotent=False),
    Effect.UPDATE: Hints(read_only=False, destructive=False, idempotent=True),
    Effect.DELETE: Hints(read_only=False, destructive=True, idempotent=False),
}


@dataclass(frozen=True)
class Former:
    """A former name of a tool, and the former names of its arguments."""

    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Spec(Options):
    """What tools, resources and prompts have in common: a named function on the path of a call."""

    toolset: str
    root: str = ""  # the toolset whose services it uses; empty: its own
    function: Function
    case: Casing = "snake"
    provides: tuple[type, ...] = ()
    effect: Effect = Effect.READ
    takes: Takes | None = (
        None  # its arguments, if they are described as data; the function gets them together
    )
    described: str | None = None  # None: by the docstring
    each: Mapping[type, EachCall] = field(default_factory=dict)  # what its toolset makes for each call

    @cached_property
    def description(self) -> str:
        """What it does: the whole docstring, unless it was described otherwise."""
        if self.described is not None:
            return self.described
        return " ".join((inspect.getdoc(self.function) or "").split())

    @cached_property
    def signature(self) -> Signature:
        """The function's parameters and return type; read on first use."""
        if self.takes is not None:
            return Signature.collecting(self.function, provides=self.provides, each=self.each)
        return Signature.of(self.function, case=self.case, provides=self.provides, each=self.each)

    @cached_property
    def service(self) -> str:
        """The toolset whose services it uses: a write of one that shares them changes what others read."""
        return self.root or self.toolset

    @property
    def defaults(self) -> dict[str, Any]:
        """The arguments that may be left out, without the kit's, by wire name, and what they are then."""
        ambient = self.signature.ambient
        if self.takes is not None:
            return ambient | dict.fromkeys(self.takes.names)
        own = {one.wire: one.default for one in self.signature.parameters if not one.is_required}
        return ambient | own if ambient else own

    @property
    def names(self) -> list[str]:
        """The wire names of its own parameters, without those that the kit adds."""
        if self.takes is not None:
            return list(self.takes.names)
        return [parameter.wire for parameter in self.signature.parameters]

    @property
    def finder(self) -> str | None:
        """The tool that `hint` names; None where it is a sentence, or empty."""
        return self.hint if self.hint and " " not in self.hint else None

    @property
    def advice(self) -> str:
        """What to do when something is not found."""
        return f"Use {self.finder} to find it." if self.finder else self.hint or ""

    def only_reads(self, arguments: Mapping[str, Any]) -> bool:
        """True if a call with these arguments, by wire name, changes nothing though others may."""
        return any(arguments.get(name) in values for name, values in self.reads_with.items())

    @cached_property
    def writes(self) -> bool:
        """True if a call may change something."""
        return self.effect is not Effect.READ


@dataclass(frozen=True, kw_only=True)
class ToolSpec(Spec):
    """One tool, with every fact about it."""

    @cached_property
    def hints(self) -> Hints:
        """The annotations: those of its effect, except where the declaration differs."""
        declared = {name: getattr(self, name) for name in ("destructive", "idempotent", "open_world")}
        return replace(
            ANNOTATIONS[self.effect], **{name: given for name, given in declared.items() if given is not None}
        )

    @property
    def seconds(self) -> tuple[str, ...]:
        """Its second names."""
        return (self.also,) if isinstance(self.also, str) else tuple(self.also)

    @cached_property
    def formers(self) -> tuple[Former, ...]:
        """Its former names, with the arguments that were renamed."""
        if isinstance(self.was, str):
            return (Former(self.was),)
        if isinstance(self.was, Mapping):
            return tuple(Former(name, dict(arguments)) for name, arguments in self.was.items())
        return tuple(Former(name) for name in self.was)


@dataclass(frozen=True, kw_only=True)
class ResourceSpec(Spec):
    """One resource, or a family of them when its address has variables."""

    uri: str = ""
    mime: str = "text/plain"

    @property
    def is_template(self) -> bool:
        """True if the address has variables."""
        return "{" in self.uri


@dataclass(frozen=True, kw_only=True)
class RouteSpec(Spec):
    """One web route beside the tools: its function gets the request, whose contents it checks itself."""

    is_counted: bool = True  # by rate limits


@dataclass(frozen=True, kw_only=True)
class PromptSpec(Spec):
    """One prompt: a function from arguments to messages."""
