"""What other programs do to a library is seen by the next request, though its answer was kept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.library import KINDS, address_of
from tests.process.speaking import PATIENCE, listening, run

pytestmark = pytest.mark.slow
PATH = "/api/prompts/name/review"
Says = Callable[..., str]


@pytest.fixture(params=KINDS)
def says(request: pytest.FixtureRequest, tmp_path: Path, workspace: Path) -> Says:
    """Run a command on the library, and return what it prints."""
    address = address_of(request.param, request, tmp_path)

    def command(*words: str, stdin: str = "") -> str:
        done = run(*words, folder=workspace, stdin=stdin, LACONIC_DATABASE=address)
        assert done.returncode == 0, done.stderr
        return done.stdout

    command.address = address  # type: ignore[attr-defined]
    return command


@pytest.fixture
def api(says: Says, workspace: Path) -> Iterator[httpx2.Client]:
    """A client whose token was made by a command."""
    says("prompts", "edit", "review", "--new", "--file", "-", stdin="First.")
    token = says("tokens", "create", "script").strip()
    more: dict[str, Any] = {"LACONIC_DATABASE": says.address, "LACONIC_TOKEN": "one-for-the-owner"}  # type: ignore[attr-defined]
    with (
        listening("prompts", folder=workspace, **more) as server,
        httpx2.Client(base_url=server.url.removesuffix("/mcp"), timeout=PATIENCE) as client,
    ):
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def kept(api: httpx2.Client) -> str:
    """Ask until the answer has long been kept, and return its ETag."""
    for _ in range(6):
        found = api.get(PATH)
        assert found.status_code == 200, found.text
    return str(found.headers["etag"])


def test_a_command_that_edits_restores_archives_or_revokes_is_seen_at_once(
    api: httpx2.Client, says: Says, tmp_path: Path
) -> None:
    first, copy = kept(api), str(tmp_path / "copy.db")
    says("library", "backup", copy)

    says("prompts", "edit", "review", "--file", "-", stdin="Second.")
    edited = api.get(PATH, headers={"If-None-Match": first})
    assert (edited.status_code, edited.json()["content"], edited.json()["version"]) == (200, "Second.", 2)
    second = kept(api)
    assert api.head(PATH).headers["etag"] == second != first

    says("library", "restore", copy, "--yes")
    assert api.head(PATH, headers={"If-None-Match": second}).status_code == 200
    assert (api.get(PATH).json()["content"], kept(api)) == ("First.", first)

    says("prompts", "archive", "review")
    assert api.get(PATH, headers={"If-None-Match": first}).status_code == 404
    assert api.head(PATH).status_code == 404
    says("prompts", "restore", "review")
    kept(api)

    prefix = says("tokens", "list").split()[0]
    says("tokens", "revoke", prefix)
    assert api.head(PATH).status_code == 401
    assert api.get(PATH, headers={"If-None-Match": first}).status_code == 401
