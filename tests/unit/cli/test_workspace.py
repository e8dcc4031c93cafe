"""The workspace, the folders for its state and caches, and the secret."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest

from laconic.cli.configuration import secret_file
from laconic.cli.configuration.options import ServerOptions
from laconic.cli.configuration.workspace import Places, find_workspace, user_folder
from laconic.kit.errors import BadConfiguration


@pytest.mark.parametrize("kind", ["folder", "file"])  # a linked work tree has a file
def test_the_workspace_is_the_repository_around_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    inner = tmp_path / "repository" / "src" / "deep"
    inner.mkdir(parents=True)
    mark = tmp_path / "repository" / ".git"
    mark.mkdir() if kind == "folder" else mark.touch()
    monkeypatch.chdir(inner)

    assert find_workspace() == tmp_path / "repository"
    assert find_workspace(Path()) == inner  # a named folder is used as it is


def test_without_a_repository_it_is_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if any((folder / ".git").exists() for folder in tmp_path.parents):
        pytest.skip("the temporary folder is in a repository")

    assert find_workspace() == tmp_path


@pytest.mark.parametrize(
    ("kind", "platform", "variables", "expected"),
    [
        ("state", "linux", {}, "home/.local/state/laconic"),
        ("state", "linux", {"XDG_STATE_HOME": "/x"}, "/x/laconic"),
        ("state", "linux", {"XDG_STATE_HOME": "relative"}, "home/.local/state/laconic"),
        ("cache", "linux", {"XDG_CACHE_HOME": "/x"}, "/x/laconic"),
        ("state", "freebsd14", {}, "home/.local/state/laconic"),
        ("state", "darwin", {"XDG_STATE_HOME": "/x"}, "home/Library/Application Support/laconic"),
        ("cache", "darwin", {}, "home/Library/Caches/laconic"),
        ("state", "win32", {}, "home/AppData/Local/laconic"),
        ("cache", "win32", {}, "home/AppData/Local/laconic/cache"),
        ("data", "linux", {}, "home/.local/share/laconic"),
        ("data", "linux", {"XDG_DATA_HOME": "/x"}, "/x/laconic"),
        ("data", "win32", {"APPDATA": "relative"}, "home/AppData/Roaming/laconic"),
        ("config", "linux", {}, "home/.config/laconic"),
        ("config", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/laconic"),
        ("config", "darwin", {}, "home/Library/Application Support/laconic"),
    ],
)
def test_each_platform_has_its_place(
    kind: Literal["state", "cache", "data", "config"], platform: str, variables: dict[str, str], expected: str
) -> None:
    assert user_folder(kind, platform=platform, environ=variables, home=Path("home")) == Path(expected)


def test_two_workspaces_of_one_name_share_nothing_and_can_be_distinguished(tmp_path: Path) -> None:
    one, two = (
        Places.of(ServerOptions(workspace=tmp_path / parent / "my project", state=str(tmp_path)))
        for parent in ("a", "b")
    )

    assert one.state != two.state and one.store != two.store
    assert one.state.parent == tmp_path and one.state.name.startswith("my-project-")
    assert one.installs == two.installs  # hosts are the user's, not the workspace's


@pytest.mark.parametrize("url", ["redis://cache/1", "memory:", "sqlite:/var/x.db"])
def test_state_can_be_the_address_of_a_store(tmp_path: Path, url: str) -> None:
    places = Places.of(ServerOptions(workspace=tmp_path, state=url))

    assert places.store == url
    assert places.state.parent == user_folder("state")  # the secret still has its folder
    assert places.is_lasting is (url != "memory:")


def test_computing_the_places_creates_nothing(tmp_path: Path) -> None:
    Places.of(ServerOptions(workspace=tmp_path / "w", state=str(tmp_path / "s"), cache=tmp_path / "c"))

    assert list(tmp_path.iterdir()) == []


def test_the_secret_is_created_once_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "project"

    first, second = secret_file.keys(folder), secret_file.keys(folder)

    assert first == second and len(first) == 1 and len(first[0]) == 64
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret"]


def test_processes_that_create_it_at_once_agree_on_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = {tuple(keys) for keys in pool.map(secret_file.keys, [tmp_path] * 64)}

    assert len(found) == 1


def test_a_rotated_secret_signs_and_the_previous_one_still_verifies(tmp_path: Path) -> None:
    (old,) = secret_file.keys(tmp_path)
    assert secret_file.rotate(tmp_path) == 2
    new, former = secret_file.keys(tmp_path)
    secret_file.rotate(tmp_path)

    assert former == old and new != old
    assert secret_file.keys(tmp_path)[1:] == [new]  # two at most
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_given_secrets_replace_the_file(tmp_path: Path) -> None:
    given = ("a-new-secret-of-ours", "the-former-of-ours")

    assert secret_file.keys(tmp_path, given) == [b"a-new-secret-of-ours", b"the-former-of-ours"]
    assert list(tmp_path.iterdir()) == []


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="has 4 characters; the minimum is 16"):
        secret_file.keys(tmp_path, ("1234",))


def test_temporary_state_has_a_temporary_secret(tmp_path: Path) -> None:
    assert secret_file.keys(tmp_path, lasting=False) != secret_file.keys(tmp_path, lasting=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_named_with_a_remedy(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(BadConfiguration, match="cannot be used") as caught:
        secret_file.keys(tmp_path / "state")
    assert "LACONIC_STATE" in caught.value.advice
