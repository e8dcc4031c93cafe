"""What can be done in each state of an item, one rule after the other, and what the trash keeps."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, body, make, path_of

STATES = ("active", "archived", "deleted")


async def in_state(api: AsyncClient, kind: str, state: str, **given: Any) -> dict[str, Any]:
    """Make an item, and bring it into a state."""
    item = await make(api, kind, **given)
    if state == "archived":
        await api.post(path_of(kind, item, "/archive"))
    if state == "deleted":
        await api.delete(path_of(kind, item))
    return item


# A request to a prompt by its name, and what is answered while it is active, archived and deleted.
NAMED: list[tuple[str, str, Any, int]] = [
    ("GET", "", None, 200),
    ("GET", "/metadata", None, 200),
    ("PATCH", "", {"title": "x"}, 200),
    ("PATCH", "/str-replace", {"old_str": "Hello", "new_str": "Hi"}, 200),
    ("POST", "/render", {"arguments": {"name": "you"}}, 200),
    ("GET", "@1", None, 200),
]


@pytest.mark.parametrize(("method", "end", "sent", "status"), NAMED, ids=[f"{r[0]} {r[1]}" for r in NAMED])
async def test_by_name_only_an_active_prompt_is_found(
    served: AsyncClient, method: str, end: str, sent: Any, status: int
) -> None:
    found = []
    for state in STATES:
        prompt = await in_state(served, "prompts", state)
        path = f"/api/prompts/name/{prompt['name']}{end}"
        found.append((await served.request(method, path, json=sent)).status_code)
    assert found == [status, 404, 404]


async def test_by_id_a_template_is_filled_in_whatever_its_state(served: AsyncClient) -> None:
    for state in STATES:
        prompt = await in_state(served, "prompts", state)
        done = await served.post(path_of("prompts", prompt, "/render"), json={"arguments": {"name": "you"}})
        assert done.json() == {"rendered_content": "Hello you."}


@pytest.mark.parametrize("kind", KINDS)
async def test_an_item_in_the_trash_does_not_go_back_to_a_version(served: AsyncClient, kind: str) -> None:
    statuses = []
    for state in STATES:
        item = await make(served, kind)
        await served.patch(path_of(kind, item), json={"title": "Second"})
        if state != "active":
            gone = path_of(kind, item, "/archive" if state == "archived" else "")
            await served.request("POST" if state == "archived" else "DELETE", gone)
        back = await served.post(f"/api/history/{kind[:-1]}/{item['id']}/restore/1")
        statuses.append(back.status_code)
    assert statuses == [200, 200, 404]


@pytest.mark.parametrize("kind", KINDS)
async def test_archiving_twice_is_one_entry_of_the_history(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    answers = [await served.post(path_of(kind, item, "/archive")) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].json()["archived_at"] == answers[1].json()["archived_at"]
    entries = (await served.get(path_of(kind, item, "/history"))).json()["items"]
    assert [one["action"] for one in entries] == ["archive", "create"]


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_deleted_for_good_leaves_nothing(served: AsyncClient, kind: str) -> None:
    item, other = await make(served, kind), await make(served, "notes")
    ends = {"source_id": item["id"], "target_id": other["id"]}
    await served.post("/api/relationships/", json=ends)
    assert (await served.delete(path_of(kind, item), params={"permanent": "true"})).status_code == 204
    assert (await served.get(path_of(kind, item))).status_code == 404
    assert (await served.get(f"/api/history/{kind[:-1]}/{item['id']}")).json()["items"] == []
    assert (await served.get(path_of("notes", other))).json()["relationships"] == []
    for end in ("", "/archive", "/restore"):
        method = "POST" if end else "DELETE"
        assert (await served.request(method, path_of(kind, item, end))).status_code == 404


@pytest.mark.parametrize("kind", ["prompts", "bookmarks"])
async def test_what_comes_back_needs_its_name(served: AsyncClient, kind: str) -> None:
    given = body(kind)
    first = await in_state(served, kind, "deleted", **given)
    second = await make(served, kind, **given)
    code = "NAME_CONFLICT" if kind == "prompts" else "ACTIVE_URL_EXISTS"
    taken = await served.post(path_of(kind, first, "/restore"))
    assert (taken.status_code, taken.json()["error_code"]) == (409, code)
    await served.delete(path_of(kind, second))
    assert (await served.post(path_of(kind, first, "/restore"))).status_code == 200


async def test_a_name_that_an_archived_prompt_holds_is_not_given_to_another(served: AsyncClient) -> None:
    archived = await in_state(served, "prompts", "archived")
    prompt = await make(served, "prompts")
    taken = await served.patch(path_of("prompts", prompt), json={"name": archived["name"]})
    said = taken.json()
    assert (taken.status_code, said["error_code"]) == (409, "NAME_CONFLICT")
    assert said["detail"]["existing"] == {"id": archived["id"], "state": "archived"}
    assert "An archived prompt" in said["detail"]["message"] and "already exists" in said["detail"]["message"]
    assert "keeps its name" in said["error"]["next"]
    assert "POST /api/prompts/{id}/unarchive" in said["error"]["next"]
    assert (await served.get(path_of("prompts", prompt))).json() == prompt
