"""The practice Taiga orders, leaves out and looks up as the real one was observed to, and counts votes."""

from typing import Any

import pytest

from tests.taiga_server import TaigaServer


def ids(site: TaigaServer, path: str) -> list[int]:
    return [row["id"] for row in site.ask("GET", path).json()]


def test_lists_have_an_order_of_their_own_for_each_kind(site: TaigaServer) -> None:
    assert ids(site, "userstories?project=1&page_size=3") == [1, 2, 3]
    assert ids(site, "issues?project=1&page_size=3") == [6, 5, 4]
    assert ids(site, "tasks?project=1") == [1, 2, 3]


def test_order_by_sorts_up_or_down_and_what_it_does_not_know_is_ignored(site: TaigaServer) -> None:
    stories = site.ask("GET", "userstories?project=1&order_by=subject").json()
    down = site.ask("GET", "userstories?project=1&order_by=-subject").json()
    subjects = [row["subject"] for row in stories]
    assert subjects == sorted(subjects) and [row["subject"] for row in down] == subjects[::-1]
    assert ids(site, "userstories?project=1&order_by=nonsense") == list(range(1, 21))
    assert ids(site, "userstories?project=1&order_by=ref") == list(range(1, 21))  # only issues have that
    assert ids(site, "issues?project=1&order_by=ref") == [1, 2, 3, 4, 5, 6]
    assert ids(site, "epics?project=1&order_by=-subject") == [1, 2, 3]  # epics have no other order


def test_whatever_has_no_value_comes_last_and_first_when_turned(site: TaigaServer) -> None:
    up = [row["milestone"] for row in site.ask("GET", "userstories?project=1&order_by=milestone").json()]
    down = [row["milestone"] for row in site.ask("GET", "userstories?project=1&order_by=-milestone").json()]
    assert up == [1] * 7 + [2] * 6 + [None] * 7
    assert down == [None] * 7 + [2] * 6 + [1] * 7


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("userstories?project=1&exclude_status=1,2", 12),
        ("userstories?project=1&exclude_tags=web", 13),
        ("userstories?project=1&exclude_tags=web,office", 6),
        ("userstories?project=1&exclude_assigned_to=1", 13),
        ("userstories?project=1&exclude_assigned_users=null", 13),
        ("userstories?project=1&exclude_epic=1", 16),
        ("userstories?project=1&exclude_owner=1", 0),
        ("userstories?project=1&status=1&exclude_tags=web", 2),
        ("issues?project=1&exclude_type=1", 4),
        ("issues?project=1&exclude_priority=1,2", 2),
        ("tasks?project=1&exclude_assigned_to=null", 2),
        ("epics?project=1&exclude_type=1", 3),  # epics have no type: ignored
        ("userstories?project=1&exclude_project=1", 20),  # from here on: filters that have no opposite
        ("userstories?project=1&exclude_milestone=1", 20),
        ("tasks?project=1&exclude_user_story=1", 3),
        ("userstories?project=1&exclude_status__is_closed=true", 20),
        ("userstories?project=1&milestone__isnull=true", 7),
        ("userstories?project=1&status__is_archived=true", 0),
        ("userstories?project=1&is_closed=true", 4),
        ("issues?project=1&is_closed=true", 6),  # issues have no such filter: ignored
    ],
)
def test_filters_that_leave_out(site: TaigaServer, path: str, count: int) -> None:
    assert int(site.ask("GET", path).headers["x-pagination-count"]) == count


def test_a_list_of_ids_to_leave_out_must_be_numbers(site: TaigaServer) -> None:
    assert site.ask("GET", "userstories?project=1&exclude_status=new").status_code == 400


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ref=4", {"us": 1}),
        ("ref=1", {"epic": 1}),
        ("ref=24", {"task": 1}),
        ("ref=27", {"issue": 1}),
        ("ref=999", {}),
        ("us=4", {"us": 1}),
        ("us=1", {}),  # that number is an epic's
        ("task=24&issue=27", {"task": 1, "issue": 1}),
        ("milestone=sprint-2", {"milestone": 2}),
        ("", {}),
    ],
)
def test_the_resolver_says_what_a_number_means_and_leaves_out_what_it_does_not_know(
    site: TaigaServer, query: str, found: dict[str, int]
) -> None:
    reply = site.ask("GET", f"resolver?project=alice-harbour&{query}")
    assert (reply.status_code, reply.json()) == (200, {"project": 1, **found})


def test_the_resolver_needs_a_project_that_exists_and_can_be_seen(site: TaigaServer) -> None:
    asked = [
        site.ask("GET", f"resolver{query}") for query in ("", "?project=nowhere", "?project=dora-smugglers")
    ]
    assert [one.status_code for one in asked] == [400, 404, 403]


def test_votes_are_counted_once_each_and_leave_the_version(site: TaigaServer) -> None:
    def story(by: str = "alice") -> Any:
        return site.ask("GET", "userstories/1", by=by).json()

    for name in ("alice", "alice", "bob"):
        reply = site.ask("POST", "userstories/1/upvote", {}, by=name)
        assert (reply.status_code, reply.content) == (200, b"")
    assert (story()["total_voters"], story()["is_voter"], story("carol")["is_voter"]) == (2, True, False)
    assert site.ask("POST", "userstories/1/downvote", {}).content == b""
    assert (story()["total_voters"], story()["is_voter"], story()["version"]) == (1, False, 1)
    assert [row["username"] for row in site.ask("GET", "userstories/1/voters").json()] == ["bob"]
    assert ids(site, "userstories?project=1&order_by=-total_voters&page_size=2") == [1, 2]
    assert site.ask("POST", "userstories/999/upvote", {}).status_code == 403


def test_who_watches_an_item_is_told_to_each_user(site: TaigaServer) -> None:
    site.ask("POST", "issues/1/watch", {}, by="bob")
    rows = {name: site.ask("GET", "issues/1", by=name).json() for name in ("alice", "bob")}
    assert [(row["is_watcher"], row["total_watchers"]) for row in rows.values()] == [(False, 1), (True, 1)]
    assert [row["username"] for row in site.ask("GET", "issues/1/watchers").json()] == ["bob"]
    site.ask("POST", "issues/1/unwatch", {}, by="bob")
    assert site.ask("GET", "issues/1/watchers").json() == []


def test_comments_can_be_changed_deleted_and_restored_by_whoever_wrote_them(site: TaigaServer) -> None:
    site.ask("PATCH", "tasks/1", {"comment": "Hm.", "version": 1})
    path = "history/task/1"

    def comment() -> Any:
        return site.ask("GET", f"{path}?type=comment").json()[0]

    def asked(verb: str, body: Any = None, **more: Any) -> Any:
        return site.ask("POST", f"{path}/{verb}?id={comment()['id']}", body or {}, **more)

    edited = asked("edit_comment", {"comment": "Yes."})
    assert (edited.status_code, edited.content) == (200, b"")
    assert comment()["comment"] == "Yes." and comment()["edit_comment_date"]
    assert asked("delete_comment", by="bob").status_code == 403
    assert asked("delete_comment").content == b"" and comment()["delete_comment_date"]
    assert asked("undelete_comment").content == b"" and comment()["delete_comment_date"] is None
    assert site.ask("POST", f"{path}/edit_comment?id=none", {"comment": "x"}).status_code == 404
