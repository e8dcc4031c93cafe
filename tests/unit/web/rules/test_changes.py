"""What a change means, one rule after the other: what is left out, null, or a value, and what comes first."""

import asyncio
from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, body, make, on_one_database, path_of

LOST = "0190aaaa-0000-7000-8000-000000000000"
LATER = "2100-01-01T00:00:00Z"
SAME: Any = object()  # it stays as it is

# Which kinds have the field; what null does (a value, SAME, or a status); a value; what the field is then.
FIELDS: list[tuple[str, list[str], Any, Any, Any]] = [
    ("title", ["prompts", "bookmarks"], None, "Other", "Other"),
    ("title", ["notes"], 422, "Other", "Other"),
    ("description", KINDS, None, "Other.", "Other."),
    ("content", ["prompts"], 400, "Other {{ name }}.", "Other {{ name }}."),
    ("content", ["notes", "bookmarks"], None, "Other.", "Other."),
    ("arguments", ["prompts"], SAME, [{"name": "name"}], [{"name": "name", "required": False}]),
    ("tags", KINDS, SAME, ["other"], ["other"]),
    ("tags", KINDS, SAME, [], []),
    ("relationships", KINDS, SAME, [], []),
    ("archived_at", KINDS, None, LATER, LATER),
    ("name", ["prompts"], 422, "other-name", "other-name"),
    ("url", ["bookmarks"], 422, "https://example.org/other", "https://example.org/other"),
]
ROWS = [(kind, *row) for row in FIELDS for kind in row[1]]


@pytest.mark.parametrize(
    ("kind", "field", "kinds", "null", "value", "then"), ROWS, ids=[f"{r[0]} {r[1]} {r[4]}" for r in ROWS]
)
async def test_a_field_is_left_alone_cleared_or_replaced(
    served: AsyncClient, kind: str, field: str, kinds: list[str], null: Any, value: Any, then: Any
) -> None:
    linked = [{"target_id": (await make(served, "notes"))["id"]}]
    given = {"title": "T", "description": "D.", "tags": ["t"], "relationships": linked}
    item = await make(served, kind, **given, archived_at="2099-01-01T00:00:00Z")
    path = path_of(kind, item)
    left_out = await served.patch(path, json={"unknown": 1})
    assert (left_out.status_code, left_out.json()) == (200, item)

    cleared = await served.patch(path, json={field: None})
    if isinstance(null, int):
        assert cleared.status_code == null, cleared.text
        assert cleared.json()["error"]["field"] == field
        assert (await served.get(path)).json() == item
    else:
        assert cleared.json()[field] == (item[field] if null is SAME else null)

    changed = await served.patch(path, json={field: value})
    assert changed.status_code == 200 and changed.json()[field] == then
    if field in ("name", "url"):
        await served.delete(path)  # another database may have the same test


async def test_null_for_the_archive_makes_an_archived_item_active(served: AsyncClient) -> None:
    item = await make(served, "notes", archived_at="2020-01-01T00:00:00Z")
    assert item["state"] == "archived"
    back = (await served.patch(path_of("notes", item), json={"archived_at": None})).json()
    assert (back["state"], back["archived_at"]) == ("active", None)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_empty_change_and_equal_values_move_nothing(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, title="T", description="D", tags=["a"])
    same = {name: item[name] for name in ("title", "description", "content", "tags")}
    for sent in ({}, same):
        assert (await served.patch(path_of(kind, item), json=sent)).json() == item
    assert (await served.get(path_of(kind, item, "/history"))).json()["total"] == 1


async def test_a_prompt_may_be_given_the_name_that_it_has(served: AsyncClient) -> None:
    prompt = await make(served, "prompts")
    same = await served.patch(path_of("prompts", prompt), json={"name": prompt["name"]})
    assert (same.status_code, same.json()) == (200, prompt)


async def test_a_template_is_checked_against_what_it_will_be(served: AsyncClient) -> None:
    prompt = await make(served, "prompts", content="{{ a }}")
    path = path_of("prompts", prompt)
    assert (await served.patch(path, json={"arguments": []})).status_code == 400
    assert (await served.patch(path, json={"arguments": [{"name": "b"}]})).status_code == 400
    both = {"content": "{{ b }}", "arguments": [{"name": "b"}]}
    assert (await served.patch(path, json=both)).status_code == 200
    assert (await served.patch(path, json={"title": "Only a title"})).status_code == 200


@pytest.mark.parametrize("more", [{}, {"arguments": None}], ids=["left out", "null"])
async def test_arguments_that_are_not_given_follow_the_template(
    served: AsyncClient, more: dict[str, None]
) -> None:
    prompt = await make(served, "prompts", content="{{ a }}")
    changed = await served.patch(path_of("prompts", prompt), json={"content": "{{ c }}", **more})
    assert (changed.status_code, [one["name"] for one in changed.json()["arguments"]]) == (200, ["c"])


# What is wrong with a new prompt, all at once, and which problem is told: each list is one shorter.
WRONG: list[tuple[int, str, dict[str, Any]]] = [
    (422, "title", {"title": 7}),
    (400, "content", {"content": "{{ broken"}),
    (409, "name", {"name": "taken"}),
]


@pytest.mark.parametrize("first", range(len(WRONG)), ids=[str(row[0]) for row in WRONG])
async def test_what_is_wrong_with_a_new_prompt_is_told_in_order(api: AsyncClient, first: int) -> None:
    await make(api, "prompts", name="taken")
    sent = body("prompts")
    for _, _, wrong in reversed(WRONG[first:]):
        sent |= wrong
    refused = await api.post("/api/prompts/", json=sent)
    assert refused.status_code == WRONG[first][0], refused.text


@pytest.mark.parametrize("path", ["name/review", "{id}"])
async def test_what_is_wrong_with_a_change_is_told_in_order(api: AsyncClient, path: str) -> None:
    await make(api, "prompts", name="taken")
    prompt = await make(api, "prompts", name="review")
    old = prompt["updated_at"]
    await asyncio.sleep(0.001)
    await api.patch("/api/prompts/name/review", json={"title": "Newer"})
    address, lost = f"/api/prompts/{path.format(**prompt)}", f"/api/prompts/{path}"
    lost = lost.format(id=LOST).replace("review", "nowhere")

    async def status(where: str, **sent: Any) -> int:
        return (await api.patch(where, json=sent)).status_code

    everything: dict[str, Any] = {"expected_updated_at": old, "content": "{{ broken", "name": "taken"}
    assert await status(lost, **everything, title=7) == 422
    assert await status(lost, **everything) == 404
    assert await status(address, **everything) == 409
    assert (await api.patch(address, json=everything)).json()["detail"]["error"] == "conflict"
    assert await status(address, content="{{ broken", name="taken") == 400
    assert await status(address, name="taken") == 409
    taken = (await api.patch(address, json={"name": "taken"})).json()
    assert taken["error_code"] == "NAME_CONFLICT" and "already exists" in taken["detail"]["message"]


# The time that a client expects, relative to the item's: what is answered.
EXPECTED: list[tuple[str, int]] = [
    ("older", 409),
    ("equal", 200),
    ("later", 200),
    ("without a zone", 200),
    ("null", 200),
    ("no time", 422),
]


@on_one_database
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("when", "status"), EXPECTED, ids=[row[0] for row in EXPECTED])
async def test_a_change_that_expects_an_older_item_is_refused_with_the_item(
    served: AsyncClient, kind: str, when: str, status: int
) -> None:
    first = await make(served, kind)
    await asyncio.sleep(0.001)
    now = (await served.patch(path_of(kind, first), json={"title": "Newer"})).json()
    times = {
        "older": first["updated_at"],
        "equal": now["updated_at"],
        "later": LATER,
        "without a zone": now["updated_at"].removesuffix("Z"),
        "null": None,
        "no time": "yesterday",
    }
    sent = {"description": "Changed.", "expected_updated_at": times[when]}
    answer = await served.patch(path_of(kind, first), json=sent)
    assert answer.status_code == status, answer.text
    if status == 409:
        detail = answer.json()["detail"]
        assert (detail["error"], detail["server_state"]) == ("conflict", now) and detail["message"]
        error = answer.json()["error"]
        assert error["field"] == "expected_updated_at" and "as expected_updated_at" in error["next"]
    lost = await served.patch(f"/api/{kind}/{LOST}", json={"expected_updated_at": first["updated_at"]})
    assert lost.status_code == 404


@pytest.mark.parametrize("kind", KINDS)
async def test_of_two_changes_that_expect_one_time_only_one_is_made(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    path = path_of(kind, item)
    for number in range(8):
        expected = {"expected_updated_at": (await served.get(path)).json()["updated_at"]}
        await asyncio.sleep(0.001)
        both = await asyncio.gather(
            *(served.patch(path, json={"title": f"{number} {who}", **expected}) for who in ("a", "b"))
        )
        assert sorted(one.status_code for one in both) == [200, 409]
    assert (await served.get(path)).json()["version"] == 1 + 8
