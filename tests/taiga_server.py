"""A Taiga on a free loopback port, for tests over real HTTP: the sandbox."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx2

from laconic.sandbox.taiga import Practice, practice_taiga
from laconic.sandbox.taiga.signing_in import SignIn
from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.sandbox.taiga.throttling import Throttle
from tests.listening import listening


@cache
def sample() -> str:
    return json.dumps(practice_taiga().state.stored())


class TaigaServer:
    """The practice instance, where it listens, and what it was asked."""

    def __init__(self, app: Practice, port: int) -> None:
        self.app, self.port = app, port
        self.url = f"http://127.0.0.1:{port}"
        self.root = f"{self.url}/api/v1"
        self.http = httpx2.Client(base_url=f"{self.root}/", timeout=20)

    def reset(self) -> None:
        """Begin again with the sample data, without faults, rates or anybody signed in."""
        self.app.state.restore(json.loads(sample()))
        self.app.faults.coming.clear()
        self.app.throttle = Throttle()
        self.app.sign_in = SignIn()
        self.app.seen.clear()

    def token(self, name: str = "alice") -> str:
        """Return an access token of a user."""
        body = {"type": "normal", "username": name, "password": PASSWORD}
        token: str = self.http.post("auth", json=body).json()["auth_token"]
        return token

    def ask(self, method: str, path: str, body: Any = None, *, by: str | None = "alice", **more: Any) -> Any:
        """Send a request as a user, or as nobody, and return the response."""
        headers = {"Authorization": f"Bearer {self.token(by)}"} if by else {}
        headers |= more.pop("headers", {})
        return self.http.request(method, path, json=body, headers=headers, **more)

    @property
    def asked(self) -> list[str]:
        """What was asked besides signing in: methods and paths."""
        return [f"{one.method} {one.path}" for one in self.app.seen if not one.path.startswith("auth")]


@contextmanager
def taiga_server() -> Iterator[TaigaServer]:
    """Serve the sandbox until the block ends."""
    app = practice_taiga()
    with listening(app) as port:
        served = TaigaServer(app, port)
        try:
            yield served
        finally:
            served.http.close()
