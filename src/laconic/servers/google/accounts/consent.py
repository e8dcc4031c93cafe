"""Consent: a person says yes in a browser, which brings a code to this machine, or to its terminal."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from types import TracebackType
from typing import Final, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from laconic.kit import Refused
from laconic.servers.google.accounts.keys import OAuthClient
from laconic.servers.google.accounts.tokens import long_scope

_PAGE: Final = (
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    "{} You can close this page.\n"
)
_AGREED: Final = "You agreed: the terminal says whether the login is done."
_NOT_AGREED: Final = "You did not agree, so nobody was signed in."
_LONGEST: Final = 8_000  # bytes of a request's first line


@dataclass(frozen=True)
class Consent:
    """One question to a person, and what proves that the answer is to it."""

    client: OAuthClient
    scopes: list[str]
    redirect: str
    verifier: str = field(default_factory=lambda: token_urlsafe(64), repr=False)
    state: str = field(default_factory=lambda: token_urlsafe(24), repr=False)

    def address(self, root: str) -> str:
        """Return the address that a person opens."""
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "client_id": self.client.id,
            "redirect_uri": self.redirect,
            "response_type": "code",
            "scope": long_scope(self.scopes),
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "state": self.state,
            "access_type": "offline",  # without these two there is no refresh token
            "prompt": "consent",
        }
        return f"{root.rstrip('/')}/o/oauth2/v2/auth?{urlencode(query)}"

    def code(self, answer: str) -> str:
        """Return the code in the address that a browser was sent to.

        Raises:
            Refused: the person said no, or it is the answer to another question.
        """
        query = {name: values[0] for name, values in parse_qs(urlsplit(answer.strip()).query).items()}
        if query.get("state") != self.state:
            raise Refused("That address is not the answer to this login.", advice="Start the login again.")
        if "code" not in query:
            raise Refused(
                f"Google did not allow it: {query.get('error', 'no reason given')[:80]}.", advice=""
            )
        return query["code"]


class Loopback:
    """Listens on this machine for the browser that brings the code."""

    def __init__(self) -> None:
        self._came: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None
        self.redirect = ""
        self.state = ""  # of the question: what comes without it is from somebody else

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.redirect = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def came(self, seconds: float) -> str:
        """Return the address that the browser was sent to.

        Raises:
            Refused: none came in time.
        """
        try:
            return await asyncio.wait_for(asyncio.shield(self._came), seconds)
        except TimeoutError:
            raise Refused(
                f"Nobody answered within {seconds:g} s.",
                advice="Start again; --headless needs no browser here.",
            ) from None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10))[:_LONGEST].decode(
                errors="replace"
            )
            path = line.split(" ")[1] if line.count(" ") > 1 else ""
            query = parse_qs(urlsplit(path).query)
            is_ours = bool(self.state) and query.get("state") == [self.state]
            if is_ours and not self._came.done():
                self._came.set_result(f"{self.redirect}{path}")
            words = (_AGREED if "code" in query else _NOT_AGREED) if is_ours else "Nothing here."
            writer.write(_PAGE.format(words).encode())
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # a browser that asks for an icon, or goes away
        finally:
            writer.close()
