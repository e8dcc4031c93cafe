"""Signing in: by name, address or token; renewed once, kept for this host alone, and never an empty list."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import HomeFolders
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import error_of, serving

NOBODY: dict[str, Any] = {"username": "", "password": ""}


def pair(site: TaigaServer, user: int = 1) -> dict[str, str]:
    return site.app.sign_in.pair(user, time.time())


def signed(site: TaigaServer, path: str) -> list[bool]:
    return [one.is_signed for one in site.app.seen if one.path == path]


@pytest.mark.parametrize("name", ["alice", "Alice@harbour.example"])
async def test_a_name_or_an_address_signs_in_once(site: TaigaServer, name: str) -> None:
    async with serving(site, name) as client:
        site.app.seen.clear()
        replies = await asyncio.gather(*(client.call("taiga_list_projects") for _ in range(5)))
    assert not any(reply.failed for reply in replies)
    assert not [one for one in site.app.seen if one.path.startswith("auth")]


@pytest.mark.parametrize("given", ["token", "refresh", "both"])
async def test_a_token_or_a_refresh_token_is_enough(site: TaigaServer, given: str) -> None:
    made = pair(site, 2)
    section: dict[str, Any] = {"token": made["auth_token"], "refresh": made["refresh"]}
    section = section if given == "both" else {given: section[given]}
    async with serving(site, project=None, **NOBODY, **section) as client:
        reply = await client.call("taiga_list_projects")
    assert "Ferry" in reply.text
    assert site.app.seen[0].path == ("auth/refresh" if given == "refresh" else "projects")


async def test_an_expired_token_is_renewed_before_it_is_sent_and_without_a_header(site: TaigaServer) -> None:
    site.app.sign_in.access = 30  # less than the minute before its end in which a token is renewed
    made = pair(site)
    site.app.sign_in.access = 3600
    section: dict[str, Any] = {"token": made["auth_token"], "refresh": made["refresh"]}
    async with serving(site, project=None, **NOBODY, **section) as client:
        replies = await asyncio.gather(*(client.call("taiga_list_projects") for _ in range(5)))
    assert not any(reply.failed for reply in replies)
    assert [one.path for one in site.app.seen].count("auth/refresh") == 1
    assert signed(site, "auth/refresh") == [False] and all(signed(site, "projects"))


async def test_a_token_that_taiga_no_longer_accepts_is_renewed_once(site: TaigaServer) -> None:
    async with serving(site) as client:
        site.app.faults.add("expire", path="userstories", times=1)
        reply = await client.call("taiga_list_user_stories", limit=1)
    assert not reply.failed
    assert [one.path for one in site.app.seen] == ["auth/refresh", "userstories"]


async def test_a_refresh_token_that_somebody_used_falls_back_to_the_password(site: TaigaServer) -> None:
    made = pair(site)
    site.http.post("auth/refresh", json={"refresh": made["refresh"]})
    async with serving(site) as client:
        site.app.sign_in.secret = b"another secret of the site"
        reply = await client.call("taiga_list_user_stories", limit=1)
    assert not reply.failed
    assert [one.path for one in site.app.seen][-3:] == ["auth/refresh", "auth", "userstories"]


async def test_a_password_that_is_refused_is_not_tried_again_and_again(site: TaigaServer) -> None:
    site.app.throttle.rates["login-fail"] = (3, 60.0)
    async with serving(site, project=None, password="guess", output="both") as client:
        replies = [await client.call("taiga_list_projects") for _ in range(5)]
    assert {error_of(reply)["category"] for reply in replies} == {"auth"}
    assert error_of(replies[0])["taigaCode"] == "invalid_credentials"
    assert "laconic taiga login" in replies[0].text
    assert [one.path for one in site.app.seen] == ["auth"]


@pytest.mark.parametrize("answer", ["", None, 7])
async def test_a_sign_in_without_a_token_is_an_auth_error_and_no_empty_list(
    site: TaigaServer, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    monkeypatch.setattr(
        type(site.app.sign_in), "pair", lambda *ignored: {"auth_token": answer, "refresh": ""}
    )
    async with serving(site, output="both", project=None) as client:
        reply = await client.call("taiga_list_epics", projectId=1)
    assert error_of(reply)["category"] == "auth" and "sent no token" in reply.text
    assert [one.path for one in site.app.seen] == ["auth"]


async def test_an_empty_token_that_was_kept_is_replaced(site: TaigaServer, tmp_path: Path) -> None:
    folders = HomeFolders.below(tmp_path)
    async with serving(site, folders=folders):
        pass
    (kept,) = (folders.data / "credentials" / "taiga").glob("127*.json")
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"token": ""}))
    async with serving(site, folders=folders, project=None) as client:
        reply = await client.call("taiga_list_epics", projectId=1)
    assert "Bookings" in reply.text


async def test_nobody_who_could_sign_in_is_an_auth_error(site: TaigaServer) -> None:
    async with serving(site, project=None, output="both", **NOBODY) as client:
        reply = await client.call("taiga_list_projects")
    assert error_of(reply)["category"] == "auth" and "Nobody is signed in." in reply.text
    assert site.app.seen == []


async def test_a_credential_is_for_its_host_alone(site: TaigaServer, tmp_path: Path) -> None:
    folders = HomeFolders.below(tmp_path)
    async with serving(site, folders=folders):
        pass
    (kept,) = (folders.data / "credentials" / "taiga").glob("127*.json")
    assert kept.stat().st_mode & 0o077 == 0
    stored = json.loads(kept.read_text())
    assert stored["origins"] == [site.url]
    kept.write_text(json.dumps(stored | {"origins": ["https://elsewhere.example"]}))
    async with serving(site, folders=folders, project=None, output="both", password="") as client:
        reply = await client.call("taiga_list_projects")
    assert error_of(reply)["category"] == "auth"


async def test_another_start_goes_on_with_the_kept_token(site: TaigaServer, tmp_path: Path) -> None:
    folders = HomeFolders.below(tmp_path)
    async with serving(site, folders=folders):
        pass
    site.app.seen.clear()
    async with serving(site, folders=folders, project=None, password="") as client:
        reply = await client.call("taiga_list_projects")
    assert not reply.failed and site.asked == ["GET projects"]
    assert not signed(site, "auth")
