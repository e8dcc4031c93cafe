"""Every check of every contract over every transport, by the SDK's own client, in both eras.

The tests of tests/contract make the same checks in memory; here they go over real pipes and sockets.
"""

import asyncio
from dataclasses import replace

import pytest

from laconic.kit.contract import Broken, Case, Contract, Untried
from laconic.kit.testing import WIRES, Over
from tests.contract import test_envelopes, test_example, test_issues, test_workshop

CONTRACTS: dict[str, Contract] = {
    "example": test_example.contract,
    "issues": test_issues.contract,
    "workshop": test_workshop.contract,
    "taiga": test_envelopes.in_an_envelope,
    "drive": test_envelopes.of_unknown_length,
}
TOOLS = [(name, spec.name) for name, contract in CONTRACTS.items() for spec in contract.specs()]
AT_ONCE = 8  # worlds side by side: some of them wait for an upstream that is down


async def broken(case: Case, turn: asyncio.Semaphore) -> str:
    """What a case finds broken, if anything."""
    async with turn:
        try:
            await case.made()
        except Untried:
            pass  # said in tests/contract
        except Broken as error:
            return f"{case.id}: {error}"
    return ""


@pytest.mark.parametrize("over", [over for over in WIRES if over != "memory"])
@pytest.mark.parametrize(("name", "tool"), TOOLS, ids=[tool for _, tool in TOOLS])
async def test_a_tool_keeps_its_contract_over(name: str, tool: str, over: Over) -> None:
    cases = [case for case in CONTRACTS[name].cases() if case.check.of == "call"]
    mine = [replace(case, over=over) for case in cases if case.spec and case.spec.name == tool]
    if over != "lean":  # the wire we wrote carries every output mode, the SDK's the richest of each check
        mine = [case for case in mine if case.output == case.check.outputs[-1]]
    turn = asyncio.Semaphore(AT_ONCE)
    found = await asyncio.gather(*(broken(case, turn) for case in mine))

    assert mine
    assert not [words for words in found if words]
