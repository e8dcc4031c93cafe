"""Limits of speed: waits that help are waited, others are told with the time after which to try again."""

import asyncio

import pytest

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import error_of, serving


@pytest.mark.requirement("001-8", "001-16", "001-3.4")
@pytest.mark.parametrize("output", ["structured", "both"])
async def test_a_write_that_is_throttled_says_when_to_try_again_and_is_not_sent_again(
    site: TaigaServer, output: str
) -> None:
    async with serving(site, output=output) as client:
        site.app.throttle.rates["user-write"] = (1, 60.0)
        await client.call("taiga_create_issue", subject="One")
        reply = await client.call("taiga_create_issue", subject="Two")
        soon = await client.call("taiga_create_issue", subject="Three")
    error = error_of(reply)
    assert (error["category"], error["message"]) == ("rate_limit", "Rate limited")
    assert (error["httpStatus"], error["taigaCode"]) == (429, "Throttled")
    assert 1_000 <= error["retryAfterMs"] <= 60_000
    assert reply.structured["_rateLimit"] == {"retryAfterMs": error["retryAfterMs"]}
    assert site.asked.count("POST issues") == 2  # the third was not even sent
    assert error_of(soon)["category"] == "rate_limit"


@pytest.mark.requirement("001-8")
async def test_the_text_has_the_same_facts(site: TaigaServer) -> None:
    async with serving(site, patience=0) as client:
        site.app.faults.add("throttle", path="issues", seconds=2)
        reply = await client.call("taiga_list_issues")
    assert reply.text == "Error [RATE_LIMIT_EXCEEDED]: Rate limited. Retry after 2 s."


@pytest.mark.requirement("001-8", "001-3.4")
async def test_a_read_that_waited_says_so(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        site.app.faults.add("throttle", path="issues", seconds=1)
        reply = await client.call("taiga_list_issues")
        next_one = await client.call("taiga_list_issues")
    facts = reply.structured["_rateLimit"]
    assert not reply.failed and facts["waitedMs"] >= 900
    assert "s for the rate limit." in reply.text
    assert "_rateLimit" not in next_one.structured


async def test_a_proxy_that_names_its_own_wait_is_heard(site: TaigaServer) -> None:
    async with serving(site) as client:
        site.app.faults.add("unavailable", path="issues", seconds=1)
        reply = await client.call("taiga_list_issues")
    assert not reply.failed


@pytest.mark.requirement("001-8")
async def test_a_limit_of_our_own_that_is_nearly_used_up_is_told(site: TaigaServer) -> None:
    async with serving(site, output="both", requests_per_minute=12) as client:
        replies = [await client.call("taiga_list_issues") for _ in range(11)]
        last = await client.call("taiga_list_issues", limit=1, offset=1)
    near = [reply for reply in replies if "_rateLimit" in reply.structured]
    assert near and near[-1].structured["_rateLimit"]["left"] < 0.1
    assert near[-1].structured["_rateLimit"]["retryAfterMs"] > 0
    assert "nearly used up" in near[-1].text
    assert "_rateLimit" not in replies[0].structured
    assert error_of(last)["category"] == "rate_limit"


async def test_nobody_sees_a_refusal_that_waiting_would_have_avoided(site: TaigaServer) -> None:
    async with serving(site) as client:
        site.app.throttle.rates["user-read"] = (20, 2.0)
        replies = await asyncio.gather(*(client.call("taiga_list_issues", limit=1) for _ in range(30)))
    assert [reply.text for reply in replies if reply.failed] == []


async def test_a_wait_beyond_the_patience_is_told_at_once(site: TaigaServer) -> None:
    async with serving(site, output="both", patience=1) as client:
        site.app.faults.add("throttle", path="issues", seconds=3)
        reply = await client.call("taiga_list_issues")
    assert error_of(reply)["retryAfterMs"] == 3_000 and site.asked == []
