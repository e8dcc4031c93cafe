"""Every option of a server, declared once: name, type, default and help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from laconic.cli.configuration import values
from laconic.cli.configuration.values import Address, Read
from laconic.data import dataclass

__all__ = ["OPTIONS", "Option", "ServerOptions", "help_of"]

FLAG, VARIABLE, OWN_FILE, FILE = "flag", "variable", "the user's own file", "the workspace's file"
_EVERYWHERE: Final = frozenset({FLAG, VARIABLE, OWN_FILE, FILE})


def _option(
    default: Any,
    read: Read,
    help: str,
    *,
    metavar: str = "",
    key: str = "",
    sources: frozenset[str] = _EVERYWHERE,
    choices: tuple[str, ...] = (),
) -> Any:
    """Declare an option; `key` is its key in a file if that differs from its name."""
    metadata = {"read": read, "help": help, "metavar": metavar, "key": key, "sources": sources}
    metadata["choices"] = choices
    if default is dict:
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def _choice(choices: tuple[str, ...], help: str, *, sources: frozenset[str] = _EVERYWHERE) -> Any:
    """Declare an option with a few allowed words; the first is the default."""
    metavar = "|".join(choices)
    return _option(
        choices[0], values.one_of(*choices), help, metavar=metavar, sources=sources, choices=choices
    )


_NOT_IN_FILE: Final = frozenset({FLAG, VARIABLE})
_NOT_SHARED: Final = frozenset({FLAG, VARIABLE, OWN_FILE})  # a workspace's file may come from strangers
_VARIABLE_ONLY: Final = frozenset({VARIABLE})
_SECRET: Final = frozenset({VARIABLE, OWN_FILE})  # process lists show flags
_OWN_FILE_ONLY: Final = frozenset({OWN_FILE})
_FILE_ONLY: Final = frozenset({OWN_FILE, FILE})


@dataclass(frozen=True)
class ServerOptions:
    """The options that a server runs with."""

    servers: tuple[str, ...] = _option((), values.words, "toolsets to serve", metavar="SERVER")
    workspace: Path | None = _option(
        None,
        values.folder,
        "folder to work on; default: the repository around the current folder",
        metavar="DIR",
        sources=_NOT_IN_FILE,
    )
    http: Address | None = _option(
        None,
        values.address,
        "serve streamable HTTP here instead of stdio",
        metavar="HOST:PORT",
        sources=_NOT_IN_FILE,  # otherwise a file in a repository could switch off stdio
    )
    public_url: str | None = _option(
        None,
        values.url,
        "address that clients use, if it is not HOST:PORT",
        metavar="URL",
        key="http.public_url",
        sources=_NOT_SHARED,  # requests for this host are answered
    )
    sites: tuple[str, ...] = _option(
        (),
        values.origins,
        "sites whose pages may call it from browsers, such as https://app.example.org",
        metavar="URL,…",
        key="http.sites",
        sources=_NOT_SHARED,  # their pages can do what the user can
    )
    workers: int = _option(
        1,
        values.workers,
        "number of processes that serve HTTP",
        metavar="N",
        key="http.workers",
        sources=_NOT_SHARED,  # they take the user's memory
    )
    read_only: bool = _option(False, values.yes_or_no, "offer only tools that change nothing")
    output: str = _choice(("text", "structured", "both"), "format of answers")
    metadata: bool = _option(
        False, values.yes_or_no, "repeat the data under metadata, for programs that read it there"
    )
    dotted_names: bool = _option(False, values.yes_or_no, "list taiga.list_epics instead of taiga_list_epics")
    deadline: float = _option(60.0, values.seconds, "maximum time per call", metavar="SECONDS")
    grace: float | None = _option(
        None,
        values.seconds_or_none,
        "time for calls to finish when the server is stopped; default: 3 on stdio, 8 over HTTP",
        metavar="SECONDS",
    )
    rate: int | None = _option(None, values.count, "maximum calls per minute per caller", metavar="N")
    read_rate: int | None = _option(
        None, values.count, "maximum calls per minute per caller that change nothing", metavar="N"
    )
    write_rate: int | None = _option(
        None, values.count, "maximum calls per minute per caller that may change something", metavar="N"
    )
    read_day: int | None = _option(
        None, values.count, "maximum calls per day per caller that change nothing", metavar="N"
    )
    write_day: int | None = _option(
        None, values.count, "maximum calls per day per caller that may change something", metavar="N"
    )
    concurrency: int = _option(32, values.count, "maximum concurrent calls per caller", metavar="N")
    budget: int = _option(
        25_000,
        values.count_or_none,
        "maximum characters of an answer; the rest is stored for later reading; 0 for no limit",
        metavar="N",
    )
    long_list: bool = _option(
        False, values.yes_or_no, "list only pinned tools and the tools that find and call the others"
    )
    pinned: tuple[str, ...] = _option(
        (),
        values.words,
        "tools to list even with --long-list, or if a profile puts them aside",
        metavar="TOOL,…",
    )
    allow: tuple[str, ...] = _option(
        (), values.words, "serve only these tools, such as drive_*", metavar="TOOL,…", sources=_NOT_SHARED
    )
    deny: tuple[str, ...] = _option(
        (), values.words, "do not serve these tools, such as *_delete*", metavar="TOOL,…", sources=_NOT_SHARED
    )
    tools: Mapping[str, str] = _option(
        dict, values.pairs, "profile of a server: which of its tools are listed", metavar="SERVER=PROFILE,…"
    )
    repeats: float | None = _option(
        None, values.seconds, "ask before an identical create within this time", metavar="SECONDS"
    )
    state: str | None = _option(
        None,
        values.text,
        "where to store state: a folder, sqlite:PATH, redis://HOST or memory:",
        metavar="PLACE",
        sources=_NOT_SHARED,
    )
    database: str | None = _option(
        None,
        values.database,
        "your library of prompts and notes: a file, or postgresql://USER@HOST/NAME",
        metavar="ADDRESS",
        sources=_NOT_SHARED,
    )
    database_copies: int = _option(
        7,
        values.count_or_none,
        "daily copies of the library to keep, if it is a file; 0 for none",
        metavar="N",
        sources=_NOT_SHARED,
    )
    sandbox: bool | Path = _option(
        False,
        values.practice,
        "work on practice data, without accounts: in memory, or in a folder for several processes",
        metavar="DIR",
        sources=_NOT_IN_FILE,
    )
    journal: str = _choice(
        ("all", "writes", "off"),
        "which calls to record in the journal of this repository, outside the work tree",
        sources=_NOT_IN_FILE,  # otherwise a file in a repository could hide what was done in it
    )
    cache: Path | None = _option(
        None, values.folder, "folder for cached tool lists", metavar="DIR", sources=_NOT_SHARED
    )
    wire: str = _choice(
        ("lean", "sdk"),
        "implementation of the protocol: lean is our own, sdk is the official one, slower",
        sources=_NOT_SHARED,
    )
    name: str | None = _option(
        None, values.text, "server name that clients see, instead of its own", sources=_VARIABLE_ONLY
    )
    version: str | None = _option(
        None, values.text, "server version that clients see, instead of its own", sources=_VARIABLE_ONLY
    )
    verbose: bool = _option(False, values.yes_or_no, "log one line per call")
    log: str = _choice(("auto", "human", "json"), "log format; auto is human on a terminal, json elsewhere")
    secret: tuple[str, ...] = _option(
        (), values.words, "secrets that sign cursors; the first signs, all verify", sources=_SECRET
    )
    token: str | None = _option(
        None, values.text, "bearer token that HTTP clients must send", sources=_SECRET
    )
    tokens: Mapping[str, str] = _option(
        dict,
        values.strings,
        "tokens by subject, plain or sha256:HEX",
        key="http.tokens",
        sources=_OWN_FILE_ONLY,
    )
    readers: tuple[str, ...] = _option(
        (), values.words, "subjects that may only read", key="http.readers", sources=_OWN_FILE_ONLY
    )
    jwt_issuer: str | None = _option(
        None, values.text, "issuer of signed tokens", key="http.jwt.issuer", sources=_SECRET
    )
    jwt_key: str | None = _option(
        None, values.text, "key that verifies signed tokens", key="http.jwt.key", sources=_SECRET
    )
    prefix: Mapping[str, str] = _option(
        dict, values.prefixes, "prefix of a toolset's tool names", key="prefix", sources=_FILE_ONLY
    )
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # each toolset's own
    from_workspace: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # their keys in its file
    variables: Mapping[str, str] = field(default_factory=dict)  # of toolsets that are not loaded yet


class Option(NamedTuple):
    """One option, with its name in each source."""

    name: str
    default: Any
    read: Read
    help: str
    metavar: str
    key: str
    sources: frozenset[str]
    choices: tuple[str, ...]

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """The name in the environment."""
        return f"LACONIC_{self.name.upper()}"


OPTIONS: Final = {
    one.name: Option(one.name, one.default, **{**one.metadata, "key": one.metadata["key"] or one.name})
    for one in fields(ServerOptions)
    if one.metadata
}


def help_of(name: str) -> str:
    """Return the help of an option, for another command that offers it."""
    return OPTIONS[name].help
