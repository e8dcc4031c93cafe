"""The commands of a server: the package of the command line that has its name, without a list of them."""

from pathlib import Path

import pytest

from laconic.cli import servers
from laconic.cli.app import app
from laconic.cli.toolsets import OWN


def test_the_commands_of_a_server_are_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ours", "elsewhere"):
        package = tmp_path / "commands_of_mine" / name
        package.mkdir(parents=True)
        (package / "app.py").write_text(f"app = 'the commands of {name}'", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(servers, "__file__", str(tmp_path / "commands_of_mine" / "servers.py"))
    monkeypatch.setattr(servers, "__package__", "commands_of_mine")
    monkeypatch.setattr(servers, "OWN", {"ours": "", "without": ""})

    assert [str(found) for found in servers.commands()] == ["the commands of ours"]


def test_every_server_with_commands_has_its_group() -> None:
    folder = Path(servers.__file__).parent
    groups = {group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}

    assert {name for name in OWN if (folder / name / "app.py").is_file()} == groups & OWN.keys()
