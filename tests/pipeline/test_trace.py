"""Each call leaves one line in the log."""

import asyncio
import logging

import pytest

from laconic.kit import Endpoint, Toolset
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import connect
from tests.toolsets.workshop import workshop


def _lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [record.facts for record in caplog.records if record.name == "laconic.call"]  # type: ignore[attr-defined]  # our extra


@pytest.mark.requirement("001-11", "003-6.2")
async def test_a_call_is_logged_with_name_outcome_time_tokens_and_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    async with connect(workshop) as client:
        await client.call("fibonacci", n=10)
    (line,) = _lines(caplog)
    assert (line["tool"], line["outcome"], line["tokens"]) == ("fibonacci", "success", 1)
    assert isinstance(line["ms"], float)
    assert len(str(line["trace"])) == 8


async def test_the_time_of_a_call_is_in_milliseconds(caplog: pytest.LogCaptureFixture) -> None:
    slow = Toolset("slow")

    @slow.read
    async def slow_read() -> str:
        """Take a while."""
        await asyncio.sleep(0.05)
        return "done"

    caplog.set_level(logging.INFO, "laconic.call")
    await Endpoint([slow]).call_tool("slow_read", {}, SilentPeer())
    (line,) = _lines(caplog)
    assert isinstance(line["ms"], float)
    assert line["ms"] >= 50


@pytest.mark.requirement("003-6.2")
async def test_a_failure_is_logged_by_its_code(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    async with connect(workshop) as client:
        await client.call("job_get", id="JOB-9999")
    assert [line["outcome"] for line in _lines(caplog)] == ["RESOURCE_NOT_FOUND"]


async def test_nothing_is_logged_unless_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "laconic.call")
    async with connect(workshop) as client:
        await client.call("fibonacci", n=10)
    assert _lines(caplog) == []


@pytest.mark.requirement("003-6.2")
async def test_arguments_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with connect(workshop) as client:
        await client.call("job_create", title="A title that is nobody's business")
    lines = [record for record in caplog.records if record.name.startswith("laconic")]
    assert lines and "business" not in "".join(f"{line.getMessage()} {vars(line)}" for line in lines)
