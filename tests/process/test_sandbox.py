"""`--sandbox`: practice data in memory or in a folder, without the user's credentials or state."""

from pathlib import Path

import pytest

from tests.process.speaking import ERAS, run, serving

ROOT = Path(__file__).resolve().parents[2]
ORCHARD = f"{ROOT}/tests.toolsets.orchard:orchard"
SECRET = "only-for-the-real-one"
REAL = {"LACONIC_ORCHARD_PASSWORD": SECRET, "LACONIC_ORCHARD_URL": "http://127.0.0.1:9"}


@pytest.mark.parametrize("era", ERAS)
def test_practice_data_in_memory_is_gone_with_the_process(workspace: Path, era: str) -> None:
    for _ in range(2):
        with serving(ORCHARD, "--sandbox", folder=workspace, era=era, **REAL) as server:
            greeting = server.greet()
            assert greeting["instructions"] == (
                "Trees grow slowly.\n\norchard: practice data in a sandbox. Nothing in it is real."
            )
            assert server.call("tree_plant", name="oak") == "oak"
            assert server.call("tree_plant", name="elm") == "oak, elm"
            assert server.call("orchard_choose") == "None"
            assert server.call("orchard_choose", row=2) == "2"


def test_practice_data_in_a_folder_is_shared_by_processes(workspace: Path) -> None:
    folder = workspace.parent / "practice"
    with (
        serving(ORCHARD, "--sandbox", str(folder), folder=workspace) as one,
        serving(ORCHARD, "--sandbox", str(folder), folder=workspace) as other,
    ):
        one.greet()
        other.greet()
        assert one.call("tree_plant", name="oak") == "oak"
        assert other.call("tree_plant", name="elm") == "elm, oak"
        assert one.call("orchard_choose", row=2) == "2"
        assert other.call("orchard_choose") == "2"


@pytest.mark.parametrize("place", ["yes", "{}/practice"])
def test_real_credentials_and_settings_of_the_user_are_not_read(workspace: Path, place: str) -> None:
    (workspace / "laconic.toml").write_text("[orchard]\nrows = 7", encoding="utf-8")
    sandbox = place.format(workspace.parent)

    said = run("call", "-s", ORCHARD, "orchard_account", folder=workspace, LACONIC_SANDBOX=sandbox, **REAL)
    assert not (workspace.parent / "home" / "state").exists()
    real = run("call", "-s", ORCHARD, "orchard_account", folder=workspace, **REAL)

    home = str(workspace.parent / "home")
    assert said.stdout.startswith("7 '' '' "), said.stderr
    assert home not in said.stdout
    assert SECRET not in said.stdout
    assert real.stdout.startswith("7 'http://127.0.0.1:9'")
    assert f"{home}/.local/share/laconic/credentials/orchard" in real.stdout


def test_what_was_chosen_for_practice_is_not_chosen_for_real(workspace: Path) -> None:
    variables = {**REAL, "LACONIC_SANDBOX": "yes"}
    for _ in range(2):
        done = run("call", "-s", ORCHARD, "orchard_choose", "row=2", folder=workspace, **variables)
        assert done.stdout.strip() == "2", done.stderr
    assert run("call", "-s", ORCHARD, "orchard_choose", folder=workspace, **REAL).stdout.strip() == "None"


def test_servers_without_a_sandbox_are_refused(workspace: Path) -> None:
    done = run("serve", "example", "--sandbox", folder=workspace)

    assert done.returncode == 2
    assert "There is no sandbox for example. Leave --sandbox out." in done.stderr


def test_a_server_after_the_flag_is_not_taken_for_a_folder(workspace: Path) -> None:
    done = run("serve", "--sandbox", "example", folder=workspace)

    assert done.returncode == 2
    assert "--sandbox is 'example'. Expected: no value, or a folder with a slash" in done.stderr
