"""The practice Taiga has sprints, their figures and bulk creation as the real one was observed to."""

from tests.taiga_server import TaigaServer

DATES = {"estimated_start": "2026-11-02", "estimated_finish": "2026-11-13"}


def test_a_sprint_has_a_name_of_its_own_and_ends_after_it_starts(site: TaigaServer) -> None:
    first = site.ask("POST", "milestones", {"project": 1, "name": "Sprint 3", **DATES})
    twice = site.ask("POST", "milestones", {"project": 1, "name": "Sprint 3", **DATES})
    turned = {"estimated_start": "2026-11-13", "estimated_finish": "2026-11-02"}
    bad = site.ask("POST", "milestones", {"project": 1, "name": "Sprint 4", **turned})
    bare = site.ask("POST", "milestones", {"project": 1})
    assert (first.status_code, first.json()["closed"], first.json()["user_stories"]) == (201, False, [])
    assert (twice.status_code, twice.json().keys()) == (400, {"name"})
    assert (bad.status_code, bad.json().keys()) == (400, {"__all__"})
    assert bare.json().keys() == {"name", "estimated_start", "estimated_finish"}


def test_sprints_are_listed_latest_first_with_their_stories_and_figures(site: TaigaServer) -> None:
    every = site.ask("GET", "milestones?project=1").json()
    closed = site.ask("GET", "milestones?project=1&closed=true").json()
    stats = site.ask("GET", "milestones/2/stats").json()
    assert [row["name"] for row in every] == ["Sprint 2", "Sprint 1"]
    assert [row["name"] for row in closed] == ["Sprint 1"]
    assert (stats["total_userstories"], stats["completed_userstories"]) == (len(every[0]["user_stories"]), 1)


def test_tasks_are_created_in_bulk_only_in_a_sprint(site: TaigaServer) -> None:
    body = {"project_id": 1, "bulk_tasks": " One \n\nTwo"}
    bare = site.ask("POST", "tasks/bulk_create", {**body, "us_id": 1})
    made = site.ask("POST", "tasks/bulk_create", {**body, "us_id": 2, "milestone_id": 1})
    assert (bare.status_code, bare.json().keys()) == (400, {"milestone_id"})
    assert (made.status_code, [row["subject"] for row in made.json()]) == (200, ["One", "Two"])


def test_the_history_has_the_newest_entry_first_with_who_and_what(site: TaigaServer) -> None:
    site.ask("PATCH", "userstories/1", {"subject": "Other", "version": 1})
    site.ask("PATCH", "userstories/1", {"comment": "Hm.", "version": 2}, by="bob")
    both = site.ask("GET", "history/userstory/1")
    activity = site.ask("GET", "history/userstory/1?type=activity").json()
    assert both.headers["x-pagination-count"] == "2"
    assert [entry["user"]["username"] for entry in both.json()] == ["bob", "alice"]
    assert [entry["diff"] for entry in activity] == [{"subject": ["Book a berth online", "Other"]}]
