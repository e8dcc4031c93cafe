"""`laconic install HOST`: writes the host's MCP configuration, shows the change first, or takes it back."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from laconic.cli.install import plans, reverting
from laconic.cli.install.hosts import HOSTS, Host, InstallRefused, Machine
from laconic.cli.install.plans import InstallPlan
from laconic.text import did_you_mean, nearest

__all__ = ["install", "own_command"]


def install(
    host: str,
    *,
    scope: str | None,
    workspace: Path,
    servers: list[str],
    name: str = "laconic",
    dry_run: bool,
    undo: bool,
    state: Path,
    out: Callable[[str], None],
    pin: bool = False,
    env: Mapping[str, str] | None = None,
    command: Sequence[str] | None = None,
    machine: Machine | None = None,
) -> int:
    """Install into a host, or undo it, and say what happened; the status is that of the command.

    `pin` serves this workspace whichever folder the host has open. `env` is written as it is given.
    """
    if host not in HOSTS:
        out(_unknown(host))
        return 2
    target = HOSTS[host]
    scope = scope or next(iter(target.scopes))
    workspace = workspace.resolve()
    try:
        if undo:
            plan = reverting.plan_undo(target, scope, workspace, state, name=name, machine=machine)
        else:
            args = ["serve", *servers, *_workspace_argument(target, workspace, pin)]
            words = command or own_command()
            plan = plans.plan(target, scope, workspace, words, args, env or {}, name=name, machine=machine)
        if dry_run:
            _show(plan, out)
        elif undo:
            _undo(plan, state, out)
        else:
            _install(plan, state, out)
    except InstallRefused as refusal:
        out(str(refusal))
        return 1
    except OSError as error:
        out(f"Nothing was changed: {error}")
        return 1
    return 0


def own_command(
    *, roots: Sequence[Path] | None = None, platform: str = sys.platform, python: str = sys.executable
) -> list[str]:
    """How a host starts us: the launcher of our checkout, else the console script, else this Python."""
    if platform != "win32":  # where a host cannot start a script without its interpreter
        for root in roots if roots is not None else _roots():
            launcher = root / "laconic"
            if (root / "pyproject.toml").is_file() and launcher.is_file() and os.access(launcher, os.X_OK):
                return [str(launcher.absolute())]
    beside = str(Path(python).parent)
    if script := shutil.which("laconic", path=beside) or shutil.which("laconic"):
        return [str(Path(script).absolute())]
    return [python, "-P", "-m", "laconic"]  # -P: never a module of the folder the host stands in


def _roots() -> list[Path]:
    """Where our checkout is, if this is one: above src, or above the environment the launcher made."""
    return [Path(__file__).resolve().parents[4], Path(sys.prefix).parent]


def _workspace_argument(host: Host, workspace: Path, pin: bool) -> list[str]:
    folder = str(workspace) if pin or host.fixed else host.folder
    return ["--workspace", folder] if folder else []


def _unknown(host: str) -> str:
    hint = did_you_mean(nearest(host, HOSTS), quote="'")
    return f"There is no host '{host}'.{hint} Known: {', '.join(HOSTS)}."


def _show(plan: InstallPlan, out: Callable[[str], None]) -> None:
    if not plan.changes:
        out(f"Nothing would change: {plan.path} has this entry already.")
        return
    before, after = (plan.before or "").splitlines(), (plan.after or "").splitlines()
    old = str(plan.path) if plan.before is not None else "/dev/null"
    new = str(plan.path) if plan.after is not None else "/dev/null"
    for line in difflib.unified_diff(before, after, old, new, n=2, lineterm=""):
        out(line)


def _install(plan: InstallPlan, state: Path, out: Callable[[str], None]) -> None:
    if not plan.changes:
        out(f"Nothing to do: {plan.path} has this entry already.")
        return
    backup = reverting.apply(plan, state)
    out(f"Wrote '{plan.name}' to {plan.path}")
    if backup:
        out(f"Backup: {backup}")
    if not plan.host.comments and not _is_plain(plan.after or ""):
        out(f"Note: {plan.host.title} reads plain JSON; the comments or commas in this file may stop it.")
    out(f"Next: {plan.host.next_step}")
    named = "" if plan.name == "laconic" else f" --name {plan.name}"
    out(f"Undo: laconic install {plan.host.name} --scope {plan.scope}{named} --undo")


def _undo(plan: InstallPlan, state: Path, out: Callable[[str], None]) -> None:
    backup = reverting.undo(plan, state)
    if plan.after is None:
        out(f"Deleted {plan.path}, which installing had made.")
    elif backup:
        out(f"Took '{plan.name}' out of {plan.path}; everything else stays as it is.")
        out(f"Backup: {backup}")
    else:
        out(f"Restored {plan.path} as it was before.")


def _is_plain(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:  # also for a byte order mark
        return False
    return True
