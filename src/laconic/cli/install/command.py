"""`laconic install HOST`: the command; `installer` does the work."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.configuration.workspace import Places
from laconic.cli.install import installer as work
from laconic.cli.install.hosts import HOSTS
from laconic.cli.parameters import Workspace, Yes, beginning, chosen, complete_server
from laconic.kit.errors import BadConfiguration

__all__ = ["EPILOG", "install"]

EPILOG = """\
\b
examples:
  laconic install claude-code                     # for this project
  laconic install claude-code --scope local       # only for you, in this project
  laconic install cursor --scope user --dry-run   # show the change without writing it
  laconic install vscode example --pin            # one server, always for this workspace
  laconic install claude-desktop --undo           # undo the installation
"""


def _complete_host(incomplete: str) -> list[str]:
    return beginning(HOSTS, incomplete)


def _complete_scope(ctx: typer.Context, incomplete: str) -> list[str]:
    words = [ctx.params.get("host"), *ctx.args]  # before its value is typed, --scope ends the parsing
    hosts = [HOSTS[word] for word in words if word and word in HOSTS] or HOSTS.values()
    return beginning({scope for one in hosts for scope in one.scopes}, incomplete)


def install(
    host: Annotated[
        str, typer.Argument(metavar="HOST", help=", ".join(HOSTS), autocompletion=_complete_host)
    ],
    servers: Annotated[
        list[str] | None,
        typer.Argument(metavar="SERVER", help="toolsets to serve", autocompletion=complete_server),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="SCOPE",
            help="project (you and colleagues), user (all projects), local (Claude Code: you, here)",
            autocompletion=_complete_scope,
        ),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="name of the server in the host")] = "laconic",
    env: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="environment variable for the server; repeatable"),
    ] = None,
    pin: Annotated[
        bool, typer.Option("--pin", help="always serve this workspace, not the folder open in the host")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show the change without writing it")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="undo an installation")] = False,
    yes: Yes = False,
    workspace: Workspace = None,
) -> None:
    """Add the server to a host's configuration, with a backup."""
    places = Places.of(chosen(workspace=workspace))
    work.install(
        host,
        scope=scope,
        workspace=places.workspace,
        servers=servers or [],
        name=name,
        dry_run=dry_run,
        undo=undo,
        state=places.installs,
        out=typer.echo,
        pin=pin,
        env=dict(_pair(word) for word in env or ()),
        yes=yes,
    )


def _pair(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not key or not equals:
        raise BadConfiguration(f"--env is '{word[:80]}'. Expected: KEY=VALUE.", advice="")
    return key, value
