"""What `laconic doctor` finds out about an instance: its address, the sign-in and the clock."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from laconic.kit import Endpoint
from laconic.servers.taiga.service import Taiga
from laconic.servers.taiga.service.access.checking import examined
from laconic.servers.taiga.service.access.opening import opened
from laconic.servers.taiga.tools import taiga
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import settings


@asynccontextmanager
async def instance(site: TaigaServer, **more: str) -> AsyncIterator[Taiga]:
    endpoint = Endpoint([taiga], settings=settings(site, **more))
    async with opened(endpoint.supplies.section("taiga"), endpoint.supplies.home("taiga")) as found:
        yield found
    await endpoint.close()


@pytest.mark.parametrize(
    ("apart", "words"),
    [
        (0, "agrees with Taiga's"),
        (3_000, "s ahead of Taiga: set its clock."),
        (-3_000, "s behind Taiga: set"),
    ],
)
async def test_a_clock_that_differs_by_minutes_is_found(site: TaigaServer, apart: int, words: str) -> None:
    async with instance(site) as found:
        *_, clock = await examined(found, lambda: time.time() + apart)
    assert (clock.what, clock.ok) == ("clock", apart == 0) and words in clock.detail


async def test_what_does_not_sign_in_or_is_not_there_is_told(site: TaigaServer) -> None:
    async with instance(site, password="guess") as found:
        url, refused = await examined(found, time.time)
    async with instance(site, url="http://127.0.0.1:9", patience="0") as found:
        _, gone = await examined(found, time.time)
    assert (url.ok, url.detail) == (True, site.root)
    assert not refused.ok and "status 401" in refused.detail
    assert not gone.ok and "Network unreachable" in gone.detail


async def test_an_address_that_is_not_encrypted_is_wrong_and_warned_about(
    site: TaigaServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with instance(site, url="http://taiga.invalid", patience="0") as found:
        url, _ = await examined(found, time.time)
    async with instance(site):  # on this machine nobody reads along
        pass
    warned = [record.message for record in caplog.records if "not encrypted" in record.message]
    assert not url.ok and "is not encrypted" in url.detail
    assert warned == [
        "http://taiga.invalid/api/v1 is not encrypted: others on the way can read the password. Use https."
    ]
