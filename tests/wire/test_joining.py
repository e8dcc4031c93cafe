"""The head of an answer and the beginning of its body leave in one write."""

import asyncio

from laconic.kit.wire.joining import JoiningTransport

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"


class Recorded(asyncio.Transport):
    """Notes what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: object) -> None:
        assert isinstance(data, bytes)
        self.written.append(data)

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def get_extra_info(self, name: str, default: object = None) -> object:
        return name


def joining() -> tuple[JoiningTransport, Recorded]:
    recorded = Recorded()
    return JoiningTransport(recorded, asyncio.get_running_loop()), recorded


async def test_a_head_is_sent_with_the_beginning_of_its_body() -> None:
    transport, recorded = joining()
    for data in (HEAD, b"ok", HEAD, b"o", b"k"):
        transport.write(data)
    await asyncio.sleep(0)

    assert recorded.written == [HEAD + b"ok", HEAD + b"o", b"k"]


async def test_a_head_without_a_body_is_sent_in_the_next_turn() -> None:
    transport, recorded = joining()
    transport.write(HEAD)
    assert recorded.written == []
    await asyncio.sleep(0)
    transport.write(b"ok")

    assert recorded.written == [HEAD, b"ok"]


async def test_a_body_that_looks_like_a_head_is_sent_too() -> None:
    transport, recorded = joining()
    for data in (HEAD, b"HTTP/1.1 is", b"HTTP/1.1 again"):
        transport.write(data)
    await asyncio.sleep(0)

    assert recorded.written == [HEAD + b"HTTP/1.1 is", b"HTTP/1.1 again"]


async def test_closing_sends_what_is_left() -> None:
    transport, recorded = joining()
    transport.write(HEAD)
    transport.close()
    await asyncio.sleep(0)

    assert (recorded.written, recorded.is_closed) == ([HEAD], True)


async def test_a_closed_connection_gets_nothing_more() -> None:
    transport, recorded = joining()
    transport.write(HEAD)
    recorded.close()
    await asyncio.sleep(0)

    assert recorded.written == []
    assert transport.get_extra_info("peername") == "peername"
