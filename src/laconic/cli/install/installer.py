"""Install into a host's MCP configuration, show the change, or undo it, and report what happened."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from laconic.cli.install import changes
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
    """Install into a host, or undo it, report what happened, and return the exit status.

    `pin` always serves this workspace, not the folder open in the host. `env` is written as given.
    """
    if host not in HOSTS:
        out(_unknown(host))
        return 2
    target = HOSTS[host]
    scope = scope or next(iter(target.scopes))
    workspace = workspace.resolve()
    try:
        plan = InstallPlan.empty(target, scope, workspace, name=name, machine=machine)
        if undo:
            plan = changes.plan_undo(plan, state)
        else:
            args = ["serve", *servers, *_workspace_argument(target, workspace, pin)]
            plan = plan.with_entry(command or own_command(), args, env or {})
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
    """Return the command that starts us: the launcher of our checkout, the console script, or this Python."""
    if platform != "win32":  # there a host cannot start a script without its interpreter
        for root in roots if roots is not None else _roots():
            launcher = root / "laconic"
            if (root / "pyproject.toml").is_file() and launcher.is_file() and os.access(launcher, os.X_OK):
                return [str(launcher.absolute())]
    scripts = str(Path(python).parent)
    if script := shutil.which("laconic", path=scripts) or shutil.which("laconic"):
        return [str(Path(script).absolute())]
    return [python, "-P", "-m", "laconic"]  # -P: never import from the current folder of the host


def _roots() -> list[Path]:
    """Return where our checkout may be: above src, or above the environment that the launcher created."""
    return [Path(__file__).resolve().parents[4], Path(sys.prefix).parent]


def _workspace_argument(host: Host, workspace: Path, pin: bool) -> list[str]:
    folder = str(workspace) if pin or host.fixed else host.folder
    return ["--workspace", folder] if folder else []


def _unknown(host: str) -> str:
    hint = did_you_mean(nearest(host, HOSTS), quote="'")
    return f"There is no host '{host}'.{hint} Known: {', '.join(HOSTS)}."


def _show(plan: InstallPlan, out: Callable[[str], None]) -> None:
    if not plan.changes_file:
        out(f"Nothing would change: {plan.path} already has this entry.")
        return
    before, after = (plan.before or "").splitlines(), (plan.after or "").splitlines()
    old = str(plan.path) if plan.before is not None else "/dev/null"
    new = str(plan.path) if plan.after is not None else "/dev/null"
    for line in difflib.unified_diff(before, after, old, new, n=2, lineterm=""):
        out(line)


def _install(plan: InstallPlan, state: Path, out: Callable[[str], None]) -> None:
    if not plan.changes_file:
        out(f"Nothing to do: {plan.path} already has this entry.")
        return
    backup = changes.apply(plan, state)
    out(f"Wrote '{plan.name}' to {plan.path}")
    if backup:
        out(f"Backup: {backup}")
    if not plan.host.comments and not _is_plain(plan.after or ""):
        out(f"Note: {plan.host.title} reads plain JSON; comments or trailing commas may break it.")
    out(f"Next: {plan.host.next_step}")
    named = "" if plan.name == "laconic" else f" --name {plan.name}"
    out(f"Undo: laconic install {plan.host.name} --scope {plan.scope}{named} --undo")


def _undo(plan: InstallPlan, state: Path, out: Callable[[str], None]) -> None:
    backup = changes.undo(plan, state)
    if plan.after is None:
        out(f"Deleted {plan.path}, which the installation had created.")
    elif backup:
        out(f"Removed '{plan.name}' from {plan.path}; everything else is unchanged.")
        out(f"Backup: {backup}")
    else:
        out(f"Restored {plan.path} to its previous content.")


def _is_plain(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:  # also for a byte order mark
        return False
    return True
