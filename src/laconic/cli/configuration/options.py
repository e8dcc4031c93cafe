"""Every option of a server: its name, type, default and help stand here once."""

# ruff: noqa: RUF009  # _option makes a dataclass field

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from laconic.cli.configuration import values
from laconic.cli.configuration.values import Address, Read

__all__ = ["OPTIONS", "Option", "Options", "help_of"]

FLAG, VARIABLE, FILE = "flag", "variable", "file"
_EVERYWHERE: Final = frozenset({FLAG, VARIABLE, FILE})


def _option(
    default: Any,
    read: Read,
    help: str,
    *,
    metavar: str = "",
    key: str = "",
    sources: frozenset[str] = _EVERYWHERE,
) -> Any:
    """Declare an option; `key` is where it stands in laconic.toml, when not under its own name."""
    said = {"read": read, "help": help, "metavar": metavar, "key": key, "sources": sources}
    if default is dict:
        return field(default_factory=dict, metadata=said)
    return field(default=default, metadata=said)


_NOT_IN_FILE: Final = frozenset({FLAG, VARIABLE})
_NO_FLAG: Final = frozenset({VARIABLE, FILE})
_VARIABLE_ONLY: Final = frozenset({VARIABLE})  # a secret, mostly: process lists show flags, files get shared
_FILE_ONLY: Final = frozenset({FILE})


@dataclass(frozen=True)
class Options:
    """What whoever runs a server chose."""

    servers: tuple[str, ...] = _option((), values.words, "toolsets to serve", metavar="SERVER")
    workspace: Path | None = _option(
        None,
        values.folder,
        "folder to work on; usually the repository around the current folder",
        metavar="DIR",
        sources=_NOT_IN_FILE,
    )
    http: Address | None = _option(
        None,
        values.address,
        "serve streamable HTTP here in place of stdio",
        metavar="HOST:PORT",
        sources=_NOT_IN_FILE,  # else a file in a repository would take a host's stdio away
    )
    public_url: str | None = _option(
        None,
        values.url,
        "address clients use, when it is not HOST:PORT itself",
        metavar="URL",
        key="http.public_url",
    )
    workers: int = _option(1, values.count, "processes that serve HTTP", metavar="N", key="http.workers")
    read_only: bool = _option(False, values.yes_or_no, "offer no tool that changes anything")
    output: str = _option(
        "text",
        values.one_of("text", "structured", "both"),
        "form of answers",
        metavar="text|structured|both",
    )
    metadata: bool = _option(
        False, values.yes_or_no, "say data once more under metadata, for programs that read it there"
    )
    dotted_names: bool = _option(False, values.yes_or_no, "list taiga.list_epics, not taiga_list_epics")
    deadline: float = _option(60.0, values.seconds, "most time a call may take", metavar="SECONDS")
    rate: int | None = _option(None, values.count, "most calls a minute and caller", metavar="N")
    concurrency: int = _option(32, values.count, "most calls at once and caller", metavar="N")
    budget: int = _option(
        25_000,
        values.count_or_none,
        "characters of an answer before the rest is kept aside; 0 for no limit",
        metavar="N",
    )
    long_list: bool = _option(
        False, values.yes_or_no, "list only pinned tools and those that find and call the others"
    )
    pinned: tuple[str, ...] = _option((), values.words, "tools to list all the same", metavar="TOOL,…")
    repeats: float | None = _option(
        None, values.seconds, "ask about an equal create within so many seconds", metavar="SECONDS"
    )
    state: str | None = _option(
        None,
        values.text,
        "where state is kept: a folder, sqlite:PATH, redis://HOST or memory:",
        metavar="PLACE",
        sources=_NOT_IN_FILE,
    )
    cache: Path | None = _option(
        None, values.folder, "where tool lists are kept", metavar="DIR", sources=_NOT_IN_FILE
    )
    wire: str = _option(
        "lean",
        values.one_of("lean", "sdk"),
        "who speaks over stdio: our own wire, or the official SDK's, which starts slower",
        metavar="lean|sdk",
        sources=_NOT_IN_FILE,
    )
    name: str | None = _option(
        None, values.text, "what the server calls itself, in place of laconic", sources=_VARIABLE_ONLY
    )
    version: str | None = _option(
        None, values.text, "which version it says it is, in place of its own", sources=_VARIABLE_ONLY
    )
    verbose: bool = _option(False, values.yes_or_no, "log one line a call")
    log: str = _option(
        "auto",
        values.one_of("auto", "human", "json"),
        "form of the log; auto is human on a terminal",
        metavar="auto|human|json",
    )
    secret: tuple[str, ...] = _option(
        (), values.words, "signs cursors; the first signs, all verify", sources=_VARIABLE_ONLY
    )
    token: str | None = _option(
        None, values.text, "bearer token that HTTP clients must send", sources=_VARIABLE_ONLY
    )
    tokens: Mapping[str, str] = _option(
        dict, values.strings, "tokens by subject, plain or sha256:HEX", key="http.tokens", sources=_FILE_ONLY
    )
    readers: tuple[str, ...] = _option(
        (), values.words, "subjects that may only read", key="http.readers", sources=_FILE_ONLY
    )
    jwt_issuer: str | None = _option(
        None, values.text, "who signs tokens", key="http.jwt.issuer", sources=_NO_FLAG
    )
    jwt_key: str | None = _option(
        None, values.text, "key that checks signed tokens", key="http.jwt.key", sources=_NO_FLAG
    )
    prefix: Mapping[str, str] = _option(
        dict, values.strings, "prefix of a toolset's tool names", key="prefix", sources=_FILE_ONLY
    )
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # each toolset's own


class Option(NamedTuple):
    """One option as its sources see it."""

    name: str
    default: Any
    read: Read
    help: str
    metavar: str
    key: str
    sources: frozenset[str]

    @property
    def flag(self) -> str:
        """How it is spelled on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """How it is spelled in the environment."""
        return f"LACONIC_{self.name.upper()}"


OPTIONS: Final = {
    one.name: Option(one.name, one.default, **{**one.metadata, "key": one.metadata["key"] or one.name})
    for one in fields(Options)
    if one.metadata
}


def help_of(name: str) -> str:
    """What an option does, for a command that offers it too."""
    return OPTIONS[name].help
