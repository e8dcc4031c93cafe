"""The addresses of the API, one after the other: the methods that each takes, and what it may answer."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.web.document import whole_application
from tests.unit.web.making import make, on_one_database, path_of

COMMON = (401, 403, 413, 421, 422, 429, 500, 502, 503, 504)

# For each kind of item: the method, the end of the path, the success, and what else is told.
OF_EACH: list[tuple[str, str, int, tuple[int, ...]]] = [
    ("POST", "/", 201, (400, 409, 422)),
    ("GET", "/", 200, (422,)),
    ("GET", "/{id}", 200, (304, 400, 404, 422)),
    ("GET", "/{id}/metadata", 200, (304, 400, 404)),
    ("GET", "/{id}/search", 200, (400, 404, 422)),
    ("PATCH", "/{id}", 200, (400, 404, 409, 412, 422)),
    ("PATCH", "/{id}/str-replace", 200, (400, 404, 412, 422)),
    ("DELETE", "/{id}", 204, (404, 412)),
    ("POST", "/{id}/restore", 200, (400, 404, 409)),
    ("POST", "/{id}/archive", 200, (404,)),
    ("POST", "/{id}/unarchive", 200, (400, 404)),
    ("POST", "/{id}/track-usage", 204, (404,)),
    ("GET", "/{id}/history", 200, ()),
]
OTHERS: list[tuple[str, str, int, tuple[int, ...]]] = [
    ("GET", "/prompts/name/{name}", 200, (304, 400, 404, 422)),
    ("GET", "/prompts/name/{name}/metadata", 200, (304, 400, 404)),
    ("PATCH", "/prompts/name/{name}", 200, (400, 404, 409, 412, 422)),
    ("PATCH", "/prompts/name/{name}/str-replace", 200, (400, 404, 412, 422)),
    ("POST", "/prompts/name/{name}/render", 200, (400, 404)),
    ("POST", "/prompts/{id}/render", 200, (400, 404)),
    ("POST", "/prompts/check", 200, (400,)),
    ("POST", "/prompts/render", 200, (400,)),
    ("GET", "/prompts/export/skills", 200, (422,)),
    ("GET", "/prompts/export", 200, ()),
    ("POST", "/prompts/import", 200, (422,)),
    ("GET", "/bookmarks/fetch-metadata", 200, (403, 422)),
    ("GET", "/content/", 200, (422,)),
    ("GET", "/tags/", 200, (422,)),
    ("PATCH", "/tags/{tag}", 200, (404, 409, 422)),
    ("DELETE", "/tags/{tag}", 204, (404,)),
    ("POST", "/relationships/", 201, (400, 404, 409, 422)),
    ("GET", "/relationships/content/{type}/{id}", 200, (404,)),
    ("GET", "/relationships/{link}", 200, (404,)),
    ("PATCH", "/relationships/{link}", 200, (404, 422)),
    ("DELETE", "/relationships/{link}", 204, (404,)),
    ("GET", "/history/", 200, (422,)),
    ("GET", "/history/{type}/{id}", 200, ()),
    ("GET", "/history/{type}/{id}/version/{version}", 200, (404,)),
    ("GET", "/history/{type}/{id}/version/{version}/diff", 200, (404,)),
    ("POST", "/history/{type}/{id}/restore/{version}", 200, (400, 404, 409)),
    ("POST", "/tokens/", 201, (403, 422)),
    ("GET", "/tokens/", 200, (403,)),
    ("PATCH", "/tokens/{id}", 200, (403, 404, 422)),
    ("DELETE", "/tokens/{id}", 204, (403, 404)),
]
KINDS = ("prompts", "notes", "bookmarks")
ROWS = [
    *((method, f"/{kind}{end}", success, more) for kind in KINDS for method, end, success, more in OF_EACH),
    *OTHERS,
]


@pytest.fixture(scope="module")
def paths() -> dict[str, Any]:
    """The paths of the document."""
    found: dict[str, Any] = whole_application().openapi()["paths"]
    return found


def test_every_address_is_there_with_its_answers_and_there_is_no_other(paths: dict[str, Any]) -> None:
    for method, path, success, others in ROWS:
        answers = {int(status) for status in paths[f"/api{path}"][method.lower()]["responses"]}
        assert (path, {success, *others, *COMMON} - answers) == (path, set())
    listed = {(method.upper(), path) for path, node in paths.items() for method in node}
    assert listed - {(method, f"/api{path}") for method, path, *_ in ROWS} == {
        ("GET", "/health"),
        ("GET", "/ready"),
        ("GET", "/live"),
    }


def test_there_is_no_search_by_name(paths: dict[str, Any]) -> None:
    assert "/api/prompts/{id}/search" in paths and "/api/prompts/name/{name}/search" not in paths


@on_one_database
async def test_a_name_that_is_also_an_address_means_the_prompt_by_name_alone(api: AsyncClient) -> None:
    for name in ("export", "render", "check", "import", "name"):
        prompt = await make(api, "prompts", name=name)
        assert (await api.get(f"/api/prompts/name/{name}")).json()["id"] == prompt["id"]
        assert (await api.get(path_of("prompts", prompt))).json()["name"] == name
    assert "files" in (await api.get("/api/prompts/export")).json()


@on_one_database
async def test_what_is_sent_to_a_page_is_not_read_by_creating_its_bookmark(api: AsyncClient) -> None:
    made = await make(api, "bookmarks", url="http://127.0.0.1:1", content=None)
    assert (made["url"], made["title"], made["content"]) == ("http://127.0.0.1:1/", None, None)


@on_one_database
@pytest.mark.parametrize(
    ("sent", "kept"),
    [(" Web-UI ", "web-ui"), ("x" * 30, "x" * 20), ("", "api"), (None, "api"), ("é", "é")],
)
async def test_the_source_of_a_change_is_what_the_client_says(
    api: AsyncClient, sent: str | None, kept: str
) -> None:
    headers = {} if sent is None else {"X-Request-Source": sent.encode("latin-1")}
    made = await api.post("/api/notes/", json={"title": "x"}, headers=headers)  # type: ignore[arg-type]
    entry = (await api.get(path_of("notes", made.json(), "/history"))).json()["items"][0]
    assert entry["source"] == kept
