"""Install into a host's MCP configuration, show the change, or undo it, and report what happened."""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from laconic.cli import toolsets
from laconic.cli.asking import ask_in_own_checkout
from laconic.cli.install import changes
from laconic.cli.install.hosts import HOSTS, Host, InstallRefused, Machine
from laconic.cli.install.plans import InstallPlan
from laconic.cli.program import check_lasting, is_temporary, own_command
from laconic.kit.errors import BadConfiguration
from laconic.text import did_you_mean, nearest

__all__ = ["install"]

_BY_HAND = """\
There is no host '{host}'. Known: {known}.
Other hosts start this command and talk to it over stdio: {command}
Most of them read JSON:
  {entry}
docs/hosts.md in the repository shows Gemini CLI, opencode, goose, Zed, Copilot CLI and Cline."""


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
    yes: bool = False,
    command: Sequence[str] | None = None,
    machine: Machine | None = None,
) -> None:
    """Install into a host, or undo it, and report what happened.

    `pin` always serves this workspace, not the folder open in the host. `env` is written as given. `yes`
    answers the question in Laconic's own checkout.

    Raises:
        BadConfiguration: there is no such host, scope or server.
        Refused: nothing was changed.
    """
    workspace, command = workspace.resolve(), command or own_command()
    if host not in HOSTS:
        raise BadConfiguration(_unknown(host, command, workspace), advice="")
    target = HOSTS[host]
    scope = target.scope(scope)
    is_here = target.scopes[scope].of_workspace or target.fixed or pin
    try:
        plan = InstallPlan.empty(target, scope, workspace, name=name, machine=machine)
        if undo:
            plan = changes.plan_undo(plan, state)
        else:
            for server in servers:
                toolsets.find(server)
            check_lasting(Path(command[0]))
            folder = _workspace_argument(target, workspace, pin)
            start = workspace if target.scopes[scope].of_workspace and not folder else None
            args = ["serve", *(toolsets.placed(server, start) for server in servers), *folder]
            plan = plan.with_entry(command, args, env or {})
            if is_here and plan.changes_file and not dry_run:
                ask_in_own_checkout(workspace, yes=yes)
        if dry_run:
            _show(plan, out)
        elif undo:
            _undo(plan, state, out)
        else:
            _install(plan, state, out)
    except OSError as error:
        raise InstallRefused(f"Nothing was changed: {error}") from error


def _workspace_argument(host: Host, workspace: Path, pin: bool) -> list[str]:
    folder = str(workspace) if pin or host.fixed else host.folder
    return ["--workspace", folder] if folder else []


def _unknown(host: str, command: Sequence[str], workspace: Path) -> str:
    known = ", ".join(HOSTS)
    if hint := did_you_mean(nearest(host, HOSTS), quote="'"):
        return f"There is no host '{host}'.{hint} Known: {known}."
    first, *rest = ["laconic"] if is_temporary(Path(command[0])) else command
    args = [*rest, "serve", "--workspace", str(workspace)]
    entry = {"mcpServers": {"laconic": {"command": first, "args": args}}}
    return _BY_HAND.format(
        host=host,
        known=known,
        command=shlex.join([first, *args]),
        entry=json.dumps(entry, ensure_ascii=False),
    )


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
