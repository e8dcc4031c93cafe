"""The server itself over HTTP: health, readiness, and the page that says what is here."""

from pathlib import Path

from httpx2 import AsyncClient

from laconic.kit import Tokens
from tests.unit.web.conftest import ORIGIN, serving


async def test_health_and_readiness_need_no_token_and_tell_the_truth(tmp_path: Path) -> None:
    tokens = Tokens(f"{ORIGIN}/mcp", {"owner": "a-long-token"})
    async with serving(str(tmp_path / "library.db"), tmp_path / "home", tokens=tokens) as api:
        ready = await api.get("/ready")
        assert (ready.status_code, ready.json()) == (
            200,
            {"status": "ready", "database": "up", "state": "up"},
        )
        assert (await api.get("/health")).json() == {"status": "healthy"}
        assert (await api.get("/")).status_code == 401

    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all" * 100)
    async with serving(str(broken), tmp_path / "home", tokens=tokens) as api:
        ready = await api.get("/ready")
        assert (ready.status_code, ready.json()["database"]) == (503, "down")
        assert (await api.get("/health")).status_code == 200
        lost = await api.get("/api/notes/", headers={"Authorization": "Bearer a-long-token"})
        assert lost.status_code == 502 and str(tmp_path) not in lost.text


async def test_the_page_names_the_tools_with_their_cost(api: AsyncClient) -> None:
    page = await api.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "get_prompt_template" in page.text and "search_items" in page.text
    assert "/api/openapi.json" in page.text and "<script" not in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


async def test_the_document_describes_every_route(api: AsyncClient) -> None:
    found = (await api.get("/api/openapi.json")).json()
    assert found["openapi"].startswith("3.1")
    replace = found["paths"]["/api/prompts/name/{name}/str-replace"]["patch"]
    assert {"200", "400", "404", "412", "422"} <= set(replace["responses"])
    names = [one["operationId"] for path in found["paths"].values() for one in path.values()]
    assert len(names) == len(set(names)) > 60
