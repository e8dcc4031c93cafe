"""Where options come from: flags, then LACONIC_* variables, then laconic.toml in the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from laconic.cli import toolsets
from laconic.cli.configuration.options import FILE, OPTIONS, VARIABLE, Option, ServerOptions
from laconic.cli.configuration.workspace import find_workspace
from laconic.kit.errors import BadConfiguration
from laconic.kit.errors.words import listing, show
from laconic.text import did_you_mean, nearest

__all__ = ["FILE_NAME", "read", "sections_of", "unknown"]

FILE_NAME = "laconic.toml"
_PREFIX = "LACONIC_"
_IGNORED = ("LACONIC_REQUIRE", "LACONIC_SOAK")  # switches of our own tests, not of a server

_VARIABLES = {option.variable: option for option in OPTIONS.values() if VARIABLE in option.sources}
_FORMER = {  # variables of an older server that this one replaces
    "WRANGLER_WORKSPACE_ROOT": "workspace",
    "WRANGLER_MCP_NAME": "name",
    "WRANGLER_MCP_VERSION": "version",
}
_KEYS = {option.key: option for option in OPTIONS.values() if FILE in option.sources}


def read(given: Mapping[str, Any], environ: Mapping[str, str]) -> ServerOptions:
    """Combine the flags, the environment and the file; the first that sets an option wins.

    Raises:
        BadConfiguration: a name is unknown, or a value is invalid.
    """
    flags = {name: _value(OPTIONS[name], value, OPTIONS[name].flag) for name, value in given.items()}
    variables, own, others = _environment(environ)
    if others and not any(":" in name for name in flags.get("servers") or variables.get("servers", ())):
        raise unknown("variable", others[0], _VARIABLES)  # every toolset that could be meant is known
    workspace = find_workspace(flags.get("workspace") or variables.get("workspace"))
    if not workspace.is_dir():
        raise BadConfiguration(f"The workspace {workspace} is not a folder.", advice="")
    options, sections = _file(workspace)
    _check_servers(options.get("servers", ()))
    for name, section in own.items():
        sections[name] = {**sections.get(name, {}), **section}
    more = {
        "workspace": workspace,
        "sections": sections,
        "variables": {name: environ[name] for name in others},
    }
    return ServerOptions(**{**options, **variables, **flags, **more})


def sections_of(options: ServerOptions, served: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the sections, with what variables set for toolsets whose names are known only once loaded.

    Raises:
        BadConfiguration: a variable belongs to no toolset that is served.
    """
    sections = {name: dict(section) for name, section in options.sections.items()}
    names = list(served)
    for variable, value in options.variables.items():
        found = _of_toolset(variable, names)
        if found is None:
            raise unknown("variable", variable, _VARIABLES)
        sections.setdefault(found[0], {})[found[1]] = value
    return sections


def _environment(
    environ: Mapping[str, str],
) -> tuple[dict[str, Any], dict[str, dict[str, str]], list[str]]:
    """Return the options and sections that variables set, and the variables that nothing known explains.

    LACONIC_TAIGA_URL sets `url` of taiga.
    """
    options: dict[str, Any] = {
        option: _value(OPTIONS[option], environ[name], name)
        for name, option in _FORMER.items()
        if environ.get(name, "").strip()
    }
    sections: dict[str, dict[str, str]] = {}
    others: list[str] = []
    for name, value in environ.items():
        if not name.startswith(_PREFIX) or name in _IGNORED or not value.strip():
            continue
        if name in _VARIABLES:
            options[_VARIABLES[name].name] = _value(_VARIABLES[name], value, name)
        else:
            found = _of_toolset(name, toolsets.OWN) or _of_toolset(name, toolsets.installed())
            if found is None:
                others.append(name)
            else:
                sections.setdefault(found[0], {})[found[1]] = value
    return options, sections, others


def _of_toolset(variable: str, names: Iterable[str]) -> tuple[str, str] | None:
    """Return the toolset and the key that a variable sets, if one of these toolsets is meant."""
    for name in names:
        prefix = f"{_PREFIX}{name.upper().replace('-', '_')}_"
        if variable.startswith(prefix) and variable != prefix:
            return name, variable.removeprefix(prefix).lower()
    return None


def _file(workspace: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    try:
        content = (workspace / FILE_NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{FILE_NAME} cannot be read: {error}.", advice="") from None
    return _options_of(_parsed(content))


def _parsed(content: str) -> dict[str, Any]:
    import tomllib  # imported here: most workspaces have no file

    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise BadConfiguration(f"{FILE_NAME} is not TOML: {error}.", advice="") from None


def _options_of(content: dict[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    options: dict[str, Any] = {}
    sections: dict[str, dict[str, Any]] = {}
    for key, value in _leaves(content):
        if key in _KEYS:
            options[_KEYS[key].name] = _value(_KEYS[key], value, f"{key} in {FILE_NAME}")
        elif isinstance(value, dict) and "." not in key:
            sections[key] = value  # a toolset's section; assemble checks the name
        else:
            raise _unknown_key(key)
    return options, sections


def _check_servers(servers: Sequence[str]) -> None:
    """Check that a file names only installed servers: serving a cloned repository must not run its code."""
    for name in servers:
        if ":" in name:
            raise BadConfiguration(
                f"servers in {FILE_NAME} names {name[:80]}; only installed servers are allowed there.",
                advice=f"Name code on the command line, 'laconic serve {name[:80]}', or in LACONIC_SERVERS.",
            )


def _leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield keys and values; only tables that hold options are entered."""
    for name, value in table.items():
        key = f"{path}{name}"
        if isinstance(value, dict) and any(known.startswith(f"{key}.") for known in _KEYS):
            yield from _leaves(value, f"{key}.")
        else:
            yield key, value


def _unknown_key(key: str) -> BadConfiguration:
    option = OPTIONS.get(key)
    if option is not None and option.key != key:
        return BadConfiguration(f"{FILE_NAME} has {key}; it belongs under {option.key}.", advice="")
    if option is not None:
        advice = f"Set {option.variable} instead." if VARIABLE in option.sources else ""
        return BadConfiguration(f"{key} is not allowed in {FILE_NAME}.", advice=advice)
    return unknown("key", key, _KEYS, where=f" in {FILE_NAME}")


def unknown(kind: str, name: str, known: Iterable[str], *, where: str = "") -> BadConfiguration:
    """Return the error for an unknown name, with the nearest known one."""
    names = list(known)
    hint = did_you_mean(nearest(name, names), otherwise=f"Known: {listing(names)}.")
    return BadConfiguration(f"Unknown {kind} '{name[:80]}'{where}.{hint}", advice="")


def _value(option: Option, given: Any, where: str) -> Any:
    try:
        return option.read(given)
    except ValueError as error:
        shown = "a secret" if option.name in _SECRETS else show(given)
        raise BadConfiguration(f"{where} is {shown}. Expected: {error}.", advice="") from None


_SECRETS: Sequence[str] = ("secret", "token", "tokens", "jwt_key")
