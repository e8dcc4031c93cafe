"""The commands that print, as a person runs them."""

import json
import os
import socket
import stat
from pathlib import Path

import pytest

from tests.process.speaking import run


def state_of(workspace: Path) -> Path:
    (folder,) = (workspace.parent / "home" / "state" / "laconic").iterdir()
    return folder


def test_tools_shows_what_the_model_sees_and_what_it_costs(workspace: Path) -> None:
    done = run("tools", folder=workspace)

    lines = done.stdout.splitlines()
    costs = [int(line.split()[-1]) for line in lines[1:7]]
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0].split() == ["tool", "effect", "tokens"]
    assert lines[1].split()[:2] == ["memo_list", "reads"]
    assert lines[5].split()[:2] == ["memo_delete", "destroys"]
    assert lines[6].split()[:2] == ["read_on", "reads"]
    assert lines[8].startswith(f"6 tools, {sum(costs)} tokens; instructions,")


def test_tools_shows_one_tool_whole(workspace: Path) -> None:
    shown = run("tools", "memo_get", folder=workspace)
    as_json = json.loads(run("tools", "memo_get", "--json", folder=workspace).stdout)

    assert shown.stdout.startswith("memo_get  (reads; ")
    assert as_json["description"] in shown.stdout
    assert as_json["inputSchema"]["required"] == ["name"]


def test_tools_shows_what_the_choices_leave(workspace: Path) -> None:
    done = run("tools", "--read-only", "--output", "both", "--json", folder=workspace)

    listed = json.loads(done.stdout)
    assert [tool["name"] for tool in listed["tools"]] == ["memo_list", "memo_get", "read_on"]
    assert all("outputSchema" in tool for tool in listed["tools"][:2])
    assert listed["tokens"] == sum(tool["tokens"] for tool in listed["tools"])


def test_listing_the_tools_creates_no_secret(workspace: Path) -> None:
    run("tools", folder=workspace)

    assert not (workspace.parent / "home" / "state").exists()


def test_call_uses_the_pipeline_of_a_model_s_call(workspace: Path) -> None:
    made = run(
        "call", "memo_create", "name=plan", "title=Plan", "body=x", "tags=a", "tags=b", folder=workspace
    )
    found = run("call", "memo_list", "limit=1", "tag=a", "--tokens", folder=workspace)

    assert (made.returncode, made.stderr) == (0, "")
    assert "plan\tPlan\ta,b" in found.stdout
    assert found.stderr.endswith(" tokens\n")


def test_a_tool_that_fails_reports_it_on_stderr_with_status_1(workspace: Path) -> None:
    done = run("call", "memo_get", "name=none", folder=workspace)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error [RESOURCE_NOT_FOUND]: Memo none not found.")


def test_yes_answers_what_a_tool_asks(workspace: Path) -> None:
    run("call", "memo_create", "--json", '{"name": "x", "title": "x", "body": "x"}', folder=workspace)
    asked = run("call", "memo_delete", "name=x", folder=workspace)
    done = run("call", "memo_delete", "name=x", "--yes", folder=workspace)

    assert asked.returncode == 1 and "needs a yes" in asked.stderr
    assert (done.returncode, done.stdout) == (0, "Deleted x.\n")


def test_verbose_logs_the_call(workspace: Path) -> None:
    line = json.loads(run("call", "memo_list", "--verbose", folder=workspace).stderr)

    assert (line["tool"], line["outcome"]) == ("memo_list", "success")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cal"], "No such command 'cal'. Did you mean 'call'?"),
        (["tools", "memo_lists"], "Unknown tool 'memo_lists'. Did you mean memo_list?"),
        (["call", "memo_lists"], "Unknown tool 'memo_lists'. Did you mean memo_list?"),
        (["call", "memo_list", "--tokns"], "--tokens"),
        (["call", "memo_list", "limit"], "'limit' is not an argument. Expected: key=value."),
        (["tools", "--server", "exmaple"], "There is no server 'exmaple'. Did you mean example?"),
        (["install", "cursr", "--dry-run"], "There is no host 'cursr'. Did you mean 'cursor'?"),
    ],
)
def test_an_unknown_word_is_refused_with_the_nearest(workspace: Path, words: list[str], said: str) -> None:
    done = run(*words, folder=workspace)

    assert done.returncode == 2
    assert said in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_an_unknown_table_is_refused_with_the_nearest(workspace: Path) -> None:
    (workspace / "laconic.toml").write_text("[exmaple]\nx = 1\n", encoding="utf-8")
    done = run("tools", folder=workspace)

    assert done.returncode == 2
    assert done.stderr == "laconic: Unknown table 'exmaple' in laconic.toml. Did you mean example?\n"


def test_doctor_finds_nothing_wrong_where_nothing_is(workspace: Path) -> None:
    done = run("doctor", folder=workspace)

    assert (done.returncode, done.stderr) == (0, "")
    assert all(line.startswith("ok    ") for line in done.stdout.splitlines())
    assert "ok    example: opens, 5 tools" in done.stdout


def test_doctor_names_what_is_wrong_and_the_remedy_and_goes_on(workspace: Path) -> None:
    run("secret", "rotate", folder=workspace)
    (state_of(workspace) / "secret").chmod(0o644)
    (workspace / "laconic.toml").write_text("dedline = 5\n", encoding="utf-8")
    done = run("doctor", folder=workspace)

    wrong = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    assert done.returncode == 1
    assert wrong[0] == "WRONG configuration: Unknown key 'dedline' in laconic.toml. Did you mean deadline?"
    assert wrong[1].startswith("WRONG secret: other users can read it. Run: chmod 600 '")
    assert "ok    issues: opens" in done.stdout


def test_doctor_reports_when_a_store_is_down_or_a_server_does_not_open(workspace: Path) -> None:
    (workspace / "bad.py").write_text(
        "from laconic.kit import Toolset\nbad = Toolset('bad', provides=(int,))\n"
        "@bad.read\ndef look() -> str: 'Look.'\n",
        encoding="utf-8",
    )
    done = run("doctor", "-s", "bad:bad", folder=workspace, LACONIC_STATE="redis://127.0.0.1:1/0")

    assert done.returncode == 1
    assert "WRONG redis: " in done.stdout and "Check LACONIC_STATE." in done.stdout
    assert "WRONG bad: The toolset bad has no factory" in done.stdout


def test_doctor_names_tools_that_hosts_refuse_and_a_port_that_is_taken(workspace: Path) -> None:
    (workspace / "odd.py").write_text(
        "from laconic.kit import Toolset\nodd = Toolset('odd')\n"
        "@odd.read(name='odd.tool')\nasync def tool() -> str:\n    'Be odd.'\n    return ''\n",
        encoding="utf-8",
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run("doctor", "-s", "odd:odd", folder=workspace, LACONIC_HTTP=address)

    assert done.returncode == 1
    assert "WRONG name: odd.tool. Some hosts then refuse the whole list" in done.stdout
    assert f"WRONG HTTP: Cannot listen on {address}" in done.stdout


def test_install_shows_what_it_would_write_and_undo_removes_it(workspace: Path) -> None:
    shown = run("install", "claude-code", "example", "--dry-run", folder=workspace)
    assert shown.returncode == 0 and '+    "laconic": {' in shown.stdout
    assert not (workspace / ".mcp.json").exists()

    run("install", "claude-code", "example", "--env", "LACONIC_READ_ONLY=1", folder=workspace)
    entry = json.loads((workspace / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["laconic"]
    assert entry["args"][-2:] == ["serve", "example"] and entry["env"] == {"LACONIC_READ_ONLY": "1"}

    assert run("install", "claude-code", "--undo", folder=workspace).returncode == 0
    assert not (workspace / ".mcp.json").exists()


def test_a_cursor_outlives_one_rotation_and_not_two(workspace: Path) -> None:
    for number in range(3):
        run("call", "memo_create", f"name=m{number}", "title=x", "body=x", folder=workspace)
    page = run("call", "memo_list", "limit=1", folder=workspace).stdout
    cursor = page.split("cursor '")[1].split("'")[0]

    said = run("secret", "rotate", folder=workspace).stdout
    assert said.startswith("A new secret is in use; what the previous one signed stays valid.")
    assert run("call", "memo_list", f"cursor={cursor}", folder=workspace).returncode == 0
    run("secret", "rotate", folder=workspace)
    assert run("call", "memo_list", f"cursor={cursor}", folder=workspace).returncode == 1


def test_nothing_of_ours_is_in_the_workspace(workspace: Path) -> None:
    for words in (["tools"], ["call", "memo_list"], ["doctor"]):
        run(*words, folder=workspace)

    assert list(workspace.iterdir()) == []
    assert stat.S_IMODE(state_of(workspace).stat().st_mode) == 0o700


def test_help_has_examples_for_every_command(workspace: Path) -> None:
    listed = run("--help", folder=workspace).stdout
    for command in (["serve"], ["tools"], ["call"], ["doctor"], ["install"], ["secret", "rotate"]):
        shown = run(*command, "--help", folder=workspace)

        assert command[0] in listed
        assert shown.returncode == 0 and f"  laconic {' '.join(command)}" in shown.stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("laconic to", "tools tokens"),
        ("laconic call memo_g", "memo_get"),
        ("laconic install claude-d", "claude-desktop"),
        ("laconic install ", "claude-code claude-desktop codex cursor vscode"),
        ("laconic install claude-code --scope ", "local project user"),
        ("laconic install claude-desktop --scope ", "user"),
        ("laconic tools --server ex", "example"),
        ("laconic tools --output ", "both structured text"),
        ("laconic serve ", "example google issues notes prompts taiga taiga_more"),
        ("laconic serve --wi", "--wire"),
        ("laconic serve --wire ", "lean sdk"),
        ("laconic serve --log=", "auto human json"),
        ("laconic serve --no-r", "--no-read-only"),
        ("laconic serve --wire lean --pinned memo_g", "memo_get"),
        ("laconic serve --read-only ex", "example"),
        ("laconic issues list --status ", "open in_progress closed cancelled all"),
        ("laconic issues edit 1 --status ", "open in_progress closed cancelled"),
        ("laconic issues new x --type ", "issue specification idea"),
        ("laconic issues new x -p ", "low medium high critical"),
        ("laconic issues list --sort ", "created priority status updated"),
    ],
)
def test_a_shell_completes_every_value(workspace: Path, words: str, completed: str) -> None:
    last = str(len(words.split(" ")) - 1)
    shell = {"_LACONIC_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": last}
    done = run(folder=workspace, **shell)

    assert done.stdout.split() == completed.split()


def test_completion_is_installed_under_our_name(workspace: Path) -> None:
    shell = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    (workspace.parent / "home").mkdir()
    done = run("--install-completion", "bash", folder=workspace, **shell)
    script = workspace.parent / "home" / ".bash_completions" / "laconic.sh"

    assert done.returncode == 0, done.stderr
    assert "complete -o default -F _laconic_completion laconic" in script.read_text(encoding="utf-8")


def test_the_version_is_printed(workspace: Path) -> None:
    from laconic import __version__

    assert run("--version", folder=workspace).stdout == f"laconic {__version__}{os.linesep}"
