"""Every check of every contract over every transport, by the SDK's own client, in both eras.

The tests of tests/contract make the same checks in memory; here they go over real pipes and sockets. Those
about the words of a record are left out: they present it a thousand times, and send nothing.
"""

from dataclasses import replace

import pytest

from laconic.kit.contract import Cases, Contract, words
from laconic.kit.testing import WIRES, Over
from laconic.kit.wire.protocol import MODERN
from tests.contract import test_envelopes, test_example, test_issues, test_workshop

CONTRACTS: dict[str, Contract] = {
    "example": test_example.contract,
    "issues": test_issues.contract,
    "workshop": test_workshop.contract,
    "taiga": test_envelopes.in_an_envelope,
    "drive": test_envelopes.of_unknown_length,
}
UNSENT = (words.text_is_lossless, words.other_peoples_words_stay_apart)
TOOLS = [(name, spec.name) for name, contract in CONTRACTS.items() for spec in contract.specs()]


@pytest.mark.parametrize("over", [over for over in WIRES if over != "memory"])
@pytest.mark.parametrize(("name", "tool"), TOOLS, ids=[tool for _, tool in TOOLS])
async def test_a_tool_keeps_its_contract_over(name: str, tool: str, over: Over) -> None:
    checks = [case for case in CONTRACTS[name].cases() if case.check.of == "call"]
    cases = [case for case in checks if case.check.function not in UNSENT]
    mine = [replace(case, over=over) for case in cases if case.spec and case.spec.name == tool]
    if over != "lean":  # the wire we wrote carries every output mode, the others the richest of each check
        mine = [case for case in mine if case.output == case.check.outputs[-1]]
    if over == "http-sdk":  # earlier revisions are served by the SDK on the other wire of HTTP, too
        mine = [case for case in mine if case.era in MODERN]

    await Cases(tuple(mine)).made()
