"""The history, one rule after the other: what gets a version, what an entry says, and going back."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, make, path_of

each_kind = pytest.mark.parametrize("kind", KINDS)
KEYS = {
    *("id", "content_type", "content_id", "action", "version", "metadata_snapshot", "changed_fields"),
    *("source", "auth_type", "token_prefix", "created_at"),
}


async def entries(api: AsyncClient, kind: str, item: dict[str, Any]) -> list[dict[str, Any]]:
    """The history of an item, the newest first."""
    found = (await api.get(path_of(kind, item, "/history"))).json()
    items: list[dict[str, Any]] = found["items"]
    return items


@each_kind
async def test_changes_have_versions_and_moves_have_none(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    path = path_of(kind, item)
    await served.patch(path, json={"title": "Second"})
    await served.post(f"{path}/archive")
    await served.post(f"{path}/unarchive")
    await served.delete(path)
    await served.post(f"{path}/restore")
    await served.post(f"/api/history/{kind[:-1]}/{item['id']}/restore/1")
    found = await entries(served, kind, item)
    assert [(one["action"], one["version"]) for one in found] == [
        ("restore", 3),
        ("undelete", None),
        ("delete", None),
        ("unarchive", None),
        ("archive", None),
        ("update", 2),
        ("create", 1),
    ]
    named = {"prompts": "name", "bookmarks": "url"}.get(kind)
    for one in found:
        assert one.keys() >= KEYS and (one["content_type"], one["content_id"]) == (kind[:-1], item["id"])
        keys = set(one["metadata_snapshot"])
        if one["version"] is None:
            assert keys == {"title"} | ({named} if named else set())
        else:
            more = {"name", "arguments"} if kind == "prompts" else {named} if named else set()
            assert keys == {"title", "description", "tags", "relationships"} | more


# What is changed, and the fields that the history names for it; none if it is no change.
CHANGED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("notes", {"title": "New", "description": "New"}, ["description", "title"]),
    ("notes", {"title": "Note"}, []),
    ("notes", {"tags": ["b", "a"]}, []),
    ("notes", {"tags": ["a"]}, ["tags"]),
    ("notes", {"content": "New"}, ["content"]),
    ("prompts", {"arguments": [{"name": "y"}, {"name": "x"}]}, []),
    ("prompts", {"arguments": [{"name": "x", "required": True}, {"name": "y"}]}, ["arguments"]),
    ("bookmarks", {"url": "https://example.com/moved"}, ["url"]),
]


@pytest.mark.parametrize(("kind", "sent", "fields"), CHANGED, ids=[f"{k} {s}" for k, s, _ in CHANGED])
async def test_only_what_differs_is_a_change(
    served: AsyncClient, kind: str, sent: dict[str, Any], fields: list[str]
) -> None:
    given: dict[str, Any] = {"title": "Note", "tags": ["a", "b"]}
    if kind == "prompts":
        given |= {"content": "{{ x }}{{ y }}", "arguments": [{"name": "x"}, {"name": "y"}]}
    item = await make(served, kind, **given)
    await served.patch(path_of(kind, item), json=sent)
    found = await entries(served, kind, item)
    assert [one["changed_fields"] for one in found[:-1]] == ([fields] if fields else [])
    await served.delete(path_of(kind, item), params={"permanent": "true"})


async def test_an_item_goes_back_with_the_tags_and_links_that_there_are(api: AsyncClient) -> None:
    kept, lost = await make(api, "notes"), await make(api, "notes")
    links = [{"target_id": kept["id"]}, {"target_id": lost["id"]}]
    told = {"title": "First", "description": "What it was for."}
    item = await make(api, "prompts", tags=["old"], relationships=links, **told)
    path = path_of("prompts", item)
    changed: dict[str, Any] = {
        "tags": [],
        "relationships": [],
        "title": None,
        "description": None,
        "name": "other",
        "content": "None.",
    }
    assert (await api.patch(path, json=changed | {"arguments": []})).status_code == 200
    await api.patch("/api/tags/old", json={"new_name": "renamed"})
    await api.delete(path_of("notes", lost), params={"permanent": "true"})
    back = (await api.post(f"/api/history/prompt/{item['id']}/restore/{item['version']}")).json()
    same = ("title", "name", "content", "arguments", "description")
    assert [back[name] for name in same] == [item[name] for name in same]
    assert back["tags"] == ["renamed"] and [one["id"] for one in back["relationships"]] == [kept["id"]]


@each_kind
async def test_going_back_needs_another_version_and_a_free_name(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    of = f"/api/history/{kind[:-1]}/{item['id']}/restore"
    assert [(await served.post(f"{of}/{number}")).status_code for number in (1, 2)] == [400, 404]
    lost = f"/api/history/{kind[:-1]}/0190aaaa-0000-7000-8000-000000000000/restore/1"
    assert (await served.post(lost)).status_code == 404
    if kind == "notes":
        return
    name = "name" if kind == "prompts" else "url"
    moved = "moved-away" if kind == "prompts" else "https://example.com/moved-away"
    await served.patch(path_of(kind, item), json={name: moved})
    other = await make(served, kind, **{name: item[name]})
    taken = await served.post(f"{of}/1")
    assert taken.status_code == 409 and taken.json()["detail"]["existing"]["id"] == other["id"]
    await served.delete(path_of(kind, item), params={"permanent": "true"})


@each_kind
async def test_what_a_version_changed_is_told_as_two_texts(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, content="One.", title="T")
    await served.patch(path_of(kind, item), json={"content": "Two."})
    await served.patch(path_of(kind, item), json={"title": "New"})
    of = f"/api/history/{kind[:-1]}/{item['id']}/version"
    texts = []
    for number in (1, 2, 3):
        found = (await served.get(f"{of}/{number}/diff")).json()
        texts.append((found["before_content"], found["after_content"]))
        assert (found["before_metadata"] is None) is (number == 1)
    assert texts == [(None, "One."), ("One.", "Two."), (None, None)]
    assert (await served.get(f"{of}/2")).json()["content"] == "Two."
    assert [(await served.get(f"{of}/{end}")).status_code for end in ("4", "4/diff", "0")] == [404, 404, 422]


async def test_every_version_is_kept_and_read_as_it_was(served: AsyncClient) -> None:
    item = await make(served, "notes", content="Text 1.")
    for number in range(2, 26):
        await served.patch(path_of("notes", item), json={"content": f"Text {number}."})
    of = f"/api/history/note/{item['id']}/version"
    found = [(await served.get(f"{of}/{number}")).json()["content"] for number in range(1, 26)]
    assert found == [f"Text {number}." for number in range(1, 26)]


async def test_the_history_of_what_never_was_is_empty(served: AsyncClient) -> None:
    for path in ("/api/notes/{id}/history", "/api/history/note/{id}"):
        found = await served.get(path.format(id="0190aaaa-0000-7000-8000-000000000000"))
        assert (found.status_code, found.json()["items"], found.json()["total"]) == (200, [], 0)


# A filter of the history of everything, and how many of its four entries it leaves; or the status.
FILTERS: list[tuple[str, int]] = [
    ("", 4),
    ("content_type=note", 2),
    ("content_type=note&content_type=prompt", 4),
    ("action=create", 2),
    ("action=create&action=delete", 3),
    ("source=web", 1),
    ("source=api&source=web", 4),
    ("start_date=2020-01-01T00:00:00Z", 4),
    ("end_date=2020-01-01T00:00:00%2B02:00", 0),
    ("limit=3", 3),
    ("offset=3", 1),
    ("start_date=2020-01-01T00:00:00", 422),
    ("end_date=yesterday", 422),
    ("action=read", 422),
    ("content_type=page", 422),
    ("limit=101", 422),
]


async def test_the_history_of_everything_is_filtered(api: AsyncClient) -> None:
    note, prompt = await make(api, "notes"), await make(api, "prompts")
    await api.delete(path_of("notes", note))
    web = {"X-Request-Source": " WEB "}
    await api.patch(path_of("prompts", prompt), json={"title": "x"}, headers=web)
    for query, wanted in FILTERS:
        found = await api.get(f"/api/history/?{query}")
        number = found.status_code if wanted == 422 else len(found.json()["items"])
        assert (query, number) == (query, wanted)
