"""Prompts over REST: by name and by id, what each field of a change means, and replacing text."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import make

NAME = "/api/prompts/name/review"


@pytest.fixture
async def review(api: AsyncClient) -> dict[str, Any]:
    return await make(
        api,
        "prompts",
        name="review",
        title="Review",
        description="Reviews code.",
        content="Review {{ code }}.\nBe brief.\nBe kind.",
        tags=["dev", "go"],
    )


async def test_a_prompt_is_created_with_all_its_fields(api: AsyncClient) -> None:
    made = await make(api, "prompts", name="greet", content="Hi {{ you }}.", tags=[" Dev ", "dev", ""])
    assert (made["name"], made["type"], made["version"], made["state"]) == ("greet", "prompt", 1, "active")
    assert made["arguments"] == [{"name": "you", "required": True}]
    assert made["tags"] == ["dev"]
    assert made["last_used_at"] == made["created_at"] == made["updated_at"]
    assert made["content_length"] == 13 and made["content_preview"] is None
    assert made["content_metadata"] == {
        "total_lines": 1,
        "start_line": 1,
        "end_line": 1,
        "is_partial": False,
    }
    assert made["archived_at"] is made["deleted_at"] is None and made["relationships"] == []


async def test_a_name_and_an_id_give_the_same_prompt(api: AsyncClient, review: dict[str, Any]) -> None:
    by_name, by_id = await api.get(NAME), await api.get(f"/api/prompts/{review['id']}")
    assert by_name.json() == by_id.json() == review
    assert by_name.headers["etag"] == by_id.headers["etag"]
    assert by_name.headers["cache-control"] == "private, no-cache"
    assert by_name.headers["vary"] == "Authorization"


async def test_a_name_may_have_a_version_or_a_label(api: AsyncClient, review: dict[str, Any]) -> None:
    await api.patch(NAME, json={"content": "Other {{ code }}.", "title": "New"})
    old, new = (await api.get(f"{NAME}@1")).json(), (await api.get(f"{NAME}@2")).json()
    assert (old["title"], old["content"], old["version"]) == ("Review", review["content"], 1)
    assert (new["title"], new["version"]) == ("New", 2)
    assert (await api.get(f"{NAME}@3")).status_code == 404
    refused = await api.patch(f"{NAME}@1", json={"title": "X"})
    assert refused.status_code == 412 and "version 2" in refused.json()["error"]["message"]


@pytest.mark.requirement("002-1.1")
@pytest.mark.parametrize("path", ["name/review", "{id}"])
async def test_str_replace_by_name_success(api: AsyncClient, review: dict[str, Any], path: str) -> None:
    path = path.format(**review)
    done = await api.patch(f"/api/prompts/{path}/str-replace", json={"old_str": "brief", "new_str": "short"})
    assert done.status_code == 200
    now = (await api.get(NAME)).json()
    assert done.json() == {
        "response_type": "minimal",
        "match_type": "exact",
        "line": 2,
        "data": {"id": review["id"], "updated_at": now["updated_at"]},
    }
    assert now["content"] == "Review {{ code }}.\nBe short.\nBe kind."


async def test_str_replace_returns_the_whole_prompt_if_asked(
    api: AsyncClient, review: dict[str, Any]
) -> None:
    change = {"old_str": "kind.", "new_str": "{{ how }}.", "arguments": [{"name": "code"}, {"name": "how"}]}
    path = f"{NAME}/str-replace?include_updated_entity=true"
    done = (await api.patch(path, json=change)).json()
    assert (done["response_type"], done["match_type"], done["line"]) == ("full", "exact", 3)
    assert done["data"] == (await api.get(NAME)).json()
    assert [one["name"] for one in done["data"]["arguments"]] == ["code", "how"]


@pytest.mark.requirement("002-1.1")
async def test_str_replace_by_name_not_found(api: AsyncClient) -> None:
    lost = await api.patch(f"{NAME}/str-replace", json={"old_str": "a", "new_str": "b"})
    assert lost.status_code == 404 and lost.json()["detail"] == "Prompt review not found."


@pytest.mark.requirement("002-1.1")
async def test_str_replace_by_name_no_match(api: AsyncClient, review: dict[str, Any]) -> None:
    lost = await api.patch(f"{NAME}/str-replace", json={"old_str": "Be Brief", "new_str": "b"})
    answer = lost.json()
    assert lost.status_code == 400
    assert answer["detail"]["error"] == "no_match" and answer["detail"]["suggestion"]
    assert answer["error"]["field"] == "old_str"
    assert answer["error"]["details"]["nearest"][0]["line"] == 2


@pytest.mark.requirement("002-1.1")
async def test_str_replace_by_name_multiple_matches(api: AsyncClient, review: dict[str, Any]) -> None:
    many = await api.patch(f"{NAME}/str-replace", json={"old_str": "Be ", "new_str": "b"})
    detail = many.json()["detail"]
    assert (many.status_code, detail["error"], detail["total_matches"]) == (400, "multiple_matches", 2)
    assert [(one["field"], one["line"]) for one in detail["matches"]] == [("content", 2), ("content", 3)]
    assert detail["matches"][0]["context"] == review["content"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"old_str": "", "new_str": "x"},
        {"new_str": "x"},
        {"old_str": "x"},
        {"old_str": "brief", "new_str": "x", "arguments": [{"name": "Bad"}]},
    ],
)
async def test_str_replace_checks_what_it_is_sent(
    api: AsyncClient, review: dict[str, Any], wrong: dict[str, Any]
) -> None:
    assert (await api.patch(f"{NAME}/str-replace", json=wrong)).status_code == 422
    assert (await api.get(NAME)).json() == review


async def test_a_replacement_that_breaks_the_template_changes_nothing(
    api: AsyncClient, review: dict[str, Any]
) -> None:
    broken = await api.patch(f"{NAME}/str-replace", json={"old_str": "{{ code }}", "new_str": "{{ code"})
    assert broken.status_code == 400
    assert isinstance(broken.json()["detail"], str)
    assert broken.json()["detail"].startswith("This would make the template invalid.")
    assert (await api.get(NAME)).json() == review


@pytest.mark.requirement("002-1.2")
async def test_update_by_name_success(api: AsyncClient, review: dict[str, Any]) -> None:
    done = await api.patch(NAME, json={"name": "check", "title": "Check", "tags": ["go"]})
    assert done.status_code == 200
    assert (done.json()["name"], done.json()["title"], done.json()["tags"]) == ("check", "Check", ["go"])
    assert done.json()["id"] == review["id"]
    assert (await api.get(NAME)).status_code == 404


@pytest.mark.requirement("002-1.2")
async def test_update_by_name_not_found(api: AsyncClient) -> None:
    assert (await api.patch(NAME, json={"title": "x"})).status_code == 404


@pytest.mark.requirement("002-1.2")
async def test_update_by_name_name_conflict(api: AsyncClient, review: dict[str, Any]) -> None:
    await make(api, "prompts", name="other")
    taken = await api.patch("/api/prompts/name/other", json={"name": "review"})
    detail = taken.json()["detail"]
    assert (taken.status_code, taken.json()["error_code"]) == (409, "NAME_CONFLICT")
    assert detail["error_code"] == "NAME_CONFLICT" and "already exists" in detail["message"]
    assert detail["existing"] == {"id": review["id"], "state": "active"}


@pytest.mark.requirement("002-1.3")
async def test_an_archived_prompt_keeps_its_name_and_is_found_by_id_only(
    api: AsyncClient, review: dict[str, Any]
) -> None:
    path = f"/api/prompts/{review['id']}"
    assert (await api.post(f"{path}/archive")).status_code == 200
    for ask in (
        api.get(NAME),
        api.get(f"{NAME}/metadata"),
        api.patch(NAME, json={"title": "x"}),
        api.patch(f"{NAME}/str-replace", json={"old_str": "brief", "new_str": "x"}),
        api.post(f"{NAME}/render", json={"arguments": {"code": "x"}}),
    ):
        assert (await ask).status_code == 404
    assert (await api.get(path)).json()["state"] == "archived"
    assert (await api.patch(path, json={"title": "x"})).status_code == 200
    taken = await api.post("/api/prompts/", json={"name": "review", "content": "x"})
    assert taken.json()["detail"]["existing"]["state"] == "archived"
    assert "archived prompt keeps its name" in taken.json()["error"]["next"]


async def test_arguments_and_tags_are_cleared_by_empty_lists(
    api: AsyncClient, review: dict[str, Any]
) -> None:
    done = await api.patch(NAME, json={"content": "No variables.", "arguments": [], "tags": []})
    assert (done.json()["arguments"], done.json()["tags"]) == ([], [])


@pytest.mark.parametrize(
    ("wrong", "status", "field"),
    [
        ({"content": "  "}, 400, "content"),
        ({"content": "{{ x }"}, 400, "content"),
        ({"content": "{{ x }}", "arguments": []}, 400, "arguments"),
        ({"content": "x", "arguments": [{"name": "y"}]}, 400, "arguments"),
        ({"content": "{{ x }}", "arguments": [{"name": "x"}, {"name": "x"}]}, 422, "arguments"),
        ({"content": None}, 422, "content"),
        ({"content": "a" * 100_001}, 422, "content"),
        ({"title": "a" * 501}, 422, "title"),
        ({"description": "a" * 2001}, 422, "description"),
        ({"tags": ["No Tag!"]}, 422, "tags"),
        ({"tags": [f"t{number}" for number in range(101)]}, 422, "tags"),
        ({"tags": ["a" * 51]}, 422, "tags"),
        ({"title": "a\0b"}, 422, "title"),
        ({"archived_at": "soon"}, 422, "archived_at"),
        ({"relationships": [{"target_id": "no id"}]}, 422, "relationships.0.target_id"),
        ({"relationships": [{"target_id": "0" * 32}]}, 404, None),
    ],
)
async def test_what_a_prompt_cannot_have_is_refused_by_name(
    api: AsyncClient, wrong: dict[str, Any], status: int, field: str | None
) -> None:
    refused = await api.post("/api/prompts/", json={"name": "odd", "content": "x", **wrong})
    assert (refused.status_code, refused.json()["error"].get("field")) == (status, field), refused.text
    assert (await api.get("/api/prompts/")).json()["total"] == 0


async def test_every_problem_of_a_request_is_told(api: AsyncClient) -> None:
    refused = await api.post("/api/prompts/", json={"name": "X", "tags": ["?"], "title": 7})
    answer = refused.json()
    assert refused.status_code == 422
    fields = [problem["field"] for problem in answer["error"]["problems"]]
    assert sorted(fields) == ["content", "name", "tags", "title"]
    assert [one["loc"] for one in answer["detail"] if one["type"] == "missing"] == [["body", "content"]]


async def test_a_template_is_filled_in_saved_or_not(api: AsyncClient, review: dict[str, Any]) -> None:
    values = {"arguments": {"code": "x = 1"}}
    for path in (f"{NAME}/render", f"/api/prompts/{review['id']}/render"):
        done = await api.post(path, json=values)
        assert done.json() == {"rendered_content": "Review x = 1.\nBe brief.\nBe kind."}
    draft = await api.post(
        "/api/prompts/render", json={"content": "{{ a }}{{ b }}\n", "arguments": {"a": 1, "b": 2}}
    )
    assert draft.json() == {"rendered_content": "12\n"}
    missing = await api.post(f"{NAME}/render", json={})
    assert missing.status_code == 400 and "Missing required arguments: code" in missing.text
    assert (await api.post(f"{NAME}/render", json={"arguments": {"code": 1, "cod": 2}})).status_code == 400


async def test_a_template_is_checked_before_it_is_saved(api: AsyncClient, review: dict[str, Any]) -> None:
    fine = await api.post("/api/prompts/check", json={"content": "{{ b }}{% include 'review' %}"})
    assert fine.json()["includes"] == ["review"]
    assert [one["name"] for one in fine.json()["arguments"]] == ["b", "code"]
    wrong = await api.post("/api/prompts/check", json={"content": "{{ a }}", "arguments": [{"name": "b"}]})
    assert wrong.status_code == 400
    assert "undefined" in wrong.text and "unused" in wrong.text.lower()
    assert (await api.get("/api/prompts/")).json()["total"] == 1


@pytest.mark.parametrize("sent", [b"", b"null", b"[1]", b"7"])
async def test_a_body_that_is_no_object_is_told_what_to_send(api: AsyncClient, sent: bytes) -> None:
    json = {"Content-Type": "application/json"}
    refused = await api.post("/api/prompts/", content=sent, headers=json)
    assert refused.status_code == 422
    assert refused.json()["error"]["message"].startswith("Expected: a JSON object")
    untyped = await api.post("/api/prompts/", content=b'{"name": "a", "content": "x"}')
    assert untyped.status_code == 422 and "Content-Type: application/json" in untyped.text
    broken = await api.post("/api/prompts/", content=b'{"name": x}', headers=json)
    assert broken.json()["error"]["message"] == "The body is not valid JSON, at character 9."
