"""Relationships, one rule after the other: what may be said of one, and what a change does to both ends."""

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from laconic.stores.shelf.items.linking import Linking
from tests.unit.web.making import KINDS, make, on_one_database, path_of

LOST = "0190aaaa-0000-7000-8000-000000000000"


async def linked(api: AsyncClient, **more: Any) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Two items, and the address of their relationship."""
    one, other = await make(api, "prompts"), await make(api, "notes")
    made = await api.post(
        "/api/relationships/", json={"source_id": one["id"], "target_id": other["id"], **more}
    )
    assert made.status_code == 201, made.text
    return one, other, f"/api/relationships/{made.json()['id']}"


# What a relationship is sent with, and what is kept of its description; or the status and the field.
SAID: list[tuple[dict[str, Any], Any]] = [
    ({}, None),
    ({"description": None}, None),
    ({"description": ""}, None),
    ({"description": " \n"}, None),
    ({"description": " why "}, "why"),
    ({"description": "d" * 500}, "d" * 500),
    ({"relationship_type": "related"}, None),
    ({"target_type": "note"}, None),
    ({"description": "d" * 501}, (422, "description")),
    ({"description": 7}, (422, "description")),
    ({"description": "NUL \0"}, (422, "description")),
    ({"relationship_type": "parent"}, (422, "relationship_type")),
    ({"target_type": "page"}, (422, "target_type")),
    ({"target_type": "bookmark"}, (404, None)),
    ({"target_id": LOST}, (404, None)),
]


@on_one_database
@pytest.mark.parametrize(
    ("sent", "kept"), SAID, ids=[f"{[*row[0]]} {str([*row[0].values()])[:20]}" for row in SAID]
)
async def test_a_relationship_is_the_same_alone_and_with_its_item(
    served: AsyncClient, sent: dict[str, Any], kept: Any
) -> None:
    other = await make(served, "notes")
    ends = {"target_id": other["id"], **sent}
    item, alone = await make(served, "notes"), await make(served, "notes")
    with_item = await served.patch(path_of("notes", item), json={"relationships": [ends]})
    by_itself = await served.post("/api/relationships/", json={"source_id": alone["id"], **ends})
    created = await served.post("/api/notes/", json={"title": "New", "relationships": [ends]})
    if isinstance(kept, tuple):
        status, field = kept
        for answer, place in (
            (with_item, "relationships.0."),
            (created, "relationships.0."),
            (by_itself, ""),
        ):
            assert answer.status_code == status, answer.text
            assert answer.json()["error"].get("field") == (place + field if field else None)
        assert (await served.get(path_of("notes", item))).json() == item
        return
    assert [one["description"] for one in with_item.json()["relationships"]] == [kept]
    assert [one["description"] for one in created.json()["relationships"]] == [kept]
    assert by_itself.json()["description"] == kept


async def test_every_change_of_a_relationship_is_a_version_of_both_ends(served: AsyncClient) -> None:
    one, other, path = await linked(served, description="first")
    ends = [path_of("prompts", one), path_of("notes", other)]

    async def now() -> list[tuple[int, str]]:
        found = [(await served.get(end)).json() for end in ends]
        return [(item["version"], item["updated_at"]) for item in found]

    made = await now()
    assert [version for version, _ in made] == [2, 2]
    assert (await served.patch(path, json={"description": "second"})).json()["description"] == "second"
    changed = await now()
    assert [version for version, _ in changed] == [3, 3]
    assert (await served.delete(path)).status_code == 204
    removed = await now()
    assert [version for version, _ in removed] == [4, 4]
    for before, after in ((made, changed), (changed, removed)):
        assert all(later > earlier for (_, earlier), (_, later) in zip(before, after, strict=True))
    for end in ends:
        newest = (await served.get(f"{end}/history")).json()["items"][0]
        assert (newest["action"], newest["changed_fields"]) == ("update", ["relationships"])


@pytest.mark.parametrize("sent", [{}, {"description": "why"}, {"unknown": 1}], ids=str)
async def test_what_is_left_out_of_a_change_stays(served: AsyncClient, sent: dict[str, Any]) -> None:
    one, _, path = await linked(served, description="why")
    before = (await served.get(path)).json()
    same = await served.patch(path, json=sent)
    assert (same.status_code, same.json()) == (200, before)
    assert (await served.get(path_of("prompts", one))).json()["version"] == 2


async def test_null_and_a_blank_text_clear_the_description(served: AsyncClient) -> None:
    for sent in (None, "  "):
        _, _, path = await linked(served, description="why")
        assert (await served.patch(path, json={"description": sent})).json()["description"] is None


@pytest.mark.parametrize("kind", KINDS)
async def test_relationships_are_found_from_an_item_of_every_kind(served: AsyncClient, kind: str) -> None:
    item, other = await make(served, kind), await make(served, "notes")
    path = f"/api/relationships/content/{kind[:-1]}/{item['id']}"
    assert (await served.get(path)).json() == {"items": [], "total": 0}
    ends = {"source_id": other["id"], "target_id": item["id"], "description": "why"}
    made = (await served.post("/api/relationships/", json=ends)).json()
    found = (await served.get(path)).json()
    assert found["total"] == 1 and found["items"][0]["id"] == made["id"]
    (seen,) = found["items"]
    assert (seen["source_id"], seen["target_id"], seen["target_type"]) == (item["id"], other["id"], "note")
    assert (seen["relationship_type"], seen["description"]) == ("related", "why")
    wrong = "note" if kind != "notes" else "prompt"
    assert (await served.get(f"/api/relationships/content/{wrong}/{item['id']}")).status_code == 404


async def test_items_that_are_linked_to_each_other_at_once_do_not_wait_in_a_circle(
    served: AsyncClient,
) -> None:
    items = [(kind, await make(served, kind)) for kind in [*KINDS, *KINDS]]
    ids = [item["id"] for _, item in items]

    async def link(kind: str, item: dict[str, Any], title: str) -> Response:
        others = [{"target_id": id, "description": title} for id in ids if id != item["id"]]
        return await served.patch(
            path_of(kind, item), json={"title": f"{title} {item['id']}", "relationships": others}
        )

    async def go_back(kind: str, item: dict[str, Any]) -> Response:
        return await served.post(f"/api/history/{kind[:-1]}/{item['id']}/restore/1")

    for title in ("first", "second", "third"):
        done = await asyncio.gather(*(link(kind, item, title) for kind, item in items))
        assert [one.status_code for one in done] == [200] * len(items)
    done = await asyncio.gather(*(go_back(kind, item) for kind, item in items))
    assert [one.status_code for one in done] == [200] * len(items)
    for kind, item in items:
        assert (await served.get(path_of(kind, item))).json()["relationships"] == []


async def test_other_words_for_a_relationship_take_away_none_that_is_made_in_the_same_moment(
    served: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other, path = await linked(served)
    third = await make(served, "notes")
    loop, set_links, made = asyncio.get_running_loop(), Linking.set_links, list[Future[Response]]()

    def after_another(self: Linking, *given: Any) -> bool:
        ends = {"source_id": one["id"], "target_id": third["id"]}
        asked = served.post("/api/relationships/", json=ends)
        made.append(asyncio.run_coroutine_threadsafe(asked, loop))
        with suppress(TimeoutError):  # it waits until the words are written
            made[0].result(0.5)
        return set_links(self, *given)

    monkeypatch.setattr(Linking, "set_links", after_another)
    changed = await served.patch(path, json={"description": "why"})
    assert (changed.status_code, (await asyncio.wrap_future(made[0])).status_code) == (200, 201)
    now = (await served.get(path_of("prompts", one))).json()["relationships"]
    assert {link["id"]: link["description"] for link in now} == {other["id"]: "why", third["id"]: None}
