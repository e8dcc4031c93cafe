"""Tokens: one renewal for all tasks and processes, bound to a host, never shown."""

import asyncio
import json
import stat
import subprocess
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import SharedFile, StoreDown
from laconic.upstream import (
    ApiSession,
    Auth,
    BadAddress,
    Credential,
    Invalid,
    KeptCredential,
    OnceAtATime,
    Policy,
    Unauthorised,
    Unreachable,
    credential_name,
)
from laconic.upstream.sharing import OwnRecord
from tests.unit.upstream.servers import MovedClock, Seen, answering, raw, reply

HOST = "https://api.example.test"


class Tokens:
    """A system whose refresh tokens work once; counts how often they were used."""

    def __init__(self) -> None:
        self.number = 0
        self.used: list[str] = []

    async def renew(self, last: Credential | None) -> Credential:
        refresh = last.refresh if last else ""
        if refresh in self.used:
            raise Unauthorised("That refresh token was used before.", status=401)
        self.used.append(refresh)
        await asyncio.sleep(0.01)
        self.number += 1
        return Credential(f"token-{self.number}", f"refresh-{self.number}")


def kept(path: Path, *origins: str) -> KeptCredential:
    return KeptCredential(SharedFile(path / "credentials" / "one.json"), origins or (HOST,))


async def test_of_many_tasks_one_renews() -> None:
    tokens = Tokens()
    auth = OnceAtATime(KeptCredential(OwnRecord(), [HOST]), tokens.renew)
    first = await asyncio.gather(*(auth.token() for _ in range(20)))
    second = await asyncio.gather(*(auth.renew("token-1") for _ in range(20)))

    assert (set(first), set(second), tokens.number) == ({"token-1"}, {"token-2"}, 2)
    assert await auth.renew("token-1") == "token-2"  # told late that the first one is stale


async def test_what_another_process_renewed_is_used(tmp_path: Path) -> None:
    tokens = Tokens()
    one, other = (OnceAtATime(kept(tmp_path), tokens.renew) for _ in range(2))
    assert [await one.token(), await other.token()] == ["token-1", "token-1"]
    assert list(await asyncio.gather(one.renew("token-1"), other.renew("token-1"))) == ["token-2"] * 2
    assert tokens.used == ["", "refresh-1"]


RENEWER = """
import asyncio, os, sys, time
from pathlib import Path
from typing import Any
from laconic.stores import SharedFile
from laconic.upstream import Credential, KeptCredential, OnceAtATime

async def renew(last):
    used = Path(sys.argv[1]) / f"used-{last.refresh}"
    used.touch(exist_ok=False)  # a refresh token works once
    await asyncio.sleep(0.05)
    number = int(last.refresh) + 1
    return Credential(f"token-{number}", str(number))

async def main():
    kept = KeptCredential(SharedFile(Path(sys.argv[1]) / "one.json"), ["https://api.example.test"])
    auth = OnceAtATime(kept, renew)
    token = await auth.token()
    for _ in range(5):
        token = await auth.renew(token)
    print(token)

asyncio.run(main())
"""


def test_of_many_processes_one_renews(tmp_path: Path) -> None:
    KeptCredential(SharedFile(tmp_path / "one.json"), [HOST]).write(Credential("token-0", "0"))
    command = [sys.executable, "-c", RENEWER, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    last = [process.communicate(timeout=50)[0].strip() for process in running]

    assert [process.returncode for process in running] == [0] * 4
    assert all(int(token.removeprefix("token-")) >= 5 for token in last)
    assert len(list(tmp_path.glob("used-*"))) <= 20


async def test_a_task_that_is_cancelled_does_not_stop_the_renewal(tmp_path: Path) -> None:
    tokens = Tokens()
    auth = OnceAtATime(kept(tmp_path), tokens.renew)
    task = asyncio.create_task(auth.token())
    await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await auth.token() == "token-1"
    assert tokens.used == [""]


async def test_a_refused_renewal_is_not_tried_again_at_once() -> None:
    moved, tries = MovedClock(), 0

    async def refused(last: Credential | None) -> Credential:
        nonlocal tries
        tries += 1
        raise Unauthorised("The password is wrong.", status=401)

    auth = OnceAtATime(KeptCredential(OwnRecord(), [HOST]), refused, clock=moved.clock)
    for _ in range(5):
        with pytest.raises(Unauthorised, match="The password is wrong"):
            await auth.token()
    assert tries == 1
    moved.time += 31
    with pytest.raises(Unauthorised):
        await auth.token()
    assert tries == 2


async def test_a_token_about_to_expire_is_renewed_before_it_is_used() -> None:
    moved, made = MovedClock(), iter(range(1, 9))

    async def renew(last: Credential | None) -> Credential:
        return Credential(f"token-{next(made)}", expires=moved.time + 3600)

    auth = OnceAtATime(KeptCredential(OwnRecord(), [HOST]), renew, clock=moved.clock)
    found = [await auth.token(), await auth.token()]
    moved.time += 3599
    found.append(await auth.token())

    assert found == ["token-1", "token-1", "token-2"]


async def test_a_process_that_holds_the_lock_too_long_is_not_waited_for(tmp_path: Path) -> None:
    place = kept(tmp_path)
    auth = OnceAtATime(place, Tokens().renew, patience=0.05)
    with place.record.lock(), pytest.raises(Unreachable, match=r"has been signing in for 0.05 s") as caught:
        await auth.token()

    assert caught.value.changed is False


HANGER = """
import asyncio, sys
from pathlib import Path
from typing import Any
from laconic.stores import SharedFile
from laconic.upstream import KeptCredential, OnceAtATime

async def renew(last):
    print("renewing", flush=True)
    await asyncio.sleep(60)

kept = KeptCredential(SharedFile(Path(sys.argv[1]) / "credentials" / "one.json"), ["https://api.example.test"])
asyncio.run(OnceAtATime(kept, renew).token())
"""


async def test_a_process_that_was_killed_while_it_renewed_blocks_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HANGER, str(tmp_path)]
    other = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert await other.stdout.readline() == b"renewing\n"
    with pytest.raises(Unreachable):
        await OnceAtATime(kept(tmp_path), Tokens().renew, patience=0.05).token()
    other.kill()
    await other.wait()

    assert await OnceAtATime(kept(tmp_path), Tokens().renew).token() == "token-1"


async def test_a_token_that_cannot_be_sent_is_not_shown() -> None:
    async with (
        raw(answering(reply())) as server,
        ApiSession(server.url, given(server.url, Tokens().renew, "hunter22-token\n")) as api,
    ):
        with pytest.raises(BadAddress) as caught:
            await api.get("/x")

    assert "hunter22" not in "".join(traceback.format_exception(caught.value))


async def test_a_credential_that_cannot_be_kept_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(self: SharedFile, content: bytes) -> None:
        raise StoreDown("one.json cannot be written: No space left on device.")

    monkeypatch.setattr(SharedFile, "write", full)
    auth = OnceAtATime(kept(tmp_path), Tokens().renew)

    assert [await auth.token(), await auth.token()] == ["token-1", "token-1"]
    assert "could not be kept: one.json cannot be written: No space left" in caplog.text


async def test_where_no_lock_can_be_made_no_refresh_token_is_used_up(tmp_path: Path) -> None:
    (tmp_path / "credentials").write_text("in the way", encoding="utf-8")
    tokens = Tokens()
    with pytest.raises(StoreDown):
        await OnceAtATime(kept(tmp_path), tokens.renew).token()

    assert tokens.used == []


def test_a_kept_credential_is_the_users_alone_and_whole(tmp_path: Path) -> None:
    place = kept(tmp_path)
    place.write(Credential("t" * 20, "r" * 20, 5.0, {"scope": "drive"}))
    file = tmp_path / "credentials" / "one.json"

    assert place.read() == Credential("t" * 20, "r" * 20, 5.0, {"scope": "drive"})
    assert [stat.S_IMODE(one.stat().st_mode) for one in (file, file.parent)] == [0o600, 0o700]
    file.chmod(0o644)
    place.write(Credential("other"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(one.name for one in file.parent.iterdir()) == ["one.json"]
    place.forget()
    assert place.read() is None


@pytest.mark.parametrize(
    "other",
    [
        "https://evil.example.test",
        "http://api.example.test",
        "https://api.example.test:8443",
        "https://example.test",
    ],
)
async def test_a_credential_is_not_given_to_another_host(tmp_path: Path, other: str) -> None:
    kept(tmp_path).write(Credential("token-of-the-user"))

    assert kept(tmp_path, other).read() is None
    assert kept(tmp_path, HOST, other).read() is None
    with pytest.raises(BadAddress, match="was not made for"):
        ApiSession(other, OnceAtATime(kept(tmp_path), Tokens().renew))


def test_a_credential_can_be_for_several_hosts(tmp_path: Path) -> None:
    kept(tmp_path, "https://docs.example.test", "https://sheets.example.test").write(Credential("token"))

    assert kept(tmp_path, "https://SHEETS.example.test:443/v4").read() == Credential("token")


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b"null", b'{"origins": 3}', b'{"origins": ["x"], "token": 5}']
)
def test_a_damaged_credential_is_none(content: bytes) -> None:
    record = OwnRecord()
    record.write(content)

    assert KeptCredential(record, [HOST]).read() is None


def test_each_account_of_each_host_has_a_file_of_its_own() -> None:
    pairs = [
        (HOST, ""),
        (HOST, "a"),
        (HOST, "A"),
        ("http://api.example.test", "a"),
        (HOST, "a/../b"),
        (HOST, "ü" * 99),
    ]
    names = [credential_name(origin, account) for origin, account in pairs]

    assert len(set(names)) == len(pairs)
    assert names[1].startswith("api.example.test-a-")
    assert all("/" not in name and len(name) < 80 for name in names)


def test_a_credential_shows_no_secret() -> None:
    assert "hunter22" not in repr(Credential("hunter22", "hunter22", 5.0, {"x": "hunter22"}))


def given(url: str, renew: Callable[[Credential | None], Awaitable[Credential]], token: str = "") -> Auth:
    place = KeptCredential(OwnRecord(), [url])
    if token:
        place.write(Credential(token))
    return OnceAtATime(place, renew)


async def test_a_refused_token_is_renewed_once_and_the_request_sent_again() -> None:
    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        is_fresh = request.headers["authorization"] == "Bearer token-1"
        writer.write(reply(201 if is_fresh else 401, {}))

    async with (
        raw(handler) as server,
        ApiSession(server.url, given(server.url, Tokens().renew, "stale-token")) as api,
    ):
        made = await asyncio.gather(*(api.post("/x", body=[number]) for number in range(3)))

    assert [one.status for one in made] == [201, 201, 201]
    assert sorted(one.body for one in server.seen if "token-1" in one.headers["authorization"]) == [
        b"[0]",
        b"[1]",
        b"[2]",
    ]


async def test_a_token_that_is_refused_twice_is_the_end() -> None:
    tokens = Tokens()
    async with (
        raw(answering(reply(401, {"seen": "token-2 was sent"}))) as server,
        ApiSession(server.url, given(server.url, tokens.renew)) as api,
    ):
        with pytest.raises(Unauthorised) as caught:
            await api.post("/x")

    assert (len(server.seen), tokens.number) == (2, 2)
    assert (caught.value.attempts, caught.value.changed) == (2, False)
    assert caught.value.body == {"seen": "[hidden] was sent"}


async def test_a_request_renews_a_token_once_also_if_it_is_sent_again() -> None:
    tokens, moved = Tokens(), MovedClock()
    answers = answering(reply(401), reply(503), reply(401))
    async with (
        raw(answers) as server,
        ApiSession(server.url, given(server.url, tokens.renew, "stale-token"), clock=moved.clock) as api,
    ):
        with pytest.raises(Unauthorised) as caught:
            await api.get("/x")

    assert (tokens.number, caught.value.attempts) == (1, 3)


async def test_many_tasks_that_are_refused_try_once() -> None:
    tries = 0

    async def refused(last: Credential | None) -> Credential:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0.01)
        raise Unauthorised("The password is wrong.", status=401)

    auth = OnceAtATime(KeptCredential(OwnRecord(), [HOST]), refused)
    found = await asyncio.gather(*(auth.token() for _ in range(5)), return_exceptions=True)

    assert [type(one) for one in found] == [Unauthorised] * 5
    assert tries == 1


async def test_a_renewal_that_fails_is_reported_and_the_request_changed_nothing() -> None:
    tries = 0

    async def broken(last: Credential | None) -> Credential:
        nonlocal tries
        tries += 1
        raise Unreachable("The sign-in broke off.", changed=None)

    async with (
        raw(answering(reply(401))) as server,
        ApiSession(server.url, given(server.url, broken, "stale-token")) as api,
    ):
        with pytest.raises(Unreachable, match="The sign-in broke off") as caught:
            await api.put("/x")

    assert (caught.value.changed, len(server.seen), tries) == (False, 1, 1)


async def test_each_of_those_who_wait_for_a_renewal_that_fails_knows_its_own_effects() -> None:
    waiting = asyncio.Event()

    async def refused(last: Credential | None) -> Credential:
        await waiting.wait()
        raise Unauthorised("The password is wrong.", status=401)

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        paths = [one.path for one in server.seen]
        if paths == ["/put"]:
            writer.close()  # it may have been done
            return
        writer.write(reply(401))
        if sorted(paths) == ["/post", "/put", "/put"]:
            asyncio.get_running_loop().call_later(0.1, waiting.set)

    async with (
        raw(handler) as server,
        ApiSession(server.url, given(server.url, refused, "stale-token"), clock=MovedClock().clock) as api,
    ):
        put = asyncio.create_task(api.put("/put"))
        while len(server.seen) < 2:  # noqa: ASYNC110  # it has no event for this
            await asyncio.sleep(0.001)
        unsure, sure = await asyncio.gather(put, api.post("/post"), return_exceptions=True)

    assert isinstance(unsure, Unauthorised) and isinstance(sure, Unauthorised)
    assert (unsure.changed, unsure.attempts, sure.changed, sure.attempts) == (None, 2, False, 1)
    assert (str(unsure), unsure.status) == ("The password is wrong.", 401)


@pytest.mark.parametrize("path", ["/auth", "auth/", "{}/auth", "{}/auth/?next=1"])
async def test_a_path_that_makes_tokens_gets_none_and_its_refusal_shows_no_password(path: str) -> None:
    secrets = {"username": "alice", "password": "correct horse"}
    async with (
        raw(
            answering(reply(401, {"detail": "no user has correct horse", "sent": ["correct horse"]}))
        ) as server,
        ApiSession(
            server.url, given(server.url, Tokens().renew), Policy(unsigned=["auth", "/auth/refresh"])
        ) as api,
    ):
        with pytest.raises(Unauthorised) as caught:
            await api.post(path.format(server.url), body=secrets)

    assert "authorization" not in server.seen[0].headers
    assert len(server.seen) == 1
    assert "correct horse" not in json.dumps(caught.value.body)


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({"content": b"grant_type=password&user=al&password=correct+horse%2F1"}, "/auth"),
        ({"content": b"client_secret=correct+horse%2F1"}, "/elsewhere"),
        ({"body": {"auth": {"password": "correct horse/1"}}}, "/elsewhere"),
        ({"body": {"keys": ["correct horse/1"]}}, "/auth"),
        ({"headers": {"X-Api-Key": "correct horse/1"}}, "/elsewhere"),
        ({"query": {"access_token": "correct horse/1"}}, "/elsewhere"),
    ],
)
async def test_a_refusal_repeats_no_secret_that_was_sent_in_its_body_or_headers(
    sent: dict[str, Any], path: str
) -> None:
    said = "no correct horse/1, correct+horse%2F1 or correct%20horse%2F1"
    refusal = reply(400, {"correct horse/1": [said]}, www_authenticate=said, set_cookie="id=abcdefgh")
    async with (
        raw(answering(refusal)) as server,
        ApiSession(server.url, policy=Policy(unsigned=["auth"])) as api,
    ):
        with pytest.raises(Invalid) as caught:
            await api.post(path, **sent)

    error = caught.value
    shown = json.dumps([error.body, dict(error.headers)])
    assert "horse" not in shown and "abcdefgh" not in shown
    assert error.headers["WWW-Authenticate"].startswith("no [hidden], ")


async def test_a_refusal_repeats_what_is_no_secret() -> None:
    async with (
        raw(answering(reply(400, {"title": "Spring is taken"}))) as server,
        ApiSession(server.url) as api,
    ):
        with pytest.raises(Invalid) as caught:
            await api.post("/x", body={"title": "Spring", "page_token": "taken", "token_type": "Spring"})

    assert caught.value.body == {"title": "Spring is taken"}


async def test_no_token_reaches_another_host_through_a_redirect() -> None:
    async with raw(answering(reply())) as other:
        location = f"{other.url}/x"
        for status in (301, 302, 303, 307, 308):
            async with (
                raw(answering(reply(status, content=b"", location=location))) as server,
                ApiSession(server.url, given(server.url, Tokens().renew)) as api,
            ):
                with pytest.raises(Exception, match="redirects to"):
                    await api.get("/x")

    assert other.seen == []


async def test_every_secret_is_told_to_whoever_hides_them(tmp_path: Path) -> None:
    learned: set[str] = set()
    auth = OnceAtATime(kept(tmp_path), Tokens().renew, learn=learned.update)
    await auth.token()

    assert learned == {"token-1", "refresh-1"}


async def test_a_person_who_signs_out_is_noticed_by_a_process_that_runs(tmp_path: Path) -> None:
    tokens, clock = Tokens(), MovedClock()
    learned: list[str] = []
    auth = OnceAtATime(kept(tmp_path), tokens.renew, clock=clock.clock, learn=learned.extend)
    assert await auth.token() == "token-1"
    clock.time += 1_000
    assert await auth.token() == "token-1" and learned == ["token-1", "refresh-1"]  # nothing is new

    kept(tmp_path).write(Credential("token-of-another-process"))
    assert await auth.token() == "token-1"  # not looked yet
    clock.time += 3
    assert await auth.token() == "token-of-another-process"

    kept(tmp_path).forget()
    clock.time += 3
    tokens.used.append("")  # nothing to sign in with
    with pytest.raises(Unauthorised):
        await auth.token()


async def test_a_record_that_cannot_be_written_or_read_later_does_not_sign_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*ignored: Any) -> Any:
        raise StoreDown("The disk is gone.")

    tokens, clock = Tokens(), MovedClock()
    auth = OnceAtATime(kept(tmp_path), tokens.renew, clock=clock.clock)
    with monkeypatch.context() as patched:
        patched.setattr(SharedFile, "write", broken)
        assert await auth.token() == "token-1"
    clock.time += 3
    assert await auth.token() == "token-1"  # it was never kept, so that nothing is there means nothing
    assert await auth.renew("token-1") == "token-2"
    clock.time += 3
    monkeypatch.setattr(SharedFile, "read", broken)
    assert await auth.token() == "token-2"
