"""Checkups of a toolset: one that hangs is reported, and the others still run."""

import asyncio
import threading

import pytest

from laconic.kit import Diagnosis, Endpoint, Toolset
from laconic.kit.checkups import diagnoses


async def found_in(toolset: Toolset) -> list[Diagnosis]:
    endpoint = Endpoint([toolset])
    try:
        async with asyncio.timeout(20):
            return [one async for one in diagnoses(toolset, endpoint.supplies)]
    finally:
        await endpoint.close()


async def test_a_checkup_that_hangs_is_wrong_and_the_next_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laconic.kit.checkups.PATIENCE", 0.05)
    toolset, end = Toolset("station"), threading.Event()

    @toolset.checkup
    async def sign_in() -> Diagnosis:
        await asyncio.Event().wait()
        return Diagnosis("sign-in")

    @toolset.checkup
    def tables() -> Diagnosis:
        end.wait(20)
        return Diagnosis("tables")

    @toolset.checkup
    async def clock() -> Diagnosis:
        return Diagnosis("clock", "right")

    try:
        found = await found_in(toolset)
    finally:
        end.set()
    assert found == [
        Diagnosis("sign_in", "no answer in 0.05 s.", ok=False),
        Diagnosis("tables", "no answer in 0.05 s.", ok=False),
        Diagnosis("clock", "right"),
    ]
