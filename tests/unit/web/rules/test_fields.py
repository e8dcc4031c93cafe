"""The fields that every item has, one rule after the other: what they are, and what moves them."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, make, on_one_database, path_of

each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
async def test_ids_are_made_of_the_time_and_sort_by_it(served: AsyncClient, kind: str) -> None:
    first, second = await make(served, kind), await make(served, kind)
    assert [UUID(one["id"]).version for one in (first, second)] == [7, 7]
    assert first["id"] < second["id"]


@each_kind
async def test_a_new_item_was_used_when_it_was_made(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    assert item["last_used_at"] == item["created_at"] == item["updated_at"]
    assert item["created_at"].endswith("Z")
    assert (item["archived_at"], item["deleted_at"], item["state"]) == (None, None, "active")


# What is done to an item, and whether that moves the time of its last change.
MOVES: list[tuple[str, str, str, Any, bool]] = [
    ("a title", "PATCH", "", {"title": "Other"}, True),
    ("a content", "PATCH", "", {"content": "Other."}, True),
    ("a replacement", "PATCH", "/str-replace", {"old_str": "Some", "new_str": "Any"}, True),
    ("tags", "PATCH", "", {"tags": ["other"]}, True),
    ("the archive", "POST", "/archive", None, False),
    ("a time of archiving", "PATCH", "", {"archived_at": "2100-01-01T00:00:00Z"}, False),
    ("the trash", "DELETE", "", None, False),
    ("a use", "POST", "/track-usage", None, False),
]


@each_kind
@pytest.mark.parametrize(("what", "method", "end", "sent", "moves"), MOVES, ids=[row[0] for row in MOVES])
async def test_only_changes_of_what_it_says_move_the_time_of_an_item(
    served: AsyncClient, kind: str, what: str, method: str, end: str, sent: Any, moves: bool
) -> None:
    item = await make(served, kind, content="Some text.", tags=["moved"])
    await asyncio.sleep(0.001)
    done = await served.request(method, path_of(kind, item, end), json=sent)
    assert done.is_success, done.text
    now = (await served.get(path_of(kind, item))).json()
    assert (now["updated_at"] != item["updated_at"]) is moves
    assert now["version"] == (2 if moves else 1)


@each_kind
async def test_going_back_and_a_new_name_of_a_tag_move_no_time(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, tags=[f"old-{kind}"])
    for end in ("/archive", "/unarchive"):
        assert (await served.post(path_of(kind, item, end))).json()["updated_at"] == item["updated_at"]
    await served.delete(path_of(kind, item))
    assert (await served.post(path_of(kind, item, "/restore"))).json()["updated_at"] == item["updated_at"]
    await served.patch(f"/api/tags/old-{kind}", json={"new_name": f"new-{kind}"})
    now = (await served.get(path_of(kind, item))).json()
    assert (now["tags"], now["updated_at"]) == ([f"new-{kind}"], item["updated_at"])


@each_kind
async def test_a_relationship_moves_the_time_of_both_ends(served: AsyncClient, kind: str) -> None:
    item, other = await make(served, kind), await make(served, "notes")
    ends = {"source_id": item["id"], "target_id": other["id"]}
    assert (await served.post("/api/relationships/", json=ends)).status_code == 201
    for one, of in ((item, kind), (other, "notes")):
        assert (await served.get(path_of(of, one))).json()["updated_at"] > one["updated_at"]


async def test_a_time_of_archiving_comes_without_anybody_doing_anything(served: AsyncClient) -> None:
    kind, soon = "notes", (datetime.now(UTC) + timedelta(seconds=0.5)).isoformat()
    item = await make(served, kind, archived_at=soon)
    assert item["state"] == "active"
    for _ in range(600):
        if (await served.get(path_of(kind, item))).json()["state"] == "archived":
            break
        await asyncio.sleep(0.1)
    listed = (await served.get(f"/api/{kind}/?view=archived")).json()["items"]
    assert item["id"] in [one["id"] for one in listed]


@each_kind
async def test_a_list_has_the_beginning_of_a_content_and_its_length(served: AsyncClient, kind: str) -> None:
    text = "  Über \n\n\t" + "wört " * 200
    item = await make(served, kind, content=text)
    (listed,) = [
        one for one in (await served.get(f"/api/{kind}/")).json()["items"] if one["id"] == item["id"]
    ]
    metadata = (await served.get(path_of(kind, item, "/metadata"))).json()
    for one in (listed, metadata):
        assert one["content_length"] == len(text)
        assert one["content_preview"] == " ".join(text[:500].split())
        assert not {"content", "content_metadata", "relationships"} & one.keys()
    assert (item["content_preview"], item["content_length"]) == (None, len(text))


# The content, which lines are asked for, and what is answered: first line, last line and text; or the status.
LINES: list[tuple[str | None, str, Any]] = [
    ("one\ntwo\nthree", "", (1, 3, "one\ntwo\nthree")),
    ("one\ntwo\n", "", (1, 3, "one\ntwo\n")),
    ("one\r\ntwo", "", (1, 2, "one\r\ntwo")),
    ("one\ntwo\nthree", "start_line=2", (2, 3, "two\nthree")),
    ("one\ntwo\nthree", "end_line=2", (1, 2, "one\ntwo")),
    ("one\ntwo\nthree", "start_line=2&end_line=2", (2, 2, "two")),
    ("one\ntwo\nthree", "start_line=3&end_line=99", (3, 3, "three")),
    ("one\ntwo\n", "start_line=3", (3, 3, "")),
    ("one\ntwo\nthree", "start_line=1&end_line=3", (1, 3, "one\ntwo\nthree")),
    ("one\ntwo\nthree", "start_line=4", 400),
    ("one\ntwo\nthree", "start_line=3&end_line=2", 400),
    ("one\ntwo\nthree", "start_line=0", 422),
    ("one\ntwo\nthree", "end_line=0", 422),
    ("one\ntwo\nthree", "start_line=-1", 422),
    ("one\ntwo\nthree", "start_line=two", 422),
    (None, "start_line=1", 400),
    (None, "end_line=1", 400),
]


@on_one_database
@pytest.mark.parametrize(("content", "asked", "found"), LINES, ids=[f"{c!r}?{a}" for c, a, _ in LINES])
async def test_lines_are_counted_from_1_and_chosen(
    served: AsyncClient, content: str | None, asked: str, found: Any
) -> None:
    item = await make(served, "notes", content=content)
    answer = await served.get(path_of("notes", item, f"?{asked}"))
    if isinstance(found, int):
        assert answer.status_code == found, answer.text
        return
    first, last, text = found
    now = answer.json()
    assert now["content"] == text
    total = content.count("\n") + 1 if content else 1
    shown = {"total_lines": total, "start_line": first, "end_line": last, "is_partial": bool(asked)}
    assert now["content_metadata"] == shown


@on_one_database
async def test_a_number_that_nobody_asked_for_may_be_as_long_as_it_likes(served: AsyncClient) -> None:
    item = await make(served, "notes", content="one")
    asked = {"start_line": "9", "unknown": "9" * 5_000}
    refused = await served.get(path_of("notes", item), params=asked)
    assert (refused.status_code, refused.json()["error"]["field"]) == (400, "start_line")
    sent = {"old_str": "two", "new_str": ""}
    lost = await served.patch(
        path_of("notes", item, "/str-replace"), json=sent, params={"unknown": "9" * 5_000}
    )
    assert (lost.status_code, lost.json()["detail"]["error"]) == (400, "no_match")


async def test_an_empty_content_has_one_line_and_none_has_no_lines(served: AsyncClient) -> None:
    empty, none = await make(served, "notes", content=""), await make(served, "notes", content=None)
    assert empty["content"] == "" and empty["content_metadata"]["total_lines"] == 1
    assert none["content"] is none["content_metadata"] is None


@on_one_database
@each_kind
@pytest.mark.parametrize("asked", ["start_line=1", "end_line=1", "start_line=1&end_line=1"])
async def test_what_has_no_content_has_no_lines(served: AsyncClient, kind: str, asked: str) -> None:
    item = await make(served, kind)
    assert (await served.get(path_of(kind, item, f"/metadata?{asked}"))).status_code == 400
