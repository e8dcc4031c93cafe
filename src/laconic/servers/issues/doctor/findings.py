"""Findings: what a doctor sees in a workspace, and what is to be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Literal

from pydantic import BaseModel

from laconic.kit import Record

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
]
Status = Literal["healthy", "findings", "repaired"]
Mend = Callable[[], str | None]
"""Repairs it, and says what was done; None if there was nothing to do any more."""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be."""

    kind: Kind
    path: str  # from the workspace
    problem: str
    advice: str  # what a person should do, or what the repair does
    mend: Mend | None = None

    @property
    def is_mendable(self) -> bool:
        """Whether a repair would mend it."""
        return self.mend is not None


class FindingRow(BaseModel):
    """A finding as an answer shows it."""

    kind: Kind
    path: str
    problem: str
    advice: str
    mendable: bool


class Checkup(Record):
    """What a doctor found in the issues' files, and what was mended of it."""

    key: ClassVar[str] = "status"

    status: Status
    mended: list[str]
    findings: list[FindingRow]

    @classmethod
    def of(cls, findings: Sequence[Finding], mended: Sequence[str] = ()) -> Checkup:
        """Make the answer."""
        rows = [
            FindingRow(
                kind=one.kind,
                path=one.path,
                problem=one.problem,
                advice=one.advice,
                mendable=one.is_mendable,
            )
            for one in findings
        ]
        status: Status = "repaired" if mended else "findings" if rows else "healthy"
        return cls(status=status, mended=list(mended), findings=rows)

    def text(self, format: str | None) -> str:
        """The words for a model."""
        return self.words("fix: true")

    def words(self, fix: str) -> str:
        """A line a finding, under the name of its kind; `fix` is how a repair is asked for."""
        lines = [f"Mended {len(self.mended)}:", *self.mended] if self.mended else []
        if not self.findings:
            return "\n".join([*lines, "Nothing is wrong with the issues' files."])
        few = sum(row.mendable for row in self.findings)
        what = f"; {fix} mends the {few} marked +" if few else "; these need a person"
        lines.append(f"{len(self.findings)} {'left' if self.mended else 'found'}{what}.")
        for kind, rows in groupby(self.findings, key=lambda row: row.kind):
            lines.append(f"{kind}:")
            lines += [
                f"{'+' if row.mendable else '-'} {row.path}: {row.problem} {row.advice}" for row in rows
            ]
        return "\n".join(lines)
