"""The docs are true: their Python runs, their commands print what is shown, their links work.

A block that cannot be run gives the reason in its first line: ```sh no-run: it serves until it is stopped
A block that is a file gives its name there, and later commands find it: ```toml file: laconic.toml
"""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import Block, Command, Page, commands, pages
from tests.installations import Installation, state_of

PAGES = pages()
FIRST = ("README.md", "docs/quick-start.md", "docs/hosts.md", "docs/issues.md", "docs/issues-terminal.md")


def of(*languages: str) -> list[object]:
    """The pages that have blocks in one of these languages."""
    return [pytest.param(page, id=page.name) for page in PAGES if page.blocks(*languages)]


@pytest.mark.parametrize("page", of("python"))
def test_the_python_of_a_page_runs(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)  # a first run writes snapshots; in CI a missing one fails
    module = ModuleType(f"page_{page.path.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    source = tmp_path / f"{module.__name__}.py"  # on the disk, for code that looks at its own source
    module.__file__ = str(source)
    blocks = [block for block in page.blocks("python") if not block.is_marked]
    source.write_text(in_place(blocks), encoding="utf-8")
    for block in blocks:
        code = compile("\n" * (block.line - 1) + block.text, str(source), "exec")
        exec(code, vars(module))


def in_place(blocks: list[Block]) -> str:
    """All blocks, on the same lines as in the page: a traceback then shows the page's line."""
    lines: list[str] = []
    for block in blocks:
        lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", of("sh", "console"))
def test_the_commands_of_a_page_work_from_a_clone(page: Page, cloned: Installation, tmp_path: Path) -> None:
    work_through(page, cloned, tmp_path / "project")

    assert cloned.checkout is not None
    assert state_of(cloned.checkout) == {}, "following a page writes nothing into Laconic's own checkout"


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES if page.name in FIRST])
def test_the_commands_of_a_users_page_work_from_a_wheel(
    page: Page, installed: Installation, tmp_path: Path
) -> None:
    work_through(page, installed, tmp_path / "project")


def work_through(page: Page, installation: Installation, project: Path) -> None:
    """Type every command of ours on the page, in a fresh repository."""
    project.mkdir()
    subprocess.run(["git", "init", "-q", project], check=True)
    for block in page.blocks():
        if block.file:
            (project / block.file).write_text(block.text, encoding="utf-8")
        if block.language in ("sh", "console") and not block.is_marked and not block.installs:
            for command in commands(block):
                if command.is_ours:
                    run(page, command, installation, project)


def run(page: Page, command: Command, installation: Installation, project: Path) -> None:
    """Run one of our commands as a person would, with a separate home folder."""
    home = project.parent / "home"
    done = installation.run("laconic", *command.words[1:], folder=project, HOME=str(home))
    where = f"{page.name}, line {command.line}: {' '.join(command.words)}"
    shows_failure = command.prints is not None and "Error [" in command.prints
    assert done.returncode == (1 if shows_failure else 0), f"{where}\n{done.stdout}"
    if command.prints is not None:
        assert fits(done.stdout, command.prints), f"{where} prints\n{done.stdout}\nnot\n{command.prints}"


def fits(printed: str, shown: str) -> bool:
    """True if the output is as shown; `…` matches anything, white space counts as one blank."""
    pattern = ".*".join(re.escape(" ".join(part.split())) for part in shown.split("…"))
    return re.fullmatch(pattern.replace(r"\ .*", ".*"), " ".join(printed.split()), re.DOTALL) is not None


@pytest.mark.parametrize("page", of("python", "sh", "console"))
def test_a_block_that_is_not_run_gives_a_reason(page: Page) -> None:
    blocks = page.blocks("python", "sh", "console")

    assert [block.line for block in blocks if block.is_marked and len(block.reason) < 10] == []


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES])
def test_links_between_pages_work(page: Page) -> None:
    dead = [target for target in page.links() if not is_alive(page, target)]

    assert dead == []


def is_alive(page: Page, target: str) -> bool:
    path, _, anchor = target.partition("#")
    other = (page.path.parent / path).resolve() if path else page.path
    return other.exists() and (not anchor or anchor in Page(other).anchors())
