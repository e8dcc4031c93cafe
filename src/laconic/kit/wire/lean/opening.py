"""The start of a conversation, before the event loop and the tools are imported.

A host first asks for the server's name and its tools, which are in a file. Until the first request that needs
more, or a subscription to what may change, lines are read and answered one by one. Once the tools are listed,
and while nothing is there to be read, the process does ahead what the first call will need, part by part.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from laconic.kit.redaction import redacted_log
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.lines import LineSplitter, write
from laconic.kit.wire.lean.requests import Request

__all__ = ["Opened", "claim", "open_stdio"]

log = redacted_log("laconic.start")

_CHUNK = 64 * 1024


class Opened(NamedTuple):
    """An open conversation: the requests and lines not yet handled, and its two descriptors.

    A subscription is confirmed once changes are followed: one told between the two would be lost.
    """

    conversation: Conversation
    requests: Sequence[Request]
    heard: Sequence[bytes]
    lines: LineSplitter
    reading: int
    writing: int
    unsent: Sequence[Any] = ()


def claim() -> tuple[int, int]:
    """Take stdin and stdout for the protocol alone.

    Other code, and the programs it starts, prints to stderr and reads nothing.
    """
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reading, writing


def open_stdio(about: ServerCard, reading: int, writing: int, ahead: Iterable[None] = ()) -> Opened | None:
    """Answer what needs no tool; return the conversation at the first request that does, None at its end.

    Each step of `ahead` does a part of what the first call will need; a request waits for one at most.
    """
    unsent: list[Any] = []
    parts = iter(ahead)
    conversation, lines = Conversation(about, unsent.append), LineSplitter()
    try:
        while data := _read(reading, parts if conversation.has_listed else iter(())):
            heard = list(lines.feed(data))
            for number, line in enumerate(heard, 1):
                requests = conversation.hear(line)
                if requests or (about.listing.changing and conversation.notices.has_subscriptions):
                    return Opened(conversation, requests, heard[number:], lines, reading, writing, unsent)
                _send(unsent, writing)
        if requests := conversation.hear(lines.end()):
            return Opened(conversation, requests, [], lines, reading, writing, unsent)
        conversation.notices.end()
        _send(unsent, writing)
    except ConnectionError:
        pass  # the client disconnected
    return None


def _read(reading: int, ahead: Iterator[None]) -> bytes:
    """Wait for something to read, and use the time."""
    waiting = select.poll()
    waiting.register(reading, select.POLLIN)
    try:
        while not waiting.poll(0):
            next(ahead)
    except StopIteration:
        pass
    except Exception as error:  # the first call meets the same error, and can answer it
        log.info("loading ahead failed", exc_info=error)
    return os.read(reading, _CHUNK)


def _send(messages: list[Any], writing: int) -> None:
    data = memoryview(b"".join(map(write, messages)))
    messages.clear()
    while data:
        data = data[os.write(writing, data) :]
