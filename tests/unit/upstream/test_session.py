"""A session with an API: paths, JSON, errors by status, sign-in, limits."""

import asyncio
import json
import traceback

import httpx2
import pytest

from laconic.upstream import (
    Absent,
    ApiRequest,
    ApiSession,
    BadAddress,
    Clash,
    Faulty,
    Forbidden,
    Invalid,
    Policy,
    Rejected,
    Retrying,
    Throttled,
    Unauthorised,
    Unreachable,
    path_of,
    rejection,
)
from laconic.upstream.addresses import parsed
from laconic.upstream.exchange import proxy_for
from tests.unit.upstream.servers import MovedClock, answering, raw, reply

ONCE = Policy(retrying=Retrying(attempts=1))


async def test_a_path_is_joined_to_the_root_and_json_goes_both_ways() -> None:
    async with (
        raw(answering(reply(201, {"id": 7}, x_total="1"))) as server,
        ApiSession(f"{server.url}/api/v1/", policy=Policy(headers={"X-App": "laconic"})) as api,
    ):
        made = await api.post("/stories", body={"subject": "Grüße"}, query={"a": "1 2", "b": None, "c": True})

    seen = server.seen[0]
    assert (seen.method, seen.path) == ("POST", "/api/v1/stories?a=1+2&c=true")
    assert json.loads(seen.body) == {"subject": "Grüße"}
    assert (seen.headers["content-type"], seen.headers["accept"]) == ("application/json", "application/json")
    assert (seen.headers["x-app"], "authorization" in seen.headers) == ("laconic", False)
    assert (made.status, made.data, made.headers["X-Total"], made.attempts) == (201, {"id": 7}, "1", 1)


async def test_headers_of_a_request_replace_the_usual_ones_in_any_case() -> None:
    async with raw(answering(reply())) as server, ApiSession(server.url) as api:
        await api.post("/x", body=[], headers={"CONTENT-TYPE": "application/merge+json", "User-Agent": "me"})
        await api.get("/x")

    first, second = (one.headers for one in server.seen)
    assert (first["content-type"], first["user-agent"]) == ("application/merge+json", "me")
    assert second["user-agent"] == "laconic"


async def test_an_empty_body_is_no_data_and_text_and_bytes_come_as_asked() -> None:
    async with (
        raw(answering(reply(204, content=b""), reply(content=b"a\xff"), reply(content=b"a\xff"))) as server,
        ApiSession(server.url) as api,
    ):
        found = [(await api.get("/x", reads=reads)).data for reads in ("json", "text", "bytes")]

    assert found == [None, "a�", b"a\xff"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Invalid),
        (401, Unauthorised),
        (403, Forbidden),
        (404, Absent),
        (409, Clash),
        (410, Absent),
        (412, Clash),
        (418, Invalid),
        (422, Invalid),
        (429, Throttled),
        (451, Forbidden),
        (500, Faulty),
        (501, Faulty),
    ],
)
async def test_a_status_becomes_one_of_a_few_errors(status: int, kind: type[Rejected]) -> None:
    async with (
        raw(answering(reply(status, {"subject": ["Required"]}))) as server,
        ApiSession(server.url) as api,
    ):
        with pytest.raises(Rejected) as caught:
            await api.post("/x", body={})

    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.body) == (status, {"subject": ["Required"]})
    assert caught.value.changed is (None if status >= 500 else False)
    assert f"127.0.0.1:{server.port}" in str(caught.value)


async def test_a_vendor_says_which_error_a_body_is() -> None:
    def kind(status: int, body: object) -> type[Rejected] | None:
        return Throttled if body == {"reason": "rateLimitExceeded"} else None

    answers = answering(reply(403, {"reason": "rateLimitExceeded"}), reply(403, {"reason": "domainPolicy"}))
    clock = MovedClock()
    async with (
        raw(answers) as server,
        ApiSession(server.url, policy=Policy(kind=kind), clock=clock.clock) as api,
    ):
        with pytest.raises(Forbidden) as caught:
            await api.get("/x")

    assert (caught.value.body, caught.value.attempts) == ({"reason": "domainPolicy"}, 2)
    assert type(caught.value) is rejection(403)


async def test_json_in_a_refusal_counts_whatever_its_type_says_and_a_page_does_not() -> None:
    answers = [reply(400, {"error": "x"}, content_type="text/html"), reply(400, "only words")]
    answers += [reply(400, content=b"<html>no</html>", content_type="text/html")]
    answers += [reply(400, content=b"plain", content_type="text/plain")]
    async with raw(answering(*answers)) as server, ApiSession(server.url) as api:
        bodies = []
        for _ in answers:
            with pytest.raises(Invalid) as caught:
                await api.get("/x")
            bodies.append(caught.value.body)

    assert bodies == [{"error": "x"}, "only words", None, "plain"]


@pytest.mark.parametrize(
    "path",
    [
        "/a/../../admin",
        "/a/%2e%2e/x",
        "/a/..%2f..%2fx",
        "/a/..%5Cx",
        "/./x",
        "/x?y=1",
        "/x#y",
        "http://a.test/x",
        "https://user@a.test/",
    ],
)
async def test_a_path_that_leads_elsewhere_is_not_asked(path: str) -> None:
    async with raw(answering(reply())) as server, ApiSession(f"{server.url}/api") as api:
        with pytest.raises(BadAddress) as caught:
            await api.delete(path)

    assert (server.seen, caught.value.changed, caught.value.attempts) == ([], False, 0)


def test_an_id_in_a_path_cannot_lead_elsewhere() -> None:
    assert path_of("stories", 5, "a/..b?c#d") == "/stories/5/a%2F..b%3Fc%23d"
    for part in ("", ".", "..", "../../admin", "..\\..\\admin", "a/./b", "a\\.."):
        with pytest.raises(BadAddress):
            path_of("stories", part)


@pytest.mark.parametrize(
    "root",
    [
        "",
        "x",
        "ftp://a.test",
        "http://",
        "https://u:p@a.test",
        "https://a.test/?x=1",
        "https://a b.test",
        "http://[::1",
    ],
)
def test_a_root_that_is_no_address_is_refused(root: str) -> None:
    with pytest.raises(BadAddress):
        ApiSession(root)


async def test_an_address_on_the_same_host_can_be_asked_as_it_is() -> None:
    async with (
        raw(answering(reply(308, content=b"", range="bytes=0-9"))) as server,
        ApiSession(f"{server.url}/api") as api,
    ):
        sent = await api.put(f"{server.url}/upload?id=3", content=b"0123456789", accepts=(308,))

    assert (sent.status, sent.headers["range"]) == (308, "bytes=0-9")
    assert (server.seen[0].path, server.seen[0].body) == ("/upload?id=3", b"0123456789")


@pytest.mark.parametrize(
    "bad", [{"headers": {"X-A": "a\r\nX-B: b"}}, {"body": float("nan")}, {"body": "\ud800"}]
)
async def test_a_request_that_cannot_be_sent_changes_nothing(bad: dict[str, object]) -> None:
    async with raw(answering(reply())) as server, ApiSession(server.url) as api:
        with pytest.raises(BadAddress) as caught:
            await api.post("/x", **bad)

    assert (server.seen, caught.value.changed) == ([], False)


async def test_no_more_requests_run_at_once_than_the_policy_allows() -> None:
    running, most = 0, 0

    class Counting(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1
            return httpx2.Response(200, json=[])

    policy = Policy(concurrency=3)
    async with ApiSession("http://api.test", policy=policy, transport=Counting()) as api:
        await asyncio.gather(*(api.get("/x") for _ in range(12)))

    assert most == 3


def _without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy"])
async def test_the_proxy_of_the_environment_is_used(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _without_proxies(monkeypatch)
    async with raw(answering(reply(body="from the proxy"))) as proxy:
        monkeypatch.setenv(name, proxy.url)
        async with ApiSession("http://api.example.test/v1") as api:
            assert (await api.get("/x")).data == "from the proxy"
        monkeypatch.setenv("no_proxy", "api.example.test")
        async with ApiSession("http://api.example.test/v1", policy=ONCE) as api:
            with pytest.raises(Unreachable):
                await api.get("/x")
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.setenv(name, "gopher://proxy.test")
        async with ApiSession("http://api.example.test/v1", policy=ONCE) as api:
            with pytest.raises(
                Unreachable, match="proxy that the environment names cannot be used"
            ) as caught:
                await api.post("/x")

    assert [one.path for one in proxy.seen] == ["http://api.example.test/v1/x"]
    assert caught.value.changed is False


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST.", "api.localhost", "localhost.localdomain", "ip6-localhost"),
        *("127.0.0.1", "127.0.0.1.", "127.8.8.8", "127.1", "0x7f.1", "2130706433", "0", "0x7f000001"),
        *("[::1]", "[::ffff:127.0.0.1]"),
    ],
)
async def test_what_is_on_this_machine_is_never_asked_through_a_proxy(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_proxies(monkeypatch)
    async with raw(answering(reply(body="from the proxy"))) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        async with ApiSession(f"http://{host}:9/v1", policy=ONCE) as api:
            with pytest.raises(Unreachable):
                await api.get("/x")

    assert proxy.seen == []


@pytest.mark.parametrize("named", ["2001:db8::5", "[2001:db8::5]", "[2001:db8::5]:9"])
def test_an_address_with_colons_is_excluded_from_the_proxy_however_it_is_written(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_proxies(monkeypatch)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    url = parsed("http://[2001:db8::5]:9/x")
    assert proxy_for(url) == "http://127.0.0.1:1"
    monkeypatch.setenv("no_proxy", f"a.test,{named}")

    assert proxy_for(url) is None


@pytest.mark.parametrize(
    "proxy",
    ["http://user:s3cret/x@proxy:8080", "http://u:s3cret#x@proxy:1", "proxy:s3cret"],
)
async def test_a_proxy_that_is_no_address_is_an_error_without_its_password(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_proxies(monkeypatch)
    monkeypatch.setenv("http_proxy", proxy)
    async with ApiSession("http://api.example.test/v1", policy=ONCE) as api:
        with pytest.raises(Unreachable, match="proxy that the environment names cannot be used") as caught:
            await api.get("/x")

    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


async def test_cookies_are_not_kept() -> None:
    async with (
        raw(answering(reply(set_cookie="session=abc; Path=/"))) as server,
        ApiSession(server.url) as api,
    ):
        await api.get("/x")
        await api.get("/x")

    assert "cookie" not in server.seen[1].headers


def test_a_request_shows_neither_its_body_nor_its_headers() -> None:
    shown = repr(ApiRequest(path="/auth", body={"password": "hunter22"}, headers={"X-Key": "hunter22"}))

    assert "hunter22" not in shown
