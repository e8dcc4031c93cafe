"""Apply an installation, and undo it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from laconic.cli.install import records
from laconic.cli.install.formats import NotEditable
from laconic.cli.install.host_files import back_up, read, remove_empty, write
from laconic.cli.install.hosts import InstallRefused
from laconic.cli.install.plans import InstallPlan
from laconic.cli.install.records import Clock, InstallRecord, utc

__all__ = ["apply", "plan_undo", "undo"]


def apply(plan: InstallPlan, state: Path, *, now: Clock = utc) -> Path | None:
    """Apply the plan of an installation and return the backup, if there was a file to back up.

    Raises: InstallRefused.
    """
    if not plan.changes_file or plan.after is None:
        return None
    plan.check_unchanged()
    record, backup = records.prepare(plan, state, now)
    records.save(plan, state, record)
    write(plan.path, plan.after)
    return backup


def plan_undo(plan: InstallPlan, state: Path) -> InstallPlan:
    """Plan to restore the old file if nobody changed ours since, otherwise to remove only our entry.

    Raises: InstallRefused.
    """
    before = plan.before
    if before is None:
        raise InstallRefused(f"There is no {plan.path}, so there is nothing to undo.")
    record = records.load(plan, state)
    backup = record.backup_file if record else None
    if record and record.exact and record.can_restore(before):
        return replace(plan, after=read(backup) if backup else None)
    try:
        return replace(plan, after=_without_entry(plan, before, record, read(backup) if backup else None))
    except NotEditable as error:
        raise plan.not_editable(error) from error


def undo(plan: InstallPlan, state: Path, *, now: Clock = utc) -> Path | None:
    """Apply the plan of an undo; return a backup unless the old file was restored exactly.

    Raises: InstallRefused.
    """
    plan.check_unchanged()
    record = records.load(plan, state)
    old = record.backup_file if record else None
    backup = None
    if plan.after is None:
        plan.path.unlink()
        remove_empty(plan.path, record.folders if record else 0)
    elif old and plan.after == read(old):
        write(plan.path, plan.after)
        old.unlink()  # its content is in the file again
    else:
        backup = back_up(plan.path, plan.before or "", state, now())
        write(plan.path, plan.after)
    records.forget(plan, state)
    return backup


def _without_entry(plan: InstallPlan, before: str, record: InstallRecord | None, original: str | None) -> str:
    """Return the text without our entry, or with the entry that ours replaced."""
    edit = plan.host.format
    if not edit.has(before, plan.keys):
        raise InstallRefused(f"{plan.path} has no entry '{plan.name}', so there is nothing to undo.")
    if record and record.replaced and original and edit.has(original, plan.keys):
        return edit.restore_member(before, plan.keys, original)
    return edit.remove_member(before, plan.keys, prune=record.parents if record else 0)
