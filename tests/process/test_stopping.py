"""What callers hear when the server is told to stop while it works for them."""

import json
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.process.speaking import (
    CLIENT,
    ERAS,
    MODERN,
    PATIENCE,
    Web,
    listening,
    result_of,
    serving,
    text_of,
    wait_for,
)

NAPS = """
import asyncio, time
from pathlib import Path
from typing import Any
from laconic.kit import Toolset

nap = Toolset("nap", "Naps.")

def slept() -> bool:
    Path("started").touch()
    return Path("wake").exists()

@nap.read
async def nap_read() -> str:
    "Sleep, then read."
    while not slept():
        await asyncio.sleep(0.01)
    return "Read."

@nap.create
async def nap_write() -> str:
    "Sleep, then write."
    while not slept():
        await asyncio.sleep(0.01)
    return "Written."

@nap.create
async def nap_mark() -> str:
    "Write at once."
    return "Marked."

@nap.create
async def nap_leave() -> str:
    "Let a task end the program."
    async def leave() -> None:
        raise SystemExit(3)
    await asyncio.gather(leave(), asyncio.sleep(60))
    return "Never."

@nap.read
def nap_read_plainly() -> str:
    "Sleep in a thread, then read."
    while not slept():
        time.sleep(0.01)
    return "Read."

@nap.create
def nap_write_plainly() -> str:
    "Sleep in a thread, then write."
    while not slept():
        time.sleep(0.01)
    return "Written."
"""

OWN = """
import sys
from laconic.kit import serve
from naps import nap

serve(nap, **({"grace": float(sys.argv[1])} if len(sys.argv) > 1 else {}))
print("The end.", file=sys.stderr)
"""

WAYS = ("own", "lean", "sdk", "http", "workers")
Call = Callable[[str], Future[str]]


@pytest.fixture
def naps(workspace: Path) -> Path:
    (workspace / "naps.py").write_text(NAPS, encoding="utf-8")
    (workspace / "own.py").write_text(OWN, encoding="utf-8")
    return workspace


class Running:
    """A server on one of the transports, with calls that are answered later."""

    def __init__(self, call: Call, stop: Callable[[int], None], wait: Callable[[], int]) -> None:
        self.call = call
        self.stop = stop
        self.wait = wait


@contextmanager
def running(way: str, grace: str, folder: Path) -> Iterator[Running]:
    words = ("naps:nap", *(("--grace", grace) if grace else ()))
    with ThreadPoolExecutor() as pool:
        if way in ("own", "lean", "sdk"):
            chosen = {"program": "own.py"} if way == "own" else {"LACONIC_WIRE": way}
            given = words if way != "own" else (grace,) if grace else ()
            with serving(*given, folder=folder, era=MODERN, **chosen) as stdio:
                answers: defaultdict[int, Future[str]] = defaultdict(Future)

                def hear() -> None:
                    for line in iter(stdio.line, b""):
                        message = json.loads(line)
                        answers[message["id"]].set_result(text_of(message["result"]))

                def ask(tool: str) -> Future[str]:
                    number = stdio.send("tools/call", name=tool, arguments={})
                    return answers[number]

                pool.submit(hear)
                yield Running(ask, stdio.signal, stdio.wait)
        else:
            workers = ("--workers", "2") if way == "workers" else ()
            with listening(*words, *workers, folder=folder) as web:
                yield Running(lambda tool: pool.submit(web.call, tool), web.signal, web.wait)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("way", WAYS)
def test_a_call_in_progress_is_finished_and_new_ones_are_refused(naps: Path, way: str, number: int) -> None:
    with running(way, "20", naps) as server:
        first = server.call("nap_write")
        wait_for(naps / "started")
        server.stop(number)
        until = time.monotonic() + PATIENCE
        while not (said := server.call("nap_mark").result(PATIENCE)).startswith("Error"):
            assert time.monotonic() < until, "it was not refused"  # several workers hear of it a bit later
        assert not first.done()
        (naps / "wake").touch()

        assert first.result(PATIENCE) == "Written."
        assert server.wait() == 0
    assert said.startswith("Error [UNAVAILABLE]: The server is stopping and did not start nap_mark.")
    assert "Try again later.\nThis call changed nothing." in said


@pytest.mark.parametrize("way", ["own", "lean", "http"])
def test_without_the_flag_calls_have_a_while_to_finish(naps: Path, way: str) -> None:
    with running(way, "", naps) as server:
        first = server.call("nap_write")
        wait_for(naps / "started")
        server.stop(signal.SIGTERM)
        time.sleep(1)
        (naps / "wake").touch()

        assert first.result(PATIENCE) == "Written."


@pytest.mark.parametrize("way", WAYS)
def test_a_call_that_takes_longer_than_the_grace_gets_an_answer(naps: Path, way: str) -> None:
    with running(way, "0.5", naps) as server:
        tools = ("nap_read", "nap_write", "nap_read_plainly", "nap_write_plainly")
        said = {tool: server.call(tool) for tool in tools}
        wait_for(naps / "started")
        time.sleep(1)  # until all of them are running
        server.stop(signal.SIGTERM)
        answers = {tool: one.result(PATIENCE) for tool, one in said.items()}

        assert server.wait() == 0
    for tool, answer in answers.items():
        assert answer.startswith(f"Error [UNAVAILABLE]: The server is stopping and could not finish {tool}.")
        assert ("It is not known whether anything was changed" in answer) is ("write" in tool)
        assert ("Try again later." in answer) is ("read" in tool)


@pytest.mark.parametrize("way", ["own", "lean", "http"])
def test_a_second_interrupt_ends_the_grace(naps: Path, way: str) -> None:
    with running(way, "600", naps) as server:
        answer = server.call("nap_write")
        wait_for(naps / "started")
        server.stop(signal.SIGINT)
        while not server.call("nap_mark").result(PATIENCE).startswith("Error"):
            pass
        server.stop(signal.SIGINT)

        assert "could not finish nap_write" in answer.result(PATIENCE)
        assert server.wait() == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_task_of_a_tool_that_would_end_the_program_is_answered(naps: Path, way: str) -> None:
    with running(way, "20", naps) as server:
        said = [server.call(tool).result(PATIENCE) for tool in ("nap_leave", "nap_leave", "nap_mark")]
        server.stop(signal.SIGTERM)

        assert server.wait() == 0
    for answer in said[:2]:
        assert answer.startswith("Error [INTERNAL_ERROR]: nap_leave failed unexpectedly.")
        assert "It is not known whether anything was changed" in answer
    assert said[2] == "Marked."


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("has_called", [False, True])
def test_a_program_of_your_own_goes_on_after_serving(naps: Path, number: int, has_called: bool) -> None:
    with serving(folder=naps, era=MODERN, program="own.py") as server:
        if has_called:
            server.ask("tools/call", name="nap_mark", arguments={})
        server.signal(number)

        assert server.wait() == 0
        assert server.stderr == "The end.\n"


@pytest.mark.parametrize("era", ERAS)
def test_no_call_over_http_ends_with_a_bare_status(naps: Path, era: str) -> None:
    with listening("naps:nap", "--grace", "0", folder=naps) as server, ThreadPoolExecutor() as pool:
        session = _session(server, era)
        answer = pool.submit(server.post, "tools/call", era, session, name="nap_read", arguments={})
        wait_for(naps / "started")
        server.signal(signal.SIGTERM)

        assert text_of(result_of(answer.result(PATIENCE))).startswith("Error [UNAVAILABLE]")
        assert server.wait() == 0
        assert "Traceback" not in server.stderr


def _session(server: Web, era: str) -> dict[str, str]:
    if era == MODERN:
        return {}
    hello: dict[str, Any] = {"protocolVersion": era, "capabilities": {}, "clientInfo": CLIENT}
    greeted: httpx2.Response = server.post("initialize", era, **hello)
    return {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
