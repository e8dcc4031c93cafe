"""Tags, one rule after the other: one set for all kinds, one form, and what changes them everywhere."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, make, on_one_database, path_of

# What is sent, and the tags that an item has then, or the status.
GIVEN: list[tuple[str, Any, Any]] = [
    ("as they are", ["b", "a"], ["a", "b"]),
    ("upper case and blanks", [" Dev ", "GO-lang"], ["dev", "go-lang"]),
    ("empty ones", ["", "  ", "a"], ["a"]),
    ("the same twice", ["a", "A", " a"], ["a"]),
    ("none", [], []),
    ("left out", None, []),
    ("a hundred", [f"t{number}" for number in range(100)], 201),
    ("a hundred and one", [f"t{number}" for number in range(101)], 422),
    ("fifty letters", ["t" * 50], 201),
    ("fifty-one letters", ["t" * 51], 422),
    ("an underscore", ["a_b"], 422),
    ("two hyphens", ["a--b"], 422),
    ("a hyphen last", ["a-"], 422),
    ("words", ["two words"], 422),
    ("another alphabet", ["é"], 422),
    ("a text", "a", 422),
    ("numbers", [1], 422),
]


@on_one_database
@pytest.mark.parametrize(("what", "given", "kept"), GIVEN, ids=[row[0] for row in GIVEN])
async def test_tags_have_one_form(served: AsyncClient, what: str, given: Any, kept: Any) -> None:
    made = await served.post("/api/notes/", json={"title": "Tagged", "tags": given})
    if isinstance(kept, int):
        assert made.status_code == kept, made.text
    else:
        assert sorted(made.json()["tags"]) == kept


@pytest.mark.parametrize("path", [*(f"/api/{kind}/" for kind in KINDS), "/api/content/"])
async def test_a_filter_takes_tags_in_any_form_and_refuses_what_is_none(api: AsyncClient, path: str) -> None:
    items = [await make(api, kind, tags=["wanted"]) for kind in KINDS]
    found = (await api.get(path, params={"tags": " WANTED"})).json()
    assert {one["id"] for one in found["items"]} <= {one["id"] for one in items} and found["total"] >= 1
    many: list[tuple[str, Any]] = [("tags", f"t{number}") for number in range(101)]
    assert (await api.get(path, params=many[:100])).status_code == 200
    for wrong in ([*many[:1], ("tags", "no_tag")], many):
        assert (await api.get(path, params=wrong)).status_code == 422


async def test_tags_are_the_same_for_all_kinds_and_are_made_when_they_are_used(api: AsyncClient) -> None:
    assert (await api.get("/api/tags/")).json() == {"tags": []}
    for kind in KINDS:
        await make(api, kind, tags=["shared"])
    assert (await api.get("/api/tags/")).json()["tags"] == [
        {"name": "shared", "content_count": 3, "filter_count": 0}
    ]


async def test_tags_of_active_items_are_listed_the_most_used_first(api: AsyncClient) -> None:
    for tags in (["b", "z"], ["b", "a"]):
        await make(api, "notes", tags=tags)
    away, gone = await make(api, "notes", tags=["archived", "a"]), await make(api, "notes", tags=["gone"])
    await api.post(path_of("notes", away, "/archive"))
    await api.delete(path_of("notes", gone))

    async def listed(query: str = "") -> list[tuple[str, int]]:
        found = (await api.get(f"/api/tags/?{query}")).json()["tags"]
        return [(tag["name"], tag["content_count"]) for tag in found]

    assert await listed() == [("b", 2), ("a", 1), ("z", 1)]
    everything = [("b", 2), ("a", 1), ("z", 1), ("archived", 0), ("gone", 0)]
    assert await listed("include_inactive=true") == everything
    assert await listed("content_types=prompt") == []
    assert (await api.get("/api/tags/?content_types=page")).status_code == 422


# How a tag `old` is renamed while there is a tag `taken`, and the status.
RENAMED: list[tuple[str, Any, int]] = [
    ("old", {"new_name": "new"}, 200),
    ("old", {"new_name": " NEW "}, 200),
    ("old", {"new_name": "old"}, 200),
    ("OLD", {"new_name": "new"}, 200),
    ("old", {"new_name": "taken"}, 409),
    ("missing", {"new_name": "new"}, 404),
    ("old", {"new_name": "n" * 51}, 422),
    ("old", {"new_name": "no tag"}, 422),
    ("old", {"new_name": ""}, 422),
    ("old", {"new_name": None}, 422),
    ("old", {}, 422),
]


@on_one_database
@pytest.mark.parametrize(("tag", "sent", "status"), RENAMED, ids=[f"{t} {s}" for t, s, _ in RENAMED])
async def test_a_tag_is_renamed_everywhere_at_once(
    api: AsyncClient, tag: str, sent: Any, status: int
) -> None:
    items = [(kind, await make(api, kind, tags=["old", "taken"])) for kind in KINDS]
    renamed = await api.patch(f"/api/tags/{tag}", json=sent)
    assert renamed.status_code == status, renamed.text
    name = sent["new_name"].strip().lower() if status == 200 else "old"
    for kind, item in items:
        assert sorted((await api.get(path_of(kind, item))).json()["tags"]) == sorted([name, "taken"])


async def test_a_tag_that_is_deleted_is_taken_off_all_items(api: AsyncClient) -> None:
    items = [(kind, await make(api, kind, tags=["old", "kept"])) for kind in KINDS]
    assert (await api.delete("/api/tags/old")).status_code == 204
    for kind, item in items:
        now = (await api.get(path_of(kind, item))).json()
        assert (now["tags"], now["updated_at"]) == (["kept"], item["updated_at"])
    assert (await api.delete("/api/tags/old")).status_code == 404
    assert (await api.delete("/api/tags/no_tag")).status_code == 422
