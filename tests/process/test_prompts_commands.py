"""`laconic prompts`: people find, read, write and fill in prompts in a terminal."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from tests import warm
from tests.process.speaking import run
from tests.process.terminal import on_terminal

TEMPLATE = "Review this {{ language|default('Python') }} code:\r\n\n{{ code }}\n\n"


@pytest.fixture
def library(tmp_path: Path, workspace: Path) -> dict[str, str]:
    """The variables of a library with one prompt in two versions."""
    variables = {"LACONIC_DATABASE": str(tmp_path / "library.db")}
    (workspace / "review.txt").write_bytes(TEMPLATE.encode())
    for name in ("bytes.txt", "stdin"):
        (workspace / name).write_bytes(b"\xff")
    made = run("prompts", "edit", "review", "--new", "-f", "review.txt", folder=workspace, **variables)
    assert made.stdout == "review is version 1.\n", made.stderr
    edited = run("prompts", "edit", "review", folder=workspace, EDITOR="sed -i s/Review/Read/", **variables)
    assert edited.stdout == "review is version 2.\n", edited.stderr
    return variables


def printed(workspace: Path, library: dict[str, str], *words: str) -> str:
    """What a command prints that must not fail."""
    done = run("prompts", *words, folder=workspace, **library)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_prompt_is_found_read_filled_in_and_its_history_shown(
    workspace: Path, library: dict[str, str]
) -> None:
    prints = partial(printed, workspace, library)
    assert prints("list", "reading -poem") == "review\t2\t\t\n"
    nothing = run("prompts", "list", "poem", folder=workspace, **library)
    assert (nothing.stdout, nothing.stderr, nothing.returncode) == ("", "No prompts match.\n", 0)
    assert prints("show", "review@1") == TEMPLATE
    assert json.loads(prints("show", "review", "--json"))["content"] == TEMPLATE.replace("Review", "Read")
    assert prints("render", "review", "code=x=1") == "Read this Python code:\n\nx=1\n\n"
    first, second = (line.split("\t") for line in prints("history", "review").splitlines())
    assert (first[0], first[2], first[4]) == ("2", "update", "content")
    assert (second[0], second[2], second[4]) == ("1", "create", "arguments,content,name")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "reviews"], "Prompt reviews not found. Did you mean review?"),
        (["show", "review@7"], "The newest is review@2."),
        (["render", "review"], "Missing required arguments: code."),
        (["render", "review", "kode=1"], "Unknown argument 'kode'."),
        (["edit", "poem"], "--new creates it."),
        (["edit", "No Name", "--new", "-f", "review.txt"], "Expected: lower-case words joined by hyphens"),
        (["edit", "review", "-f", "nobody.txt"], "cannot be read"),
        (["edit", "review", "-f", "bytes.txt"], "bytes.txt is not UTF-8 text."),
        (["edit", "review", "-f", "stdin"], "stdin is not UTF-8 text."),
        (["list", "--state", "gone"], "Known: active, archived, deleted, all."),
        (["archive", "reviews"], "Prompt reviews not found. Did you mean review?"),
        (["archive", "review", "--at", "soon"], "'soon' is no time. Expected: a day or a time"),
        (["trash", "01900000-0000-7000-8000-000000000000"], "not found"),
        (["restore", "review"], "review is active. review@1 restores its first version."),
        (["restore", "review@2"], "Version 2 is the present one."),
        (["restore", "poem"], "Prompt poem not found."),
        (["label", "review", "7"], "A label cannot be a number"),
        (["label", "review", "production", "--remove"], "No version has the label production."),
    ],
)
def test_what_is_wrong_is_told_on_stderr_and_nothing_is_saved(
    workspace: Path, library: dict[str, str], words: list[str], said: str
) -> None:
    done = run("prompts", *words, folder=workspace, **library)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_template_that_is_wrong_is_not_saved(workspace: Path, library: dict[str, str]) -> None:
    sed = {"EDITOR": "sed -i s/code/kode|nope/", "TMPDIR": str(workspace.parent)}
    broken = run("prompts", "edit", "review", folder=workspace, **sed, **library)
    assert broken.returncode == 1
    assert "There is no filter 'nope'." in broken.stderr
    assert run("prompts", "list", folder=workspace, **library).stdout == "review\t2\t\t\n"


def test_a_prompt_is_put_away_and_brought_back(workspace: Path, library: dict[str, str]) -> None:
    prints = partial(printed, workspace, library)
    (workspace / "outer.txt").write_text("{% include 'review' %}", encoding="utf-8")
    prints("edit", "outer", "--new", "-f", "outer.txt")
    needed = "Without it these cannot be filled in: outer."

    assert prints("archive", "review") == f"review is archived. {needed}\n"
    gone = run("prompts", "show", "review", folder=workspace, **library)
    assert "It is archived: a person must restore it first (laconic prompts restore review)." in gone.stderr
    assert prints("list", "--state", "archived") == "review\t2\t\t\n"
    assert prints("restore", "review") == "review is active again.\n"

    later = prints("archive", "review", "--at", "2999-01-31T08:00+00:00")
    assert later.startswith("review will be archived on 2999-01-31")
    assert prints("restore", "review") == "review will not be archived.\n"

    assert prints("trash", "review") == f"review is in the trash. {needed}\n"
    twice = run("prompts", "trash", "review", folder=workspace, **library)
    assert "It is in the trash: laconic prompts restore review." in twice.stderr
    prints("edit", "review", "--new", "-f", "review.txt")
    prints("trash", "review")
    assert prints("restore", "review") == "review is active again.\n"  # the one thrown away last
    assert prints("show", "review") == TEMPLATE

    (first,) = json.loads(prints("list", "--state", "deleted", "--json"))
    taken = run("prompts", "restore", first["id"], folder=workspace, **library)
    assert "A prompt called review already exists. Rename that one or put it away first." in taken.stderr
    asked = run("library", "empty-trash", folder=workspace, **library)
    assert (asked.returncode, prints("list", "--state", "deleted")) == (1, "review\t2\t\t\n")
    assert "Add --yes to do it." in asked.stderr
    emptied = run("library", "empty-trash", "--yes", folder=workspace, **library)
    assert emptied.stdout == "1 item deleted for good.\n"
    assert prints("list", "--state", "deleted") == ""


def test_a_version_has_a_label_and_is_restored_by_it(workspace: Path, library: dict[str, str]) -> None:
    prints = partial(printed, workspace, library)
    assert prints("label", "review@1", "production") == "review@production is version 1.\n"
    assert prints("show", "review@production") == TEMPLATE
    assert prints("restore", "review@production") == "review is version 3, as review@production was.\n"
    assert prints("show", "review") == TEMPLATE
    assert prints("label", "review", "production", "--remove") == "review has no label production.\n"


def editor(workspace: Path, *lines: str) -> str:
    """An editor that runs these lines of Python, with the path of the file in `file`."""
    script = workspace.parent / "editor.py"
    script.write_text(
        "\n".join(["import subprocess, sys", "from pathlib import Path", "file = Path(sys.argv[1])", *lines]),
        encoding="utf-8",
    )
    return f"'{sys.executable}' '{script}'"


def also_saving(workspace: Path, words: list[str], text: str) -> str:
    """A line for an editor: the first time it runs, somebody else saves a text meanwhile."""
    words = [*warm.PROGRAM, *words, "--file", "-"]
    once = workspace.parent / "once"
    return (
        f"Path({str(once)!r}).exists() or [Path({str(once)!r}).touch(),"
        f" subprocess.run({words!r}, input={text!r}, text=True, check=True, stdout=subprocess.DEVNULL)]"
    )


@pytest.mark.parametrize("name", ["review", "new"])
def test_what_somebody_else_saved_meanwhile_is_shown_and_the_next_save_takes_the_place_of_both(
    workspace: Path, library: dict[str, str], name: str
) -> None:
    words = ["prompts", "edit", name, "--new", "--database", library["LACONIC_DATABASE"]]
    mine = editor(workspace, also_saving(workspace, words, "Theirs.\n"), "file.write_text('Mine.\\n')")

    shown = on_terminal(*words, folder=workspace, width=200, keys="y\n", EDITOR=mine)

    assert shown.status == 0, shown.text
    assert f"{name}: Somebody else saved it meanwhile." in shown.text and "+Theirs." in shown.text
    assert shown.lines[-1] == f"Edit it again? [Y/n]: {name} is version {4 if name == 'review' else 2}."
    assert printed(workspace, library, "show", name) == "Mine.\n"


@pytest.mark.parametrize("wrong", ["{% if %}", "Mine.\\udcff"])
def test_what_was_written_in_the_editor_and_not_saved_is_kept(
    workspace: Path, library: dict[str, str], wrong: str
) -> None:
    content = wrong.encode().decode("unicode-escape").encode(errors="surrogateescape")
    writing = editor(workspace, f"file.write_bytes({content!r})")

    there = {"EDITOR": writing, "TMPDIR": str(workspace.parent)}
    done = run("prompts", "edit", "review", folder=workspace, **there, **library)

    assert done.returncode != 0 and "Traceback" not in done.stderr
    (told,) = (line for line in done.stderr.splitlines() if line.startswith("Your text is in "))
    assert Path(told.removeprefix("Your text is in ")).read_bytes() == content


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["review@1"], "review@1 is not the newest version: that is review@2."),
        (["No Name", "--new"], "Expected: lower-case words joined by hyphens"),
        (["gone", "--new"], "It is archived: a person must restore it first"),
    ],
)
def test_nobody_writes_what_could_not_be_saved(
    workspace: Path, library: dict[str, str], words: list[str], said: str
) -> None:
    printed(workspace, library, "edit", "gone", "--new", "-f", "review.txt")
    printed(workspace, library, "archive", "gone")

    done = run("prompts", "edit", *words, folder=workspace, EDITOR="touch opened;", **library)

    assert said in done.stderr and not (workspace / "opened;").exists()


def test_a_name_with_the_newest_version_or_its_label_is_edited(
    workspace: Path, library: dict[str, str]
) -> None:
    printed(workspace, library, "label", "review", "production")
    done = run(
        "prompts", "edit", "review@production", folder=workspace, EDITOR="sed -i s/Read/See/", **library
    )
    assert done.stdout == "review is version 3.\n", done.stderr
