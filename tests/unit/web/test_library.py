"""The library as a whole over REST: lists, search, tags, relationships, history, notes and bookmarks."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, make


async def names(api: AsyncClient, query: str = "", path: str = "/api/prompts/") -> list[str]:
    found = await api.get(f"{path}?{query}")
    assert found.status_code == 200, found.text
    return [item.get("name") or item["title"] for item in found.json()["items"]]


async def test_a_list_has_parts_and_says_how_much_there_is(api: AsyncClient) -> None:
    for number in range(5):
        await make(api, "prompts", name=f"p{number}")
    page = (await api.get("/api/prompts/?limit=2&offset=2")).json()
    assert [item["name"] for item in page["items"]] == ["p2", "p1"]
    assert (page["total"], page["offset"], page["limit"], page["has_more"]) == (5, 2, 2, True)
    assert "content" not in page["items"][0] and "relationships" not in page["items"][0]
    assert (await api.get("/api/prompts?offset=4")).json()["has_more"] is False
    wrong = ["limit=0", "limit=101", "offset=-1", "sort_by=size", "view=gone", "tag_match=none", "tags=A%20B"]
    assert [(await api.get(f"/api/prompts/?{query}")).status_code for query in wrong] == [422] * len(wrong)


async def test_a_list_is_sorted_as_asked(api: AsyncClient) -> None:
    await make(api, "prompts", name="zebra", title="alpha")
    await make(api, "prompts", name="beta")
    await make(api, "prompts", name="gamma", title="Delta")
    await api.patch("/api/prompts/name/zebra", json={"description": "x"})
    assert await names(api) == ["gamma", "beta", "zebra"]
    assert await names(api, "sort_by=title") == ["zebra", "beta", "gamma"]
    assert await names(api, "sort_by=title&sort_order=desc") == ["gamma", "beta", "zebra"]
    assert await names(api, "sort_by=updated_at") == ["zebra", "gamma", "beta"]
    assert await names(api, "sort_by=relevance") == ["gamma", "beta", "zebra"]


async def test_a_list_has_what_was_asked_for(api: AsyncClient) -> None:
    one = await make(api, "prompts", name="one", tags=["a", "b"], description="Symbols: {{ here }}")
    two = await make(api, "prompts", name="two", tags=["a"])
    await make(api, "prompts", name="three")
    assert await names(api, "tags=a") == ["two", "one"]
    assert await names(api, "tags=a&tags=b") == ["one"]
    assert await names(api, "tags=b&tags=a&tag_match=any") == ["two", "one"]
    assert await names(api, "q=two") == ["two"]
    assert await names(api, "q=%7B%7B%20here") == ["one"]
    await api.post(f"/api/prompts/{one['id']}/archive")
    await api.delete(f"/api/prompts/{two['id']}")
    assert await names(api) == ["three"]
    assert await names(api, "view=archived") == ["one"]
    assert await names(api, "view=deleted") == ["two"]
    assert await names(api, "view=active&view=archived") == ["three", "one"]


async def test_several_kinds_are_found_at_once(api: AsyncClient) -> None:
    for kind in KINDS:
        await make(api, kind, title="Same words")
    found = (await api.get("/api/content/?q=same")).json()["items"]
    assert sorted(item["type"] for item in found) == ["bookmark", "note", "prompt"]
    by_type = {item["type"]: item for item in found}
    assert "name" in by_type["prompt"] and "url" in by_type["bookmark"] and "url" not in by_type["note"]
    some = (await api.get("/api/content/?content_types=note&content_types=prompt")).json()["items"]
    assert sorted(item["type"] for item in some) == ["note", "prompt"]
    assert (await api.get("/api/content/?tags=no_tag")).status_code == 422


async def test_tags_are_counted_renamed_and_deleted_everywhere(api: AsyncClient) -> None:
    prompt = await make(api, "prompts", tags=["a", "b"])
    await make(api, "notes", tags=["b"])
    await make(api, "bookmarks", tags=["b", "c"])

    async def counts(query: str = "") -> list[tuple[str, int]]:
        found = (await api.get(f"/api/tags/?{query}")).json()["tags"]
        return [(tag["name"], tag["content_count"]) for tag in found]

    assert await counts() == [("b", 3), ("a", 1), ("c", 1)]
    assert await counts("content_types=note") == [("b", 1)]
    renamed = await api.patch("/api/tags/b", json={"new_name": " New "})
    assert renamed.json() == {"name": "new", "content_count": 3, "filter_count": 0}
    now = (await api.get(f"/api/prompts/{prompt['id']}")).json()
    assert (now["tags"], now["updated_at"], now["version"]) == (["a", "new"], prompt["updated_at"], 1)
    assert (await api.patch("/api/tags/new", json={"new_name": "a"})).status_code == 409
    assert (await api.patch("/api/tags/gone", json={"new_name": "x"})).status_code == 404
    assert (await api.patch("/api/tags/a", json={"new_name": "A B"})).status_code == 422
    assert (await api.delete("/api/tags/a")).status_code == 204
    assert (await api.delete("/api/tags/a")).status_code == 404
    await api.delete(f"/api/prompts/{prompt['id']}")
    assert ("new", 2) in await counts()
    await api.patch("/api/tags/c", json={"new_name": "d"})
    assert (await api.get("/api/tags/?include_inactive=true&content_types=prompt")).json()["tags"][0][
        "content_count"
    ] == 0


async def test_a_relationship_is_the_same_from_both_ends(api: AsyncClient) -> None:
    prompt, note = await make(api, "prompts"), await make(api, "notes")
    ends = {
        "source_type": "prompt",
        "source_id": prompt["id"],
        "target_type": "note",
        "target_id": note["id"],
    }
    made = await api.post("/api/relationships/", json={**ends, "description": "  "})
    assert made.status_code == 201
    assert made.json() | ends == made.json() and made.json()["description"] is None
    path = f"/api/relationships/{made.json()['id']}"

    turned = {
        "source_type": "note",
        "source_id": note["id"],
        "target_type": "prompt",
        "target_id": prompt["id"],
    }
    again = await api.post("/api/relationships/", json=turned)
    assert (again.status_code, again.json()["error_code"]) == (409, "DUPLICATE_RELATIONSHIP")
    for kind, one, other in (("prompt", prompt, note), ("note", note, prompt)):
        found = (await api.get(f"/api/relationships/content/{kind}/{one['id']}")).json()
        assert [link["target_id"] for link in found["items"]] == [other["id"]]
        now = (await api.get(f"/api/{kind}s/{one['id']}")).json()
        assert now["version"] == 2 and now["updated_at"] > one["updated_at"]
    changed = await api.patch(path, json={"description": "because"})
    assert changed.json()["description"] == "because"
    assert (await api.get(path)).json() == changed.json()
    assert (await api.delete(path)).status_code == 204
    assert [(await api.get(path)).status_code, (await api.delete(path)).status_code] == [404, 404]


async def test_a_relationship_needs_two_items_that_there_are(api: AsyncClient) -> None:
    note = await make(api, "notes")
    lost = "0190aaaa-0000-7000-8000-000000000000"

    async def status(**ends: Any) -> int:
        return (await api.post("/api/relationships/", json=ends)).status_code

    assert await status(source_id=note["id"], target_id=note["id"]) == 400
    assert await status(source_id=note["id"], target_id=lost) == 404
    assert await status(source_id=note["id"], source_type="prompt", target_id=lost) == 404
    assert await status(source_id=note["id"], target_id="no id") == 422
    assert (await api.get(f"/api/relationships/{lost}.{note['id']}")).status_code == 404
    assert (await api.get(f"/api/relationships/content/prompt/{note['id']}")).status_code == 404


async def test_what_was_done_is_told_with_who_did_it(api: AsyncClient) -> None:
    made = await api.post(
        "/api/notes/",
        json={"title": "A", "tags": ["x"]},
        headers={"X-Request-Source": " Web-Page-of-somebody!"},
    )
    id = made.json()["id"]
    await api.patch(f"/api/notes/{id}", json={"content": "Text."})
    await api.post(f"/api/notes/{id}/archive")
    await api.post(f"/api/notes/{id}/archive")
    entries = (await api.get(f"/api/notes/{id}/history")).json()
    assert [(one["action"], one["version"]) for one in entries["items"]] == [
        ("archive", None),
        ("update", 2),
        ("create", 1),
    ]
    assert entries["total"] == 3 and entries["has_more"] is False
    archived, changed, created = entries["items"]
    assert (created["source"], changed["source"]) == ("web-page-of-somebody", "api")
    assert created["auth_type"] == "session" and created["author"] == "local"
    assert created["changed_fields"] == ["tags", "title"] and changed["changed_fields"] == ["content"]
    assert created["metadata_snapshot"]["tags"] == ["x"]
    assert archived["metadata_snapshot"] == {"title": "A"}
    assert (await api.get(f"/api/history/note/{id}")).json() == entries


async def test_the_history_of_everything_is_filtered_and_paged(api: AsyncClient) -> None:
    note, prompt = await make(api, "notes"), await make(api, "prompts")
    await api.delete(f"/api/notes/{note['id']}")

    async def actions(query: str) -> list[str]:
        found = (await api.get("/api/history/", params=query)).json()["items"]
        return [f"{one['content_type']} {one['action']}" for one in found]

    assert await actions("") == ["note delete", "prompt create", "note create"]
    assert await actions("limit=1&offset=1") == ["prompt create"]
    assert await actions("content_type=note&action=create") == ["note create"]
    assert await actions("source=web") == []
    assert await actions("end_date=2020-01-01T00:00:00Z") == []
    assert len(await actions(f"start_date={prompt['created_at']}")) == 2
    assert (await api.get("/api/history/?start_date=2020-01-01T00:00:00")).status_code == 422


@pytest.mark.parametrize("kind", KINDS)
async def test_an_earlier_version_is_read_compared_and_restored(api: AsyncClient, kind: str) -> None:
    item = await make(api, kind, content="Old.", title="Old")
    path, of = f"/api/{kind}/{item['id']}", f"/api/history/{kind[:-1]}/{item['id']}"
    await api.patch(path, json={"content": "New."})
    await api.patch(path, json={"title": "New"})

    old = (await api.get(f"{of}/version/1")).json()
    assert (old["content"], old["metadata_snapshot"]["title"], old["version"]) == ("Old.", "Old", 1)
    first, second, third = [(await api.get(f"{of}/version/{n}/diff")).json() for n in (1, 2, 3)]
    assert (first["before_content"], first["after_content"]) == (None, "Old.")
    assert (second["before_content"], second["after_content"]) == ("Old.", "New.")
    assert "-Old." in second["diff"] and "+New." in second["diff"]
    assert (third["before_content"], third["after_content"], third["diff"]) == (None, None, "")
    assert (third["before_metadata"]["title"], third["after_metadata"]["title"]) == ("Old", "New")

    back = await api.post(f"{of}/restore/1")
    assert (back.json()["content"], back.json()["title"], back.json()["version"]) == ("Old.", "Old", 4)
    newest = (await api.get(of)).json()["items"][0]
    assert (newest["action"], newest["version"]) == ("restore", 4)
    assert (await api.post(f"{of}/restore/4")).status_code == 400
    assert (await api.post(f"{of}/restore/9")).status_code == 404
    assert (await api.get(f"{of}/version/9")).status_code == 404
    assert (await api.post(f"{of}/restore/0")).status_code == 422


async def test_a_note_has_a_title(api: AsyncClient) -> None:
    for wrong in ({}, {"title": None}, {"title": "  "}):
        assert (await api.post("/api/notes/", json=wrong)).status_code == 422
    note = await make(api, "notes", title="A", content=None)
    assert (note["content"], note["content_metadata"], note["content_length"]) == (None, None, 0)
    path = f"/api/notes/{note['id']}"
    assert (await api.patch(path, json={"title": None})).status_code == 422
    assert (await api.get(f"{path}?start_line=1")).status_code == 400
    empty = await api.patch(f"{path}/str-replace", json={"old_str": "a", "new_str": "b"})
    assert (empty.status_code, empty.json()["detail"]["error"]) == (400, "content_empty")
    filled = await api.patch(path, json={"content": "Text.", "description": "D"})
    assert filled.json()["content"] == "Text."
    cleared = await api.patch(path, json={"content": None, "description": None})
    assert (cleared.json()["content"], cleared.json()["description"]) == (None, None)


async def test_an_address_has_one_bookmark(api: AsyncClient) -> None:
    made = await make(api, "bookmarks", url="https://Example.com")
    assert made["url"] == "https://example.com/"
    again = await api.post("/api/bookmarks/", json={"url": "https://example.com/"})
    assert (again.status_code, again.json()["error_code"]) == (409, "ACTIVE_URL_EXISTS")
    await api.post(f"/api/bookmarks/{made['id']}/archive")
    archived = await api.post("/api/bookmarks/", json={"url": "https://example.com"})
    assert archived.json()["error_code"] == "ARCHIVED_URL_EXISTS"
    assert archived.json()["detail"]["existing_bookmark_id"] == made["id"]
    other = await make(api, "bookmarks")
    taken = await api.patch(f"/api/bookmarks/{other['id']}", json={"url": "https://example.com/"})
    assert taken.status_code == 409
    for wrong in (
        "no address",
        "ftp://example.com",
        "https://user:secret@example.com",
        "https://a/" + "x" * 2048,
    ):
        refused = await api.post("/api/bookmarks/", json={"url": wrong})
        assert refused.status_code == 422 and "secret" not in refused.text
    assert (await api.patch(f"/api/bookmarks/{other['id']}", json={"url": None})).status_code == 422


async def test_an_address_that_takes_other_methods_names_them(api: AsyncClient) -> None:
    refused = await api.put("/api/prompts/")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST")
    assert refused.json()["error"]["allowed"] == ["GET", "HEAD", "POST"]
    nothing = await api.get("/api/nothing")
    assert (nothing.status_code, nothing.json()["error_code"]) == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["/api/prompts", "/api/notes", "/api/bookmarks", "/api/tags", "/api/history"]
)
async def test_a_collection_answers_without_its_last_slash(api: AsyncClient, path: str) -> None:
    assert (await api.get(path)).json() == (await api.get(f"{path}/")).json()
