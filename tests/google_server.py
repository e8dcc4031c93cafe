"""A Google on a free loopback port, for tests over real HTTP: the sandbox."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from laconic.sandbox.google import PracticeGoogle, practice_google
from laconic.sandbox.google.signing_in import REFRESH
from tests.listening import listening

APIS = ("drive", "docs", "sheets", "slides", "oauth", "consent")


class GoogleServer:
    """The practice instance, where it listens, and what it was asked."""

    def __init__(self, app: PracticeGoogle, port: int) -> None:
        self.app = app
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx2.Client(base_url=self.url, timeout=30)

    def reset(self) -> None:
        """Begin again with the sample files, without faults, quotas or anybody signed in."""
        fresh = practice_google()
        for name in ("state", "blobs", "clock", "faults", "sign_in", "allowance"):
            setattr(self.app, name, getattr(fresh, name))
        self.app.seen.clear()

    @property
    def roots(self) -> dict[str, str]:
        """The settings that lead here."""
        return dict.fromkeys(APIS, self.url)

    def id(self, name: str) -> str:
        """The id of a sample file."""
        return next(str(row["id"]) for row in self.app.state.rows("files").values() if row["name"] == name)

    def row(self, name: str) -> dict[str, Any]:
        """A file as the instance keeps it."""
        return self.app.state.rows("files")[self.id(name)]  # type: ignore[index]  # by text

    @property
    def asked(self) -> list[str]:
        """What was asked besides tokens: methods and paths."""
        return [f"{one.method} {one.path}" for one in self.app.seen if one.path not in ("token", "revoke")]

    @property
    def tokens(self) -> int:
        """How often a token was asked for."""
        return sum(one.path == "token" for one in self.app.seen)

    def grant(self, email: str, scope: str = "drive", refresh: str = "") -> str:
        """Let somebody have agreed; the refresh token."""
        refresh = refresh or f"refresh-of-{email}"
        row = {"id": refresh, "email": email, "client": "desktop"}
        row["scope"] = " ".join(f"https://www.googleapis.com/auth/{one}" for one in scope.split())
        self.app.state.rows("grants")[refresh] = row  # type: ignore[index]  # by text
        return refresh

    def key_file(self, folder: Path, email: str = "alice@harbour.example", scope: str = "drive") -> str:
        """A file with a refresh token of somebody, as gcloud writes it."""
        file = folder / f"{email}-{scope}.json"
        content = {"type": "authorized_user", "client_id": "desktop", "client_secret": "desktop-secret"}
        file.write_text(
            json.dumps({**content, "refresh_token": self.grant(email, scope, f"{email} {scope}")})
        )
        return str(file)

    def token(self) -> str:
        """A token of the practice account."""
        form = {"grant_type": "refresh_token", "client_id": "practice", "refresh_token": REFRESH}
        return str(self.http.post("/token", data=form).json()["access_token"])

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send a request as the practice account, and return the response."""
        head: dict[str, str] = {"authorization": f"Bearer {self.token()}", **query.pop("headers", {})}
        more: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
        return self.http.request(method, path, headers=head, params=query, **more)


@contextmanager
def google_server() -> Iterator[GoogleServer]:
    """Serve the sandbox until the block ends."""
    app = practice_google()
    with listening(app) as port:
        served = GoogleServer(app, port)
        try:
            yield served
        finally:
            served.http.close()
