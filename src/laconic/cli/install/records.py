"""The record of an installation: what undo needs to know, saved in the state folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from laconic.cli.install.host_files import back_up, digest, existing, write
from laconic.cli.install.plans import InstallPlan

__all__ = ["Clock", "InstallRecord", "forget", "load", "prepare", "save", "utc"]

Clock = Callable[[], datetime]


def utc() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class InstallRecord:
    """What undo needs to know about an installation."""

    digest: str  # of the file as we left it
    backup: str | None  # the file before the installation; None: there was none
    exact: bool  # undo restores exactly the backup, or no file
    replaced: bool  # an entry of our name existed before
    parents: int  # how many objects around the entry we created
    folders: int  # how many folders we created for the file

    @property
    def backup_file(self) -> Path | None:
        """The backup, if there was one and it still exists."""
        return existing(self.backup)

    def can_restore(self, text: str) -> bool:
        """True if undo can restore the old file: nobody changed ours, and the backup still exists."""
        return self.digest == digest(text) and bool(self.backup_file or not self.backup)


def load(plan: InstallPlan, state: Path) -> InstallRecord | None:
    """Read the record of an installation."""
    try:
        saved = json.loads(_path(plan, state).read_text(encoding="utf-8"))
        if "parent" in saved:  # version 0.1.0
            saved["parents"] = int(saved.pop("parent"))
        return InstallRecord(**saved)
    except (OSError, ValueError, TypeError):  # no record, or one of another version
        return None


def save(plan: InstallPlan, state: Path, record: InstallRecord) -> None:
    """Write the record of an installation."""
    write(_path(plan, state), json.dumps(asdict(record), indent=2) + "\n")


def forget(plan: InstallPlan, state: Path) -> None:
    """Remove the record of an installation."""
    _path(plan, state).unlink(missing_ok=True)


def prepare(plan: InstallPlan, state: Path, now: Clock) -> tuple[InstallRecord, Path | None]:
    """Return the record to save and the backup; undoing a second installation also undoes the first."""
    earlier, record = load(plan, state), _new(plan)
    if plan.before is None:
        return record, None
    if earlier is None or not record.replaced:
        backup = back_up(plan.path, plan.before, state, now())
        return replace(record, backup=str(backup)), backup
    if earlier.can_restore(plan.before):
        return replace(earlier, digest=record.digest), earlier.backup_file
    return replace(earlier, digest=record.digest, exact=False), back_up(plan.path, plan.before, state, now())


def _new(plan: InstallPlan) -> InstallRecord:
    text, has = plan.before or "", plan.host.format.has
    return InstallRecord(
        digest=digest(plan.after or ""),
        backup=None,
        exact=True,
        replaced=has(text, plan.keys),
        parents=sum(not has(text, plan.keys[:depth]) for depth in range(1, len(plan.keys))),
        folders=sum(not folder.exists() for folder in plan.path.parents),
    )


def _path(plan: InstallPlan, state: Path) -> Path:
    name = digest("\0".join([str(plan.path), plan.name, *plan.keys[:-2]]))[:16]
    return state / "installs" / f"{plan.host.name}-{name}.json"
