"""Toolset: where a server declares its tools, with four verbs for what a tool does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, Literal, TypeVar, overload

from pydantic import BaseModel

from laconic.kit.answers.envelope import TABLE, Envelope
from laconic.kit.declaring.checks import unknown_option
from laconic.kit.declaring.options import Options
from laconic.kit.declaring.profiles import Profile, Selected
from laconic.kit.declaring.signature import EachCall, Listed, Signature
from laconic.kit.declaring.spec import Casing, Effect, Function, PromptSpec, ResourceSpec, ToolSpec
from laconic.kit.declaring.takes import Takes
from laconic.kit.declaring.verbs import Verb
from laconic.kit.errors import BadConfiguration
from laconic.kit.pipeline import Step
from laconic.kit.threads import Worker
from laconic.kit.toolset.entries import PromptEntry, PromptSource
from laconic.kit.toolset.opening import Opening
from laconic.kit.toolset.tools import tool_of
from laconic.text import did_you_mean, nearest

__all__ = ["PromptEntry", "PromptSource", "Toolset"]

F = TypeVar("F", bound=Callable[..., Any])
FormerKeys = Callable[[str, Mapping[str, Any], Any], dict[str, Any]]


class Toolset:
    """Tools that are served together, and what they need to run.

    `of` is a toolset whose services, configuration and threads this one uses: one instance serves both, and
    each is chosen by itself.
    """

    opening: Opening | None = None  # its factory
    loads_ahead: Callable[[Any], Iterator[None]] | None = None  # before the first call
    former_keys: FormerKeys | None = None  # under `metadata`, for callers of an earlier server

    def __init__(
        self,
        name: str,
        description: str = "",
        *,
        of: Toolset | None = None,
        provides: tuple[type, ...] = (),
        case: Casing | None = None,
        open_world: bool | None = None,
        envelope: Envelope | None = None,
        dotted: bool = False,
        instructions: str = "",
        settings: type[BaseModel] | None = None,
        is_kit: bool = False,
        steps: Sequence[Step] = (),
        prompt_source: type | None = None,
        prompt_list: str = "",
        version: str = "",
        threads: int = 8,
        phrases: Mapping[str, Sequence[str]] | None = None,
        profiles: Mapping[str, Profile] | None = None,
        default: str = "",
        data: Sequence[str | Path] = (),
        sandbox: str = "",
        log_line: str = "",
    ) -> None:
        if of is not None and (provides or settings):
            raise BadConfiguration(f"{name}: provides= and settings= are those of {of.name}; leave them out.")
        self.name: str = name
        self.root: Toolset = of.root if of else self  # the one whose services and configuration it uses
        self.provides: tuple[type, ...] = of.provides if of else provides
        self.profiles = profiles or {}
        self._default = default  # the profile that is served unless another is chosen
        self.data = tuple(map(str, data))  # files that its tools are made from: a change renews its list
        self.description = description
        self.case: Casing = case or (of.case if of else "snake")
        self.open_world: bool = (of is not None and of.open_world) if open_world is None else open_world
        self.envelope: Envelope = envelope or (of.envelope if of else TABLE)
        self.dotted = dotted  # its tools also answer to `name.verb`
        self.instructions = instructions
        self.version = version  # of the author's server, for clients
        # a pydantic model of its configuration section
        self.settings: type[BaseModel] | None = of.settings if of else settings
        self.steps = steps  # around each of its calls
        # the form of its calls in the log, of {tool}, {success}, {ms}, {outcome}, {tokens} and {trace}
        self.log_line: str = log_line or (of.log_line if of else "")
        self.sandbox = sandbox  # `package.module:function`, which makes its practice instance
        self.phrases = phrases or {}  # by tool: what people say who want it
        # for its functions that are not async; one for all that share a service
        self._worker: Worker = of._worker if of else Worker(name, threads)
        self.is_kit = is_kit  # part of the kit, not chosen by anyone
        self.tools: list[ToolSpec] = []
        self.resources: list[ResourceSpec] = []
        self.prompts: list[PromptSpec] = []
        self.prompt_source = prompt_source  # a type among what it provides, of prompts that come and go
        # `package.module:function` of Home and a count: the first prompts of the source, if they are known
        # without loading the toolset, else None
        self.prompt_list = prompt_list
        self.each: dict[type, EachCall] = of.each if of else {}  # what is made for each call
        self.checkups: list[Callable[..., Any]] = []
        self.read = Verb(partial(self._tool, Effect.READ), Options)  # declares a tool that only reads
        self.create = Verb(partial(self._tool, Effect.CREATE), Options)  # … that creates something
        self.update = Verb(partial(self._tool, Effect.UPDATE), Options)  # … that changes something
        self.delete = Verb(partial(self._tool, Effect.DELETE), Options)  # … that removes something
        self._refuse()

    def _refuse(self) -> None:
        """Refuse what does not exist: a default profile, a source of prompts."""
        if self._default and self._default not in self.profiles:
            hint = did_you_mean(nearest(self._default, self.profiles), quote="'")
            raise BadConfiguration(f"{self.name}: default='{self._default}' is none of its profiles.{hint}")
        source = self.prompt_source
        if source is not None and source not in self.provides:
            raise BadConfiguration(f"{self.name}: prompt_source={source.__name__} is not among provides=.")

    @property
    def is_per_caller(self) -> bool:
        """True if its factory is opened for each caller."""
        return self.opening is not None and self.opening.per_caller

    def select(self, profile: str = "") -> Selected:
        """Return the tools that are served with a profile, or with the default one.

        Raises:
            BadConfiguration: there is no such profile, with the nearest.
        """
        return Selected.of(self.name, self.tools, self.profiles, profile or self._default)

    def instructions_of(self, profile: str = "") -> str:
        """Return what clients are told about the tools of a profile, or of the default one."""
        chosen = self.profiles.get(profile or self._default)
        own = chosen.instructions if chosen is not None else None
        return (self.instructions if own is None else own).strip()

    @overload
    def factory(self, function: F, /) -> F: ...
    @overload
    def factory(self, function: None = None, /, *, per_caller: bool = False) -> Callable[[F], F]: ...
    def factory(self, function: Any = None, /, *, per_caller: bool = False) -> Any:
        """Set the async generator that yields the services.

        It takes the section of the configuration and, as an optional second parameter, `Home`. With
        `per_caller`, every caller gets services of its own, and `Home.caller` says whose they are.
        """
        if self.root is not self:
            raise BadConfiguration(f"{self.name}: the factory is that of {self.root.name}; it needs none.")

        def declare(declared: F) -> F:
            self.opening = Opening(declared, per_caller)
            return declared

        return declare if function is None else declare(function)

    def ahead(self, function: F) -> F:
        """Set a generator that loads ahead what the first call needs, in short parts, one at each step.

        It takes the section of the configuration. Over stdio it runs after the tool list was sent, as long as
        the client asks nothing; a request ends it between two parts. It must change nothing.
        """
        self.loads_ahead = function
        return function

    @overload
    def each_call(self, function: F, /) -> F: ...
    @overload
    def each_call(self, function: None = None, /, *, listed: Listed = False) -> Callable[[F], F]: ...
    def each_call(self, function: Any = None, /, *, listed: Listed = False) -> Any:
        """Declare a function that runs before each tool with a parameter of the type that it returns.

        These tools accept its parameters, too, which are not listed unless `listed` says so. If what it
        returns has `pins`, a mapping of such parameters to values, then cursors, keys and cached answers
        are bound to them as if the caller had sent them. Declare it before the tools.
        """

        def declare(declared: F) -> F:
            read = Signature.of(declared, case=self.case, provides=self.provides, each=self.each)
            run: Any = declared
            if not iscoroutinefunction(declared):
                run = self._worker.awaited(declared, writes=False, in_order=False)
            made = EachCall.of(run, read, listed)
            self._refuse_late(declared.__name__, made.makes)
            self.each[made.makes] = made
            return declared

        return declare if function is None else declare(function)

    def _refuse_late(self, function: str, makes: type) -> None:
        """Refuse what is made for tools that were declared before it: their callers would have to send it."""
        for tool in self.tools:
            if any(one.annotation is makes for one in tool.signature.parameters):
                raise BadConfiguration(
                    f"{function} makes a {makes.__name__} for each call: declare it before {tool.name}, "
                    "which takes one."
                )

    def metadata_keys(self, function: FormerKeys) -> FormerKeys:
        """Declare the keys that an earlier server had under `metadata`, given to whoever asks for it.

        The function takes a tool's name, the arguments as they were sent and what the tool returned.
        """
        self.former_keys = function
        return function

    def checkup(self, function: F) -> F:
        """Declare what `laconic doctor` checks: a function that takes services and returns diagnoses."""
        self.checkups.append(function)
        return function

    def add(
        self,
        effect: Effect | Literal["read", "create", "update", "delete"],
        name: str,
        description: str,
        takes: Takes,
        run: Callable[..., Any],
        **options: Any,
    ) -> None:
        """Declare a tool made from data: `run` gets all arguments in one parameter, and what is supplied.

        The options are those of `read`, `create`, `update` and `delete`.

        Raises:
            BadConfiguration: an unknown option, or a mistake in the declaration.
        """
        wrong = unknown_option(name, options)
        if wrong is not None:
            raise wrong
        given = {**options, "name": name}
        described = {"takes": takes, "described": description}
        self.tools.append(tool_of(self, self._worker, Effect(effect), run, given, **described))

    def _tool(self, effect: Effect, function: Function, given: Options) -> None:
        options = {**vars(given), "name": given.name or function.__name__}
        self.tools.append(tool_of(self, self._worker, effect, function, options))

    def resource(
        self,
        uri: str,
        *,
        mime: str = "text/plain",
        name: str | None = None,
        hint: str | None = None,
        subject: str | None = None,
    ) -> Callable[[F], F]:
        """Declare a resource; variables in the address, `note://{name}`, are the function's parameters.

        Further parameters with a default may follow in an address after a question mark. `subject` is as
        for tools: what is kept of a long text ends when a write changes it.
        """

        def declare(function: F) -> F:
            spec = ResourceSpec(
                name=name or function.__name__,
                toolset=self.name,
                root=self.root.name,
                function=function,
                case=self.case,
                provides=self.provides,
                each=self.each,
                uri=uri,
                mime=mime,
                hint=hint,
                subject=subject,
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
                    root=self.root.name,
                    function=declared,
                    case=self.case,
                    provides=self.provides,
                    each=self.each,
                    hint=hint,
                )
            )
            return declared

        return declare if function is None else declare(function)
