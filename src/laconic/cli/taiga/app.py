"""`laconic taiga …`: the commands; slow modules are imported only when a command runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from laconic.cli.group import command_group
from laconic.kit.errors import BadConfiguration

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic taiga login --url https://taiga.example.org   # asks for name and password
  laconic taiga whoami                                  # who is signed in, and where
  laconic taiga projects                                # what the account can work on
  laconic taiga logout                                  # forget the tokens

The password is used once and not kept. The tokens are in a file that only you can read.
"""

app = command_group("taiga", "Sign in to a Taiga instance, and look at what the account sees.", _EPILOG)
Caller = Annotated[
    str, typer.Option("--caller", metavar="NAME", help="for one caller of a server over HTTP, by its name")
]


@app.command()
def login(
    url: Annotated[str, typer.Option("--url", metavar="URL", help="the address of the instance")] = "",
    username: Annotated[
        str, typer.Option("--username", "-u", metavar="NAME", help="your name there, or e-mail address")
    ] = "",
    caller: Caller = "",
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="read the password from standard input")
    ] = False,
) -> None:
    """Sign in with a name and a password, and keep the tokens."""
    import asyncio

    from laconic.cli.taiga.account import signing_in

    with signing_in() as (section, home):
        from laconic.servers.taiga.service.access.accounts import is_exposed, root_of
        from laconic.servers.taiga.service.access.logging_in import home_of, log_in

        address = root_of(url or section.url or _asked("Address of the instance", "--url"))
        if is_exposed(address):
            typer.echo(f"Note: {address} is not encrypted: others on the way can read it.", err=True)
        name = username or section.username or _asked("Name or e-mail address", "--username")
        password = section.password.get_secret_value()
        if password_stdin:
            password = sys.stdin.readline().rstrip("\n")
        elif not password:
            password = _asked("Password", "--password-stdin", hidden=True)
        done = asyncio.run(log_in(section, home_of(home, caller), address, name, password))
    typer.echo(f"Signed in to {done.root} as {done.username} ({done.full_name}).")


def _asked(what: str, option: str, *, hidden: bool = False) -> str:
    """Ask a person; where nobody can answer, name the option.

    Raises:
        BadConfiguration: there is no terminal.
    """
    if not sys.stdin.isatty():
        raise BadConfiguration(f"{what} is not given.", advice=f"Pass {option}.")
    return str(typer.prompt(what, hide_input=hidden))


@app.command()
def whoami(caller: Caller = "") -> None:
    """Print who is signed in, and where."""
    import asyncio

    from laconic.cli.taiga.account import signing_in

    with signing_in() as (section, home):
        from laconic.servers.taiga.service.access.accounts import used_account
        from laconic.servers.taiga.service.access.logging_in import home_of, who_am_i

        used = used_account(section, home_of(home, caller))
        me = asyncio.run(who_am_i(section, used))
    typer.echo(f"{me['username']} ({me.get('full_name_display') or me['username']}) at {used.root}")


@app.command()
def projects() -> None:
    """List the account's projects."""
    from laconic.cli.taiga.account import answer_of

    answer = answer_of("taiga_list_projects")
    typer.echo(answer.text, err=answer.failure is not None)
    if answer.failure is not None:
        raise typer.Exit(1)


@app.command()
def logout(caller: Caller = "") -> None:
    """Forget the tokens of the last login."""
    import asyncio

    from laconic.cli.taiga.account import signing_in

    with signing_in() as (_, home):
        from laconic.servers.taiga.service.access.logging_in import home_of, log_out

        where = asyncio.run(log_out(home_of(home, caller)))
    typer.echo(f"Signed out of {where}." if where else "Nobody was signed in.")
