"""Sites whose pages in browsers may call this server: none, unless its user names them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.kit import Tokens
from tests.unit.web.conftest import ORIGIN, serving
from tests.unit.web.test_entrance import SAFE, every_route, filled
from tests.unit.web.test_tools_entrance import asking
from tests.unit.web.tokens import OWNER, READER, bearer

SITE, OTHER = "https://app.example", "https://evil.example"
ASKED = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization,if-match"}


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    """A server with tokens that lets in the pages of one site."""
    folder = tmp_path_factory.mktemp("shared")
    tokens = Tokens(f"{ORIGIN}/mcp", {"owner": OWNER, "reader": READER}, read_only=["reader"])
    async with serving(str(folder / "library.db"), folder / "home", tokens=tokens, sites=[SITE]) as client:
        yield client


def told(answer: Any) -> dict[str, str]:
    """What an answer tells a browser about other sites."""
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


async def test_every_route_lets_a_browser_ask_for_a_page_of_that_site_and_of_no_other(
    shared: AsyncClient,
) -> None:
    paths = {filled(path) for _, path in every_route(shared)} | {"/mcp"}
    for path in sorted(paths):
        may = await shared.options(path, headers={**ASKED, "Origin": SITE})
        assert (path, may.status_code, may.content) == (path, 204, b"")
        assert told(may) == {
            "access-control-allow-origin": SITE,
            "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
            "access-control-allow-headers": "authorization,if-match",
            "access-control-expose-headers": "*",
            "access-control-max-age": "600",
        }
        for wrong in ({"Origin": OTHER}, {"Origin": "null"}, {}, {"Origin": SITE, "Host": "evil.example"}):
            refused = await shared.options(path, headers={**ASKED, **wrong})
            assert (path, refused.status_code >= 400) == (path, True)
            assert "access-control-allow-methods" not in told(refused)


async def test_every_route_tells_a_browser_who_may_read_the_answer(shared: AsyncClient) -> None:
    for method, path in every_route(shared):
        for token in ({}, bearer(READER)):
            if (method, path, bool(token)) == ("GET", "/live", True):
                continue  # it never ends
            answer = await shared.request(method, filled(path), headers={**token, "Origin": SITE})
            assert told(answer) == {"access-control-allow-origin": SITE, "access-control-expose-headers": "*"}
            assert "Origin" in answer.headers["vary"]
            other = await shared.request(method, filled(path), headers={**token, "Origin": OTHER})
            assert (told(other), "Origin" in other.headers["vary"]) == ({}, True)


async def test_a_page_of_that_site_does_what_its_token_may_and_no_other_page_does(
    shared: AsyncClient,
) -> None:
    from_site = {"Origin": SITE, "Sec-Fetch-Site": "cross-site"}
    made = await shared.post("/api/notes/", json={"title": "x"}, headers=bearer(OWNER) | from_site)
    assert (made.status_code, made.headers["access-control-allow-origin"]) == (201, SITE)
    note = f"/api/notes/{made.json()['id']}"
    read = await shared.get(note, headers=bearer(READER) | from_site)
    known = {"If-None-Match": read.headers["etag"]}
    again = await shared.get(note, headers=bearer(READER) | from_site | known)
    assert (read.status_code, again.status_code) == (200, 304)
    assert again.headers["access-control-allow-origin"] == SITE
    for headers, status in (
        (from_site, 401),
        (bearer(READER) | from_site, 403),
        (bearer(OWNER) | from_site | {"Origin": OTHER}, 403),
        (bearer(OWNER) | from_site | {"Origin": f"{SITE}.evil.example"}, 403),
        (bearer(OWNER) | {"Sec-Fetch-Site": "cross-site"}, 403),
    ):
        assert (await shared.patch(note, json={"title": "y"}, headers=headers)).status_code == status
    tools = asking("tools/list")
    for site, status in ((SITE, 200), (OTHER, 403)):
        headers = tools["headers"] | bearer(OWNER) | {"Origin": site}
        assert (await shared.post("/mcp", json=tools["json"], headers=headers)).status_code == status


async def test_without_sites_no_browser_is_let_in(guarded: AsyncClient) -> None:
    for method, path in every_route(guarded):
        if (method, path) != ("GET", "/live"):
            answer = await guarded.request(method, filled(path), headers=bearer(OWNER) | {"Origin": SITE})
            assert told(answer) == {}
            assert method in SAFE or answer.status_code == 403
        assert told(await guarded.options(filled(path), headers={**ASKED, "Origin": SITE})) == {}
