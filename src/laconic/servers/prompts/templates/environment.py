"""The restricted environment: which filters, tests, methods and operations a template may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from jinja2 import FunctionLoader, StrictUndefined, Undefined, filters, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS as DEFAULT_FILTERS
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS as DEFAULT_TESTS
from jinja2.utils import Cycler, Joiner, Namespace

__all__ = ["FILTERS", "METHODS", "TESTS", "NotGiven", "RestrictedEnvironment", "TooMuch", "printable"]

_WIDEST: Final = 200  # characters of an indentation, or between two lines
_BITS: Final = 10_000  # of a number
TESTS: Final = frozenset(DEFAULT_TESTS)
_FILTERS: Final = """
    abs capitalize count d default dictsort e escape filesizeformat first float forceescape groupby indent int
    items join last length list lower map max min reject rejectattr replace reverse round safe select
    selectattr sort string striptags sum title tojson trim truncate unique upper urlencode wordcount wordwrap
"""
FILTERS: Final = frozenset(_FILTERS.split())
_OF_TEXT: Final = """
    capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit islower isnumeric
    isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex
    rpartition rsplit rstrip split splitlines startswith strip swapcase title upper
"""
_OF_LOOP: Final = """
    changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0
"""
_SHOWN: Final[tuple[tuple[type | tuple[type, ...], frozenset[str]], ...]] = (
    (str, frozenset(_OF_TEXT.split())),
    (dict, frozenset({"get", "items", "keys", "values"})),
    ((list, tuple), frozenset({"count", "index"})),
    (LoopContext, frozenset(_OF_LOOP.split())),
    (Cycler, frozenset({"current", "next", "reset"})),
)
METHODS: Final = frozenset(name for _, names in _SHOWN for name in names)
_CALLABLE: Final = (Joiner, LoopContext, Macro)
_PRINTED: Final = (str, int, float)
_NOT_PRINTED: Final = (Cycler, Iterator, Namespace)


class TooMuch(Exception):
    """One step would make a text, a list or a number that is too large."""


class NotGiven(str):
    """An optional argument that was not given: an empty text, which is not defined."""

    argument = ""

    @classmethod
    def of(cls, argument: str) -> NotGiven:
        """Return the value of an argument."""
        made = cls()
        made.argument = argument
        return made


class _Nothing(StrictUndefined):
    """What a value does not have, with the name of an argument that was not given."""

    @property
    def _undefined_message(self) -> str:
        if isinstance(self._undefined_obj, NotGiven):
            return f"{self._undefined_obj.argument!r} is not given and has no {self._undefined_name!r}"
        return super()._undefined_message


class RestrictedEnvironment(ImmutableSandboxedEnvironment):
    """Templates see values and what is listed above, and nothing else."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, most: int, sources: Mapping[str, str] | None = None) -> None:
        super().__init__(
            autoescape=False,
            undefined=_Nothing,
            keep_trailing_newline=True,
            finalize=printable,
            optimized=False,  # else constants would be computed while a template is compiled
            loader=FunctionLoader(partial(_source, sources or {})),
        )
        self._most = most
        self.globals = {
            "range": safe_range,
            "dict": dict,
            "cycler": Cycler,
            "joiner": Joiner,
            "namespace": Namespace,
        }
        self.filters = {name: DEFAULT_FILTERS[name] for name in FILTERS} | {
            "default": _default,
            "d": _default,
            "indent": _narrow(filters.do_indent, "width", 1),
            "items": _items,
            "join": self._join,
            "replace": self._replace,
            "tojson": _narrow(filters.do_tojson, "indent", 1),
            "wordwrap": _narrow(filters.do_wordwrap, "wrapstring", 3),
        }
        self.tests |= {"defined": lambda value: not _is_absent(value), "undefined": _is_absent}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return True for what is listed above, and for what a template kept in a namespace."""
        if attr.startswith("_"):
            return False
        return isinstance(obj, Namespace) or any(
            isinstance(obj, kinds) and attr in names for kinds, names in _SHOWN
        )

    def is_safe_callable(self, obj: Any) -> bool:
        """Return True for the global functions, macros, and the methods listed above."""
        if isinstance(obj, _CALLABLE) or any(obj is one for one in self.globals.values()):
            return True
        name, owner = getattr(obj, "__name__", ""), getattr(obj, "__self__", None)
        return owner is not None and not isinstance(owner, type) and self.is_safe_attribute(owner, name, obj)

    def call(self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call what may be called, if its result is not too large."""
        owner, name = getattr(__obj, "__self__", None), getattr(__obj, "__name__", "")
        if isinstance(owner, str) and name == "replace" and len(args) >= 2:
            self._check_replaced(owner, *map(str, args[:2]))
        if isinstance(owner, str) and name == "join" and args:
            args = (list(args[0]), *args[1:])
            self._check_size(len(owner) * len(args[0]))
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute, if the result is not too large."""
        if operator == "%" and isinstance(left, str):
            raise SecurityError("texts have no operator %")
        if operator == "+" and _has_length(left) and _has_length(right):
            self._check_size(len(left) + len(right))
        if operator == "*":
            self._check_repeated(left, right)
            self._check_repeated(right, left)
        if operator in ("*", "**") and isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * max(right, 0) if operator == "**" else _bits(left, right)
            if bits > _BITS:
                raise TooMuch("a number is too large")
        return super().call_binop(context, operator, left, right)

    def _check_size(self, size: int) -> None:
        if size > self._most:
            raise TooMuch(f"a text or list would have {size:,} parts, of at most {self._most:,}")

    def _check_repeated(self, what: Any, times: Any) -> None:
        if _has_length(what) and isinstance(times, int):
            self._check_size(len(what) * times)

    def _check_replaced(self, text: str, old: str, new: str) -> None:
        self._check_size(len(text) + text.count(old) * len(new))

    @property
    def _join(self) -> Callable[..., Any]:
        @pass_eval_context
        def join(context: Any, value: Any, d: str = "", attribute: Any = None) -> Any:
            listed = list(value)
            self._check_size(len(str(d)) * len(listed))
            return filters.sync_do_join(context, listed, d, attribute)

        return join

    @property
    def _replace(self) -> Callable[..., Any]:
        @pass_eval_context
        def replace(context: Any, s: Any, old: str, new: str, count: int | None = None) -> Any:
            self._check_replaced(str(s), str(old), str(new))
            return filters.do_replace(context, str(s), old, new, count)

        return replace


def printable(value: Any) -> Any:
    """Return what is to be printed; a function or an object would only show its address."""
    if isinstance(value, _PRINTED):  # most are, and whether one is an iterator takes long to see
        return value
    if isinstance(value, _NOT_PRINTED) or (callable(value) and not isinstance(value, Undefined)):
        raise TypeError("a function or an object cannot be printed; call it, or use a filter such as join")
    return value


def _is_absent(value: Any) -> bool:
    return isinstance(value, Undefined | NotGiven)


def _default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    return default_value if _is_absent(value) or (boolean and not value) else value


def _items(value: Any) -> Iterator[tuple[Any, Any]]:
    return iter(()) if _is_absent(value) else filters.do_items(value)


def _source(sources: Mapping[str, str], name: str) -> tuple[str, str, None] | None:
    return (sources[name], name, None) if name in sources else None


def _narrow(function: Callable[..., Any], name: str, place: int) -> Callable[..., Any]:
    """Return a filter that refuses a wide value of one of its arguments."""

    def narrow(*given: Any, **named: Any) -> Any:
        values = given[1:] if hasattr(function, "jinja_pass_arg") else given
        wide = named.get(name, values[place] if len(values) > place else None)
        if (wide if isinstance(wide, int) else len(str(wide))) > _WIDEST:
            raise TooMuch(f"{name} is more than {_WIDEST}")
        return function(*given, **named)

    if hasattr(function, "jinja_pass_arg"):
        narrow.jinja_pass_arg = function.jinja_pass_arg  # type: ignore[attr-defined]
    return narrow


def _has_length(value: Any) -> bool:
    return isinstance(value, str | list | tuple)


def _bits(left: int, right: int) -> int:
    return left.bit_length() + right.bit_length()
