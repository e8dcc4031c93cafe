"""The practice Taiga signs people in as the real one was observed to."""

from typing import Any

from laconic.sandbox.taiga.site.samples import PASSWORD
from tests.taiga_server import TaigaServer

GOOD = {"type": "normal", "username": "alice", "password": PASSWORD}


def pair(site: TaigaServer) -> dict[str, Any]:
    found: dict[str, Any] = site.http.post("auth", json=GOOD).json()
    return found


def test_a_refresh_token_is_accepted_once(site: TaigaServer) -> None:
    first = pair(site)["refresh"]
    new = site.http.post("auth/refresh", json={"refresh": first})
    again = site.http.post("auth/refresh", json={"refresh": first})
    next_one = site.http.post("auth/refresh", json={"refresh": new.json()["refresh"]})
    without = site.http.post("auth/refresh", json={})

    assert (new.status_code, set(new.json())) == (200, {"auth_token", "refresh"})
    assert (again.status_code, again.json()["code"]) == (401, "token_not_valid")
    assert (next_one.status_code, without.status_code) == (200, 400)


def test_an_old_token_beside_a_good_refresh_token_is_refused_and_breaks_a_throttled_site(
    site: TaigaServer,
) -> None:
    site.app.sign_in.access = -1
    found = pair(site)
    headers = {"Authorization": f"Bearer {found['auth_token']}"}
    refused = site.http.post("auth/refresh", json={"refresh": found["refresh"]}, headers=headers)
    site.app.throttle.rates["login-fail"] = (5, 60)
    broken = site.http.post("auth/refresh", json={"refresh": found["refresh"]}, headers=headers)

    assert refused.status_code == 401
    assert (broken.status_code, broken.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert broken.json() == {"error": "Internal server error."}


def test_there_are_three_shapes_of_401(site: TaigaServer) -> None:
    nobody = site.ask("GET", "users/me", by=None)
    wrong = site.http.post("auth", json={**GOOD, "password": "guess"})
    site.app.sign_in.access = -1
    expired = site.ask("GET", "users/me")
    public = site.ask("GET", "projects/6")

    assert (nobody.status_code, nobody.json()["_error_type"]) == (
        401,
        "taiga.base.exceptions.NotAuthenticated",
    )
    assert (wrong.status_code, wrong.json()["code"]) == (401, "invalid_credentials")
    assert expired.json()["messages"][0]["token_type"] == "access" and public.status_code == 401


def test_a_refresh_token_is_no_access_token_and_another_scheme_is_nobody(site: TaigaServer) -> None:
    found = pair(site)
    refresh = site.http.get("users/me", headers={"Authorization": f"Bearer {found['refresh']}"})
    scheme = site.http.get("userstories?project=1", headers={"Authorization": f"Token {found['auth_token']}"})

    assert refresh.status_code == 401
    assert (scheme.status_code, scheme.json()) == (200, [])


def test_lists_for_nobody_are_empty_and_no_error(site: TaigaServer) -> None:
    listed = site.ask("GET", "userstories?project=1", by=None)
    searched = site.ask("GET", "search?project=1&text=berth", by=None)
    detail = site.ask("GET", "userstories/1", by=None)

    assert (listed.status_code, listed.json(), listed.headers["x-pagination-count"]) == (200, [], "0")
    assert (searched.status_code, searched.json()) == (200, {"count": 0})
    assert detail.status_code == 401


def test_failed_logins_are_counted_until_the_right_password_is_refused_too(site: TaigaServer) -> None:
    site.app.throttle.rates["login-fail"] = (2, 60)
    for _ in range(2):
        site.http.post("auth", json={**GOOD, "password": "guess"})
    right = site.http.post("auth", json=GOOD)

    assert right.status_code == 429 and int(right.headers["x-throttle-wait-seconds"]) > 0


def test_a_login_says_what_is_missing(site: TaigaServer) -> None:
    typeless = site.http.post("auth", json={"username": "alice", "password": PASSWORD})
    nameless = site.http.post("auth", json={"type": "normal"})

    assert (typeless.status_code, "_error_message" in typeless.json()) == (400, True)
    assert set(nameless.json()) == {"username", "password"}


def test_throttled_requests_name_seconds_in_taigas_own_header(site: TaigaServer) -> None:
    site.app.throttle.rates["user-write"] = (1, 60)
    body = {"project": 1, "subject": "x"}
    first, second = site.ask("POST", "issues", body), site.ask("POST", "issues", body)
    read, me = site.ask("GET", "issues?project=1"), site.ask("GET", "users/me")

    assert (first.status_code, second.status_code) == (201, 429)
    assert 0 < int(second.headers["x-throttle-wait-seconds"]) <= 60
    assert "retry-after" not in second.headers
    assert second.json()["_error_type"] == "taiga.base.exceptions.Throttled"
    assert (read.status_code, me.status_code) == (200, 200)


def test_people_with_their_own_throttle_are_let_in_while_others_wait(site: TaigaServer) -> None:
    site.app.throttle.rates["user-read"] = (1, 60)
    statuses = [
        site.ask("GET", path).status_code
        for path in ("projects", "projects", "users/me", "memberships?project=1")
    ]
    assert statuses == [200, 429, 200, 200]
