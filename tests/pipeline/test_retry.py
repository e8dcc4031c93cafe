"""Reads whose upstream was down are tried again; writes never are."""

import asyncio

import pytest

from laconic.kit import Endpoint, Failure, Settings, Toolset, UpstreamDown
from laconic.kit.peer import SilentPeer
from laconic.upstream.errors import Unreachable


def _shaky(fails: int, ran: list[str]) -> Toolset:
    shaky = Toolset("shaky")

    @shaky.read
    async def shaky_read() -> str:
        """Read."""
        ran.append("read")
        if len(ran) <= fails:
            raise UpstreamDown("It answered 503.", retry_after=0.01)
        return "good"

    @shaky.update
    async def shaky_write() -> str:
        """Write."""
        ran.append("write")
        raise UpstreamDown("It answered 503.", retry_after=0.01)

    @shaky.read
    async def shaky_refused() -> str:
        """Be refused."""
        ran.append("refused")
        raise Failure("No.")

    @shaky.read(deadline=0.5)
    async def shaky_later() -> str:
        """Be told to come back too late."""
        ran.append("later")
        raise UpstreamDown("It answered 429.", retry_after=30)

    @shaky.read(deadline=1.0)
    async def shaky_slow() -> str:
        """Fail when more than half of the time is gone."""
        ran.append("slow")
        await asyncio.sleep(0.55)
        raise UpstreamDown("It answered 503.", retry_after=0.01)

    @shaky.read(attempts=1)
    async def shaky_once() -> str:
        """Be down."""
        ran.append("once")
        raise UpstreamDown("It answered 503.", retry_after=0.01)

    @shaky.read
    async def shaky_upstream() -> str:
        """Be down after upstream tried several times."""
        ran.append("upstream")
        raise Unreachable("Nobody answers.", attempts=3)

    return shaky


async def _call(tool: str, fails: int = 0) -> tuple[str, list[str]]:
    ran: list[str] = []
    endpoint = Endpoint([_shaky(fails, ran)], settings=Settings(attempts=3))
    answer = await endpoint.call_tool(tool, {}, SilentPeer())
    return answer.text, ran


@pytest.mark.requirement("003-6.8")
async def test_a_read_is_tried_until_it_succeeds() -> None:
    assert await _call("shaky_read", fails=2) == ("good", ["read"] * 3)


async def test_it_gives_up_after_the_attempts_allowed() -> None:
    text, ran = await _call("shaky_read", fails=9)
    assert text.startswith("Error [UNAVAILABLE]: It answered 503.")
    assert len(ran) == 3


@pytest.mark.requirement("001-10")
async def test_a_write_is_never_tried_again() -> None:
    assert (await _call("shaky_write"))[1] == ["write"]


async def test_a_tool_can_declare_its_own_number_of_attempts() -> None:
    assert (await _call("shaky_once"))[1] == ["once"]


async def test_what_upstream_has_tried_again_is_not_tried_again() -> None:
    assert (await _call("shaky_upstream"))[1] == ["upstream"]


async def test_a_refusal_is_not_tried_again() -> None:
    assert (await _call("shaky_refused"))[1] == ["refused"]


async def test_a_pause_longer_than_the_deadline_is_left_to_the_caller() -> None:
    text, ran = await _call("shaky_later")
    assert "Retry after 30 s." in text
    assert ran == ["later"]


async def test_an_attempt_that_cannot_end_in_time_is_not_begun() -> None:
    text, ran = await _call("shaky_slow")
    assert text.startswith("Error [UNAVAILABLE]: It answered 503.")
    assert ran == ["slow"]
