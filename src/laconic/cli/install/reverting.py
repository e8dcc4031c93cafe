"""Carrying out an installation so that there is a way back, and going it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from laconic.cli.install import jsonc, records
from laconic.cli.install.host_files import keep, read, remove_empty, write
from laconic.cli.install.hosts import Host, InstallRefused, Machine
from laconic.cli.install.plans import InstallPlan
from laconic.cli.install.records import Clock, InstallRecord, utc

__all__ = ["apply", "plan_undo", "undo"]


def apply(plan: InstallPlan, state: Path, *, now: Clock = utc) -> Path | None:
    """Carry out the plan of an installation and return the backup, if there was a file to keep.

    Raises: InstallRefused.
    """
    if not plan.changes or plan.after is None:
        return None
    plan.check_unchanged()
    record, backup = records.remembered(plan, state, now)
    records.save(plan, state, record)
    write(plan.path, plan.after)
    return backup


def plan_undo(
    host: Host,
    scope: str,
    workspace: Path,
    state: Path,
    *,
    name: str = "laconic",
    machine: Machine | None = None,
) -> InstallPlan:
    """Work out what undoing would write: the file before us if nobody touched it since, else ours removed.

    Raises: InstallRefused.
    """
    path = host.path(scope, workspace, machine or Machine())
    before = read(path)
    plan = InstallPlan(host, scope, path, name, before, before)
    if before is None:
        raise InstallRefused(f"There is no {path}, so there is nothing to undo.")
    record = records.load(plan, state)
    kept = record.kept if record else None
    if record and record.exact and record.leads_back(before):
        return replace(plan, after=read(kept) if kept else None)
    try:
        return replace(plan, after=_without_entry(plan, before, record, read(kept) if kept else None))
    except jsonc.BadJsonc as error:
        raise InstallRefused(f"{path} cannot be edited: {error}") from error


def undo(plan: InstallPlan, state: Path, *, now: Clock = utc) -> Path | None:
    """Carry out the plan of an undoing; return a backup unless the old file came back whole.

    Raises: InstallRefused.
    """
    plan.check_unchanged()
    record = records.load(plan, state)
    kept = record.kept if record else None
    backup = None
    if plan.after is None:
        plan.path.unlink()
        remove_empty(plan.path, record.folders if record else 0)
    elif kept and plan.after == read(kept):
        write(plan.path, plan.after)
        kept.unlink()  # its content is the file again
    else:
        backup = keep(plan.path, plan.before or "", state, now())
        write(plan.path, plan.after)
    records.forget(plan, state)
    return backup


def _without_entry(plan: InstallPlan, before: str, record: InstallRecord | None, original: str | None) -> str:
    """The text without our entry, or with the entry that stood in its place before us."""
    ours = jsonc.find(before, plan.keys)
    if ours is None:
        raise InstallRefused(f"{plan.path} has no entry '{plan.name}', so there is nothing to undo.")
    theirs = jsonc.find(original, plan.keys) if record and record.replaced and original else None
    if theirs and original:
        value = original[theirs.value.start : theirs.end]
        return before[: ours.value.start] + value + before[ours.end :]
    return jsonc.remove_member(before, plan.keys, prune=int(record.parent) if record else 0)
