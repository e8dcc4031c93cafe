"""Errors alone are enough to repair a call: rules only, at the second try."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Endpoint, Unknown
from laconic.kit.peer import SilentPeer
from tests.repair.repairer import get, repair
from tests.toolsets.workshop import workshop

CASES = json.loads(Path(__file__).with_name("wrong_calls.json").read_text(encoding="utf-8"))


async def _say(endpoint: Endpoint, tool: str, arguments: dict[str, Any]) -> str | None:
    """Call, and give the error's words; None when it went well."""
    try:
        answer = await endpoint.call_tool(tool, arguments, SilentPeer())
    except Unknown as error:
        return error.message
    return answer.text if answer.failure else None


async def _repaired(case: dict[str, Any]) -> str:
    endpoint = Endpoint([workshop])
    try:
        error = await _say(endpoint, case["tool"], case["arguments"])
        if error is None:
            return "accepted"
        assert len(error.encode()) <= 600
        intended = case["intended"]["arguments"]
        tool, arguments = repair(case["tool"], case["arguments"], error, partial(get, intended))
        second = await _say(endpoint, tool, arguments)
        return "repaired" if second is None else f"{case['mistake']}: {error} -> {arguments} -> {second}"
    finally:
        await endpoint.close()


async def test_nineteen_of_twenty_wrong_calls_are_repaired_at_the_second_try() -> None:
    outcomes = [await _repaired(case) for case in CASES]
    refused = [outcome for outcome in outcomes if outcome != "accepted"]
    broken = [outcome for outcome in refused if outcome != "repaired"]
    assert len(refused) >= 60
    assert len(broken) <= 0.05 * len(refused), "\n".join(broken)


async def test_the_calls_that_were_meant_are_right() -> None:
    for case in CASES:
        endpoint = Endpoint([workshop])
        intended = case["intended"]
        assert await _say(endpoint, intended["tool"], intended["arguments"]) is None, case
        await endpoint.close()


@pytest.mark.parametrize("mistake", ["synonym", "misspelt"])
async def test_a_repaired_name_keeps_the_value_it_came_with(mistake: str) -> None:
    kept = lost = 0
    for case in CASES:
        if mistake not in case["mistake"] or case["tool"] != case["intended"]["tool"]:
            continue
        endpoint = Endpoint([workshop])
        error = await _say(endpoint, case["tool"], case["arguments"])
        await endpoint.close()
        if error is None:
            continue
        intended = case["intended"]["arguments"]
        _, arguments = repair(case["tool"], case["arguments"], error, partial(get, intended))
        kept, lost = (kept + 1, lost) if set(arguments) == set(intended) else (kept, lost + 1)
    assert kept >= 4 * lost
