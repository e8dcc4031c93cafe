"""The order of the steps, seen from outside: which step notices what another one does."""

import asyncio
import logging
from typing import Annotated

import pytest
from mcp import MCPError

from laconic.kit import Answer, Call, Endpoint, Inner, Settings, Toolset, UpstreamDown
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import connect
from laconic.stores import MemoryStore


class SlowStore(MemoryStore):
    """A store that hangs when it is read."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(5)
        return None


class Weather:
    """How often the tool ran, and how often it fails first."""

    def __init__(self, fails: int = 0) -> None:
        self.runs = 0
        self.fails = fails

    def toolset(self) -> Toolset:
        weather = Toolset("weather")

        @weather.read(cache=60, deadline=0.5)
        async def weather_get(place: Annotated[str, "Where."] = "Brest") -> str:
            """Read the weather."""
            self.runs += 1
            if self.runs <= self.fails:
                raise UpstreamDown("It answered 503.", retry_after=0.01)
            return f"{place}: fair"

        return weather


async def _call(endpoint: Endpoint) -> Answer:
    return await endpoint.call_tool("weather_get", {"place": "Brest"}, SilentPeer())


def _outcomes(caplog: pytest.LogCaptureFixture) -> list[object]:
    lines = [record for record in caplog.records if record.name == "laconic.call"]
    return [line.facts["outcome"] for line in lines]  # type: ignore[attr-defined]  # our extra


@pytest.mark.requirement("003-6.5")
async def test_the_log_sees_answers_that_come_from_the_cache(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    weather = Weather()
    endpoint = Endpoint([weather.toolset()])
    await _call(endpoint)
    await _call(endpoint)

    assert weather.runs == 1
    assert _outcomes(caplog) == ["success", "success"]


@pytest.mark.requirement("003-6.5")
async def test_the_deadline_stops_a_cache_that_hangs_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    weather = Weather()
    answer = await _call(Endpoint([weather.toolset()], state=SlowStore()))

    assert answer.failure is not None and answer.failure.code == "TIMEOUT"
    assert weather.runs == 0
    assert _outcomes(caplog) == ["TIMEOUT"]


@pytest.mark.requirement("003-6.5")
async def test_the_cache_keeps_what_the_last_attempt_returned(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "laconic.call")
    weather = Weather(fails=1)
    endpoint = Endpoint([weather.toolset()], settings=Settings(attempts=2))
    answers = [await _call(endpoint) for _ in range(2)]

    assert [answer.text for answer in answers] == ["Brest: fair"] * 2
    assert weather.runs == 2  # one attempt that failed, one that succeeded; the second call ran nothing
    assert _outcomes(caplog) == ["success", "success"]


@pytest.mark.requirement("003-6.5")
async def test_a_step_of_ones_own_runs_outside_the_cache_and_sees_checked_arguments() -> None:
    seen: list[dict[str, object]] = []

    async def watch(call: Call, inner: Inner) -> Answer:
        assert call.checked is not None
        seen.append(dict(call.checked.values))
        return await inner(call)

    weather = Weather()
    endpoint = Endpoint([weather.toolset()], settings=Settings(steps=[watch]))
    await _call(endpoint)
    await _call(endpoint)
    await endpoint.call_tool("weather_get", {"plase": "Brest"}, SilentPeer())

    assert seen == [{"place": "Brest"}] * 2
    assert weather.runs == 1


async def test_resources_and_prompts_take_the_same_path_as_tools(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="laconic.call")
    seen: list[str] = []
    garden = Toolset("garden")

    @garden.resource("garden://{bed}")
    async def garden_bed(bed: str) -> str:
        """Read a bed."""
        await asyncio.sleep(60 if bed == "slow" else 0)
        return bed

    @garden.prompt
    async def garden_plan(bed: Annotated[str, "Which."]) -> str:
        """Plan a bed."""
        raise UpstreamDown("The planner is away.")

    async def look(call: Call, inner: Inner) -> Answer:
        seen.append(call.spec.name)
        return await inner(call)

    async with connect(garden, settings=Settings(steps=[look], deadline=1)) as client:
        assert (await client.client.read_resource("garden://north")).contents
        with pytest.raises(MCPError, match="garden_bed took longer than"):
            await client.client.read_resource("garden://slow")
        with pytest.raises(MCPError, match="The planner is away"):
            await client.client.get_prompt("garden_plan", {"bed": "north"})
    assert set(seen) == {"garden_bed", "garden_plan"}
    assert _outcomes(caplog) == ["success", "TIMEOUT", "UNAVAILABLE"]
