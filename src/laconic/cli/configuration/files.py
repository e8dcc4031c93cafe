"""The files that options come from: the user's own config.toml, and laconic.toml in the workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.cli.configuration.options import FILE, OPTIONS, OWN_FILE, VARIABLE, Option
from laconic.cli.configuration.workspace import user_folder
from laconic.data import dataclass
from laconic.kit.errors import BadConfiguration
from laconic.kit.errors.words import listing, show
from laconic.text import did_you_mean, nearest

__all__ = ["FILE_NAME", "SECRETS", "ConfigFile", "read_value", "unknown"]

FILE_NAME: Final = "laconic.toml"
_OWN_NAME: Final = "config.toml"
SECRETS: Final = ("secret", "token", "tokens", "jwt_key")

Content = tuple[dict[str, Any], dict[str, dict[str, Any]]]
"""Options by name, and sections by toolset."""

_BY_KEY: Final = {option.key: option for option in OPTIONS.values()}


@dataclass(frozen=True)
class ConfigFile:
    """One file, and which options it may set."""

    path: Path
    name: str  # in messages
    source: str

    @classmethod
    def of_workspace(cls, workspace: Path) -> ConfigFile:
        """Return the file of a workspace, which may come from strangers."""
        return cls(workspace / FILE_NAME, FILE_NAME, FILE)

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> ConfigFile:
        """Return the user's own file, which may also set what a workspace's must not."""
        path = user_folder("config", environ=environ) / _OWN_NAME
        return cls(path, _short(path), OWN_FILE)

    @cached_property
    def _keys(self) -> dict[str, Option]:
        return {key: option for key, option in _BY_KEY.items() if self.source in option.sources}

    def read(self) -> Content:
        """Return what the file sets; nothing if there is none.

        Raises:
            BadConfiguration: it cannot be read, a name is unknown, or a value is invalid.
        """
        try:
            self.path.stat()
            from laconic.cli.configuration.toml_file import (
                content_of,
            )  # most users and workspaces have no file

            content = content_of(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return {}, {}
        except (OSError, UnicodeDecodeError) as error:
            raise BadConfiguration(f"{self.name} cannot be read: {error}.", advice="") from None
        except ValueError as error:
            raise BadConfiguration(f"{self.name} {error}.", advice="") from None
        return self._options_of(content)

    def _options_of(self, content: dict[str, Any]) -> Content:
        options: dict[str, Any] = {}
        sections: dict[str, dict[str, Any]] = {}
        for key, value in self._leaves(content):
            if key in self._keys:
                options[self._keys[key].name] = read_value(self._keys[key], value, f"{key} in {self.name}")
            elif isinstance(value, dict) and "." not in key:
                sections[key] = value  # a toolset's section; assemble checks the name
            else:
                raise self._unknown_key(key)
        return options, sections

    def _leaves(self, table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
        """Yield keys and values; only tables that hold options are entered."""
        for name, value in table.items():
            key = f"{path}{name}"
            if isinstance(value, dict) and any(known.startswith(f"{key}.") for known in _BY_KEY):
                yield from self._leaves(value, f"{key}.")
            else:
                yield key, value

    def _unknown_key(self, key: str) -> BadConfiguration:
        option = OPTIONS.get(key) or _BY_KEY.get(key)
        if option is None:
            return unknown("key", key, self._keys, where=f" in {self.name}")
        if option.key in self._keys:
            return BadConfiguration(f"{self.name} has {key}; it belongs under {option.key}.", advice="")
        ways = [option.variable] if VARIABLE in option.sources else []
        if OWN_FILE in option.sources and self.source != OWN_FILE:
            ways.append(f"{option.key} in {ConfigFile.of_user().name}")
        advice = f"Set {' or '.join(ways)} instead." if ways else ""
        return BadConfiguration(f"{key} is not allowed in {self.name}.", advice=advice)


def unknown(kind: str, name: str, known: Iterable[str], *, where: str = "") -> BadConfiguration:
    """Return the error for an unknown name, with the nearest known one."""
    names = list(known)
    hint = did_you_mean(nearest(name, names), otherwise=f"Known: {listing(names)}.")
    return BadConfiguration(f"Unknown {kind} '{name[:80]}'{where}.{hint}", advice="")


def read_value(option: Option, given: Any, where: str) -> Any:
    """Read the value of an option.

    Raises:
        BadConfiguration: it does not fit; the message names what does.
    """
    try:
        return option.read(given)
    except ValueError as error:
        one = given[0] if isinstance(given, list) and len(given) == 1 else given  # a repeatable flag
        shown = "a secret" if option.name in SECRETS else show(one)
        raise BadConfiguration(f"{where} is {shown}. Expected: {error}.", advice="") from None


def _short(path: Path) -> str:
    """Return a path as a person would write it."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
