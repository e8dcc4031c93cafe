"""Toolsets that are bad on purpose, each under the check that must catch it."""

from tests.unit.kit.offences import calls, declared, paging, refusals, snapshots, source, words, writing
from tests.unit.kit.offences.shelf import OFFENCES, Offence, found

__all__ = [
    "OFFENCES",
    "Offence",
    "calls",
    "declared",
    "found",
    "paging",
    "refusals",
    "snapshots",
    "source",
    "words",
    "writing",
]
