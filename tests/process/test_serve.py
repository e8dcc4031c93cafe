"""`laconic serve` on stdio: both eras, a clean stdout, a clean end, and a lean start."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process.speaking import COMMAND, ERAS, PATIENCE, environment, run, serving, wait_for

# A foreign toolset: prints wherever it can, and leaves marks when it is imported, starts and ends a call.
STRANGER = '''
import asyncio, os, sys, time
from pathlib import Path
from typing import Annotated
from laconic.kit import Toolset

Path("imported").touch()
print("imported")
nap = Toolset("nap", "Naps.")


@nap.read
async def nap_take(seconds: Annotated[float, "How long."] = 60) -> str:
    """Take a nap."""
    print("a whole line")
    os.system("echo from a child")
    sys.stdout.write("no end of line")
    Path("started").touch()
    try:
        await asyncio.sleep(seconds)
    finally:
        Path("ended").touch()
    return "Rested."


@nap.read
async def nap_block() -> str:
    """Hold up everything."""
    Path("started").touch()
    time.sleep(60)
    return "Rested."
'''


@pytest.fixture
def foreign(workspace: Path) -> Path:
    (workspace / "naps.py").write_text(STRANGER, encoding="utf-8")
    return workspace


@pytest.mark.parametrize("era", ERAS)
def test_a_client_of_either_era_lists_and_calls(workspace: Path, era: str) -> None:
    with serving(folder=workspace, era=era) as server:
        names = [tool["name"] for tool in server.ask("tools/list")["tools"]]
        made = server.call("memo_create", name="plan", title="Plan", body="Ship it.")
        found = server.call("memo_list")

        assert names == ["memo_list", "memo_get", "memo_create", "memo_update", "memo_delete", "read_on"]
        assert "plan" in made and "Plan" in found
        assert (workspace / "memos" / "plan.md").exists()
        assert (server.hang_up(), server.stderr) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_while_stdin_is_open(workspace: Path, number: int) -> None:
    with serving(folder=workspace) as server:
        server.signal(number)

        assert (server.wait(), server.rest(), server.stderr) == (0, [], "")


def test_a_signal_cancels_the_call_under_way(foreign: Path) -> None:
    with serving("naps:nap", folder=foreign) as server:
        server.send("tools/call", name="nap_take", arguments={})
        wait_for(foreign / "started")
        server.signal(signal.SIGTERM)

        assert server.wait() == 0
        assert (foreign / "ended").exists()


def test_a_signal_ends_it_even_when_a_tool_holds_up_everything(foreign: Path) -> None:
    with serving("naps:nap", folder=foreign) as server:
        server.send("tools/call", name="nap_block", arguments={})
        wait_for(foreign / "started")
        server.signal(signal.SIGTERM)

        assert server.wait() == 0


def test_the_end_of_stdin_cancels_the_call_under_way(foreign: Path) -> None:
    with serving("naps:nap", folder=foreign) as server:
        server.send("tools/call", name="nap_take", arguments={})
        wait_for(foreign / "started")

        assert server.hang_up() == 0
        assert (foreign / "ended").exists()


def test_a_client_that_stops_reading_ends_it_though_stdin_is_open(workspace: Path) -> None:
    with serving(folder=workspace) as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send("tools/list")

        assert (server.wait(), server.stderr) == (0, "")


def test_what_tools_and_their_children_print_never_reaches_stdout(foreign: Path) -> None:
    with serving("naps:nap", folder=foreign) as server:
        assert server.call("nap_take", seconds=0) == "Rested."
        server.hang_up()

        assert server.rest() == []  # also what was in a buffer until the end
        said = server.stderr
    for words in ("imported\n", "a whole line\n", "from a child\n", "no end of line"):
        assert words in said


def test_two_servers_share_a_workspace(workspace: Path) -> None:
    with serving(folder=workspace) as first, serving(folder=workspace) as second:
        for number in range(3):
            first.call("memo_create", name=f"memo-{number}", title="One", body="x")
        page = first.call("memo_list", limit=2)
        cursor = page.split("cursor '")[1].split("'")[0]

        rest = second.call("memo_list", cursor=cursor)

        assert "memo-0" in rest and "memo-2" not in rest


def test_a_second_start_imports_no_tool_before_the_first_call(foreign: Path) -> None:
    mark = foreign / "imported"
    with serving("naps:nap", folder=foreign) as server:
        first = server.ask("tools/list")["tools"]
    assert mark.exists()
    mark.unlink()

    with serving("naps:nap", folder=foreign) as server:
        assert server.ask("tools/list")["tools"] == first
        assert not mark.exists()

        server.call("nap_take", seconds=0)
        assert mark.exists()


def test_a_changed_module_makes_a_new_list(foreign: Path) -> None:
    assert "How long." in listed(foreign)
    change(foreign / "naps.py", "How long.", "Seconds.")

    assert "Seconds." in listed(foreign)


def listed(folder: Path) -> str:
    with serving("naps:nap", folder=folder) as server:
        return json.dumps(server.ask("tools/list"))


def change(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_a_module_that_a_toolset_imports_counts_as_well(foreign: Path) -> None:
    (foreign / "words.py").write_text('LONG = "How long."\n', encoding="utf-8")
    change(foreign / "naps.py", '"How long."', "words.LONG")
    change(foreign / "naps.py", "import asyncio,", "import words, asyncio,")

    assert "How long." in listed(foreign)
    change(foreign / "words.py", "How long.", "Seconds.")
    assert "Seconds." in listed(foreign)


def test_two_folders_with_modules_of_one_name_have_their_own_lists(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "naps.py").write_text(STRANGER.replace("How long.", f"Of {name}."), encoding="utf-8")

    assert "Of one." in listed(tmp_path / "one")
    assert "Of two." in listed(tmp_path / "two")
    assert "Of one." in listed(tmp_path / "one")


# Serves once for the list; then everything imported between start and end of stdin, and by the bare SDK.
IMPORTS = """
import sys
from laconic.cli.main import main
status = main(["serve"])
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(status)
"""
BARE = """
import sys
import mcp.server.stdio, mcp.server.lowlevel.server, mcp.server.request_state, mcp.server.subscriptions
print(*sys.modules, sep="\\n", file=sys.stderr)
"""


def modules(program: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=folder,
        env=environment(folder.parent / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (0, "")
    return set(done.stderr.split())


def test_a_start_on_stdio_imports_nothing_for_printing_or_the_network(workspace: Path) -> None:
    modules(IMPORTS, workspace)  # makes the list
    ours = modules(IMPORTS, workspace) - modules(BARE, workspace)

    heavy = {"typer", "rich", "click", "uvicorn", "jwt", "starlette", "httpx2", "yaml", "tomllib", "sqlite3"}
    assert not {name for name in ours if name.partition(".")[0] in heavy}
    assert not {name for name in ours if name.startswith(("laconic.servers.example.", "laconic.web"))}
    assert "laconic.kit.toolset" not in ours


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_it_prints_what_it_serves_and_how_a_host_connects(workspace: Path) -> None:
    terminal, end = os.openpty()
    server = subprocess.Popen(
        [*COMMAND, "serve"],
        cwd=workspace,
        env=environment(workspace.parent / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=end,
    )
    os.close(end)
    out, _ = server.communicate(timeout=PATIENCE)  # closes its stdin
    said = os.read(terminal, 4096).decode().splitlines()
    os.close(terminal)

    assert (server.returncode, out, len(said)) == (0, b"", 3)
    assert said[0].startswith(f"Serving example (6 tools) for {workspace} on stdin and stdout")
    assert "laconic install claude-code" in said[1] and "--http" in said[2]


def test_a_wrong_flag_is_refused_with_the_nearest(workspace: Path) -> None:
    done = run("serve", "--readonly", folder=workspace)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "laconic: Unknown flag --readonly. Did you mean --read-only?\n"


def test_an_unknown_server_is_refused_with_the_nearest(workspace: Path) -> None:
    done = run("serve", "exmaple", folder=workspace)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("laconic: There is no server 'exmaple'. Did you mean example?")


def test_a_server_without_anything_to_serve_says_so(workspace: Path) -> None:
    module = "from laconic.kit import Toolset\nnothing = Toolset('nothing')\n"
    (workspace / "empty_of_mine.py").write_text(module, encoding="utf-8")

    done = run("serve", "empty_of_mine:nothing", folder=workspace)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("laconic: The server 'nothing' has no tools, resources or prompts yet.")


def test_with_verbose_each_call_is_one_line_of_json(workspace: Path) -> None:
    with serving("--verbose", folder=workspace) as server:
        server.call("memo_list")
        server.call("memo_get", name="none")
        server.hang_up()
        lines = [json.loads(line) for line in server.stderr.splitlines()]

    assert [(line["tool"], line["outcome"]) for line in lines] == [
        ("memo_list", "success"),
        ("memo_get", "RESOURCE_NOT_FOUND"),
    ]
    assert {"ms", "tokens", "trace"} <= lines[0].keys()


def test_read_only_offers_nothing_that_writes_and_refuses_it(workspace: Path) -> None:
    with serving("--read-only", folder=workspace) as server:
        names = {tool["name"] for tool in server.ask("tools/list")["tools"]}
        refused = server.call("memo_create", name="x", title="x", body="x")

    assert names == {"memo_list", "memo_get", "read_on"}
    assert "read-only" in refused and not (workspace / "memos").exists()
