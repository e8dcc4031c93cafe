"""`laconic tokens create|list|revoke`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from laconic.cli.library.opening import DatabaseOption, address_of, done
from laconic.kit.errors import BadArguments, NotFound

if TYPE_CHECKING:
    from laconic.library.tokens import PersonalTokens
    from laconic.stores.keyring.keyring import KeptToken

__all__ = ["app"]

_EPILOG = """\
\b
examples:
  laconic tokens create my-script                # may only read
  laconic tokens create editor --write --days 90
  laconic tokens list
  laconic tokens revoke lac_Xk2v9sQ4             # by its beginning, or by its id

A token opens the API and /mcp of servers that have tokens (LACONIC_TOKEN or [http.tokens]). A server on this
machine without tokens asks for none.
"""
_LOCAL = "local"
T = TypeVar("T")

app = typer.Typer(
    name="tokens",
    help="Make, list and revoke personal tokens for HTTP.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _tokens() -> None: ...


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="what it is for")],
    write: Annotated[bool, typer.Option("--write", help="may change things, too")] = False,
    days: Annotated[int | None, typer.Option("--days", help="days until it ends, 1 to 365")] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token and print it; it is shown this once."""
    kept, token = _with(
        database, lambda tokens: tokens.make(name, _LOCAL, "write" if write else "read", days)
    )
    typer.echo(token)
    until = f" until {_day(kept.expires_at)}" if kept.expires_at else ""
    typer.echo(f"{kept.name} may {'read and write' if write else 'read'}{until}.", err=True)


@app.command("list")
def list_(database: DatabaseOption = None) -> None:
    """List all tokens, the newest first."""
    found = _with(database, lambda tokens: tokens.all())
    if not found:
        typer.echo("There are no tokens.", err=True)
    for one in found:
        until = f"until {_day(one.expires_at)}" if one.expires_at else "no end"
        used = f"used {_day(one.last_used_at)}" if one.last_used_at else "never used"
        typer.echo(f"{one.prefix}…  {one.scope:5}  {until:16}  {used:15}  {one.name}")


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(help="its id, or the beginning that the list shows")],
    database: DatabaseOption = None,
) -> None:
    """Revoke a token: the next request with it is refused."""

    async def work(tokens: PersonalTokens) -> KeptToken:
        wanted = token.rstrip("…")
        hits = [one for one in await tokens.all() if wanted in (one.id, one.prefix)]
        if len(hits) > 1:
            raise BadArguments(f"{len(hits)} tokens begin with {wanted}.", advice="Give the id.")
        if not hits:
            raise NotFound("Token", wanted, advice="See 'laconic tokens list'.")
        return await tokens.revoke(hits[0].id)

    typer.echo(f"{_with(database, work).name} is revoked.")


def _with(database: str | None, work: Callable[[PersonalTokens], Awaitable[T]]) -> T:
    """Do work with the tokens of a library, and close it."""

    async def run() -> T:
        from laconic.library.tokens import PersonalTokens
        from laconic.stores.keyring.keyring import Keyring, keyring_beside

        keyring = Keyring(keyring_beside(address_of(database)[0]))
        try:
            return await work(PersonalTokens(lambda: keyring))
        finally:
            await keyring.close()

    return done(run())


def _day(at: float | None) -> str:
    return "" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"
