"""The contract that every tool must keep, as tests for any toolset: see docs/writing-a-toolset-test.md."""

from laconic.kit.contract.checks import CHECKS, Check
from laconic.kit.contract.contract import Case, Cases, Contract
from laconic.kit.contract.terms import BODIES, Body, Broken, Untried
from laconic.kit.contract.trial import Declared, Trial

__all__ = [
    "BODIES",
    "CHECKS",
    "Body",
    "Broken",
    "Case",
    "Cases",
    "Check",
    "Contract",
    "Declared",
    "Trial",
    "Untried",
]
