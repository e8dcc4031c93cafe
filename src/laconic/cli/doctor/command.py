"""`laconic doctor`: print what is wrong, and how to fix it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from laconic.cli import streams
from laconic.cli.configuration.options import ServerOptions
from laconic.cli.configuration.workspace import find_workspace
from laconic.cli.parameters import Server, Workspace, chosen
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.cli.doctor.checks import CheckResult

__all__ = ["EPILOG", "doctor"]

EPILOG = """\
\b
examples:
  laconic doctor                               # the default servers in this workspace
  laconic doctor -s my_tools:toolset           # your own toolset
  LACONIC_STATE=redis://cache laconic doctor   # with the variables of the server

Exit status: 0 no problems, 1 something is wrong.
"""


def doctor(server: Server = None, workspace: Workspace = None) -> None:
    """Check the installation, the configuration and every server."""
    healthy = True
    for result in _results(server, workspace):
        typer.echo(result.line)
        healthy = healthy and result.ok
    if not healthy:
        raise typer.Exit(1)


def _results(server: Server, workspace: Workspace) -> Iterator[CheckResult]:
    import asyncio  # imported here: commands that only print start in half the time

    from laconic.cli.doctor import checks, programs

    yield checks.python()
    yield checks.packages()
    try:
        options = chosen(servers=server, workspace=workspace)
        yield checks.configuration(options)
        yield from checks.own_file(options)
    except BadConfiguration as error:
        yield checks.failed("configuration", error)
        options = ServerOptions(
            servers=tuple(server or ()),
            workspace=find_workspace(workspace),
            state=os.environ.get("LACONIC_STATE"),
        )
    yield checks.workspace(options)
    yield checks.state_folder(options)
    yield checks.journal(options)
    yield checks.secret(options)
    yield from programs.hosts(options)
    yield from programs.merge_driver(options)
    with streams.stdout_on_stderr():  # a tool module may print; the results are printed afterwards
        rest = asyncio.run(_slow(options))
    yield from rest
    if options.http is not None:
        yield checks.port(options.http)


async def _slow(options: ServerOptions) -> list[CheckResult]:
    from laconic.cli.doctor import checks

    return [await checks.store(options), *await checks.servers(options), *checks.tool_list(options)]
