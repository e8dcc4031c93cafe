"""Toolset: where a server declares its tools, with four verbs that say what a tool does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import iscoroutinefunction
from typing import Any, Protocol, TypedDict, TypeVar, Unpack, overload

from pydantic import BaseModel

from laconic.kit.answers.content import Message
from laconic.kit.answers.envelope import TABLE, Envelope
from laconic.kit.declaring.rules import Rule
from laconic.kit.declaring.spec import (
    ANNOTATIONS,
    Casing,
    Effect,
    Function,
    Hints,
    PromptSpec,
    ResourceSpec,
    ToolSpec,
    formers,
)
from laconic.kit.errors import BadConfiguration, listing
from laconic.kit.peer import AWAITED
from laconic.kit.pipeline import Step
from laconic.kit.threads import Worker

__all__ = ["PromptEntry", "PromptSource", "Toolset"]

F = TypeVar("F", bound=Callable[..., Any])
Factory = Callable[[Any], AsyncIterator[Any]]
"""Takes the toolset's configuration section: a mapping, or the model declared as `settings=`."""


@dataclass(frozen=True)
class PromptEntry:
    """A prompt of a dynamic source, as it is listed."""

    name: str
    description: str = ""
    arguments: Sequence[tuple[str, str, bool]] = ()  # name, description, required
    title: str | None = None


class PromptSource(Protocol):
    """Prompts that come and go while the server runs; tell `Changes` when they do."""

    async def list(self) -> Sequence[PromptEntry]:
        """Every prompt there is now."""

    async def get(self, name: str, arguments: Mapping[str, str]) -> str | Sequence[Message]:
        """Render one."""

    async def complete(self, name: str, argument: str, typed: str) -> Sequence[str]:
        """Suggest values for an argument."""


class ToolOptions(TypedDict, total=False):
    """What a declaration may say beside the signature."""

    name: str  # the wire name, where it differs from the function's
    title: str
    hint: str  # the recovery sentence of a not-found, or the tool that finds things
    was: str | Iterable[str] | Mapping[str, Mapping[str, str]]  # former names, their arguments
    listed: bool  # keep former names in the list
    since: str
    until: str  # the version that drops the former names
    confirm: str  # needs a yes; `{name}` is an argument
    guard: str  # takes the version the caller expects under this name
    deadline: float  # seconds
    format: str  # the format used when the caller names none
    fields: str | None  # another name for the kit's `fields`, or None
    rules: Iterable[Rule]
    because: str  # why it differs from the table of annotations:
    destructive: bool
    idempotent: bool
    open_world: bool
    replays: bool  # takes an idempotency key; every create does
    cache: float  # seconds
    clears: Iterable[str]  # the reads a write makes stale; all of the toolset unless named
    subject: str  # `doc:{id}`: what a read shows and a write touches
    rate: int  # calls a minute and caller
    gathers: str  # the argument that takes in what the tool does not know
    relays: bool  # calls another tool, which is counted and timed by itself
    unlisted: Iterable[str]  # arguments that are understood and not listed
    budget: int | None  # characters of an answer before the rest is kept aside
    meta: Mapping[str, Any]
    extra_schema: Mapping[str, Any]


class Toolset:
    """A set of tools that stand and fall together, and what they need to run."""

    def __init__(
        self,
        name: str,
        description: str = "",
        *,
        provides: tuple[type, ...] = (),
        case: Casing = "snake",
        open_world: bool = False,
        envelope: Envelope = TABLE,
        dotted: bool = False,
        instructions: str = "",
        settings: type[BaseModel] | None = None,
        is_kit: bool = False,
        steps: Sequence[Step] = (),
    ) -> None:
        self.name = name
        self.description = description
        self.provides = provides
        self.case = case
        self.open_world = open_world
        self.envelope = envelope
        self.dotted = dotted  # its tools also answer to `name.verb`
        self.instructions = instructions
        self.settings = settings  # a pydantic model of its configuration section
        self.steps = steps  # its own, around each of its calls
        self._worker = Worker(name)
        self.is_kit = is_kit  # the kit's own, which nobody chose
        self.tools: list[ToolSpec] = []
        self.resources: list[ResourceSpec] = []
        self.prompts: list[PromptSpec] = []
        self.prompt_source: type | None = None
        self.open: Factory | None = None

    def factory(self, function: Factory) -> Factory:
        """Name the async generator that takes the configuration section and yields what is provided."""
        self.open = function
        return function

    @overload
    def read(self, function: F, /) -> F: ...
    @overload
    def read(self, function: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    def read(self, function: Any = None, /, **options: Any) -> Any:
        """Declare a tool that only looks."""
        return self._declare(Effect.READ, function, options)

    @overload
    def create(self, function: F, /) -> F: ...
    @overload
    def create(self, function: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    def create(self, function: Any = None, /, **options: Any) -> Any:
        """Declare a tool that makes something new."""
        return self._declare(Effect.CREATE, function, options)

    @overload
    def update(self, function: F, /) -> F: ...
    @overload
    def update(self, function: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    def update(self, function: Any = None, /, **options: Any) -> Any:
        """Declare a tool that brings something into a given state."""
        return self._declare(Effect.UPDATE, function, options)

    @overload
    def delete(self, function: F, /) -> F: ...
    @overload
    def delete(self, function: None = None, /, **options: Unpack[ToolOptions]) -> Callable[[F], F]: ...
    def delete(self, function: Any = None, /, **options: Any) -> Any:
        """Declare a tool that takes something away."""
        return self._declare(Effect.DELETE, function, options)

    def _declare(self, effect: Effect, function: Any, options: dict[str, Any]) -> Any:
        def declare(declared: F) -> F:
            self.tools.append(self._spec(effect, declared, **options))
            return declared

        return declare if function is None else declare(function)

    def _spec(
        self,
        effect: Effect,
        function: Function,
        *,
        name: str | None = None,
        was: str | Iterable[str] | Mapping[str, Mapping[str, str]] | None = None,
        rules: Iterable[Rule] = (),
        guard: str | None = None,
        clears: Iterable[str] = (),
        unlisted: Iterable[str] = (),
        replays: bool | None = None,
        because: str | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        **more: Any,
    ) -> ToolSpec:
        wire = name or function.__name__
        is_sync = not iscoroutinefunction(function)
        if is_sync:
            function = self._worker.awaited(function, writes=effect is not Effect.READ)
        spec = ToolSpec(
            name=wire,
            toolset=self.name,
            function=function,
            case=self.case,
            provides=self.provides,
            effect=effect,
            hints=self._hints(wire, effect, because, destructive, idempotent, open_world),
            was=formers(was),
            rules=tuple(rules),
            clears=tuple(clears),
            unlisted=tuple(unlisted),
            replays=effect is Effect.CREATE if replays is None else replays,
            guard=guard,
            **more,
        )
        awaits = {kind.__name__ for kind in spec.signature.supplied.values() if kind in AWAITED}
        if is_sync and awaits:
            raise BadConfiguration(f"{wire} uses {listing(sorted(awaits))} and must be an async function.")
        if guard and not spec.signature.takes_guard:
            raise BadConfiguration(
                f"{wire} is declared with guard= and has no parameter of type Guard to check it."
            )
        return spec

    def _hints(
        self,
        wire: str,
        effect: Effect,
        because: str | None,
        destructive: bool | None,
        idempotent: bool | None,
        open_world: bool | None,
    ) -> Hints:
        usual = replace(ANNOTATIONS[effect], open_world=self.open_world)
        changed = {"destructive": destructive, "idempotent": idempotent, "open_world": open_world}
        different = {key: value for key, value in changed.items() if value is not None}
        if different and not because:
            raise BadConfiguration(f"{wire} differs from the table of annotations: say because=.")
        return replace(usual, **different)

    def resource(
        self, uri: str, *, mime: str = "text/plain", name: str | None = None, hint: str | None = None
    ) -> Callable[[F], F]:
        """Declare a resource; variables in the address, `note://{name}`, are the function's parameters."""

        def declare(function: F) -> F:
            spec = ResourceSpec(
                name=name or function.__name__,
                toolset=self.name,
                function=function,
                case=self.case,
                provides=self.provides,
                uri=uri,
                mime=mime,
                hint=hint,
            )
            self.resources.append(spec)
            return function

        return declare

    @overload
    def prompt(self, function: F, /) -> F: ...
    @overload
    def prompt(
        self, function: None = None, /, *, name: str | None = None, hint: str | None = None
    ) -> Callable[[F], F]: ...
    def prompt(self, function: Any = None, /, *, name: str | None = None, hint: str | None = None) -> Any:
        """Declare a prompt: a function that returns its text or messages."""

        def declare(declared: F) -> F:
            self.prompts.append(
                PromptSpec(
                    name=name or declared.__name__,
                    toolset=self.name,
                    function=declared,
                    case=self.case,
                    provides=self.provides,
                    hint=hint,
                )
            )
            return declared

        return declare if function is None else declare(function)
