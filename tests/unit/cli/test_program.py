"""This program: its command, whether it lasts, and its own checkout."""

import subprocess
from pathlib import Path

import pytest

from laconic.cli.program import check_lasting, is_own_checkout, is_temporary, own_command
from laconic.kit.errors import Refused

ROOT = Path(__file__).resolve().parents[3]


def test_our_command_is_the_launcher_of_a_checkout(tmp_path: Path) -> None:
    launcher = tmp_path / "laconic"
    launcher.write_text("#!/bin/sh\n", encoding="utf-8")
    launcher.chmod(0o755)
    assert own_command(roots=[tmp_path]) != [str(launcher)]
    (tmp_path / "pyproject.toml").touch()
    assert own_command(roots=[tmp_path]) == [str(launcher)]
    assert own_command(roots=[tmp_path], platform="win32") != [str(launcher)]


def test_otherwise_our_command_is_the_script_next_to_python_or_on_the_path_or_this_python(
    tmp_path: Path,
) -> None:
    near, far = script(tmp_path / "environment"), script(tmp_path / "path")
    python, environ = str(near.with_name("python")), {"PATH": str(far.parent)}
    assert own_command(roots=[], python=python, environ=environ) == [str(near)]
    near.unlink()
    assert own_command(roots=[], python=python, environ=environ) == [str(far)]
    assert own_command(roots=[], python=python, environ={}) == [python, "-P", "-m", "laconic"]


def script(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "laconic"
    made.touch(0o755)
    made.chmod(0o755)
    return made


@pytest.mark.parametrize("variable", ["UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME", "PATH", ""])
def test_our_command_is_the_link_that_uv_or_pipx_made_to_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    made = script(tmp_path / "tools" / "laconic" / "bin")
    links = tmp_path / "links" if variable else tmp_path / ".local" / "bin"
    links.mkdir(parents=True)
    python, environ = str(made.with_name("python")), {variable: str(links)} if variable else {}
    (links / "laconic").symlink_to(script(tmp_path / "another"))
    assert own_command(roots=[], python=python, environ=environ) == [str(made)]
    (links / "laconic").unlink()
    (links / "laconic").symlink_to(made)
    assert own_command(roots=[], python=python, environ=environ) == [str(links / "laconic")]


def environment(folder: Path) -> Path:
    """An environment as uv makes it: also marked as a cache."""
    made = script(folder / "bin")
    (folder / "pyvenv.cfg").touch()
    (folder / "CACHEDIR.TAG").touch()
    return made


def test_an_environment_in_a_cache_is_temporary_and_others_last(tmp_path: Path) -> None:
    lasting, cached = environment(tmp_path / "tools" / "laconic"), environment(tmp_path / "cache" / "x" / "y")
    assert not is_temporary(cached)
    (tmp_path / "cache" / "CACHEDIR.TAG").touch()
    assert is_temporary(cached)
    assert not is_temporary(lasting)
    link = tmp_path / "link"
    link.symlink_to(cached)
    assert is_temporary(link)
    python = cached.with_name("python")
    python.symlink_to("/bin/sh")  # leads out of the environment
    assert is_temporary(python)
    assert not is_temporary(tmp_path / "cache" / "checkout" / "laconic")  # in no environment


def test_an_environment_that_pip_makes_for_a_build_is_temporary(tmp_path: Path) -> None:
    assert is_temporary(script(tmp_path / "pip-build-env-abc" / "overlay" / "bin"))


def test_a_temporary_program_is_refused_with_what_to_do(tmp_path: Path) -> None:
    cached = environment(tmp_path / "cache" / "x")
    check_lasting(cached)
    (tmp_path / "cache" / "CACHEDIR.TAG").touch()
    with pytest.raises(Refused, match="runs from a cache") as refused:
        check_lasting(cached)
    assert refused.value.advice.startswith("Run: uv tool install ")
    assert str(tmp_path) not in f"{refused.value.message} {refused.value.advice}"


def checkout(folder: Path, name: str = "laconic") -> Path:
    (folder / "src" / "laconic").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(f"[project]\nname = '{name}'\n", encoding="utf-8")
    return folder


def test_this_checkout_its_folders_and_its_work_trees_are_our_own(tmp_path: Path) -> None:
    assert is_own_checkout(ROOT) and is_own_checkout(ROOT / "docs")
    own = checkout(tmp_path / "own")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", "-C", str(own)]
    (own / "src" / "laconic" / "__init__.py").touch()
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], check=True)
    assert is_own_checkout(tmp_path / "tree")


@pytest.mark.parametrize("text", ["", "[project]\nname = 'mine'\n", "project = 1\n", "not toml", "\xff"])
def test_a_project_that_uses_our_name_otherwise_is_not_our_own(tmp_path: Path, text: str) -> None:
    (tmp_path / "src" / "laconic").mkdir(parents=True)
    assert not is_own_checkout(tmp_path)
    (tmp_path / "pyproject.toml").write_bytes(text.encode("latin-1"))
    assert not is_own_checkout(tmp_path)


def test_a_repository_inside_our_checkout_is_not_our_own(tmp_path: Path) -> None:
    inner = checkout(tmp_path) / "projects" / "mine"
    inner.mkdir(parents=True)
    assert is_own_checkout(inner)
    (inner / ".git").mkdir()
    assert not is_own_checkout(inner)
    assert not is_own_checkout(inner / "docs")


def test_a_project_around_our_checkout_is_not_our_own(tmp_path: Path) -> None:
    checkout(tmp_path / "vendor" / "laconic")
    (tmp_path / ".git").mkdir()
    assert not is_own_checkout(tmp_path)
