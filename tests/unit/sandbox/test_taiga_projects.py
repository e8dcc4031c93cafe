"""The practice Taiga shows projects as the real one was observed to, to members and to others."""

from pathlib import Path

from laconic.sandbox.taiga import practice_taiga
from tests.taiga_server import TaigaServer

DENIED = "taiga.base.exceptions.PermissionDenied"


def test_everybody_sees_public_projects_and_members_only_theirs(site: TaigaServer) -> None:
    names = [row["name"] for row in site.ask("GET", "projects").json()]
    own = [row["name"] for row in site.ask("GET", "projects?member=1").json()]
    assert names == ["Dry dock", "Ferry", "Harbour", "Old pier", "Open sea"]
    assert own == ["Dry dock", "Ferry", "Harbour", "Old pier"]


def test_a_private_project_is_403_by_id_404_by_slug_and_an_empty_list(site: TaigaServer) -> None:
    replies = [
        site.ask("GET", path, by="bob")
        for path in ("projects/5", "projects/by_slug?slug=dora-smugglers", "userstories/24", "projects/99")
    ]
    assert [one.status_code for one in replies] == [403, 404, 403, 404]
    assert replies[0].json()["_error_type"] == DENIED and replies[1].json() == {"_error_message": ""}
    assert site.ask("GET", "userstories?project=5", by="bob").json() == []


def test_one_detail_has_everything_that_items_refer_to(site: TaigaServer) -> None:
    detail = site.ask("GET", "projects/1").json()
    assert [row["name"] for row in detail["us_statuses"]][-2:] == ["Done", "Archived"]
    assert [row["name"] for row in detail["priorities"]] == ["Low", "Normal", "High"]
    assert [row["username"] for row in detail["members"]] == ["alice", "bob", "carol"]
    assert detail["us_statuses"][0]["project_id"] == 1
    assert site.ask("GET", "userstory-statuses?project=1").json()[0]["project"] == 1
    assert site.ask("GET", "projects?member=1").json()[2]["members"] == [1, 2, 3]


def test_memberships_have_invitations_and_addresses_only_for_administrators(site: TaigaServer) -> None:
    by_alice = site.ask("GET", "memberships?project=1").json()
    by_bob = site.ask("GET", "memberships?project=1", by="bob").json()
    assert [row["user"] for row in by_alice] == [None, 1, 2, 3]
    assert "email" in by_alice[0] and "email" not in by_bob[0] and "username" not in by_bob[0]


def test_an_archived_project_refuses_writes_with_403_and_a_blocked_one_with_451(site: TaigaServer) -> None:
    archived = site.ask("POST", "issues", {"project": 3, "subject": "x"})
    blocked = site.ask("POST", "issues", {"project": 4, "subject": "x"})
    assert (archived.status_code, archived.json()["_error_type"]) == (403, DENIED)
    assert (blocked.status_code, blocked.json()["_error_type"]) == (451, "taiga.base.exceptions.Blocked")
    assert site.ask("GET", "userstories?project=3").headers["x-pagination-count"] == "1"
    assert "add_issue" in site.ask("GET", "projects/3").json()["my_permissions"]


def test_a_stakeholder_reads_all_and_writes_issues_and_comments(site: TaigaServer) -> None:
    story = site.ask("POST", "userstories", {"project": 1, "subject": "x"}, by="carol")
    issue = site.ask("POST", "issues", {"project": 1, "subject": "x"}, by="carol")
    comment = site.ask("PATCH", "userstories/1", {"comment": "Hm.", "version": 1}, by="carol")
    assert (story.status_code, issue.status_code, comment.status_code) == (403, 201, 200)
    assert site.ask("GET", "history/userstory/1?type=comment").json()[0]["comment"] == "Hm."


def test_unknown_places_and_slashes_at_the_end_are_pages(site: TaigaServer) -> None:
    for path in ("userstories/", "version", "info"):
        reply = site.ask("GET", path)
        assert reply.status_code == 404 and reply.headers["content-type"].startswith("text/html")
    assert site.ask("GET", "").status_code == 200
    assert site.ask("PUT", "projects").status_code == 405


def test_a_line_that_is_too_long_is_a_page_and_bad_json_is_not(site: TaigaServer) -> None:
    long = site.ask("GET", f"userstories?project=1&q={'x' * 5000}")
    bad = site.http.post("auth", content=b"{", headers={"content-type": "application/json"})
    xml = site.http.post("auth", content=b"<a/>", headers={"content-type": "application/xml"})
    assert (long.status_code, long.headers["content-type"][:9]) == (400, "text/html")
    assert bad.json()["_error_type"].endswith("ParseError") and xml.status_code == 415


def test_a_search_over_all_kinds_has_at_most_150_of_each(site: TaigaServer) -> None:
    site.ask("POST", "userstories/bulk_create", {"project_id": 1, "bulk_stories": "zebra\n\n" * 160})
    found = site.ask("GET", "search?project=1&text=zebra")
    assert (len(found.json()["userstories"]), found.json()["count"]) == (150, 150)
    assert site.ask("GET", "userstories?project=1&q=zebra").headers["x-pagination-count"] == "160"
    assert site.ask("GET", "search?project=99&text=x").status_code == 404


def test_two_instances_in_one_folder_see_what_the_other_wrote(tmp_path: Path) -> None:
    one, other = practice_taiga(tmp_path), practice_taiga(tmp_path)
    with one.state.turn():
        one.state.rows("userstories")[1]["subject"] = "Changed"
    with other.state.turn():
        assert other.state.rows("userstories")[1]["subject"] == "Changed"
