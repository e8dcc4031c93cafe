"""What all kinds of items have over REST: reading, lines, finding, replacing, archive, trash, ETags."""

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from laconic.library.expecting import Expected
from laconic.stores import Item
from tests.unit.web.making import KINDS, make, path_of

pytestmark = pytest.mark.parametrize("kind", KINDS)
TEXT = "one\ntwo\nthree\n"


@pytest.fixture
async def item(api: AsyncClient, kind: str) -> dict[str, Any]:
    return await make(api, kind, content=TEXT, title="Numbers", description="From one.", tags=["counting"])


async def test_metadata_has_the_beginning_instead_of_the_content(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    found = (await api.get(path_of(kind, item, "/metadata"))).json()
    assert "content" not in found and "relationships" not in found
    assert (found["content_preview"], found["content_length"]) == ("one two three", len(TEXT))
    assert (await api.get(path_of(kind, item, "/metadata?start_line=1"))).status_code == 400


async def test_a_text_is_found_in_an_item(api: AsyncClient, kind: str, item: dict[str, Any]) -> None:
    async def search(query: str) -> Response:
        return await api.get(path_of(kind, item, f"/search?{query}"))

    found = (await search("q=TWO&context_lines=1")).json()
    assert found == {
        "matches": [{"field": "content", "line": 2, "context": "one\ntwo\nthree"}],
        "total_matches": 1,
    }
    assert (await search("q=TWO&case_sensitive=true")).json() == {"matches": [], "total_matches": 0}
    both = (await search("q=one&fields=description,content")).json()["matches"]
    assert [(one["field"], one["line"]) for one in both] == [("description", None), ("content", 1)]
    assert (await search("q=x&fields=name")).status_code == 400
    assert [(await search(query)).status_code for query in ("q=", "", "q=x&context_lines=11")] == [422] * 3


async def test_a_text_is_replaced_once(api: AsyncClient, kind: str, item: dict[str, Any]) -> None:
    path = path_of(kind, item, "/str-replace")
    done = await api.patch(path, json={"old_str": "two\n", "new_str": ""})
    assert (done.status_code, done.json()["line"], done.json()["match_type"]) == (200, 2, "exact")
    now = (await api.get(path_of(kind, item))).json()
    assert now["content"] == "one\nthree\n" and now["version"] == 2
    lost = await api.patch(path, json={"old_str": "two", "new_str": ""})
    assert (lost.status_code, lost.json()["detail"]["error"]) == (400, "no_match")
    same = await api.patch(path, json={"old_str": "one", "new_str": "one"})
    assert same.json()["data"]["updated_at"] == now["updated_at"]


async def test_an_etag_is_known_until_something_changes(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    path = path_of(kind, item)
    for address in (path, f"{path}/metadata", f"/api/{kind}/", "/api/tags/", "/api/content/"):
        first = await api.get(address)
        known = {"If-None-Match": f'"other", {first.headers["etag"]}'}
        again = await api.get(address, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert not first.headers["etag"].startswith("W/")
    first = await api.get(path)
    await api.post(f"{path}/archive")
    changed = await api.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200 and changed.json()["archived_at"]


async def test_if_match_refuses_what_is_based_on_an_older_version(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    path = path_of(kind, item)
    old = {"If-Match": (await api.get(path)).headers["etag"]}
    changed = await api.patch(path, json={"title": "New"}, headers=old)
    assert changed.status_code == 200
    edit = {"old_str": "one", "new_str": "1"}
    for ask in (
        api.patch(path, json={"title": "Lost"}, headers=old),
        api.patch(f"{path}/str-replace", json=edit, headers=old),
        api.post(f"{path}/archive", headers=old),
        api.request("DELETE", path, headers=old),
        api.patch(path, json={"title": "Lost"}, headers={"If-Match": '"nonsense"'}),
        api.patch(path, json={"title": "Lost"}, headers={"If-Match": f"W/{changed.headers['etag']}"}),
    ):
        assert (await ask).status_code == 412
    assert (await api.get(path)).json() == changed.json()
    new = {"If-Match": changed.headers["etag"]}
    assert (await api.patch(path, json={"title": "Newer"}, headers=new)).status_code == 200
    assert (await api.patch(path, json={"title": "Any"}, headers={"If-Match": "*"})).status_code == 200


# What each request is answered with, for an active, an archived and a deleted item.
LIVES: list[tuple[str, str, dict[str, Any] | None, tuple[int, int, int]]] = [
    ("GET", "", None, (200, 200, 200)),
    ("GET", "/metadata", None, (200, 200, 200)),
    ("GET", "/search?q=o", None, (200, 200, 200)),
    ("GET", "/history", None, (200, 200, 200)),
    ("POST", "/track-usage", None, (204, 204, 204)),
    ("PATCH", "", {"title": "x"}, (200, 200, 404)),
    ("PATCH", "/str-replace", {"old_str": "two", "new_str": "x"}, (200, 200, 404)),
    ("DELETE", "", None, (204, 204, 404)),
    ("DELETE", "?permanent=true", None, (204, 204, 204)),
    ("POST", "/archive", None, (200, 200, 404)),
    ("POST", "/unarchive", None, (400, 200, 404)),
    ("POST", "/restore", None, (400, 400, 200)),
]


@pytest.mark.parametrize(
    ("method", "end", "sent", "statuses"), LIVES, ids=[f"{m} {e}" for m, e, _, _ in LIVES]
)
async def test_what_can_be_done_with_an_item_depends_on_its_state(
    api: AsyncClient,
    kind: str,
    method: str,
    end: str,
    sent: dict[str, Any] | None,
    statuses: tuple[int, int, int],
) -> None:
    found = []
    for state in ("active", "archived", "deleted"):
        item = await make(api, kind, content=TEXT)
        path = path_of(kind, item)
        if state == "archived":
            await api.post(f"{path}/archive")
        if state == "deleted":
            await api.delete(path)
        before = (await api.get(path)).json()
        assert before["state"] == state and before["updated_at"] == item["updated_at"]
        found.append((await api.request(method, path + end, json=sent)).status_code)
    assert tuple(found) == statuses


async def test_restoring_clears_the_archive_and_moves_no_time(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    path = path_of(kind, item)
    await api.post(f"{path}/archive")
    await api.delete(path)
    back = (await api.post(f"{path}/restore")).json()
    assert (back["archived_at"], back["deleted_at"], back["version"]) == (None, None, 1)
    assert back["updated_at"] == item["updated_at"]
    await api.request("DELETE", path, params={"permanent": True})
    assert (await api.get(path)).status_code == 404
    assert (await api.get(f"{path}/history")).json()["items"] == []


async def test_an_item_is_archived_at_a_time_to_come(api: AsyncClient, kind: str) -> None:
    item = await make(api, kind, archived_at="2100-01-01T00:00:00Z")
    assert (item["state"], item["archived_at"]) == ("active", "2100-01-01T00:00:00Z")
    past = await make(api, kind, archived_at="2020-01-01T00:00:00+02:00")
    assert (past["state"], past["archived_at"]) == ("archived", "2019-12-31T22:00:00Z")


async def test_a_use_moves_only_the_time_of_use(api: AsyncClient, kind: str, item: dict[str, Any]) -> None:
    await asyncio.sleep(0.002)
    assert (await api.post(path_of(kind, item, "/track-usage"))).status_code == 204
    used = (await api.get(path_of(kind, item))).json()
    assert (used["uses"], used["updated_at"], used["version"]) == (1, item["updated_at"], 1)
    assert used["last_used_at"] > item["last_used_at"]


async def test_an_item_of_another_kind_is_not_found(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    for other in KINDS:
        if other != kind:
            assert (await api.get(path_of(other, item))).status_code == 404
            assert (await api.patch(path_of(other, item), json={"description": "x"})).status_code == 404
            assert (await api.delete(path_of(other, item))).status_code == 404
    assert (await api.get(path_of(kind, item))).json() == item


async def test_relationships_of_a_payload_replace_the_others(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    one, two = await make(api, "notes"), await make(api, "notes")
    path = path_of(kind, item)
    linked = await api.patch(path, json={"relationships": [{"target_type": "note", "target_id": one["id"]}]})
    assert [link["id"] for link in linked.json()["relationships"]] == [one["id"]]
    wanted = [{"target_id": two["id"], "description": "why"}]
    other = (await api.patch(path, json={"relationships": wanted})).json()["relationships"]
    assert [(link["id"], link["description"]) for link in other] == [(two["id"], "why")]
    assert (await api.patch(path, json={"relationships": None})).json()["relationships"] == other
    own = await api.patch(path, json={"relationships": [{"target_id": item["id"]}]})
    assert own.status_code == 400
    assert (await api.patch(path, json={"relationships": []})).json()["relationships"] == []


async def test_of_two_changes_with_one_etag_only_one_is_made(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    path, rounds, made = path_of(kind, item), 8, 0
    for number in range(rounds):
        match = {"If-Match": (await api.get(path)).headers["etag"]}
        both = await asyncio.gather(
            *(api.patch(path, json={"title": f"{number} {who}"}, headers=match) for who in ("a", "b"))
        )
        assert sorted(one.status_code for one in both) == [200, 412]
        made += 1
    assert (await api.get(path)).json()["version"] == 1 + made


@pytest.mark.parametrize(
    ("method", "end"),
    [("DELETE", ""), ("DELETE", "?permanent=true"), ("POST", "/archive"), ("POST", "restore")],
    ids=["trash", "end", "archive", "restore"],
)
async def test_nobody_changes_an_item_between_the_look_at_its_version_and_what_was_asked_for(
    api: AsyncClient, kind: str, item: dict[str, Any], method: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, of = path_of(kind, item), f"/api/history/{kind[:-1]}/{item['id']}/restore/1"
    match = {"If-Match": (await api.patch(path, json={"title": "Second"})).headers["etag"]}
    loop, check, others = asyncio.get_running_loop(), Expected.check, list[Future[Response]]()

    def then_another(self: Expected, now: Item) -> None:
        check(self, now)
        if not others:
            asked = api.patch(path, json={"title": "Another"})
            others.append(asyncio.run_coroutine_threadsafe(asked, loop))
            with suppress(TimeoutError):  # it waits until what was asked for is done
                others[0].result(0.5)

    monkeypatch.setattr(Expected, "check", then_another)
    done = await api.request(method, of if end == "restore" else path + end, headers=match)
    other = await asyncio.wrap_future(others[0])
    now = await api.get(path)
    if done.status_code == 412:
        assert other.status_code == 200 and now.json()["title"] == "Another"
    elif method == "DELETE":
        assert (done.status_code, other.status_code) == (204, 404)
    else:
        entries = (await api.get(f"{path}/history")).json()["items"]
        asked_for = end.removeprefix("/")
        assert [one["action"] for one in entries] == ["update", asked_for, "update", "create"]
        assert (done.status_code, now.json()["title"]) == (200, "Another")


async def test_replacements_that_are_made_at_once_are_all_kept(
    api: AsyncClient, kind: str, item: dict[str, Any]
) -> None:
    words, path = ["one", "two", "three"], path_of(kind, item)
    done = await asyncio.gather(
        *(api.patch(f"{path}/str-replace", json={"old_str": w, "new_str": w.upper()}) for w in words)
    )
    assert [one.status_code for one in done] == [200] * 3
    now = (await api.get(path)).json()
    assert (now["content"], now["version"]) == (TEXT.upper(), 4)
