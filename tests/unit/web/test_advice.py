"""Advice over REST: names that were meant, and no word about tools that a caller does not have."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.web.advising import advice_for_routes
from tests.unit.web.making import body, make, on_one_database, path_of

pytestmark = on_one_database
ID = "0190aaaa-0000-7000-8000-000000000000"

# A request with an unknown field, and what is said about it.
MEANT: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "POST",
        "/api/prompts/",
        {"name": "a", "contnet": "x"},
        "Unknown field 'contnet'. Did you mean content?",
    ),
    ("POST", "/api/notes/", {"titel": "x"}, "Unknown field 'titel'. Did you mean title?"),
    ("POST", "/api/bookmarks/", {"uri": "https://a.example"}, "Unknown field 'uri'. Did you mean url?"),
    ("POST", "/api/prompts/import", {"file": []}, "Unknown field 'file'. Did you mean files?"),
    ("PATCH", "/api/tags/a", {"newName": "b"}, "Unknown field 'newName'. Did you mean new_name?"),
]


@pytest.mark.parametrize(("method", "path", "sent", "said"), MEANT, ids=[row[1] for row in MEANT])
async def test_a_request_that_does_not_fit_is_told_which_field_was_meant(
    served: AsyncClient, method: str, path: str, sent: dict[str, Any], said: str
) -> None:
    refused = await served.request(method, path, json=sent)
    assert refused.status_code == 422
    problems = [problem["message"] for problem in refused.json()["error"]["problems"]]
    assert problems[0].endswith("is missing.") and problems[-1] == said


async def test_fields_that_are_ignored_are_named_in_a_header(served: AsyncClient) -> None:
    note = await make(served, "notes")
    path = path_of("notes", note)
    done = await served.patch(path, json={"titel": "x", "zzz": 1, "a\nb": 1, "ü": 1})
    assert (done.status_code, done.json()) == (200, note)
    assert done.headers["x-ignored-fields"] == "titel (did you mean title?), zzz"
    listed = await served.get("/api/notes/?tag=a&limit=1")
    assert listed.headers["x-ignored-fields"] == "tag (did you mean tags?)"
    for fine in (await served.get("/api/notes/?tags=a"), await served.patch(path, json={"title": "x"})):
        assert fine.status_code == 200 and "x-ignored-fields" not in fine.headers


async def test_a_name_that_is_taken_says_which_route_changes_who_has_it(served: AsyncClient) -> None:
    prompt, bookmark = body("prompts"), body("bookmarks")
    for kind, given in (("prompts", prompt), ("bookmarks", bookmark)):
        await make(served, kind, **given)
        taken = (await served.post(f"/api/{kind}/", json=given)).json()
        assert f"PATCH /api/{kind}/{{id}}" in taken["error"]["next"]


@pytest.mark.parametrize("kind", ["prompts", "bookmarks"])
async def test_what_an_archived_item_keeps_is_freed_with_a_route_and_not_by_a_person(
    served: AsyncClient, kind: str
) -> None:
    given = body(kind)
    item = await make(served, kind, **given)
    await served.post(path_of(kind, item, "/archive"))
    refused = [await served.post(f"/api/{kind}/", json=given)]
    if kind == "prompts":
        refused.append(await served.get(f"/api/prompts/name/{item['name']}"))
    for one in refused:
        advice = one.json()["error"]["next"]
        assert f"POST /api/{kind}/{{id}}/unarchive" in advice and "person" not in advice
    assert (await served.post(path_of(kind, item, "/unarchive"))).json()["state"] == "active"


async def test_a_name_in_the_place_of_an_id_is_told_where_names_are(served: AsyncClient) -> None:
    for path, advice in (
        ("/api/prompts/code-review", "By its name, a prompt is at /api/prompts/name/{name}."),
        ("/api/prompts/code-review/history", "By its name, a prompt is at /api/prompts/name/{name}."),
        ("/api/notes/some-note", None),
    ):
        refused = await served.get(path)
        error = refused.json()["error"]
        assert (refused.status_code, error["field"], error.get("next")) == (422, "id", advice)
        assert error["message"].startswith("Invalid id. Expected: an id such as 0190")


def test_a_sentence_that_names_a_tool_is_left_out(library: str) -> None:
    tools = ["read_on", "search_items"]
    said = "Ask for less. Use search_items to find it. See old_str."
    assert advice_for_routes(said, tools) == "Ask for less. See old_str."
    assert advice_for_routes("Use search_items.", tools) == ""


# A request with a value of another form, the field, and what is expected there.
FORMS: list[tuple[str, str, Any, str, str]] = [
    ("GET", "/api/relationships/nonsense", None, "link", "the ids of two items, joined by a dot"),
    ("POST", "/api/relationships/", {"source_id": "x", "target_id": "y"}, "target_id", "an id such as 0190"),
    ("POST", "/api/relationships/", {"source_id": "x", "target_id": ID}, "source_id", "an id such as 0190"),
    (
        *("POST", "/api/prompts/import", {"files": [{"name": "a.txt", "content": ""}]}),
        *("files.0.name", "the name of a file, such as code-review.md"),
    ),
]


@pytest.mark.parametrize(("method", "path", "sent", "field", "said"), FORMS, ids=[row[3] for row in FORMS])
async def test_a_form_is_told_in_words_and_not_as_a_pattern(
    served: AsyncClient, method: str, path: str, sent: Any, field: str, said: str
) -> None:
    refused = await served.request(method, path, json=sent)
    error = refused.json()["error"]
    assert (refused.status_code, error["field"]) == (422, field)
    assert error["message"].startswith(f"Invalid {field}. Expected: {said}")
