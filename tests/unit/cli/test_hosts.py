"""Installing into hosts: the right file, only our entry, and undo."""

import json
import os
import stat
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from laconic.cli.install import changes
from laconic.cli.install.hosts import HOSTS, InstallRefused, Machine
from laconic.cli.install.installer import install
from laconic.cli.install.jsonc import load
from laconic.cli.install.plans import InstallPlan
from laconic.kit.errors import BadConfiguration, Failure

COMMAND = ["/opt/laconic"]
NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)
SERVERS = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x", }, // keep\n  },\n}\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def machine(tmp_path: Path, platform: str = "linux", **environ: Path) -> Machine:
    return Machine(platform, tmp_path / "home", {name: str(value) for name, value in environ.items()})


class Project:
    """One host in one project, with a fixed clock."""

    def __init__(self, tmp_path: Path, workspace: Path, state: Path, host: str = "cursor") -> None:
        self.host, self.workspace, self.state = HOSTS[host], workspace, state
        self.machine = machine(tmp_path)
        self.path = self.host.path("project", workspace, self.machine)

    def plan(self, *args: str) -> InstallPlan:
        words = args or ("serve",)
        return self._empty().with_entry(COMMAND, words, {})

    def _empty(self) -> InstallPlan:
        return InstallPlan.empty(self.host, "project", self.workspace, machine=self.machine)

    def install(self, *args: str) -> Path | None:
        return changes.apply(self.plan(*args), self.state, now=lambda: NOON)

    def undo(self) -> Path | None:
        plan = changes.plan_undo(self._empty(), self.state)
        return changes.undo(plan, self.state, now=lambda: NOON)

    def write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(text.encode())

    def read(self) -> str:
        return self.path.read_bytes().decode()

    def litter(self) -> list[str]:
        return sorted(p.name for p in self.path.parent.iterdir() if p != self.path)


@pytest.fixture
def project(tmp_path: Path, workspace: Path, state: Path) -> Project:
    return Project(tmp_path, workspace, state)


# Where


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("claude-code", ".mcp.json"),
        ("codex", ".codex/config.toml"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
    ],
)
def test_the_project_scope_is_in_the_workspace_on_every_platform(
    tmp_path: Path, workspace: Path, platform: str, host: str, place: str
) -> None:
    assert HOSTS[host].path("project", workspace, machine(tmp_path, platform)) == workspace / place


@pytest.mark.parametrize(
    ("host", "platform", "place"),
    [
        ("claude-code", "linux", ".claude.json"),
        ("claude-code", "darwin", ".claude.json"),
        ("claude-code", "win32", ".claude.json"),
        ("codex", "linux", ".codex/config.toml"),
        ("codex", "darwin", ".codex/config.toml"),
        ("codex", "win32", ".codex/config.toml"),
        ("cursor", "linux", ".cursor/mcp.json"),
        ("cursor", "darwin", ".cursor/mcp.json"),
        ("cursor", "win32", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", "AppData/Roaming/Code/User/mcp.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_the_user_scope_is_below_the_home_folder(
    tmp_path: Path, workspace: Path, host: str, platform: str, place: str
) -> None:
    assert HOSTS[host].path("user", workspace, machine(tmp_path, platform)) == tmp_path / "home" / place


@pytest.mark.parametrize(
    ("host", "platform", "variable", "place"),
    [
        ("claude-code", "linux", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "linux", "CODEX_HOME", "config.toml"),
        ("vscode", "linux", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
        ("vscode", "win32", "APPDATA", "Code/User/mcp.json"),
        ("vscode", "linux", "VSCODE_APPDATA", "Code/User/mcp.json"),
        ("vscode", "darwin", "VSCODE_PORTABLE", "user-data/User/mcp.json"),
        ("claude-desktop", "linux", "XDG_CONFIG_HOME", "Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "APPDATA", "Claude/claude_desktop_config.json"),
    ],
)
def test_the_environment_moves_the_user_scope(
    tmp_path: Path, workspace: Path, host: str, platform: str, variable: str, place: str
) -> None:
    there = machine(tmp_path, platform, **{variable: tmp_path / "elsewhere"})
    assert HOSTS[host].path("user", workspace, there) == tmp_path / "elsewhere" / place


PACKAGED = "Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json"
NEWEST = "Claude-Data/claude_abc/claude_desktop_config.json"
USUAL = "roaming/Claude/claude_desktop_config.json"


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ([USUAL], USUAL),
        ([PACKAGED], PACKAGED),
        ([PACKAGED, USUAL], PACKAGED),
        ([NEWEST, PACKAGED, USUAL], NEWEST),
        (["Packages/Claude_abc/", USUAL], USUAL),
        (["Packages/Claude_abc/"], PACKAGED),
        (["Packages/Claude_abc/", "Claude-Data/claude_abc/"], NEWEST),
        (["Packages/Other_abc/"], USUAL),
    ],
)
def test_claude_desktop_on_windows_is_followed_into_its_package(
    tmp_path: Path, workspace: Path, there: list[str], chosen: str
) -> None:
    for place in there:
        folder = tmp_path / place if place.endswith("/") else (tmp_path / place).parent
        folder.mkdir(parents=True, exist_ok=True)
        if not place.endswith("/"):
            (tmp_path / place).write_text("{}", encoding="utf-8")
    windows = machine(tmp_path, "win32", APPDATA=tmp_path / "roaming", LOCALAPPDATA=tmp_path)
    assert HOSTS["claude-desktop"].path("user", workspace, windows) == tmp_path / chosen


def test_two_packages_of_claude_desktop_are_not_guessed_between(tmp_path: Path, workspace: Path) -> None:
    for package in ("Claude_a", "Claude_b"):
        (tmp_path / "Packages" / package).mkdir(parents=True)
    with pytest.raises(InstallRefused, match="more than once"):
        HOSTS["claude-desktop"].path("user", workspace, machine(tmp_path, "win32", LOCALAPPDATA=tmp_path))


def test_a_scope_the_host_does_not_have_is_refused_with_those_it_has(tmp_path: Path, workspace: Path) -> None:
    with pytest.raises(BadConfiguration, match="Claude Desktop has no 'project' scope; pass user"):
        HOSTS["claude-desktop"].path("project", workspace, machine(tmp_path))


# What


@pytest.mark.parametrize(
    ("host", "key", "typed"),
    [
        ("claude-code", "mcpServers", True),
        ("claude-desktop", "mcpServers", False),
        ("cursor", "mcpServers", True),
        ("vscode", "servers", True),
    ],
)
def test_each_host_gets_the_shape_it_reads(
    tmp_path: Path, workspace: Path, host: str, key: str, typed: bool
) -> None:
    plan = InstallPlan.empty(HOSTS[host], "user", workspace, machine=machine(tmp_path))
    made = plan.with_entry(["py", "-m", "l"], ["serve"], {})
    entry = {"command": "py", "args": ["-m", "l", "serve"]}
    assert load(made.after or "") == {key: {"laconic": {"type": "stdio", **entry} if typed else entry}}


def test_the_environment_is_written_only_when_given(tmp_path: Path, workspace: Path) -> None:
    plan = InstallPlan.empty(HOSTS["cursor"], "user", workspace, machine=machine(tmp_path))
    made = plan.with_entry(["l"], [], {"A": "b"})
    assert '"env": {\n        "A": "b"\n      }' in (made.after or "")


# Writing


def test_installing_keeps_the_rest_of_the_file_and_a_backup_in_the_state_folder(project: Project) -> None:
    project.write(SERVERS)
    backup = project.install()
    assert backup == project.state / "backups" / "mcp.json.20260102T120000Z"
    assert backup.read_text(encoding="utf-8") == SERVERS
    assert project.read().startswith(
        '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x", }, // keep\n'
    )
    assert load(project.read()) == {
        "mcpServers": {
            "other": {"command": "x"},
            "laconic": {"type": "stdio", "command": "/opt/laconic", "args": ["serve"]},
        }
    }


def test_a_missing_file_and_its_folder_are_made_and_need_no_backup(project: Project) -> None:
    assert project.install() is None
    assert "laconic" in project.read()
    assert project.litter() == []


def test_planning_and_installing_the_same_again_write_nothing(project: Project) -> None:
    assert not project.path.exists()
    assert project.plan().changes_file
    assert not project.path.exists()
    project.install()
    again = project.plan()
    assert not again.changes_file
    assert changes.apply(again, project.state) is None
    assert project.litter() == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes are a matter of POSIX")
def test_file_and_backup_keep_the_mode_of_the_file(project: Project) -> None:
    project.write("{}")
    project.path.chmod(0o600)
    backup = project.install()
    assert backup
    assert [stat.S_IMODE(path.stat().st_mode) for path in (project.path, backup)] == [0o600, 0o600]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_symbolic_link_stays_one(project: Project, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", encoding="utf-8")
    project.path.parent.mkdir()
    project.path.symlink_to(real)
    project.install()
    assert project.path.is_symlink()
    assert "laconic" in real.read_text(encoding="utf-8")
    project.undo()
    assert real.read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"mcpServers": ', "cannot be edited: Line 1, column 16"),
        (b'{"mcpServers": []}', "cannot be edited: 'mcpServers' is not an object."),
        ("{}".encode("utf-16"), "is not UTF-8"),
    ],
)
def test_a_file_we_cannot_read_safely_is_left_alone(project: Project, content: bytes, complaint: str) -> None:
    project.path.parent.mkdir()
    project.path.write_bytes(content)
    with pytest.raises(InstallRefused, match=complaint):
        project.plan()
    assert project.path.read_bytes() == content
    assert project.litter() == []


def test_a_file_that_changed_since_the_plan_is_left_alone(project: Project) -> None:
    project.write("{}")
    plan = project.plan()
    project.write('{"a": 1}')
    with pytest.raises(InstallRefused, match="changed meanwhile; close Cursor"):
        changes.apply(plan, project.state)
    assert (project.read(), project.litter()) == ('{"a": 1}', [])


def test_a_failing_write_leaves_the_old_file_and_nothing_else(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("{}")
    plan = project.plan()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        changes.apply(plan, project.state)
    assert (project.read(), project.litter()) == ("{}", [])


# Undo


@pytest.mark.parametrize(
    "text", [SERVERS, "", "{}", "\ufeff{ }\r\n", '{"mcpServers": {"laconic": {"a": 1}}}']
)
def test_undoing_restores_every_byte_and_clears_up(project: Project, text: str) -> None:
    project.write(text)
    project.install()
    assert project.read() != text
    assert project.undo() is None
    assert (project.read(), project.litter()) == (text, [])
    assert list(project.state.rglob("*.json")) == []


def test_undoing_deletes_the_file_and_the_folder_that_installing_made(project: Project) -> None:
    project.install()
    project.undo()
    assert list(project.workspace.iterdir()) == []


def test_undoing_keeps_a_folder_that_somebody_uses(project: Project) -> None:
    project.install()
    (project.path.parent / "rules").write_text("mine", encoding="utf-8")
    project.undo()
    assert project.litter() == ["rules"]


def test_undoing_after_an_edit_removes_only_our_entry(project: Project) -> None:
    project.write(SERVERS)
    project.install()
    edited = project.read().replace('"command": "x"', '"command": "y"')
    project.write(edited)
    backup = project.undo()
    assert project.read() == SERVERS.replace('"x"', '"y"')
    assert backup
    assert backup.read_text(encoding="utf-8") == edited


def test_undoing_after_an_edit_removes_the_object_we_made_around_our_entry(project: Project) -> None:
    project.write('{\n  "a": 1\n}\n')
    project.install()
    project.write(project.read().replace('"a": 1', '"a": 2'))
    project.undo()
    assert project.read() == '{\n  "a": 2\n}\n'


def test_undoing_after_an_edit_gives_back_the_entry_that_ours_replaced(project: Project) -> None:
    project.write('{"mcpServers": {"laconic": {"mine": 1}, "b": 2}}')
    project.install()
    project.write(project.read().replace('"b": 2', '"b": 3'))
    project.undo()
    assert project.read() == '{"mcpServers": {"laconic": {"mine": 1}, "b": 3}}'


def test_installing_twice_is_undone_once(project: Project) -> None:
    project.write(SERVERS)
    first = project.install()
    assert project.install("serve", "notes") == first
    project.undo()
    assert (project.read(), project.litter()) == (SERVERS, [])


def test_a_file_that_installing_made_goes_even_after_installing_twice(project: Project) -> None:
    project.install()
    assert project.install("serve", "notes") is None
    project.undo()
    assert list(project.workspace.iterdir()) == []


def test_an_edit_between_two_installations_survives_undoing(project: Project) -> None:
    project.write(SERVERS)
    project.install()
    project.write(project.read().replace('"x"', '"y"'))
    second = project.install("serve", "notes")
    assert second == project.state / "backups" / "mcp.json.20260102T120000Z-2"
    project.undo()
    assert project.read() == SERVERS.replace('"x"', '"y"')


def test_installing_again_after_the_entry_was_removed_by_hand_starts_a_new_record(project: Project) -> None:
    project.install()
    project.write('{"mine": true}')
    project.install()
    project.undo()
    assert project.read() == '{"mine": true}'


def test_undoing_without_a_record_or_a_backup_still_removes_our_entry(project: Project) -> None:
    project.write(SERVERS)
    backup = project.install()
    assert backup
    backup.unlink()
    project.undo()
    assert project.read() == SERVERS

    project.install()
    for record in project.state.rglob("*.json"):
        record.write_text("{}", encoding="utf-8")
    project.undo()
    assert project.read() == SERVERS


def test_undoing_what_was_never_installed_is_refused(project: Project) -> None:
    with pytest.raises(InstallRefused, match="nothing to undo"):
        project.undo()
    project.write(SERVERS)
    with pytest.raises(InstallRefused, match="has no entry 'laconic'"):
        project.undo()
    assert (project.read(), project.litter()) == (SERVERS, [])


def test_the_record_holds_nothing_of_the_users_configuration(project: Project) -> None:
    project.write('{"mcpServers": {"laconic": {"env": {"TOKEN": "hush"}}}}')
    project.install()
    (record,) = project.state.rglob("*.json")
    assert "hush" not in record.read_text(encoding="utf-8")


# Other shapes


def test_the_local_scope_of_claude_code_is_for_one_project_in_the_users_file(
    tmp_path: Path, workspace: Path, state: Path
) -> None:
    text = '{\n  "theme": "dark",\n  "mcpServers": {"laconic": {"command": "mine"}}\n}\n'
    path = tmp_path / "home" / ".claude.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    empty = InstallPlan.empty(HOSTS["claude-code"], "local", workspace, machine=machine(tmp_path))
    changes.apply(empty.with_entry(COMMAND, ["serve"], {}), state)

    entry = {"type": "stdio", "command": "/opt/laconic", "args": ["serve"]}
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["projects"] == {str(workspace): {"mcpServers": {"laconic": entry}}}
    assert written["mcpServers"] == {"laconic": {"command": "mine"}}

    path.write_text(path.read_text(encoding="utf-8").replace("dark", "light"), encoding="utf-8")
    again = InstallPlan.empty(HOSTS["claude-code"], "local", workspace, machine=machine(tmp_path))
    changes.undo(changes.plan_undo(again, state), state)
    assert path.read_text(encoding="utf-8") == text.replace("dark", "light")


CODEX = 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n'


@pytest.mark.parametrize(
    "text", [CODEX, "", '[mcp_servers.laconic]\ncommand = "mine" # keep\n\n[z]\na = 1\n']
)
def test_codex_is_installed_and_undone_byte_for_byte(
    tmp_path: Path, workspace: Path, state: Path, text: str
) -> None:
    project = Project(tmp_path, workspace, state, "codex")
    project.write(text)
    project.install()
    assert tomllib.loads(project.read())["mcp_servers"]["laconic"] == {
        "command": "/opt/laconic",
        "args": ["serve"],
    }
    project.undo()
    assert project.read() == text

    project.install()
    project.write(project.read() + "# later\n")
    project.undo()
    assert project.read() == text + "# later\n"


def test_a_record_of_version_0_1_0_is_still_read(project: Project) -> None:
    project.write('{\n  "a": 1\n}\n')
    project.install()
    (record,) = project.state.rglob("cursor-*.json")
    saved = json.loads(record.read_text(encoding="utf-8"))
    saved["parent"] = bool(saved.pop("parents"))
    record.write_text(json.dumps(saved), encoding="utf-8")
    project.write(project.read().replace('"a": 1', '"a": 2'))
    project.undo()
    assert project.read() == '{\n  "a": 2\n}\n'


# The command


class Terminal:
    """Runs the command and keeps its output."""

    def __init__(self, tmp_path: Path, workspace: Path, state: Path) -> None:
        self.tmp_path, self.workspace, self.state = tmp_path, workspace, state
        self.said: list[str] = []

    def run(
        self,
        host: str,
        *servers: str,
        scope: str | None = None,
        dry_run: bool = False,
        undo: bool = False,
        pin: bool = False,
    ) -> int:
        self.said.clear()
        try:
            install(
                host,
                scope=scope,
                workspace=self.workspace,
                servers=list(servers),
                dry_run=dry_run,
                undo=undo,
                state=self.state,
                out=self.said.append,
                pin=pin,
                command=COMMAND,
                machine=machine(self.tmp_path),
            )
        except Failure as failure:
            self.said.append(failure.message)
            return 2 if isinstance(failure, BadConfiguration) else 1
        return 0

    def args(self, path: Path, key: str = "mcpServers") -> list[str]:
        args: list[str] = json.loads(path.read_text(encoding="utf-8"))[key]["laconic"]["args"]
        return args


@pytest.fixture
def terminal(tmp_path: Path, workspace: Path, state: Path) -> Terminal:
    return Terminal(tmp_path, workspace, state)


def test_the_command_reports_what_it_wrote_and_what_to_do_next(terminal: Terminal) -> None:
    path = terminal.workspace / ".mcp.json"
    path.write_text("{}", encoding="utf-8")
    assert terminal.run("claude-code", "issues", "example") == 0
    wrote, backup, following, back = terminal.said
    assert wrote == f"Wrote 'laconic' to {path}"
    assert "backups" in backup and "mcp.json." in backup
    assert "/mcp" in following
    assert back == "Undo: laconic install claude-code --scope project --undo"
    assert terminal.args(path) == ["serve", "issues", "example"]
    assert terminal.run("claude-code", "issues", "example") == 0
    assert terminal.said == [f"Nothing to do: {path} already has this entry."]
    assert terminal.run("claude-code", undo=True) == 0
    assert terminal.said == [f"Restored {path} to its previous content."]


def test_a_dry_run_shows_the_difference_and_touches_nothing(terminal: Terminal) -> None:
    assert terminal.run("cursor", dry_run=True) == 0
    assert terminal.said[:2] == ["--- /dev/null", f"+++ {terminal.workspace / '.cursor' / 'mcp.json'}"]
    assert '+    "laconic": {' in terminal.said
    assert list(terminal.workspace.iterdir()) == []
    assert not terminal.state.exists()


def test_undoing_has_a_dry_run_too(terminal: Terminal) -> None:
    terminal.run("vscode")
    assert terminal.run("vscode", dry_run=True, undo=True) == 0
    assert terminal.said[1] == "+++ /dev/null"
    assert terminal.run("vscode", undo=True) == 0
    assert terminal.said[0].startswith("Deleted ")


def test_undoing_after_an_edit_reports_it_and_names_the_backup(terminal: Terminal) -> None:
    terminal.run("cursor")
    path = terminal.workspace / ".cursor" / "mcp.json"
    path.write_text(path.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    assert terminal.run("cursor", undo=True) == 0
    took, backup = terminal.said
    assert took == f"Removed 'laconic' from {path}; everything else is unchanged."
    assert Path(backup.removeprefix("Backup: ")).is_file()
    assert path.read_text(encoding="utf-8") == "{}\n// mine\n"


def test_a_failing_disk_is_reported_without_a_traceback(terminal: Terminal) -> None:
    (terminal.workspace / ".cursor").write_text("a file where the folder should be", encoding="utf-8")
    assert terminal.run("cursor") == 1
    assert terminal.run("cursor", dry_run=True) == 1
    terminal.state.write_text("a file where the folder should be", encoding="utf-8")
    assert terminal.run("claude-code") == 1
    assert terminal.said[0].startswith("Nothing was changed: ")
    assert not (terminal.workspace / ".mcp.json").exists()


def test_each_host_gets_the_folder_in_the_form_it_needs(terminal: Terminal) -> None:
    home, here = terminal.tmp_path / "home", str(terminal.workspace)
    for host in HOSTS:
        assert terminal.run(host, scope="user") == 0
    assert terminal.args(home / ".claude.json") == ["serve"]
    codex = (home / ".codex/config.toml").read_text(encoding="utf-8")
    assert codex == '[mcp_servers.laconic]\ncommand = "/opt/laconic"\nargs = ["serve"]\n'
    assert terminal.args(home / ".cursor/mcp.json") == ["serve", "--workspace", "${workspaceFolder}"]
    code = home / ".config/Code/User/mcp.json"
    assert terminal.args(code, "servers") == ["serve", "--workspace", "${workspaceFolder}"]
    desktop = home / ".config/Claude/claude_desktop_config.json"
    assert terminal.args(desktop) == ["serve", "--workspace", here]
    assert terminal.run("claude-code", scope="user", pin=True) == 0
    assert terminal.args(home / ".claude.json") == ["serve", "--workspace", here]


def test_a_wrong_host_is_answered_with_the_nearest_and_all(terminal: Terminal) -> None:
    assert terminal.run("claude-cod") == 2
    assert terminal.said == [
        "There is no host 'claude-cod'. Did you mean 'claude-code'? "
        "Known: claude-code, claude-desktop, codex, cursor, vscode."
    ]


def test_an_unknown_host_is_answered_with_how_to_configure_it_by_hand(terminal: Terminal) -> None:
    assert terminal.run("zed") == 2
    known, command, most, entry, page = terminal.said[0].splitlines()
    here = str(terminal.workspace)
    assert known == "There is no host 'zed'. Known: claude-code, claude-desktop, codex, cursor, vscode."
    assert command.endswith(f": /opt/laconic serve --workspace {here}")
    assert most == "Most of them read JSON:"
    args = ["serve", "--workspace", here]
    assert json.loads(entry) == {"mcpServers": {"laconic": {"command": "/opt/laconic", "args": args}}}
    assert page.startswith("docs/hosts.md in the repository shows Gemini CLI, ")


def test_a_wrong_server_is_refused_and_not_written(terminal: Terminal) -> None:
    assert terminal.run("cursor", "exmaple") == 2
    assert terminal.said[0].startswith("There is no server 'exmaple'. Did you mean example?")
    assert list(terminal.workspace.iterdir()) == []


def test_a_refusal_is_reported_and_fails_the_command(terminal: Terminal) -> None:
    assert terminal.run("claude-desktop", scope="project") == 2
    assert terminal.said == ["Claude Desktop has no 'project' scope; pass user."]
    assert terminal.run("cursor", undo=True) == 1
    assert "nothing to undo" in terminal.said[0]


def test_comments_in_a_file_for_a_host_that_reads_plain_json_are_mentioned(terminal: Terminal) -> None:
    (terminal.workspace / ".mcp.json").write_text("{} // a remark\n", encoding="utf-8")
    terminal.run("claude-code")
    assert any(line.startswith("Note: Claude Code reads plain JSON") for line in terminal.said)


def test_the_user_and_local_scopes_of_one_file_are_undone_one_by_one(terminal: Terminal) -> None:
    path = terminal.tmp_path / "home" / ".claude.json"
    terminal.run("claude-code", scope="user")
    terminal.run("claude-code", "example", scope="local")
    assert terminal.run("claude-code", scope="user", undo=True) == 0
    left = json.loads(path.read_text(encoding="utf-8"))
    assert left["projects"][str(terminal.workspace)]["mcpServers"]["laconic"]["args"] == ["serve", "example"]
    assert "mcpServers" not in left
    assert terminal.run("claude-code", scope="local", undo=True) == 0
    assert json.loads(path.read_text(encoding="utf-8")) == {}
