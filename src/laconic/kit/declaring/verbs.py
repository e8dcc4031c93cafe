"""Verbs: the decorators that declare a tool, typed by the options they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, overload

from laconic.kit.declaring.checks import unknown_option
from laconic.kit.declaring.options import Options

__all__ = ["Verb"]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")


class Verb(Generic[P]):
    """A decorator of a toolset, used bare or with options: `@toolset.read(hint="…")`.

    Type checkers and editors take its keywords from `Options`.
    """

    def __init__(
        self, declare: Callable[[Callable[..., Any], Options], None], options: Callable[P, Options]
    ) -> None:
        self._declare = declare
        self._options: Callable[..., Options] = options

    @overload
    def __call__(self, function: F, /) -> F: ...
    @overload
    def __call__(self, *nothing: P.args, **options: P.kwargs) -> Callable[[F], F]: ...
    def __call__(self, *function: Any, **options: Any) -> Any:
        """Declare a function, and return it unchanged."""

        def declare(declared: F) -> F:
            wrong = unknown_option(options.get("name") or declared.__name__, options)
            if wrong is not None:
                raise wrong
            self._declare(declared, self._options(**options))
            return declared

        return declare(*function) if function else declare
