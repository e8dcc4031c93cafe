"""The practice Taiga keeps work items as the real one was observed to."""

from typing import Any

import pytest

from tests.taiga_server import TaigaServer

DENIED = "taiga.base.exceptions.PermissionDenied"
WRONG = "taiga.base.exceptions.WrongArguments"


def made(site: TaigaServer, table: str, **fields: Any) -> Any:
    return site.ask("POST", table, {"project": 1, "subject": "x", **fields})


def changed(site: TaigaServer, path: str, **fields: Any) -> Any:
    return site.ask("PATCH", path, fields)


def test_ids_are_counted_by_kind_and_refs_by_project(site: TaigaServer) -> None:
    rows = [made(site, table).json() for table in ("epics", "issues", "tasks")]
    assert [row["id"] for row in rows] == [4, 8, 4]
    assert [row["ref"] for row in rows] == [33, 34, 35]


def test_lists_leave_out_the_description_and_details_have_it(site: TaigaServer) -> None:
    listed = site.ask("GET", "userstories?project=1").json()[0]
    detail = site.ask("GET", "userstories/1").json()
    assert "description" not in listed and detail["description"].startswith("Book a berth")
    assert detail["neighbors"] == {"previous": None, "next": None}
    assert listed["status_extra_info"]["name"] == "New" and listed["epics"][0]["subject"] == "Bookings"


def test_tags_are_lowered_counted_once_and_read_as_pairs(site: TaigaServer) -> None:
    row = made(site, "userstories", tags=["Web", "web", ["Red", "#ff0000"], " a b"]).json()
    assert row["tags"] == [["web", None], ["red", "#ff0000"], [" a b", None]]
    assert made(site, "userstories", tags="a,b").status_code == 500
    assert made(site, "userstories", tags=[1]).json().keys() == {"tags"}


def test_the_tag_filter_means_any_and_is_exact(site: TaigaServer) -> None:
    counts = {
        tags: site.ask("GET", f"userstories?project=1&tags={tags}").headers["x-pagination-count"]
        for tags in ("web", "office", "web,office", "Web")
    }
    assert counts == {"web": "7", "office": "7", "web,office": "14", "Web": "0"}


def test_unknown_keys_and_filters_are_ignored_silently(site: TaigaServer) -> None:
    row = made(site, "tasks", priority="high", nonsense=1, id=77, ref=99)
    found = site.ask("GET", "userstories?project=1&is_blocked=true&nonsense=1")
    assert row.status_code == 201 and "priority" not in row.json() and row.json()["id"] == 4
    assert found.headers["x-pagination-count"] == "20"


@pytest.mark.parametrize(
    ("table", "field", "status", "shape"),
    [
        ("userstories", {"status": 7}, 403, DENIED),
        ("issues", {"status": 8}, 403, DENIED),
        ("issues", {"priority": 4}, 403, DENIED),
        ("tasks", {"status": 6}, 400, WRONG),
        ("epics", {"status": 6}, 400, WRONG),
        ("tasks", {"user_story": 21}, 400, WRONG),
        ("userstories", {"status": 9999}, 400, {"status"}),
        ("userstories", {"status": "abc"}, 400, {"status"}),
        ("issues", {"priority": "high"}, 400, {"priority"}),
        ("userstories", {"assigned_to": 4}, 400, {"assigned_to"}),
        ("userstories", {"points": {"77": 1}}, 400, {"points"}),
        ("userstories", {"subject": ""}, 400, {"subject"}),
        ("userstories", {"project": 99}, 400, {"project"}),
    ],
)
def test_what_does_not_fit_is_refused_in_taigas_own_shape(
    site: TaigaServer, table: str, field: dict[str, Any], status: int, shape: Any
) -> None:
    reply = made(site, table, **field)
    found = reply.json().get("_error_type") or set(reply.json())
    assert (reply.status_code, found) == (status, shape)


def test_spaces_only_are_accepted_as_a_subject_and_all_missing_fields_are_named(site: TaigaServer) -> None:
    assert made(site, "userstories", subject="  ").status_code == 201
    assert site.ask("POST", "userstories", {"project": 1}).json().keys() == {"subject"}
    assert site.ask("POST", "tasks", {"subject": "x", "user_story": 1}).json().keys() == {"project"}
    assert site.ask("POST", "tasks", [1]).json().keys() == {"non_field_errors"}


def test_what_does_not_exist_is_404_to_read_and_403_to_write(site: TaigaServer) -> None:
    read = site.ask("GET", "userstories/999")
    writes = [changed(site, "userstories/999", subject="x", version=1), site.ask("DELETE", "userstories/999")]
    assert (read.status_code, read.json().keys()) == (404, {"_error_message"})
    assert [(one.status_code, one.json()["_error_type"]) for one in writes] == [(403, DENIED)] * 2


def test_a_number_of_another_kind_is_not_found_and_a_project_is_needed(site: TaigaServer) -> None:
    assert site.ask("GET", "userstories/by_ref?ref=4&project=1").json()["id"] == 1
    assert site.ask("GET", "userstories/by_ref?ref=1&project=1").status_code == 404
    bare = site.ask("GET", "userstories/by_ref?ref=4")
    assert bare.status_code == 400 and isinstance(bare.json(), str)


def test_a_stale_assignee_of_a_story_wins_and_of_an_issue_does_not(site: TaigaServer) -> None:
    for path, status in (("userstories/1", 200), ("issues/2", 400)):
        changed(site, path, assigned_to=2, version=1)
        assert changed(site, path, assigned_to=1, version=1).status_code == status


def test_a_change_that_changes_nothing_raises_the_version_and_a_stale_one_after_it_collides(
    site: TaigaServer,
) -> None:
    changed(site, "userstories/1", subject="Other", version=1)
    same = changed(site, "userstories/1", subject="Other", version=2)
    false = changed(site, "userstories/1", subject="Third", version=2)
    assert same.json()["version"] == 3
    assert (false.status_code, type(false.json()["version"])) == (400, str)


def test_version_zero_and_numbers_as_text_are_tolerated(site: TaigaServer) -> None:
    assert changed(site, "userstories/1", subject="A", version="1").status_code == 200
    assert changed(site, "userstories/1", description="B", version=0).status_code == 200


def test_a_reason_is_wiped_without_a_block(site: TaigaServer) -> None:
    assert made(site, "userstories", blocked_note="n").json()["blocked_note"] == ""
    blocked = changed(site, "userstories/1", is_blocked=True, blocked_note="n", version=1).json()
    freed = changed(site, "userstories/1", is_blocked=False, version=2).json()
    assert (blocked["blocked_note"], freed["blocked_note"]) == ("n", "")


def test_a_task_is_in_the_sprint_of_its_story_and_closing_the_last_one_closes_the_story(
    site: TaigaServer,
) -> None:
    task = made(site, "tasks", user_story=2, milestone=2).json()
    open_story = site.ask("GET", "userstories/2").json()
    changed(site, f"tasks/{task['id']}", status=4, version=1)
    closed = site.ask("GET", "userstories/2").json()
    assert (task["milestone"], open_story["is_closed"], closed["is_closed"]) == (1, False, True)
    assert (closed["status"], closed["version"]) == (open_story["status"], open_story["version"])


def test_deleting_a_story_deletes_its_tasks_and_deleting_an_epic_keeps_stories(site: TaigaServer) -> None:
    story, epic = site.ask("DELETE", "userstories/1"), site.ask("DELETE", "epics/1")
    assert (story.status_code, story.content, epic.status_code) == (204, b"", 204)
    assert site.ask("GET", "tasks?project=1").json() == []
    assert site.ask("GET", "userstories?project=1").headers["x-pagination-count"] == "19"


def test_clearing_the_assignee_leaves_the_others_unless_they_are_cleared_too(site: TaigaServer) -> None:
    changed(site, "userstories/2", assigned_to=2, version=1)
    one = changed(site, "userstories/2", assigned_to=None, version=2).json()
    both = changed(site, "userstories/2", assigned_users=[], version=3).json()
    assert (one["assigned_to"], one["assigned_users"]) == (None, [1, 2])
    assert (both["assigned_to"], both["assigned_users"]) == (None, [])


def test_some_input_breaks_the_site_with_html_that_is_json(site: TaigaServer) -> None:
    broken = [
        made(site, "userstories", subject="a\0b"),
        site.ask("GET", "userstories?project=1&q=%00"),
        site.ask("GET", "userstories?project=1&modified_date__gte=soon"),
    ]
    assert [one.status_code for one in broken] == [500] * 3
    assert all(one.headers["content-type"].startswith("text/html") for one in broken)


def test_filters_take_comma_lists_but_some_take_one_value(site: TaigaServer) -> None:
    def count(path: str) -> Any:
        reply = site.ask("GET", path)
        return int(reply.headers["x-pagination-count"]) if reply.status_code == 200 else reply.status_code

    assert count("userstories?project=1&status=1,2") == 8
    assert count("userstories?project=1&status=1&status=2") == 4  # the last one counts
    assert count("userstories?project=1&assigned_users=null") == 7
    assert count("userstories?project=1&exclude_status=1") == 16
    assert count("userstories?project=1&epic=1") == 4
    assert count("userstories?project=1&milestone=1,2") == 400
    assert count("epics?project=1&assigned_to=1,2") == 400
    assert count("userstories?project=1&status=abc") == 400
    assert count("userstories?project=1.5") == 400
    assert count("userstories?project=99") == 0
    assert count("issues?project=1&type=1") == 2
    assert count("userstories?project=1&status__is_closed=true") == 4
    assert count("userstories?project=1&modified_date__gte=2026-10-20") == 3


def test_words_are_found_by_their_beginnings_and_all_of_them_count(site: TaigaServer) -> None:
    def found(words: str) -> str:
        count: str = site.ask("GET", f"userstories?project=1&q={words}").headers["x-pagination-count"]
        return count

    assert [found(words) for words in ("ber", "erth", "berth online", "berth crane", "")] == [
        "2",
        "0",
        "1",
        "0",
        "20",
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"book a berth"', 1),
        ('"berth a book"', 0),
        ("crane or tide", 2),
        ("show and berths", 1),
        ("show not berths", 2),
        ("(crane or tide) show", 1),
        ("not show", 17),
        ("or", 20),
        ("not", 20),
        ("((show", 3),
        (")) crane ! & |", 1),
        ('"', 20),
    ],
)
def test_a_search_understands_phrases_and_a_few_words_and_odd_signs_are_safe(
    site: TaigaServer, query: str, found: int
) -> None:
    reply = site.ask("GET", "userstories", params={"project": 1, "q": query})
    assert int(reply.headers["x-pagination-count"]) == found


def test_pages_have_thirty_rows_at_most_a_thousand_and_can_be_switched_off(site: TaigaServer) -> None:
    def asked(query: str = "", **headers: str) -> Any:
        return site.ask("GET", f"userstories?project=1{query}", headers=headers)

    assert asked("&page_size=0").headers["x-paginated-by"] == "30"
    assert asked("&page_size=5000").headers["x-paginated-by"] == "1000"
    assert asked("&page=0").status_code == asked("&page=x").status_code == 404
    assert asked("&page_size=6&page=last").headers["x-pagination-current"] == "4"
    whole = asked(**{"x-disable-pagination": "false"})
    assert len(whole.json()) == 20 and not [name for name in whole.headers if name.startswith("x-pag")]
    lazy = asked("&page_size=2", **{"x-lazy-pagination": "1"})
    assert "x-pagination-count" not in lazy.headers and "x-pagination-next" in lazy.headers
    empty = site.ask("GET", "userstories?project=99")
    assert (empty.status_code, empty.json()) == (200, [])


def test_watching_answers_with_an_empty_body_and_a_link_exists_once(site: TaigaServer) -> None:
    watched = site.ask("POST", "userstories/1/watch", {})
    linked = [site.ask("POST", "epics/1/related_userstories", {"epic": 1, "user_story": 2}) for _ in range(2)]
    assert (watched.status_code, watched.content) == (200, b"")
    assert [one.status_code for one in linked] == [201, 400] and linked[1].json().keys() == {"__all__"}
