"""What is made on first use, so that importing it costs almost nothing: names of a package, patterns."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, AnyStr, cast

__all__ = ["lazily", "regex"]


def lazily(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, from its modules and the names that each of them has."""
    home = {name: module for module, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when it is first used."""
    return cast("re.Pattern[AnyStr]", _LateRegex(pattern, flags))


class _LateRegex:
    """Keeps what was asked of the compiled pattern, so that only the first use passes through here."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    @cached_property
    def _compiled(self) -> re.Pattern[Any]:
        return re.compile(*self._given)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found
