"""The parameters of a declared function: those the model fills in, and those the server supplies."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from laconic.data import dataclass
from laconic.kit.answers.pages import Batch, Page, Window
from laconic.kit.answers.records import Record
from laconic.kit.errors import BadConfiguration
from laconic.kit.peer import SUPPLIED, Guard
from laconic.text import case_of

__all__ = ["UNSET", "Complete", "EachCall", "Inline", "Parameter", "Raw", "Signature", "Unset", "Was"]


class Unset:
    """The default of a parameter whose null has a meaning of its own: left out is not null."""

    def __bool__(self) -> bool:
        """Return False."""
        return False

    def __str__(self) -> str:
        """Return words for a caller, who may see it in the details of a failure."""
        return "left out"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()
"""The one value of `Unset`."""
_NONE: Final[Mapping[type, Any]] = {}
Listed = bool | Callable[[Any], bool]
"""Whether parameters are listed; a function decides by the toolset's section of the configuration."""


@dataclass(frozen=True)
class Inline:
    """Marks a parameter whose own fields are at the top of the arguments, not one level down."""


@dataclass(frozen=True)
class Raw:
    """Marks a parameter whose texts may have any length, and zero bytes."""


@dataclass(frozen=True)
class Was:
    """Marks a parameter's past: a former name, or a former type with its conversion."""

    name: str | None = None
    type: type | None = None
    convert: Callable[[Any], Any] | None = None
    until: str | None = None


@dataclass(frozen=True)
class Complete:
    """Marks a parameter that can be completed while a person types it."""

    values: Callable[..., Awaitable[list[str]]]


@dataclass(frozen=True)
class Parameter:
    """One parameter the model fills in."""

    name: str
    wire: str
    annotation: Any
    default: Any
    description: str
    was: tuple[Was, ...] = ()
    complete: Complete | None = None
    is_inline: bool = False
    is_raw: bool = False

    @property
    def is_required(self) -> bool:
        """True if the function has no default for it."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class Signature:
    """The parameters and the return type of a declared function."""

    parameters: tuple[Parameter, ...]
    supplied: dict[str, type]
    window: tuple[str, Window] | None
    returns: Any
    each: tuple[EachCall, ...] = ()  # what is made for each call, in this order
    collects: str = ""  # the parameter that gets all arguments of a tool made from data

    @classmethod
    def collecting(
        cls,
        function: Callable[..., Any],
        *,
        provides: tuple[type, ...],
        each: Mapping[type, EachCall] = _NONE,
    ) -> Signature:
        """Read the signature of a function that gets all arguments in one parameter; partial ones too.

        Raises:
            BadConfiguration: it has no such parameter, or several.
        """
        plain, places, words = _without_partial(_unwrapped(function))
        code = getattr(plain, "__code__", plain)
        key = (code, places, words, provides, *each.values())  # one function runs many tools
        found = _COLLECTING.get(key)
        if found is None:
            found = _COLLECTING[key] = cls._collecting(plain, places, words, provides, each)
        return found

    @classmethod
    def _collecting(
        cls,
        plain: Callable[..., Any],
        places: int,
        words: tuple[str, ...],
        provides: tuple[type, ...],
        each: Mapping[type, EachCall],
    ) -> Signature:
        bound = (*list(inspect.signature(plain).parameters)[:places], *words)
        whole = cls.of(plain, case="snake", provides=provides, each=each)
        names = [one.name for one in whole.parameters if one.name not in bound]
        if len(names) != 1:
            raise BadConfiguration(
                f"{plain.__name__} runs tools made from data: it needs one parameter for the arguments, "
                f"besides what the server supplies, and has {len(names)}."
            )
        supplied = {name: kind for name, kind in whole.supplied.items() if name not in bound}
        return cls((), supplied, whole.window, whole.returns, _made(supplied, each), names[0])

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        case: str,
        provides: tuple[type, ...],
        each: Mapping[type, EachCall] = _NONE,
    ) -> Signature:
        """Read the signature of a declared function; `each` is what the toolset makes for each call."""
        try:
            hints = get_type_hints(function, include_extras=True)
        except NameError as error:
            raise BadConfiguration(
                f"{function.__name__}: the type '{error.name}' is not known at the top of its module."
            ) from None
        parameters: list[Parameter] = []
        supplied: dict[str, type] = {}
        window: tuple[str, Window] | None = None
        for name, parameter in inspect.signature(function).parameters.items():
            annotation = hints.get(name)
            if annotation is None:
                raise BadConfiguration(f"{function.__name__}: parameter {name} has no type.")
            if annotation is Window:
                declared = parameter.default
                window = (name, declared if isinstance(declared, Window) else Window())
            elif isinstance(annotation, type) and annotation in (*provides, *SUPPLIED, *each):
                supplied[name] = annotation
            else:
                parameters.append(_parameter(name, annotation, parameter.default, case))
        made = _made(supplied, each) if each else ()
        return cls(tuple(parameters), supplied, window, hints.get("return"), made)

    @cached_property
    def ambient(self) -> dict[str, Any]:
        """The defaults of the parameters that belong to what is made for each call, by wire name."""
        return {one.wire: one.default for each in self.each for one in each.signature.parameters}

    @cached_property
    def is_page(self) -> bool:
        """True if the answer is a page of a list."""
        return get_origin(self.returns) is Page or self.returns is Page

    @property
    def is_batch(self) -> bool:
        """True if the answer reports the outcome of several things."""
        return get_origin(self.returns) is Batch

    @cached_property
    def record(self) -> type[Record] | None:
        """The kind of record in the answer, if it has records."""
        parts = get_args(self.returns)
        beside = [get_args(part)[0] for part in parts if get_origin(part) is tuple]  # with blocks, or alone
        for candidate in (self.returns, *parts, *beside):
            if isinstance(candidate, type) and issubclass(candidate, Record):
                return candidate
        return None

    @property
    def takes_guard(self) -> bool:
        """True if the function takes the expected version."""
        return Guard in self.supplied.values()


_COLLECTING: dict[Any, Signature] = {}


def _without_partial(function: Callable[..., Any]) -> tuple[Callable[..., Any], int, tuple[str, ...]]:
    """Return the function inside a partial one, with how many places and which names are bound."""
    if not isinstance(function, partial):
        return function, 0, ()
    return _unwrapped(function.func), len(function.args), tuple(function.keywords)


def _unwrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return inspect.unwrap(function) if hasattr(function, "__wrapped__") else function


@dataclass(frozen=True, eq=False)
class EachCall:
    """A function of the author that runs before every tool which takes what it returns."""

    makes: type
    function: Callable[..., Awaitable[Any]]
    signature: Signature
    listed: Listed = False

    @classmethod
    def of(cls, function: Callable[..., Awaitable[Any]], signature: Signature, listed: Listed) -> EachCall:
        """Check a function and return it.

        Raises:
            BadConfiguration: it does not say what it returns, or a caller would have to send something.
        """
        name, makes = function.__name__, signature.returns
        if not isinstance(makes, type) or makes in (str, int, float, bool, list, dict):
            raise BadConfiguration(f"{name} is made for each call: declare a class of yours that it returns.")
        for parameter in signature.parameters:
            if parameter.is_required:
                raise BadConfiguration(f"{name} is made for each call: {parameter.name} needs a default.")
        return cls(makes, function, signature, listed)

    def decided(self, section: Any) -> EachCall:
        """Return the same with the decision whether its parameters are listed."""
        return replace(self, listed=self.listed(section)) if callable(self.listed) else self


def _made(supplied: Mapping[str, type], each: Mapping[type, EachCall]) -> tuple[EachCall, ...]:
    """Return what is made for each call of a function, each after what it is made from."""
    own = [each[kind] for kind in supplied.values() if kind in each]
    return tuple(dict.fromkeys(each[one.makes] for made in own for one in (*made.signature.each, made)))


def _parameter(name: str, annotation: Any, default: Any, case: str) -> Parameter:
    description = ""
    past: list[Was] = []
    complete: Complete | None = None
    is_inline = is_raw = False
    if get_origin(annotation) is Annotated:
        kind, *marks = get_args(annotation)
        kept: list[Any] = []
        for mark in marks:
            if isinstance(mark, str):
                description = mark
            elif isinstance(mark, Was):
                past.append(mark)
            elif isinstance(mark, Complete):
                complete = mark
            elif isinstance(mark, Inline):
                is_inline = True
            elif isinstance(mark, Raw):
                is_raw = True
            else:
                kept.append(mark)
        kind = _without_unset(kind)
        annotation = Annotated[tuple([kind, *kept])] if kept else kind
    else:
        annotation = _without_unset(annotation)
    wire = case_of(name, case)
    return Parameter(name, wire, annotation, default, description, tuple(past), complete, is_inline, is_raw)


def _without_unset(kind: Any) -> Any:
    """Return a type without Unset: `str | None | Unset` is `str | None` on the wire."""
    parts = get_args(kind)
    return Union[tuple(part for part in parts if part is not Unset)] if Unset in parts else kind  # noqa: UP007  # made from a tuple
