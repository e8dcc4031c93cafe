"""`laconic issues …` on a real terminal, in a real shell's completion, in real pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.process.speaking import COMMAND, PATIENCE, environment, run
from tests.process.terminal import on_terminal

TITLES = {
    "ISS-000001": ("open", "critical", "Login fails when the single sign-on of a customer answers slowly"),
    "ISS-000002": ("open", "medium", "日本語のタイトルは二倍の幅 🎉 and [red]brackets[/red] stay"),
    "ISS-000003": ("in_progress", "high", "Unbreakable" * 12),
    "ISS-000004": ("closed", "low", "Done with"),
    "ISS-000005": ("cancelled", "low", "Never mind"),
}


@pytest.fixture
def workspace(workspace: Path) -> Path:
    (workspace / ".git").mkdir()
    for id, (status, priority, title) in TITLES.items():
        place = workspace / ".wrangler" / "issues" / ("archived" if status in ("closed", "cancelled") else "")
        place.mkdir(parents=True, exist_ok=True)
        head = f"id: {id}\ntitle: '{title}'\nstatus: {status}\npriority: {priority}\nassignee: ada"
        head += "\nlabels: []\ncreatedAt: '2025-01-02T03:04:05.678Z'"
        text = f"---\n{head}\n---\n# Why\n\n**Because** of it.\n"
        (place / f"{id}-x.md").write_text(text, encoding="utf-8")
    return workspace


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("command", ["list", "board"])
def test_a_list_and_a_board_fit_the_terminal_and_lose_nothing(
    workspace: Path, command: str, width: int
) -> None:
    words = [command] if command == "board" else [command, "--status", "all", "--limit", "25"]
    shown = on_terminal("issues", *words, folder=workspace, width=width)
    tight = "".join(shown.text.split())

    assert shown.status == 0
    assert max(cell_len(line) for line in shown.lines) <= width
    assert all(tight.count(id) == 1 for id in TITLES)
    assert "日本語" in shown.text and "🎉" in shown.text and "[red]" in shown.text
    assert "\x1b[" in shown.raw  # colours, because this is a terminal


def test_a_board_has_one_column_per_status_with_its_count_side_by_side(workspace: Path) -> None:
    lines = on_terminal("issues", "board", folder=workspace, width=120).lines

    assert lines[0].split() == ["open", "2", "in", "progress", "1", "closed", "1", "cancelled", "1"]
    assert [word for word in lines[2].split() if word.startswith("ISS-")] == [
        "ISS-000001",
        "ISS-000003",
        "ISS-000004",
        "ISS-000005",
    ]


def test_on_a_narrow_terminal_finished_issues_share_a_column_or_the_columns_are_stacked(
    workspace: Path,
) -> None:
    narrow = on_terminal("issues", "board", folder=workspace, width=80).lines
    narrower = on_terminal("issues", "board", folder=workspace, width=60).lines

    assert narrow[0].split() == ["open", "2", "in", "progress", "1", "closed,", "cancelled", "2"]
    assert [line for line in narrower if line.startswith(("open", "in progress", "closed", "cancelled"))] == [
        "open  2",
        "in progress  1",
        "closed  1",
        "cancelled  1",
    ]


def test_no_color_is_honoured(workspace: Path) -> None:
    raw = on_terminal("issues", "list", folder=workspace, NO_COLOR="1").raw
    plain = ("0", "1", "2", "4", "2;4")  # bold, dim and underlined are no colours
    codes = [code.split("m")[0] for code in raw.split("\x1b[")[1:]]

    assert codes and set(codes) <= set(plain)


def test_show_is_a_page_on_a_terminal_and_the_file_in_a_pipe(workspace: Path) -> None:
    page = on_terminal("issues", "show", "1", folder=workspace)
    file = workspace / ".wrangler" / "issues" / "ISS-000001-x.md"
    piped = run("issues", "show", "1", folder=workspace)

    assert page.lines[0].startswith("ISS-000001  Login fails")
    assert "open · critical · @ada" in page.text and "Because of it." in page.text
    assert (piped.returncode, piped.stdout) == (0, file.read_text(encoding="utf-8"))


def test_a_warning_is_on_the_page(workspace: Path) -> None:
    file = workspace / ".wrangler" / "issues" / "ISS-000001-x.md"
    file.write_text("---\nid: ISS-000001\ntitle: [x\n---\n", encoding="utf-8")

    assert (
        "! The header is not valid YAML, line 3" in on_terminal("issues", "show", "1", folder=workspace).text
    )
    assert "1 with a warning (!)" in on_terminal("issues", "list", folder=workspace).text


def editor(folder: Path, text: str, status: int = 0) -> str:
    script = folder.parent / "editor.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[1])\n"
        f"file.write_text({text!r} + file.read_text(encoding='utf-8'), encoding='utf-8')\n"
        f"sys.exit({status})\n",
        encoding="utf-8",
    )
    return f"'{sys.executable}' '{script}'"


def test_new_opens_the_editor_and_takes_the_text_above_the_line(workspace: Path) -> None:
    visual = editor(workspace, "Since *Monday*.")
    made = on_terminal("issues", "new", "Slow -- again", folder=workspace, width=200, VISUAL=visual)
    (file,) = (workspace / ".wrangler" / "issues").glob("ISS-000006-*.md")

    assert (made.status, made.text) == (0, f"ISS-000006  {file.relative_to(workspace)}\n")
    assert file.read_text(encoding="utf-8").endswith("---\nSince *Monday*.\n")


def test_no_text_in_the_editor_creates_nothing(workspace: Path) -> None:
    made = on_terminal("issues", "new", "Not at all", folder=workspace, VISUAL=editor(workspace, " \n"))

    assert made.status == 1 and made.text.startswith("Nothing was created: there is no text.")
    assert not list((workspace / ".wrangler" / "issues").glob("ISS-000006-*.md"))


def test_what_was_written_is_kept_when_the_editor_fails(workspace: Path) -> None:
    visual = editor(workspace, "Long thoughts.", status=1)
    made = on_terminal(
        "issues", "new", "Lost?", folder=workspace, width=400, VISUAL=visual, TMPDIR=str(workspace.parent)
    )
    draft = Path(made.lines[0].removeprefix("Your text is in "))

    assert made.status == 1
    assert draft.read_text(encoding="utf-8").startswith("Long thoughts.")


def test_a_bad_edit_can_be_fixed_at_once(workspace: Path) -> None:
    visual = editor(workspace, "no header any more ")
    done = on_terminal("issues", "edit", "1", folder=workspace, keys="n\n", VISUAL=visual)

    assert done.status == 1
    assert "Edit it again? [Y/n]" in done.text and "The file stays as you wrote it" in done.text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (
            "laconic issues show ISS-00000",
            ["ISS-000003", "ISS-000002", "ISS-000001", "ISS-000005", "ISS-000004"],
        ),
        ("laconic issues done 1", ["1"]),
        ("laconic issues edit iss-000004", ["iss-000004"]),
        ("laconic issues edit 1 --status in", ["in_progress"]),
        ("laconic issues list --priority c", ["critical"]),
        ("laconic issues new x --type sp", ["specification"]),
        ("laconic issues list --assignee a", ["ada"]),
        ("laconic iss", ["issues"]),
        ("laconic issues re", ["ready", "reopen"]),
    ],
)
def test_a_shell_completes_ids_and_values(workspace: Path, words: str, offered: list[str]) -> None:
    shell = {
        "_LACONIC_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = run(folder=workspace, **shell)

    assert done.stdout.split() == offered


def test_a_shell_that_shows_help_has_the_titles(workspace: Path) -> None:
    shell = {"_LACONIC_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "laconic issues show 2"}

    assert (
        "日本語のタイトルは二倍の幅 🎉 and (red)brackets(/red) stay" in run(folder=workspace, **shell).stdout
    )


def test_a_reader_that_leaves_early_sees_no_traceback(workspace: Path) -> None:
    issues = workspace / ".wrangler" / "issues"
    for number in range(100, 400):
        text = f"---\nid: ISS-{number:06d}\ntitle: {'Long ' * 60}\n---\n"
        (issues / f"ISS-{number:06d}-x.md").write_text(text, encoding="utf-8")
    listing = subprocess.Popen(
        [*COMMAND, "issues", "list", "--all"],
        cwd=workspace,
        env=environment(workspace.parent / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert listing.stdout is not None and listing.stderr is not None
    listing.stdout.readline()
    listing.stdout.close()
    said = listing.stderr.read().decode()
    listing.stderr.close()
    listing.wait(PATIENCE)

    assert "Traceback" not in said and "Error" not in said


def test_looking_leaves_the_work_tree_as_it_was(workspace: Path) -> None:
    before = {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    for words in (["list"], ["board"], ["ready"], ["show", "1"], ["list", "--search", "why"]):
        assert run("issues", *words, folder=workspace).returncode == 0

    assert {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()} == before


def test_words_that_an_encoding_does_not_have_stop_nothing(workspace: Path) -> None:
    done = run("issues", "list", folder=workspace, PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert done.returncode == 0 and "????" in done.stdout


def test_what_waits_for_what_is_shown_in_lists_on_the_board_and_on_the_page(workspace: Path) -> None:
    run("issues", "edit", "2", "--blocked-by", "1", folder=workspace)

    for words in (["list"], ["board"]):
        tight = "".join(on_terminal("issues", *words, folder=workspace, width=200).text.split())
        assert "blockedbyISS-000001)" in tight and "(blocksISS-000002)" in tight
    blocked, blocker = (on_terminal("issues", "show", id, folder=workspace).text for id in ("2", "1"))
    assert "blocked by ISS-000001 open Login fails" in blocked
    assert "blocks ISS-000002 日本語" in blocker


def test_a_watched_board_follows_changes_until_ctrl_c(workspace: Path) -> None:
    def change() -> None:
        run("issues", "edit", "1", "--title", "Another title", folder=workspace)

    shown = on_terminal(
        *("issues", "board", "--watch"),
        folder=workspace,
        width=120,
        then=[("ISS-000005", change), ("Another title", list)],
    )
    assert shown.status == 0
    assert shown.text.count("ISS-000005") >= 2


def test_new_reads_its_text_from_a_pipe(workspace: Path) -> None:
    made = run("issues", "new", "Piped", "-F", "-", folder=workspace, stdin="From a pipe.\n")
    id = made.stdout.split("\t")[0]
    shown = json.loads(run("issues", "show", id, "--json", folder=workspace).stdout)

    assert shown["description"] == "From a pipe."


def test_every_command_has_examples(workspace: Path) -> None:
    names = ["list", "search", "show", "new", "edit", "board", "ready", "claim", "done"]
    names += ["reopen", "delete", "graph"]
    for name in names:
        assert f"  laconic issues {name} " in run("issues", name, "--help", folder=workspace).stdout
    listed = run("issues", "--help", folder=workspace).stdout

    assert all(f"\n  {name} " in listed for name in names) and "\n  merge" not in listed
    assert os.linesep in listed


@pytest.mark.parametrize(("keys", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_the_section_for_agents_is_shown_and_the_answer_decides(
    workspace: Path, keys: str, status: int
) -> None:
    shown = on_terminal("issues", "init", "--agents", folder=workspace, width=120, keys=keys)

    assert shown.status == status, shown.text
    assert shown.text.index("laconic issues ready") < shown.text.index("Do this? [y/N]")
    assert (workspace / "AGENTS.md").exists() == (status == 0)
