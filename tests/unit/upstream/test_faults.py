"""What can go wrong between us and another system, and what the caller then sees."""

import asyncio
import gzip
import socket
import tracemalloc
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace

import pytest

from laconic.upstream import (
    ApiRequest,
    ApiSession,
    BadReply,
    Faulty,
    Invalid,
    Policy,
    Retrying,
    Throttled,
    Unauthorised,
    Unreachable,
    UpstreamError,
)
from laconic.upstream.decoding import gathered
from tests.unit.upstream.servers import Handler, Seen, answering, raw, reply

MOST = 200_000
ONCE = Policy(most=MOST, retrying=Retrying(attempts=1))
HASTY = replace(ONCE, timeout=1.0)


async def hang(request: Seen, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(5)


async def hang_in_the_body(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    await asyncio.sleep(5)


async def drip(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n")
    for _ in range(100):
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


async def close_at_once(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def reset_in_the_middle(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    await writer.drain()
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()


async def close_in_the_middle(request: Seen, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n")
    writer.close()


async def endless(request: Seen, writer: asyncio.StreamWriter, status: bytes = b"200 OK") -> None:
    writer.write(b"HTTP/1.1 " + status + b"\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n[")
    for _ in range(200):
        writer.write(b"1," * 500_000)
        await writer.drain()


async def endless_refusal(request: Seen, writer: asyncio.StreamWriter) -> None:
    await endless(request, writer, b"503 X")


def elsewhere(location: str, status: int = 302) -> Handler:
    return answering(reply(status, content=b"", location=location))


HTML = b"<!DOCTYPE html><title>Sign in</title>"
BOMB = gzip.compress(b"0" * 50_000_000)


@dataclass(frozen=True)
class Fault:
    handler: Handler
    kind: type[UpstreamError]
    words: str  # after the host
    post: bool | None = None  # what a POST says about changes
    asked: int = 1  # how often


FAULTS: Mapping[str, Fault] = {
    "hang before headers": Fault(hang, Unreachable, "did not answer within 1 s"),
    "hang in the body": Fault(hang_in_the_body, Unreachable, "did not finish its answer within 1 s"),
    "a byte now and then": Fault(drip, Unreachable, "did not finish its answer within 1 s"),
    "closed without an answer": Fault(
        close_at_once, Unreachable, "broke off the connection without an answer"
    ),
    "reset in the middle": Fault(reset_in_the_middle, Unreachable, "in the middle of its answer"),
    "closed in the middle": Fault(close_in_the_middle, Unreachable, "in the middle of its answer"),
    "login page": Fault(answering(reply(content=HTML, content_type="text/html")), BadReply, "an HTML page"),
    "page that calls itself JSON": Fault(answering(reply(content=HTML)), BadReply, "an HTML page"),
    "cut JSON": Fault(answering(reply(content=b'{"id": 1, "na')), BadReply, "JSON that is damaged or ends"),
    "not a number": Fault(answering(reply(content=b'{"id": NaN}')), BadReply, "JSON that is damaged"),
    "deep JSON": Fault(answering(reply(content=b"[" * 100_000)), BadReply, "JSON that is damaged"),
    "JSON nested 600 deep": Fault(
        answering(reply(content=b"[" * 600 + b"]" * 600)), BadReply, "JSON that is damaged"
    ),
    "refusal nested 600 deep": Fault(
        answering(reply(400, content=b'{"a":' * 600 + b"1" + b"}" * 600)), Invalid, "(status 400)", False
    ),
    "bad bytes": Fault(answering(reply(content=b'"\xff"')), BadReply, "JSON that is damaged"),
    "other content": Fault(
        answering(reply(content=b"hello", content_type="text/plain")), BadReply, "sent text/plain instead"
    ),
    "declared too large": Fault(
        answering(reply(content=b"[", content_length="200000000")), BadReply, "longer than 200,000 bytes"
    ),
    "200 MB": Fault(endless, BadReply, "longer than 200,000 bytes"),
    "gzip bomb": Fault(
        answering(reply(content=BOMB, content_encoding="gzip")), BadReply, "longer than 200,000 bytes"
    ),
    "cut gzip": Fault(
        answering(reply(content=gzip.compress(b"{}")[:-4], content_encoding="gzip")),
        BadReply,
        "damaged: it ends in the middle",
    ),
    "not gzip": Fault(
        answering(reply(content=b"{}", content_encoding="gzip")), BadReply, "cannot be unpacked"
    ),
    "other encoding": Fault(
        answering(reply(content=b"{}", content_encoding="br")), BadReply, "packed as 'br'"
    ),
    "invalid header": Fault(
        answering(b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n{}"), BadReply, "is not valid HTTP"
    ),
    "no HTTP at all": Fault(answering(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), BadReply, "is not valid HTTP"),
    "endless header": Fault(
        answering(b"HTTP/1.1 200 OK\r\nx: " + b"x" * 1_000_000), BadReply, "is not valid HTTP"
    ),
    "redirects for ever": Fault(
        elsewhere("/x", 307), BadReply, "redirects again and again", False, asked=Policy().redirects + 1
    ),
    "redirect to another host": Fault(
        elsewhere("http://a.test/x", 307), BadReply, "redirects to a.test", False
    ),
    "write turned into a read": Fault(elsewhere("http://a.test/x"), BadReply, "redirects to a.test"),
    "redirect to another scheme": Fault(elsewhere("ftp://a.test/x", 308), BadReply, "is not valid", False),
    "redirect with credentials": Fault(elsewhere("http://u:p@a.test/", 308), BadReply, "is not valid", False),
    "redirect to nonsense": Fault(elsewhere("http://[", 308), BadReply, "is not valid", False),
    "redirect to nowhere": Fault(answering(reply(303, {})), Faulty, "failed (status 303)"),
    "neither success nor refusal": Fault(answering(reply(300, {})), Faulty, "failed (status 300)"),
    "server fault": Fault(answering(reply(500, {"error": "x"})), Faulty, "failed (status 500)"),
    "refused token": Fault(
        answering(reply(401, {})), Unauthorised, "refused the request (status 401)", False
    ),
    "refusal of 200 MB": Fault(endless_refusal, Faulty, "failed (status 503)"),
    "refusal in another encoding": Fault(
        answering(reply(429, content=b"{}", content_encoding="br")), Throttled, "too many requests", False
    ),
    "too many requests": Fault(answering(reply(429, {})), Throttled, "too many requests", False),
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_an_error_that_says_what_happened_and_what_may_have_changed(
    name: str, method: str
) -> None:
    fault = FAULTS[name]
    policy = HASTY if "within 1 s" in fault.words else ONCE  # how long a loaded machine takes is no fault
    async with raw(fault.handler) as server, ApiSession(server.url, policy=policy) as api:
        with pytest.raises(UpstreamError) as caught:
            await (api.get("/secret-path") if method == "GET" else api.post("/secret-path", body={}))

    error = caught.value
    assert type(error) is fault.kind
    assert fault.words in str(error)
    assert f"127.0.0.1:{server.port}" in str(error)
    assert "secret-path" not in str(error)
    assert error.changed is (False if method == "GET" else fault.post)
    assert (error.attempts, len(server.seen)) == (1, fault.asked)


@pytest.mark.parametrize("send", [lambda api: api.get("/x"), lambda api: api.post("/x")])
async def test_a_closed_port_means_that_nothing_was_sent(
    send: Callable[[ApiSession], "asyncio.Future[None]"],
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    async with ApiSession(url, policy=ONCE) as api:
        with pytest.raises(Unreachable, match="cannot be reached: the connection was refused") as caught:
            await send(api)

    assert caught.value.changed is False


async def test_a_host_that_does_not_exist_is_unreachable() -> None:
    async with ApiSession("http://nobody.invalid", policy=ONCE) as api:
        with pytest.raises(Unreachable, match=r"nobody.invalid cannot be reached") as caught:
            await api.post("/x")

    assert caught.value.changed is False


async def test_a_port_without_tls_is_said_so() -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply())
        writer.close()

    async with await asyncio.start_server(handler, "127.0.0.1", 0) as server:
        root = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with ApiSession(root, policy=Policy(retrying=Retrying(attempts=1))) as api:
            with pytest.raises(Unreachable, match="it does not speak TLS as expected") as caught:
                await api.post("/x")

    assert caught.value.changed is False


async def test_a_large_answer_is_not_read_to_its_end() -> None:
    sent = 0

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        while sent < 200_000_000:
            writer.write(b"1" * 1_000_000)
            await writer.drain()
            sent += 1_000_000

    async with raw(handler) as server, ApiSession(server.url) as api:
        with pytest.raises(BadReply, match="longer than 5,000,000 bytes"):
            await api.get("/x")

    assert sent < 50_000_000


async def test_what_has_no_body_may_tell_the_length_of_one() -> None:
    head = b"HTTP/1.1 304 X\r\ncontent-length: 200000000\r\n\r\n"
    answers = answering(head.replace(b"304", b"200"), head)
    async with raw(answers) as server, ApiSession(server.url, policy=ONCE) as api:
        told = await api.send(ApiRequest(method="HEAD", path="/x"))
        same = await api.get("/x", accepts=(304,))

    assert (told.headers["content-length"], told.data) == ("200000000", None)
    assert (same.status, same.data) == (304, None)


async def test_the_connection_is_used_again_after_an_answer_without_a_body() -> None:
    gone, head = b"HTTP/1.1 204 X\r\n\r\n", b"HTTP/1.1 200 X\r\ncontent-length: 7\r\n\r\n"
    same = b"HTTP/1.1 304 X\r\ncontent-encoding: gzip\r\n\r\n"
    async with raw(answering(gone, head, same, reply())) as server, ApiSession(server.url) as api:
        await api.delete("/x")
        await api.send(ApiRequest(method="HEAD", path="/x"))
        await api.get("/x", accepts=(304,))
        await api.get("/x")

    assert (len(server.seen), len(server.tasks)) == (4, 1)


async def test_after_a_broken_connection_the_next_request_works() -> None:
    turn = 0

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        nonlocal turn
        turn += 1
        await reset_in_the_middle(request, writer) if turn == 1 else writer.write(reply(body=[1]))

    async with raw(handler) as server, ApiSession(server.url, policy=ONCE) as api:
        with pytest.raises(Unreachable):
            await api.get("/x")
        assert (await api.get("/x")).data == [1]


async def test_json_counts_whatever_type_it_is_said_to_have() -> None:
    async with (
        raw(answering(reply(body=[1], content_type="text/html"))) as server,
        ApiSession(server.url) as api,
    ):
        assert (await api.get("/x")).data == [1]


async def test_a_packed_answer_is_unpacked() -> None:
    packed = gzip.compress(b'{"a": ') + gzip.compress(b"1}")
    async with (
        raw(answering(reply(content=packed, content_encoding="gzip"))) as server,
        ApiSession(server.url) as api,
    ):
        assert (await api.get("/x")).data == {"a": 1}

    assert server.seen[0].headers["accept-encoding"] == "gzip"


async def test_a_redirect_on_the_same_host_is_followed_with_method_body_and_headers() -> None:
    answers = answering(reply(307, content=b"", location="/new?a=1"), reply(body="done"))
    async with raw(answers) as server, ApiSession(server.url) as api:
        sent = await api.post("/old", body=[1], headers={"X-A": "1"})

    assert sent.data == "done"
    assert [(one.method, one.path, one.body) for one in server.seen] == [
        ("POST", "/old", b"[1]"),
        ("POST", "/new?a=1", b"[1]"),
    ]
    assert server.seen[1].headers["x-a"] == "1"


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_write_is_not_turned_into_a_read_by_a_redirect(status: int) -> None:
    async with raw(elsewhere("/other", status)) as server, ApiSession(server.url) as api:
        with pytest.raises(BadReply, match="instead of answering") as caught:
            await api.put("/x")

    assert ([one.path for one in server.seen], caught.value.changed) == (["/x"], None)


async def test_what_is_packed_takes_no_more_memory_than_the_limit() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield BOMB

    tracemalloc.start()
    try:
        content, is_cut = await gathered(chunks(), "gzip", MOST)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert (len(content), is_cut) == (MOST, True)
    assert peak < 20 * MOST


async def test_a_request_ends_when_its_task_is_cancelled() -> None:
    arrived = asyncio.Event()

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await hang(request, writer)

    async with raw(handler) as server, ApiSession(server.url) as api:
        task = asyncio.create_task(api.get("/x"))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    assert len(server.seen) == 1
