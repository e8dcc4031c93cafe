"""An author's own step sees every call, and how it ended."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.counter_step import count, counts, settings, toolset
from laconic.kit import Answer, Call, Failure, Settings
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import ERAS, connect

ROOT = Path(__file__).resolve().parents[2]
in_both_eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    counts.clear()
    yield
    counts.clear()


@in_both_eras
@pytest.mark.requirement("003-6.1", "003-6.9")
async def test_calls_are_counted_by_tool_and_end(era: str) -> None:
    once = Settings(steps=settings.steps, attempts=1)
    async with connect(toolset, era=era, settings=once) as client:
        await client.call("tide_get", harbour="Brest")
        await client.call("tide_get", harbour="Dover")
        reply = await client.call("call_counts")

    assert reply.text == "tide_get answered: 1\ntide_get failed: 1"


@in_both_eras
async def test_an_answer_from_memory_is_counted_though_the_tool_did_not_run(era: str) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        first = await client.call("tide_get", harbour="Brest")
        second = await client.call("tide_get", harbour="Brest")

    assert second.text == first.text  # the text has the time of reading
    assert counts == {("tide_get", "answered"): 2}


@pytest.mark.requirement("003-2.7")
async def test_a_call_that_does_not_fit_never_reaches_the_step() -> None:
    async with connect(toolset, settings=settings) as client:
        await client.call("tide_get", harbour="Atlantis")

    assert not counts


@pytest.mark.requirement("003-11.2")
async def test_the_step_alone_passes_answers_and_exceptions_on() -> None:
    call = Call(toolset.tools[0], {}, SilentPeer(), "trace")
    given = Answer()

    async def answer(call: Call) -> Answer:
        return given

    async def fail(call: Call) -> Answer:
        raise Failure("No.")

    assert await count(call, answer) is given
    with pytest.raises(Failure):
        await count(call, fail)
    assert counts == {("tide_get", "answered"): 1, ("tide_get", "failed"): 1}


def test_the_module_serves_with_its_step() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "examples.counter_step"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout

        def ask(number: int, method: str, **params: Any) -> Any:
            assert process.stdin and process.stdout
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            print(json.dumps(message), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())["result"]

        who = {"name": "test", "version": "1"}
        ask(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=who)
        ask(1, "tools/call", name="tide_get", arguments={"harbour": "Brest"})
        said = ask(2, "tools/call", name="call_counts", arguments={})
        process.stdin.close()
        assert process.wait(20) == 0

    assert said["content"][0]["text"] == "tide_get answered: 1"
