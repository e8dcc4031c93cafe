"""The document of the API: complete, true to what is answered, and with examples that work."""

from collections.abc import Iterator
from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.web.catalogue import operations
from laconic.web.document import whole_application
from tests.unit.web.making import make, on_one_database

JSON = "application/json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document."""
    found: dict[str, Any] = whole_application().openapi()
    return found


def every_operation(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, node in document["paths"].items():
        for method, of in node.items():
            yield method, path, of


def test_every_operation_says_what_it_does_who_may_and_what_it_answers(document: dict[str, Any]) -> None:
    for method, path, of in every_operation(document):
        assert of["summary"] and of["description"].endswith("."), path
        assert of["security"] == ([] if path in ("/health", "/ready") else [{"token": []}, {}])
        (success,) = [one for status, one in of["responses"].items() if status.startswith("2")]
        assert success["description"] != "Successful Response"
        assert all(body["schema"] for body in success.get("content", {}).values()), path
        assert (
            ("ETag" in success["headers"])
            == ("304" in of["responses"])
            == (method == "get" and path != "/live")
        )
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from [node["$ref"]] if isinstance(node.get("$ref"), str) else ()
            for one in node.values():
                yield from references(one)
        elif isinstance(node, list):
            for one in node:
                yield from references(one)

    found = set(references(document))
    assert "#/components/headers/ETag" in found
    for one in found:
        node: Any = document
        for name in one.removeprefix("#/").split("/"):
            node = node[name]
        assert node


def test_what_is_not_json_is_told(document: dict[str, Any]) -> None:
    def media(path: str) -> list[str]:
        return list(document["paths"][path]["get"]["responses"]["200"]["content"])

    assert media("/live") == ["text/event-stream"]
    assert media("/api/prompts/export/skills") == ["application/gzip", "application/zip"]
    assert media("/api/notes/") == [JSON]


@on_one_database
async def test_what_is_answered_has_the_media_and_the_etag_of_the_document(
    api: AsyncClient, document: dict[str, Any]
) -> None:
    for path in ("/api/notes/", "/api/prompts/export/skills", "/ready", "/health", "/api/tokens/"):
        answer = await api.get(path)
        told = document["paths"][path]["get"]["responses"]["200"]
        assert answer.headers["content-type"] in told["content"]
        assert "etag" in answer.headers
    live = await api.head("/live")
    assert live.headers["content-type"].startswith("text/event-stream") and "etag" not in live.headers
    zipped = await api.get("/api/prompts/export/skills?client=claude-desktop")
    assert zipped.headers["content-type"] == "application/zip"


def test_a_server_that_is_not_ready_says_what_is_missing_in_the_document_too(
    document: dict[str, Any],
) -> None:
    body = document["paths"]["/ready"]["get"]["responses"]["503"]["content"][JSON]["schema"]
    assert [one["$ref"].rsplit("/", 1)[1] for one in body["anyOf"]] == ["Readiness", "ErrorBody"]


def test_every_example_has_only_fields_that_there_are() -> None:
    bodies = {one.body for one in operations(["prompts", "notes"]) if one.body is not None}
    assert len(bodies) > 15
    found = whole_application().openapi()
    for _, path, of in every_operation(found):
        if "requestBody" in of:
            node = of["requestBody"]["content"][JSON]
            (body,) = [one for one in bodies if node["schema"]["$ref"].endswith(f"/{one.__name__}")]
            body.model_validate(node["example"])
            assert set(node["example"]) <= set(body.model_fields), path


def arrays(node: Any, schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every array of a schema, those within others too."""
    if isinstance(node, list):
        for one in node:
            yield from arrays(one, schemas)
    elif isinstance(node, dict):
        if "$ref" in node:
            yield from arrays(schemas[node["$ref"].rsplit("/", 1)[1]], schemas)
        if node.get("type") == "array":
            yield node
        for one in node.values():
            yield from arrays(one, schemas)


def test_no_list_of_a_body_may_be_so_long_that_its_mistakes_take_minutes(document: dict[str, Any]) -> None:
    bodies = [
        of["requestBody"]
        for node in document["paths"].values()
        for of in node.values()
        if "requestBody" in of
    ]
    schemas = document["components"]["schemas"]
    found = [one for body in bodies for one in arrays(body, schemas)]
    first_only = [*arrays(schemas["Argument-Input"]["properties"]["choices"], schemas)]
    assert len(found) > 20 and len(first_only) == 1
    assert all("maxItems" in one or one in first_only for one in found)


@on_one_database
async def test_every_example_can_be_sent(api: AsyncClient, document: dict[str, Any]) -> None:
    other = await make(api, "notes")
    ids: dict[str, str] = {}
    taking = [one for one in every_operation(document) if "requestBody" in one[2]]
    for method, path, of in sorted(taking, key=lambda one: "201" not in one[2]["responses"]):
        sent, collection = dict(of["requestBody"]["content"][JSON]["example"]), path.split("/")[2]
        if path == "/api/relationships/":
            sent |= {"source_id": ids["notes"], "target_id": other["id"]}
        if path.startswith("/api/prompts/") and path.endswith("/str-replace"):  # by name and by id
            await api.patch(f"/api/prompts/{ids['prompts']}", json={"content": "Review {{ language }}."})
        named = {"name": "code-review", "tag": "code", "link": ids.get("relationships")}
        done = await api.request(method, path.format(id=ids.get(collection), **named), json=sent)
        assert str(done.status_code) in {one for one in of["responses"] if one[0] == "2"}, (path, done.text)
        assert "x-ignored-fields" not in done.headers
        if done.status_code == 201:
            ids[collection] = done.json()["id"]
