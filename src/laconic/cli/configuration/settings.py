"""Where options come from: flags, LACONIC_* variables, the user's own file, laconic.toml in the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laconic.cli import toolsets
from laconic.cli.configuration.files import FILE_NAME, ConfigFile, read_value, unknown
from laconic.cli.configuration.options import OPTIONS, VARIABLE, ServerOptions
from laconic.cli.configuration.workspace import find_workspace
from laconic.kit.errors import BadConfiguration

__all__ = ["read", "sections_of"]

_PREFIX = "LACONIC_"
_IGNORED = ("LACONIC_REQUIRE", "LACONIC_SOAK")  # switches of our own tests, not of a server

_VARIABLES = {option.variable: option for option in OPTIONS.values() if VARIABLE in option.sources}
_FORMER = {  # variables of an older server that this one replaces
    "WRANGLER_WORKSPACE_ROOT": "workspace",
    "WRANGLER_MCP_NAME": "name",
    "WRANGLER_MCP_VERSION": "version",
}


def read(given: Mapping[str, Any], environ: Mapping[str, str]) -> ServerOptions:
    """Combine the flags, the environment and the two files; the first that sets an option wins.

    Raises:
        BadConfiguration: a name is unknown, or a value is invalid.
    """
    flags = {name: read_value(OPTIONS[name], value, OPTIONS[name].flag) for name, value in given.items()}
    variables, own, others = _environment(environ)
    if others and not any(":" in name for name in flags.get("servers") or variables.get("servers", ())):
        raise unknown("variable", others[0], _VARIABLES)  # every toolset that could be meant is known
    workspace = find_workspace(flags.get("workspace") or variables.get("workspace"))
    if not workspace.is_dir():
        raise BadConfiguration(f"The workspace {workspace} is not a folder.", advice="")
    strange, of_workspace = ConfigFile.of_workspace(workspace).read()
    options, of_user = ConfigFile.of_user(environ).read()
    _check_servers(strange.get("servers", ()))
    more = {
        "workspace": workspace,
        "sections": _merged(of_workspace, of_user, own),
        "from_workspace": {name: tuple(section) for name, section in of_workspace.items()},
        "variables": {name: environ[name] for name in others},
    }
    return ServerOptions(**{**strange, **options, **variables, **flags, **more})


def _merged(*layers: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return sections with the keys of all layers; a later layer wins."""
    merged: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for name, section in layer.items():
            merged[name] = {**merged.get(name, {}), **section}
    return merged


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
        option: read_value(OPTIONS[option], environ[name], name)
        for name, option in _FORMER.items()
        if environ.get(name, "").strip()
    }
    sections: dict[str, dict[str, str]] = {}
    others: list[str] = []
    for name, value in environ.items():
        if not name.startswith(_PREFIX) or name in _IGNORED or not value.strip():
            continue
        if name in _VARIABLES:
            options[_VARIABLES[name].name] = read_value(_VARIABLES[name], value, name)
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


def _check_servers(servers: Sequence[str]) -> None:
    """Check that a file names only installed servers: serving a cloned repository must not run its code."""
    for name in servers:
        if ":" in name:
            raise BadConfiguration(
                f"servers in {FILE_NAME} names {name[:80]}; only installed servers are allowed there.",
                advice=f"Name code on the command line, 'laconic serve {name[:80]}', or in LACONIC_SERVERS.",
            )
