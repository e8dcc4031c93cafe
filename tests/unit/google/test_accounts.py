"""Accounts: several at once, for whom each is, keys of service accounts, and every way in which one ends."""

import asyncio
import json
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from laconic.kit import Caller, Endpoint
from laconic.kit.peer import SilentPeer
from laconic.servers.google.tools import google
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving, settings


async def test_with_several_accounts_a_call_says_which_and_none_is_guessed(
    site: GoogleServer, tmp_path: Path
) -> None:
    bob = site.key_file(tmp_path, "bob@harbour.example")
    both = {"work": {"key": site.key_file(tmp_path)}, "bobs": {"key": bob}}
    async with serving(site, tmp_path, accounts=both) as client:
        tools = {tool["name"]: tool for tool in await client.tools()}
        none = await client.call("drive_listFiles")
        wrong = await client.call("drive_listFiles", account="bob")
        mine = await client.call("drive_listFiles", name="secrets", account="work")
        his = await client.call("drive_listFiles", name="secrets", account="bobs", limit=1)
        page = await client.call("drive_listFiles", account="bobs", limit=1)
        moved = await client.call("drive_listFiles", account="work", cursor=page.cursor)
        unseen = await client.call("drive_getFile", fileId=site.id("Bob's secrets"), account="work")
    async with serving(site, tmp_path, accounts=both, account="bobs") as client:
        usual = await client.call("drive_listFiles", name="secrets")
    async with serving(site, tmp_path, accounts={"work": both["work"]}, account="bobs") as client:
        lost = await client.call("drive_listFiles", name="secrets")
    assert "The usual account, 'bobs', is not signed in. Known: work. Say which with account." in lost.text
    assert "account" in tools["drive_listFiles"]["inputSchema"]["properties"]
    assert "Several accounts are signed in: bobs, work. Say which with account." in none.text
    assert "There is no account 'bob'. Did you mean bobs?" in wrong.text
    assert (
        mine.text.startswith("No files match")
        and "Bob's secrets" in his.text
        and "Bob's secrets" in usual.text
    )
    assert moved.failed and "cursor" in moved.text
    assert "The account 'work' does not see it" in unseen.text


async def test_an_account_is_for_this_machine_unless_it_names_callers(
    site: GoogleServer, tmp_path: Path
) -> None:
    key = site.key_file(tmp_path)
    for callers, may in (([], False), (["someone else"], False), (["token|bob"], True)):
        accounts = {"work": {"key": key, "callers": callers}}
        endpoint = Endpoint([google], settings=settings(site, tmp_path, accounts=accounts))
        try:
            peer = SilentPeer(Caller("token|bob"))
            answer = await endpoint.call_tool("drive_listFiles", {}, peer)
        finally:
            await endpoint.close()
        assert (answer.failure is None) == may
        if not may:
            assert "No Google account of this server is for you." in answer.text


def service_key(site: GoogleServer, folder: Path, **more: Any) -> str:
    """A service account that the sandbox knows; its key file."""
    key = generate_private_key(65537, 2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    email = "robot@project.example"
    site.app.sign_in.services[email] = {"key": public, **more}
    content = {"type": "service_account", "client_email": email, "private_key": private}
    file = folder / "robot.json"
    file.write_text(json.dumps({**content, "private_key_id": "1", "token_uri": f"{site.url}/token"}))
    return str(file)


async def test_a_service_account_acts_for_a_person_it_may_act_for(site: GoogleServer, tmp_path: Path) -> None:
    key = service_key(site, tmp_path, delegated=["alice@harbour.example"])
    accounts = {
        "robot": {"key": key},
        "alice": {"key": key, "subject": "alice@harbour.example"},
        "bob": {"key": key, "subject": "bob@harbour.example"},
    }
    async with serving(site, tmp_path, accounts=accounts) as client:
        own = await client.call("drive_listFiles", account="robot")
        hers = await client.call("drive_listFiles", account="alice", name="Budget")
        his = await client.call("drive_listFiles", account="bob")
    assert not own.failed and "Budget 2026" not in own.text
    assert "Budget 2026" in hers.text
    assert "The service account 'bob' may not act for that person." in his.text and his.failed


async def test_what_the_machine_has_is_used_if_there_is_nothing_else(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", site.key_file(tmp_path))
    async with serving(site, tmp_path, accounts={}) as client:
        listed = await client.call("drive_listFiles", name="Budget")
    other = tmp_path / "other.json"
    other.write_text('{"type": "external_account"}')
    async with serving(site, tmp_path, accounts={"x": {"key": str(other)}}) as client:
        odd = await client.call("drive_listFiles")
    assert "Budget 2026" in listed.text
    assert "other.json has credentials of type 'external_account', which is not supported." in odd.text


@pytest.mark.parametrize("place", ["home", "CLOUDSDK_CONFIG"])
async def test_what_gcloud_left_is_used_with_the_project_that_it_names(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = tmp_path / ".config" / "gcloud" if place == "home" else tmp_path / "elsewhere"
    folder.mkdir(parents=True)
    key = json.loads((tmp_path / site.key_file(tmp_path)).read_text())
    file = folder / "application_default_credentials.json"
    file.write_text(json.dumps({**key, "quota_project_id": "harbour-1"}))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("CLOUDSDK_CONFIG", "" if place == "home" else str(folder))
    async with serving(site, tmp_path, accounts={}) as client:
        listed = await client.call("drive_listFiles", name="Budget")
    projects = {one.path: one.headers.get("x-goog-user-project") for one in site.app.seen}
    assert "Budget 2026" in listed.text
    assert projects == {"token": None, "drive/v3/files": "harbour-1"}


async def test_a_token_is_renewed_before_it_ends_and_once_for_all(site: GoogleServer, tmp_path: Path) -> None:
    site.app.sign_in.lasts = 30  # less than the minute before its end in which a token is renewed
    async with serving(site, tmp_path) as one, serving(site, tmp_path) as other:
        await one.call("drive_listFiles")
        assert site.tokens == 1
        site.app.sign_in.lasts = 3599
        calls = [client.call("drive_listFiles", limit=n + 1) for n in range(4) for client in (one, other)]
        replies = await asyncio.gather(*calls)
    assert not any(reply.failed for reply in replies)
    assert site.tokens == 2  # two servers, one renewal
    assert not [
        one for one in site.app.seen if one.path == "drive/v3/files" and "authorization" not in one.headers
    ]


async def test_a_token_that_google_no_longer_takes_is_renewed_once(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        await client.call("drive_listFiles")
        site.app.sign_in.secret = b"another"
        assert not (await client.call("drive_listFiles", limit=2)).failed
    assert site.tokens == 2


async def test_another_key_under_the_same_alias_is_another_account_at_once(
    site: GoogleServer, tmp_path: Path
) -> None:
    file = tmp_path / "key.json"
    accounts = {"work": {"key": str(file)}}
    copyfile(site.key_file(tmp_path), file)
    async with serving(site, tmp_path, accounts=accounts) as client:
        hers = await client.call("drive_listFiles", name="secrets")
        copyfile(site.key_file(tmp_path, "bob@harbour.example"), file)
        his = await client.call("drive_listFiles", name="secrets", limit=9)
    async with serving(site, tmp_path, accounts=accounts) as client:
        later = await client.call("drive_listFiles", name="secrets")
    assert hers.text.startswith("No files match")
    assert "Bob's secrets" in his.text and "Bob's secrets" in later.text


async def test_a_damaged_list_of_logins_leads_to_nobody_elses_account(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", site.key_file(tmp_path, "bob@harbour.example"))
    async with serving(site, tmp_path, accounts={}) as client:
        machine = await client.call("server_getInfo")
        [folder] = (tmp_path / "home").rglob("credentials/google")
        (folder / "logins.json").write_text('{"logins": {"work": 5')
        told = await client.call("drive_listFiles")
    assert "default (machine)" in machine.text
    assert told.failed and "No Google account is signed in. Run 'laconic google login'" in told.text


async def test_a_revoked_account_ends_in_one_clear_sentence(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        site.app.state.rows("grants").clear()
        told = await client.call("drive_listFiles")
        site.app.seen.clear()
        again = await client.call("drive_listFiles", limit=3)
    assert told.text == (
        "Error [PERMISSION_DENIED]: The sign-in of the account 'work' has ended. Google says: Token has been "
        "expired or revoked. A person must make a new key file for it."
    )
    assert again.failed and site.tokens == 0  # a refused account is not tried again and again


async def test_who_must_do_what_is_told_for_the_machines_own_account(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = site.key_file(tmp_path, scope="drive.readonly")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", key)
    async with serving(site, tmp_path, accounts={}) as client:
        narrow = await client.call("drive_createFile", name="x", type="folder")
        site.app.sign_in.secret = b"another"
        site.app.state.rows("grants").clear()
        ended = await client.call("drive_listFiles")
    auth = "https://www.googleapis.com/auth/"
    assert narrow.text.endswith(
        "it needs the scope drive. A person must run 'gcloud auth application-default login "
        f"--scopes={auth}drive,{auth}cloud-platform', or 'laconic google login'."
    )
    assert ended.text.endswith("run 'gcloud auth application-default login', or 'laconic google login'.")


async def test_a_scope_that_no_login_asks_for_is_told_with_its_setting(
    site: GoogleServer, tmp_path: Path
) -> None:
    ask = {"tool": "drive_apps_list", "arguments": {}}
    async with serving(site, tmp_path, accounts={"robot": {"key": service_key(site, tmp_path)}}) as client:
        told = await client.send("tools_read", ask)
    async with serving(
        site,
        tmp_path,
        accounts={"robot": {"key": service_key(site, tmp_path)}},
        scopes=["drive.apps.readonly"],
    ) as client:
        allowed = await client.send("tools_read", ask)
    assert "A person must set LACONIC_GOOGLE_SCOPES to drive.apps.readonly, or make a key" in told.text
    assert "google login" not in told.text and "has not allowed this" not in allowed.text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "clock",
            "The clock of this machine is wrong, so Google refuses the account 'robot'. Google's clock",
        ),
        ("audience", "Google does not know the client or key of the account 'robot'."),
        (
            "signature",
            "Google does not accept the key of the account 'robot'. Google says: Invalid JWT Signature. "
            "A person must make a new key for it, and name its file.",
        ),
        ("client", "Google does not accept the key of the account 'robot'. Google says: Invalid grant: acc"),
    ],
)
async def test_each_fault_of_a_key_ends_in_one_clear_sentence(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, words: str
) -> None:
    key = service_key(site, tmp_path)
    services = site.app.sign_in.services
    if change == "clock":
        now = site.app.clock
        site.app.clock = lambda: now() + 86_400
    elif change == "audience":
        monkeypatch.setattr("laconic.sandbox.google.signing_in.AUDIENCE", "https://other.example")
    elif change == "signature":
        old = dict(services["robot@project.example"])
        service_key(site, tmp_path / "..")
        services["robot@project.example"] = {**services["robot@project.example"]}
        (tmp_path / ".." / "robot.json").unlink()
        assert old != services["robot@project.example"]
    else:
        services.clear()
    async with serving(site, tmp_path, accounts={"robot": {"key": key}}) as client:
        told = await client.call("drive_listFiles")
    assert words in told.text and told.failed
    assert "google login" not in told.text  # a key does not sign in


async def test_a_private_key_that_cannot_be_read_is_told_and_no_bug(
    site: GoogleServer, tmp_path: Path
) -> None:
    key = service_key(site, tmp_path)
    content = json.loads((tmp_path / "robot.json").read_text())
    for broken in ("-----BEGIN PRIVATE KEY-----\nxx\n-----END PRIVATE KEY-----", "no key", "é"):
        (tmp_path / "robot.json").write_text(json.dumps({**content, "private_key": broken}))
        async with serving(site, tmp_path, accounts={"robot": {"key": key}}) as client:
            told = await client.call("drive_listFiles")
        assert "The private key of robot@project.example cannot be read. A person must" in told.text
        assert broken not in told.text


async def test_accounts_and_addresses_never_come_from_a_workspace(site: GoogleServer, tmp_path: Path) -> None:
    for key in ("drive", "oauth", "accounts", "client", "account"):
        chosen = settings(site, tmp_path)
        strange = type(chosen)(**{**vars(chosen), "from_workspace": {"google": [key]}})
        endpoint = Endpoint([google], settings=strange)
        answer = await endpoint.call_tool("drive_listFiles", {}, SilentPeer())
        await endpoint.close()
        assert f"[google] {key} is for you alone to decide" in answer.text or key == "client"
        assert answer.failure is not None


async def test_no_secret_is_in_an_answer(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        replies = [await client.call("server_getInfo"), await client.call("drive_getFile", fileId="x")]
    token = next(one.headers["authorization"] for one in site.app.seen if "authorization" in one.headers)
    assert not [reply for reply in replies if token[7:] in reply.text or "desktop-secret" in reply.text]
