"""`laconic google …`: the commands; slow modules are imported only when a command runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from laconic.kit.supplying.home import Home
    from laconic.servers.google.settings import GoogleSettings

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic google login                         # opens an address for you to agree
  laconic google login --account work          # a second account, under an alias
  laconic google login --headless              # no browser here: paste where it ended
  laconic google accounts                      # which accounts can be used
  laconic google logout --account work         # end the tokens, and forget them

LACONIC_GOOGLE_CLIENT names the file of your OAuth client, a desktop app.
The tokens are in a file that only you can read.
"""

app = typer.Typer(
    name="google",
    help="Sign in to Google accounts, and look at which there are.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
)
Alias = Annotated[str, typer.Option("--account", "-a", metavar="ALIAS", help="what to call the account here")]


@app.callback()
def _google() -> None: ...


@contextmanager
def _opened(*, read_only: bool = False) -> Iterator[tuple[GoogleSettings, Home]]:
    """Open what commands about accounts need."""
    import asyncio
    from dataclasses import replace

    from laconic.cli import logs
    from laconic.cli.assemble import assemble
    from laconic.cli.parameters import chosen

    options = chosen(servers=["google"])
    logs.set_up(options)
    endpoint = assemble(options)
    try:
        home = endpoint.supplies.home("google")
        yield endpoint.supplies.section("google"), replace(home, read_only=read_only or home.read_only)
    finally:
        asyncio.run(endpoint.close())


@app.command()
def login(
    account: Alias = "default",
    headless: Annotated[
        bool, typer.Option("--headless", help="paste the address that the browser ended at")
    ] = False,
    read_only: Annotated[bool, typer.Option("--read-only", help="ask for reading only")] = False,
) -> None:
    """Sign in by agreeing in a browser, and keep the tokens."""
    import asyncio

    with _opened(read_only=read_only) as (section, home):
        from laconic.servers.google.accounts.keys import client_of
        from laconic.servers.google.service.logging_in import Asking, log_in

        asking = Asking(_show, _pasted if headless else None)
        done = asyncio.run(log_in(section, home, account, client_of(section.client), asking))
    who = f" as {done.email}" if done.email else ""
    typer.echo(f"Signed in{who}, account '{account}'. Allowed: {', '.join(done.scopes)}.")


def _show(address: str) -> None:
    typer.echo(f"Open this address, and agree:\n\n{address}\n", err=True)


def _pasted() -> str:
    typer.echo("Afterwards, paste the address that the browser ended at (it may show an error):", err=True)
    return sys.stdin.readline()


@app.command()
def accounts() -> None:
    """List the accounts that can be used."""
    with _opened() as (section, home):
        from laconic.servers.google.accounts.known import accounts_of

        known = accounts_of(section, home)
    for one in known.values():
        mark = " (default)" if one.alias == section.account else ""
        typer.echo(f"{one.alias}{mark}\t{one.kind}\t{one.email or one.subject}")
    if not known:
        typer.echo("No account. Run 'laconic google login'.", err=True)


@app.command()
def logout(account: Alias = "default") -> None:
    """End the tokens of an account at Google, and forget them."""
    import asyncio

    with _opened() as (section, home):
        from laconic.servers.google.service.logging_in import log_out

        is_confirmed = asyncio.run(log_out(section, home, account))
    end = "" if is_confirmed else " Google did not confirm that the tokens ended."
    typer.echo(f"Signed out of '{account}'.{end}")
