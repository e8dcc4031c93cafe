"""Keyring: tokens in a database, found by their digests; the tokens themselves are nowhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from laconic.stores.database.address import file_of
from laconic.stores.database.database import Database
from laconic.stores.database.kept import Kept
from laconic.stores.database.schema import Schema
from laconic.stores.errors import Missing

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["KeptToken", "Keyring", "keyring_beside"]

_MOST: Final = 2**20  # bytes of tokens that are known without looking
_MIGRATIONS: Final = Path(__file__).parent / "migrations"


@dataclass(frozen=True)
class KeptToken:
    """What is kept of a token; times are seconds since 1970."""

    id: str
    digest: str
    prefix: str
    name: str
    owner: str
    scope: str
    created_at: float
    expires_at: float | None = None
    last_used_at: float | None = None


def keyring_beside(library: str) -> str:
    """Return the address of the keyring of a library.

    A library that is a file has a file for its keyring: a backup that is given to somebody has no tokens.
    """
    file = file_of(library)
    return library if file is None else str(file.with_name(f"{file.stem}-tokens{file.suffix}"))


class Keyring:
    """Adds, finds, changes and removes tokens."""

    schema: ClassVar = Schema("keyring", _MIGRATIONS)

    def __init__(self, address: str) -> None:
        self._database = Database(address, [Keyring.schema])
        self._known: Final[Kept[KeptToken]] = Kept(_MOST)

    async def add(self, token: KeptToken) -> None:
        """Keep a new token."""
        await self._run(lambda tokens: tokens.insert().values(asdict(token)))

    async def find(self, digest: str) -> KeptToken | None:
        """Return the token of a digest; None if there is none, or it was removed by whomever."""
        mark = await self._database.mark()
        known = self._known.get(mark, digest)
        if known is not None:
            return known
        found = await self._read(lambda tokens: tokens.c.digest == digest)
        if not found:
            return None
        self._known.keep(mark, digest, found[0], sum(len(str(value)) for value in asdict(found[0]).values()))
        return found[0]

    async def tokens(self, owner: str | None = None) -> list[KeptToken]:
        """Return all tokens, or those of one owner, the newest first."""
        return await self._read(lambda tokens: True if owner is None else tokens.c.owner == owner)

    async def rename(self, id: str, name: str, owner: str | None = None) -> KeptToken:
        """Give a token another name.

        Raises:
            Missing: the owner has no such token.
        """
        token = await self._one(id, owner)
        await self._run(lambda tokens: tokens.update().where(tokens.c.id == id).values(name=name))
        return replace(token, name=name)

    async def remove(self, id: str, owner: str | None = None) -> KeptToken:
        """Remove a token: from now on it opens nothing.

        Raises:
            Missing: the owner has no such token.
        """
        token = await self._one(id, owner)
        await self._run(lambda tokens: tokens.delete().where(tokens.c.id == id))
        return token

    async def used(self, digest: str, at: float) -> None:
        """Note when a token was used last."""
        await self._run(
            lambda tokens: tokens.update().where(tokens.c.digest == digest).values(last_used_at=at)
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._database.close()

    async def _one(self, id: str, owner: str | None) -> KeptToken:
        found = [token for token in await self.tokens(owner) if token.id == id]
        if not found:
            raise Missing(f"There is no token {id}.")
        return found[0]

    async def _read(self, condition: Any) -> list[KeptToken]:
        def work(connection: Connection) -> list[KeptToken]:
            from laconic.stores.keyring.tables import TOKENS  # here, in the thread: it imports SQLAlchemy

            where = condition(TOKENS)
            query = TOKENS.select() if where is True else TOKENS.select().where(where)
            rows = connection.execute(query.order_by(TOKENS.c.created_at.desc(), TOKENS.c.id.desc()))
            return [KeptToken(**row._mapping) for row in rows]

        return await self._database.read(work)

    async def _run(self, statement: Any) -> None:
        def work(connection: Connection) -> None:
            from laconic.stores.keyring.tables import TOKENS

            connection.execute(statement(TOKENS))

        await self._database.run(work)
