"""The practice Taiga answers as the real one was observed to: signing in, pages, versions."""

from laconic.sandbox.taiga.site.samples import PASSWORD
from tests.taiga_server import TaigaServer


def test_a_password_gives_two_tokens_and_a_wrong_one_gives_401_with_a_code(site: TaigaServer) -> None:
    body = {"type": "normal", "username": "Alice@Harbour.example", "password": PASSWORD}
    good = site.http.post("auth", json=body).json()
    bad = site.http.post("auth", json={**body, "password": "guess"})

    assert (good["username"], good["full_name"]) == ("alice", "Alice Harper")
    assert good["auth_token"] != good["refresh"]
    assert (bad.status_code, bad.json()["code"]) == (401, "invalid_credentials")
    assert bad.headers["www-authenticate"] == 'Bearer realm="api"'


def test_a_list_has_pages_with_headers_and_404_past_the_end(site: TaigaServer) -> None:
    second = site.ask("GET", "userstories?project=1&page_size=8&page=2")
    beyond = site.ask("GET", "userstories?project=1&page_size=8&page=4")
    ignored = site.ask("GET", "userstories?project=1&limit=5&offset=5")

    about = {name: second.headers[f"x-{name}"] for name in ("paginated", "paginated-by", "pagination-count")}
    assert about == {"paginated": "true", "paginated-by": "8", "pagination-count": "20"}
    assert (second.headers["x-pagination-current"], len(second.json())) == ("2", 8)
    assert "page=3" in second.headers["x-pagination-next"] and "page=1" in second.headers["x-pagination-prev"]
    assert beyond.status_code == 404 and "_error_message" in beyond.json()
    assert (ignored.headers["x-paginated-by"], len(ignored.json())) == ("30", 20)


def test_a_change_needs_the_version_and_merges_what_does_not_collide(site: TaigaServer) -> None:
    story = "userstories/1"
    without = site.ask("PATCH", story, {"subject": "x"})
    ahead = site.ask("PATCH", story, {"subject": "x", "version": 99})
    letter = site.ask("PATCH", story, {"subject": "x", "version": "z"})
    first = site.ask("PATCH", story, {"subject": "S2", "version": 1})
    stale = site.ask("PATCH", story, {"subject": "S3", "version": 1})
    merged = site.ask("PATCH", story, {"description": "d", "version": 1})

    assert [one.status_code for one in (without, ahead, letter, stale)] == [400] * 4
    assert isinstance(without.json()["version"], str) and isinstance(stale.json()["version"], str)
    assert isinstance(letter.json()["version"], list)
    assert (first.json()["version"], first.headers["taiga-info-order-updated"]) == (2, "{}")
    assert (merged.json()["version"], merged.json()["subject"], merged.json()["description"]) == (
        3,
        "S2",
        "d",
    )
