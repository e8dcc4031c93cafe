"""Login: a person agrees in a browser, here or elsewhere, and logs out again."""

import asyncio
import stat
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from laconic.kit import Endpoint, Home, HomeFolders, Refused
from laconic.kit.checkups import diagnoses
from laconic.servers.google.accounts.consent import Consent, Loopback
from laconic.servers.google.accounts.keys import OAuthClient
from laconic.servers.google.service.logging_in import Asking, log_in, log_out
from laconic.servers.google.settings import GoogleSettings
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer, google_server
from tests.unit.google.serving import serving, settings

CLIENT = OAuthClient("desktop", "desktop-secret")


def home_in(folder: Path, **more: Any) -> Home:
    endpoint = Endpoint([google], folders=HomeFolders.below(folder / "home"))
    found = endpoint.supplies.home("google")
    return Home(**{**vars(found), **more})


def section_of(site: GoogleServer) -> GoogleSettings:
    return GoogleSettings.model_validate(site.roots)


class Browser:
    """A person who agrees: follows the address, and perhaps the way back to this machine."""

    def __init__(self, *, comes_back: bool = True) -> None:
        self.address, self.ended, self.comes_back = "", "", comes_back

    def show(self, address: str) -> None:
        self.address = address
        self.ended = httpx2.get(address).headers["location"]
        if self.comes_back:
            asyncio.get_running_loop().create_task(self.come_back())

    async def come_back(self) -> None:
        async with httpx2.AsyncClient() as client:
            await client.get(self.ended)


async def test_a_login_through_the_browser_is_kept_and_used(site: GoogleServer, tmp_path: Path) -> None:
    section, home, browser = section_of(site), home_in(tmp_path), Browser()
    done = await log_in(section, home, "work", CLIENT, Asking(browser.show))
    async with serving(site, tmp_path, accounts={}) as client:
        listed = await client.call("drive_listFiles", limit=1)
        info = await client.call("server_getInfo")
    query = parse_qs(urlsplit(browser.address).query)
    assert done.email == "alice@harbour.example" and done.scopes == ["drive"]
    assert query["code_challenge_method"] == ["S256"] and query["access_type"] == ["offline"]
    assert not listed.failed and "work alice@harbour.example (login)" in info.text
    kept = [file for file in home.credentials.iterdir() if file.suffix == ".json"]
    assert len(kept) == 2
    for file in kept:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.credentials.stat().st_mode) == 0o700


async def test_a_login_without_a_browser_takes_the_pasted_address(site: GoogleServer, tmp_path: Path) -> None:
    browser = Browser(comes_back=False)
    asking = Asking(browser.show, lambda: f"{browser.ended}\n")
    done = await log_in(section_of(site), home_in(tmp_path), "work", CLIENT, asking)
    assert done.email == "alice@harbour.example"


async def test_the_answer_to_another_login_is_refused(site: GoogleServer, tmp_path: Path) -> None:
    browser = Browser(comes_back=False)
    asking = Asking(browser.show, lambda: browser.ended.replace("state=", "state=x"))
    with pytest.raises(Refused, match="not the answer to this login"):
        await log_in(section_of(site), home_in(tmp_path), "work", CLIENT, asking)


async def test_read_only_asks_for_reading_alone(site: GoogleServer, tmp_path: Path) -> None:
    section, home = section_of(site), home_in(tmp_path, read_only=True)
    done = await log_in(section, home, "work", CLIENT, Asking(Browser().show))
    async with serving(site, tmp_path, accounts={}) as client:
        read = await client.call("drive_listFiles")
        write = await client.call("drive_createFile", name="x", type="folder")
    assert done.scopes == ["drive.readonly"] and not read.failed
    assert "The account 'work' has not allowed this: it needs the scope drive" in write.text
    assert "'laconic google login --account work'" in write.text


async def test_a_login_for_other_apis_than_drive_needs_no_scope_of_drive(
    site: GoogleServer, tmp_path: Path
) -> None:
    section = GoogleSettings.model_validate({**site.roots, "services": ["sheets"]})
    done = await log_in(section, home_in(tmp_path), "work", CLIENT, Asking(Browser().show))
    chosen = settings(site, tmp_path, accounts={}, services=["sheets"])
    endpoint = Endpoint([google], settings=chosen, folders=HomeFolders.below(tmp_path / "home"))
    found = [one async for one in diagnoses(google, endpoint.supplies)]
    await endpoint.close()
    assert done.scopes == ["spreadsheets"] and done.email == ""
    assert [(one.what, one.detail, one.ok) for one in found] == [("account work", "signed in.", True)]


async def test_the_browser_is_told_what_came_and_strangers_change_nothing() -> None:
    async with Loopback() as loopback, httpx2.AsyncClient() as client:
        consent = Consent(CLIENT, ["drive"], loopback.redirect)
        loopback.state = consent.state
        strange = await client.get(f"{loopback.redirect}/?state=guessed&code=theirs")
        refused = await client.get(f"{loopback.redirect}/?state={consent.state}&error=access_denied")
        with pytest.raises(Refused, match="Google did not allow it: access_denied"):
            consent.code(await loopback.came(1))
    assert strange.text.startswith("Nothing here.")
    assert refused.text.startswith("You did not agree, so nobody was signed in.")


async def test_a_login_is_for_its_hosts_and_shown_to_no_other(site: GoogleServer, tmp_path: Path) -> None:
    await log_in(section_of(site), home_in(tmp_path), "work", CLIENT, Asking(Browser().show))
    with google_server() as other:
        async with serving(site, tmp_path, accounts={}, drive=other.url) as client:
            told = await client.call("drive_listFiles")
        assert not other.app.seen
    assert "The account 'work' is not signed in. A person must sign in" in told.text


async def test_two_logins_are_told_apart_by_their_alias(site: GoogleServer, tmp_path: Path) -> None:
    await log_in(section_of(site), home_in(tmp_path), "work", CLIENT, Asking(Browser().show))
    site.app.account = ("bob@harbour.example", site.app.account[1])
    await log_in(section_of(site), home_in(tmp_path), "bobs", CLIENT, Asking(Browser().show))
    async with serving(site, tmp_path, accounts={}) as client:
        none = await client.call("drive_listFiles", name="secrets")
        hers = await client.call("drive_listFiles", name="secrets", account="work")
        his = await client.call("drive_listFiles", name="secrets", account="bobs")
        await log_out(section_of(site), home_in(tmp_path), "bobs")
        gone = await client.call("drive_listFiles", name="secrets", account="bobs")
    site.app.account = ("alice@harbour.example", site.app.account[1])
    assert "Several accounts are signed in: bobs, work. Say which with account." in none.text
    assert hers.text.startswith("No files match") and "Bob's secrets" in his.text
    assert "There is no account 'bobs'." in gone.text


async def test_a_login_that_ended_is_told_with_how_to_sign_in_again(
    site: GoogleServer, tmp_path: Path
) -> None:
    await log_in(section_of(site), home_in(tmp_path), "work", CLIENT, Asking(Browser().show))
    site.app.sign_in.secret = b"another"
    site.app.state.rows("grants").clear()
    async with serving(site, tmp_path, accounts={}) as client:
        told = await client.call("drive_listFiles")
    assert told.text == (
        "Error [PERMISSION_DENIED]: The sign-in of the account 'work' has ended. Google says: Token has been "
        "expired or revoked. A person must sign in: 'laconic google login --account work'."
    )


async def test_a_logout_ends_the_tokens_at_google_and_forgets_them(
    site: GoogleServer, tmp_path: Path
) -> None:
    section, home = section_of(site), home_in(tmp_path)
    await log_in(section, home, "work", CLIENT, Asking(Browser().show))
    assert await log_out(section, home, "work")
    async with serving(site, tmp_path, accounts={}) as client:
        told = await client.call("drive_listFiles")
    assert "No Google account is signed in. Run 'laconic google login'" in told.text
    assert [row["client"] for row in site.app.state.rows("grants").values()] == ["practice"]
    with pytest.raises(Refused, match="Nobody signed in as 'work'"):
        await log_out(section, home, "work")
