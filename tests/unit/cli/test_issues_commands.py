"""`laconic issues …` without a terminal: lines with tabs, plain files, JSON, and clear refusals."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.cli.main import main
from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.tools import issues

Said = tuple[int, str, str]
Command = Callable[..., Said]

FILE = """---
id: {id}
title: {title}   # as it was said
type: issue
status: {status}
priority: {priority}
labels: [bug, "ui"]
createdAt: '2025-01-02T03:04:05.678Z'
updatedAt: '2025-01-0{number}T03:04:05.678Z'
dueDate: 2025-05-05
---
The text of {title}.
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a few issues, where the command is run."""
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("VISUAL", "EDITOR", "LACONIC_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    write(folder, 1, "Login fails", priority="high")
    write(folder, 2, "'[red]brackets[/red]'", status="in_progress")
    write(folder, 3, "Gone", status="closed")
    return folder


def write(folder: Path, number: int, title: str, status: str = "open", priority: str = "medium") -> Path:
    id = f"ISS-{number:06d}"
    place = folder / ".wrangler" / "issues" / ("archived" if status in ("closed", "cancelled") else "")
    place.mkdir(parents=True, exist_ok=True)
    text = FILE.format(id=id, title=title, status=status, priority=priority, number=number)
    path = place / f"{id}-{re.sub(r'[^a-z]', '', title.lower())[:3]}.md"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def laconic(workspace: Path, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs the command and returns its status, stdout and stderr."""

    def run(*words: str) -> Said:
        status = main(["issues", *words])
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


def use_editor(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Let an editor be a program that does this to `text`, the file's content."""
    script = folder.parent / "editor.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[1])\n"
        f"text = file.read_text(encoding='utf-8')\n{code}\nfile.write_text(text, encoding='utf-8')\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("VISUAL", f"'{sys.executable}' '{script}'")


# Viewing


def test_piped_output_has_one_line_per_issue_with_tabs(laconic: Command) -> None:
    status, out, err = laconic("list")

    assert status == 0
    assert [line.split("\t") for line in out.splitlines()] == [
        ["ISS-000002", "in_progress", "medium", "[red]brackets[/red]", "", "2025-01-02", "", "bug, ui"],
        ["ISS-000001", "open", "high", "Login fails", "", "2025-01-02", "", "bug, ui"],
    ]
    assert err == "2 issues. 1 more closed or cancelled: --status all.\n"


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["--status", "all"], ["ISS-000003", "ISS-000002", "ISS-000001"]),
        (["--status", "closed,open"], ["ISS-000003", "ISS-000001"]),
        (["-s", "in-progress"], ["ISS-000002"]),
        (["--priority", "high"], ["ISS-000001"]),
        (["--label", "none", "-l", "bug"], ["ISS-000002", "ISS-000001"]),
        (["--type", "idea"], []),
        (["--search", "LOGIN"], ["ISS-000001"]),
        (["--search", "gone", "-s", "all"], ["ISS-000003"]),
        (["--sort", "priority"], ["ISS-000001", "ISS-000002"]),
        (["--assignee", "ada"], []),
        (["--project", "web"], []),
    ],
)
def test_options_choose_what_is_listed(laconic: Command, words: list[str], ids: list[str]) -> None:
    status, out, _ = laconic("list", *words)

    assert status == 0
    assert [line.split("\t")[0] for line in out.splitlines()] == ids


def test_a_list_that_is_cut_reports_it_on_stderr(laconic: Command) -> None:
    _, out, err = laconic("list", "--limit", "1")
    _, every, _ = laconic("list", "--limit", "1", "--all")

    assert (out.count("\n"), every.count("\n")) == (1, 2)
    assert err.startswith("1 of 2. More: --limit N or --all.")


def test_json_has_the_keys_of_the_files_and_the_total(laconic: Command) -> None:
    _, out, _ = laconic("list", "--json", "-n", "1")
    found = json.loads(out)

    assert (found["total"], len(found["issues"])) == (2, 1)
    assert found["issues"][0]["updatedAt"].startswith("2025-01-02T03:04:05")
    assert found["issues"][0]["path"] == ".wrangler/issues/ISS-000002-red.md"


def test_a_status_that_only_this_workspace_knows_is_listed_and_found(
    laconic: Command, workspace: Path
) -> None:
    write(workspace, 4, "Look", status="review")

    assert "review" in laconic("list")[1]
    assert laconic("list", "--status", "review")[1].startswith("ISS-000004")


def test_a_misspelled_status_makes_no_column_of_the_board(laconic: Command, workspace: Path) -> None:
    write(workspace, 4, "Look", status="opn")
    _, out, _ = laconic("board", "--json")

    columns = json.loads(out)
    assert "opn" not in columns
    assert "ISS-000004" in [one["id"] for one in columns["open"]["issues"]]


def test_an_empty_workspace_is_reported_in_words(laconic: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    assert laconic("list", "-C", str(tmp_path / "empty")) == (0, "", "No issues.\n")


def test_ready_is_open_unclaimed_unblocked_and_by_priority(laconic: Command, workspace: Path) -> None:
    write(workspace, 4, "Calm")
    laconic("new", "Waits", "--body", "x", "--blocked-by", "1")
    _, out, _ = laconic("ready")

    assert [line.split("\t")[:2] for line in out.splitlines()] == [
        ["ISS-000001", "high"],
        ["ISS-000004", "medium"],
    ]


def test_a_piped_board_has_the_status_first_and_reports_what_it_cut(laconic: Command) -> None:
    laconic("new", "More", "--body", "x")
    _, out, err = laconic("board", "-n", "1")

    assert [line.split("\t")[:2] for line in out.splitlines()] == [
        ["open", "ISS-000001"],
        ["in_progress", "ISS-000002"],
        ["closed", "ISS-000003"],
    ]
    assert err == "open: 1 of 2. More: --limit N or --all.\n"


def test_a_board_as_json_counts_every_column(laconic: Command) -> None:
    board = json.loads(laconic("board", "--json")[1])

    assert {status: lane["total"] for status, lane in board.items()} == {
        "open": 1,
        "in_progress": 1,
        "closed": 1,
    }


def test_control_characters_in_titles_are_replaced(laconic: Command, workspace: Path) -> None:
    write(workspace, 4, '"\\e]0;owned\\a\\u202Eevil"')
    _, out, _ = laconic("list")

    assert "\x1b" not in out and "\u202e" not in out and "owned" in out


# Showing one


@pytest.mark.parametrize(
    "reference", ["ISS-000001", "1", "iss-1", "ISS-000001-log", ".wrangler/issues/ISS-000001-log.md"]
)
def test_show_finds_an_issue_however_it_is_named(laconic: Command, workspace: Path, reference: str) -> None:
    file = workspace / ".wrangler" / "issues" / "ISS-000001-log.md"

    assert laconic("show", reference) == (0, file.read_text(encoding="utf-8"), "")


def test_a_path_from_the_current_folder_names_an_issue(
    laconic: Command, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace / ".wrangler" / "issues")

    assert "Login fails" in laconic("show", "./ISS-000001-log.md")[1]


def test_a_number_means_an_issue_before_a_specification(laconic: Command, workspace: Path) -> None:
    specifications = workspace / ".wrangler" / "specifications"
    specifications.mkdir()
    (specifications / "SPEC-000001-x.md").write_text(
        "---\nid: SPEC-000001\ntitle: X\n---\n", encoding="utf-8"
    )
    status, out, _ = laconic("show", "1")

    assert (status, "id: ISS-000001" in out) == (0, True)


def test_a_bad_file_is_shown_as_it_is_with_its_warnings_on_stderr(laconic: Command, workspace: Path) -> None:
    bad = workspace / ".wrangler" / "issues" / "ISS-000009-bad.md"
    bad.write_bytes(b"---\nid: ISS-000009\ntitle: [never closed\n---\nCaf\xe9.\r\n")
    status, out, err = laconic("show", "9")

    assert (status, out) == (0, bad.read_bytes().decode(errors="replace"))
    assert err.splitlines() == [
        ".wrangler/issues/ISS-000009-bad.md: The file is not UTF-8 text (byte 47).",
        ".wrangler/issues/ISS-000009-bad.md: The header is not valid YAML, line 3: "
        "did not find expected ',' or ']'.",
    ]


def test_show_as_json_has_the_text(laconic: Command) -> None:
    found = json.loads(laconic("show", "1", "--json")[1])

    assert (found["id"], found["description"]) == ("ISS-000001", "The text of Login fails.")


# Writing


def test_new_prints_the_id_and_the_path(laconic: Command, workspace: Path) -> None:
    words = ["--type", "specification", "-p", "high", "-l", "a,b", "-P", "web", "-a", "ada", "-b", "Text."]
    status, out, err = laconic("new", "  A  plan ", *words)
    id, path = out.rstrip("\n").split("\t")
    found = json.loads(laconic("show", id, "--json")[1])

    assert (status, id, err) == (0, "SPEC-000001", "")
    assert (workspace / path).is_file()
    assert {name: found[name] for name in ("title", "priority", "labels", "project", "assignee")} == {
        "title": "A plan",
        "priority": "high",
        "labels": ["a", "b"],
        "project": "web",
        "assignee": "ada",
    }


def test_new_takes_its_text_from_a_file(laconic: Command, workspace: Path) -> None:
    (workspace / "text.md").write_text("# Whole\n", encoding="utf-8")
    id = laconic("new", "Filed", "-F", "text.md")[1].split("\t")[0]

    assert json.loads(laconic("show", id, "--json")[1])["description"] == "# Whole"


def test_new_names_the_other_issue_with_the_same_title(laconic: Command) -> None:
    assert laconic("new", "Login fails", "-b", "x")[2] == "Note: ISS-000001 has the same title.\n"


def test_an_edit_with_options_changes_only_the_lines_it_must(laconic: Command, workspace: Path) -> None:
    file = workspace / ".wrangler" / "issues" / "ISS-000001-log.md"
    before = file.read_text(encoding="utf-8").splitlines()
    status, out, _ = laconic("edit", "1", "--priority", "critical")
    after = file.read_text(encoding="utf-8").splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]

    assert status == 0 and "Priority: high → critical" in out
    assert [line.split(":")[0] for line in changed] == ["priority", "updatedAt"]


def test_an_edit_adds_and_removes_labels_and_moves_what_is_closed(laconic: Command, workspace: Path) -> None:
    laconic("edit", "1", "--add-label", "new", "--remove-label", "bug", "--status", "closed", "--title", "T")
    found = json.loads(laconic("show", "1", "--json")[1])

    assert (found["labels"], found["status"], found["title"]) == (["ui", "new"], "closed", "T")
    assert found["path"] == ".wrangler/issues/archived/ISS-000001-log.md"


def test_an_edit_by_hand_dates_and_moves_the_file(
    laconic: Command, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_editor(monkeypatch, workspace, "text = text.replace('status: open', 'status: closed')")
    status, out, _ = laconic("edit", "1")
    found = json.loads(laconic("show", "1", "--json")[1])

    assert (status, out) == (0, "Updated ISS-000001, now .wrangler/issues/archived/ISS-000001-log.md\n")
    assert found["closedAt"] and not found["updatedAt"].startswith("2025-01-01")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("text = text.replace('status: open', 'status: opne')", "status is opne, not open, "),
        ("text = text.replace('title: ', 'title: [')", "not valid YAML"),
        ("text = text.replace('ISS-000001', 'ISS-000077')", "id is ISS-000077 but was ISS-000001"),
    ],
)
def test_a_bad_edit_by_hand_is_reported_and_kept_as_it_was_written(
    laconic: Command, workspace: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    file = workspace / ".wrangler" / "issues" / "ISS-000001-log.md"
    use_editor(monkeypatch, workspace, f"{code}\nfile.with_name('copy').write_text(text, encoding='utf-8')")
    status, _, err = laconic("edit", "1")

    assert status == 1
    assert said in err and "The file stays as you wrote it" in err
    assert file.read_bytes() == file.with_name("copy").read_bytes()


def test_an_edit_by_hand_that_changes_nothing_changes_nothing(
    laconic: Command, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_editor(monkeypatch, workspace, "")

    assert laconic("edit", "1") == (0, "ISS-000001: nothing changed.\n", "")


def test_a_claim_takes_an_issue_once(laconic: Command) -> None:
    taken = laconic("claim", "1", "--as", "ada")
    status, _, err = laconic("claim", "1", "--as", "bob")

    assert taken == (0, "ISS-000001 is ada's: Login fails\n", "")
    assert (status, err) == (
        1,
        "laconic: Issue ISS-000001 is held by ada. laconic issues ready lists free issues; "
        "--take-over takes this one.\n",
    )


def test_a_claim_takes_the_name_that_git_knows(laconic: Command, workspace: Path) -> None:
    (workspace / ".git").rmdir()
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "config", "user.name", "Ada L."], check=True)

    assert laconic("claim", "1")[1] == "ISS-000001 is Ada L.'s: Login fails\n"


def test_done_closes_what_it_can_and_names_what_it_cannot(laconic: Command) -> None:
    status, out, err = laconic("done", "1", "77", "3", "--note", "Fixed.")

    assert status == 1
    assert out == "ISS-000001 is closed: Login fails\nISS-000003 is closed: Gone\n"
    assert err.startswith("laconic: Issue 77 not found.")
    assert "Fixed." in laconic("show", "1")[1]


def test_a_label_with_a_comma_can_be_removed(laconic: Command, workspace: Path) -> None:
    file = next((workspace / ".wrangler" / "issues").glob("ISS-000001*"))
    text = file.read_text(encoding="utf-8")
    header = "\n".join(line for line in text.splitlines() if not line.startswith(("labels:", "  - ")))
    file.write_text(header.replace("title:", 'labels: ["1,000", x]\ntitle:', 1) + "\n", encoding="utf-8")
    status, out, _ = laconic("edit", "1", "--remove-label", "1,000")

    assert (status, out) == (0, "Removed labels from ISS-000001. Current labels: x\n")


# Mistakes


@pytest.mark.parametrize("words", [["show", "1"], ["claim", "1", "--as", "ada"], ["done", "1"]])
def test_a_number_that_two_files_have_is_refused_with_a_command_as_advice(
    laconic: Command, workspace: Path, words: list[str]
) -> None:
    folder = workspace / ".wrangler" / "issues"
    file = next(folder.glob("ISS-000001*"))
    (folder / "copy.md").write_bytes(file.read_bytes())
    status, out, err = laconic(*words)

    assert (status, out, "1 could be 2 files: " in err) == (1, "", True)
    assert "laconic issues doctor --fix gives each its own id." in err
    assert "init_workspace" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "nope"], "Issue nope not found. laconic issues list --status all lists every issue."),
        (["show", "ISS-000010"], "Did you mean ISS-000001"),
        (["new", "x", "--blocked-by", "77"], "Issue 77 not found."),
    ],
)
def test_a_failure_is_reported_on_one_line_with_status_1(
    laconic: Command, workspace: Path, words: list[str], said: str
) -> None:
    status, out, err = laconic(*words)

    assert (status, out) == (1, "")
    assert said in err and err.startswith("laconic: ") and err.count("\n") == 1
    assert not list((workspace / ".wrangler").rglob("*x.md"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "--status", "opne"], "Unknown status 'opne'. Did you mean open?"),
        (["list", "--sort", "size"], "Unknown field to sort by 'size'. Known: updated, "),
        (["new", " "], "The title has 0 characters. Expected: 1 to 200."),
        (["new", "x", "--priority", "urgent"], "Unknown priority 'urgent'. Known: low, medium, "),
        (["new", "x", "-F", "none.md"], "none.md cannot be read: "),
        (["new", "x", "-b", "a", "-F", "b"], "--body and --file both give a text. Pass one of them."),
        (["edit", "1", "--type", "epic"], "Unknown type 'epic'. Known: issue, specification, idea."),
        (["edit", "1"], "No editor was found. Set EDITOR, or pass the change as an option."),
        (["list", "-C", "nowhere"], "is not a folder."),
    ],
)
def test_a_mistake_is_reported_on_one_line_with_status_2(
    laconic: Command, workspace: Path, words: list[str], said: str
) -> None:
    status, out, err = laconic(*words)

    assert (status, out) == (2, "")
    assert said in err and err.startswith("laconic: ") and err.count("\n") == 1
    assert not list((workspace / ".wrangler").rglob("*x.md"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('ttl = "soon"', "[issues] ttl: Input should be a valid number, unable to parse string as a number."),
        ("ttll = 1", "Unknown key 'ttll' in [issues]. Did you mean 'ttl'?"),
    ],
)
async def test_a_bad_section_of_the_configuration_is_named_alike_by_commands_and_tools(
    laconic: Command, workspace: Path, line: str, said: str
) -> None:
    (workspace / "laconic.toml").write_text(f"[issues]\n{line}\n", encoding="utf-8")
    sections = {"issues": tomllib.loads(line)}

    async with connect(issues, settings=Settings(sections=sections)) as client:
        reply = await client.call("issues_list")

    assert laconic("list")[::2] == (2, f"laconic: {said}\n")
    assert reply.error["code"] == "CONFIGURATION_ERROR"
    assert said in reply.text


def test_a_file_that_cannot_be_edited_is_refused_on_one_line(laconic: Command, workspace: Path) -> None:
    file = workspace / ".wrangler" / "issues" / "ISS-000008-json.md"
    file.write_text('---json\n{"id": "ISS-000008", "title": "J"}\n---\n', encoding="utf-8")
    status, _, err = laconic("edit", "8", "--priority", "low")

    assert status == 1 and "has a header in JSON" in err and err.count("\n") == 1
