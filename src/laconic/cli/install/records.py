"""The record of an installation: what undoing it needs to know, kept in the state folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from laconic.cli.install import jsonc
from laconic.cli.install.host_files import digest, existing, keep, write
from laconic.cli.install.plans import InstallPlan

__all__ = ["Clock", "InstallRecord", "forget", "load", "remembered", "save", "utc"]

Clock = Callable[[], datetime]


def utc() -> datetime:
    """This moment."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class InstallRecord:
    """What undoing needs to know of an installation."""

    digest: str  # of the file as we left it
    backup: str | None  # the file as it was before us; None: there was none
    exact: bool  # the backup, or no file, is what undoing leads to
    replaced: bool  # an entry of our name stood there before
    parent: bool  # we made the object around the entry
    folders: int  # how many folders we made for the file

    @property
    def kept(self) -> Path | None:
        """The file as it was before us, if there was one and it is still there."""
        return existing(self.backup)

    def leads_back(self, text: str) -> bool:
        """Whether a file, as it is now, can be put back whole: nobody touched it, and the backup is there."""
        return self.digest == digest(text) and bool(self.kept or not self.backup)


def load(plan: InstallPlan, state: Path) -> InstallRecord | None:
    """Read the record of an installation."""
    try:
        return InstallRecord(**json.loads(_place(plan, state).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or written by another version
        return None


def save(plan: InstallPlan, state: Path, record: InstallRecord) -> None:
    """Write the record of an installation."""
    write(_place(plan, state), json.dumps(asdict(record), indent=2) + "\n")


def forget(plan: InstallPlan, state: Path) -> None:
    """Remove the record of an installation."""
    _place(plan, state).unlink(missing_ok=True)


def remembered(plan: InstallPlan, state: Path, now: Clock) -> tuple[InstallRecord, Path | None]:
    """What to remember, and the backup. A second installation leads back to before the first."""
    earlier, record = load(plan, state), _new(plan)
    if plan.before is None:
        return record, None
    if earlier is None or not record.replaced:
        backup = keep(plan.path, plan.before, state, now())
        return replace(record, backup=str(backup)), backup
    if earlier.leads_back(plan.before):
        return replace(earlier, digest=record.digest), earlier.kept
    return replace(earlier, digest=record.digest, exact=False), keep(plan.path, plan.before, state, now())


def _new(plan: InstallPlan) -> InstallRecord:
    text = plan.before or ""
    return InstallRecord(
        digest=digest(plan.after or ""),
        backup=None,
        exact=True,
        replaced=jsonc.find(text, plan.keys) is not None,
        parent=jsonc.find(text, plan.keys[:1]) is None,
        folders=sum(not folder.exists() for folder in plan.path.parents),
    )


def _place(plan: InstallPlan, state: Path) -> Path:
    place = digest(f"{plan.path}\0{plan.name}")[:16]
    return state / "installs" / f"{plan.host.name}-{place}.json"
