"""Findings: what the doctor found in a workspace, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final, Literal

from pydantic import BaseModel

from laconic.data import dataclass
from laconic.kit import Record, one_line

Kind = Literal[
    "duplicate id",
    "two in one",
    "conflict",
    "unreadable",
    "reference",
    "cycle",
    "misplaced",
    "name",
    "left out",
    "session",
    "claim",
]
Status = Literal["healthy", "findings", "repaired"]
REPAIR: Final = "laconic issues doctor --fix"
"""The command that repairs what can be repaired; agents have no tool for it."""

Repair = Callable[[], str | None]
"""Repairs a finding and returns what was done; None if there was nothing left to do."""


@dataclass(frozen=True)
class Finding:
    """One problem."""

    kind: Kind
    path: str  # relative to the workspace
    problem: str
    advice: str  # what a person should do, or what the repair will do
    repair: Repair | None = None

    @property
    def is_repairable(self) -> bool:
        """True if the doctor can repair it."""
        return self.repair is not None


class FindingRow(BaseModel, defer_build=True):
    """A finding in an answer."""

    kind: Kind
    path: str
    problem: str
    advice: str
    mendable: bool


class Checkup(Record, key="status"):
    """What the doctor found in the issues' files, and what it repaired."""

    status: Status
    mended: list[str]  # wording: ok, programs read this name
    findings: list[FindingRow]

    @classmethod
    def of(cls, findings: Sequence[Finding], repaired: Sequence[str] = ()) -> Checkup:
        """Make the answer."""
        rows = [
            FindingRow(
                kind=one.kind,
                path=one.path,
                problem=one.problem,
                advice=one.advice,
                mendable=one.is_repairable,
            )
            for one in findings
        ]
        status: Status = "repaired" if repaired else "findings" if rows else "healthy"
        return cls(status=status, mended=list(repaired), findings=rows)  # wording: ok

    @property
    def repaired(self) -> list[str]:
        """What was repaired, one sentence each."""
        return self.mended  # wording: ok

    def write_text(self, format: str | None) -> str:
        """The words for a model."""
        return self.words(f"a person with {REPAIR}")

    def words(self, fix: str) -> str:
        """One line per finding, grouped by kind; `fix` is how the caller asks for repairs."""
        lines = [f"Repaired {len(self.repaired)}:", *map(one_line, self.repaired)] if self.repaired else []
        if not self.findings:
            return "\n".join([*lines, "Nothing is wrong with the issues' files."])
        few = sum(row.mendable for row in self.findings)
        what = f"; {fix} repairs the {few} marked +" if few else "; these need a person"
        lines.append(f"{len(self.findings)} {'left' if self.repaired else 'found'}{what}.")
        for kind, rows in groupby(self.findings, key=lambda row: row.kind):
            lines.append(f"{kind}:")
            lines += [
                one_line(f"{'+' if row.mendable else '-'} {row.path}: {row.problem} {row.advice}")
                for row in rows
            ]
        return "\n".join(lines)
