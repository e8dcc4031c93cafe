"""What people see of `laconic taiga`: questions on a terminal, refusals that name the option, exit codes."""

from pathlib import Path

import pytest

from laconic.sandbox.taiga.site.samples import PASSWORD
from tests.process.speaking import run
from tests.process.terminal import on_terminal
from tests.taiga_server import TaigaServer


def test_a_person_is_asked_for_what_is_missing_and_the_password_is_not_shown(
    site: TaigaServer, workspace: Path
) -> None:
    answers = [("Address", f"{site.url}\n"), ("Name or e-mail", "Alice@harbour.example\n")]
    answers += [("Password: ", f"{PASSWORD}\n")]  # the space comes when the terminal hides what is typed
    shown = on_terminal("taiga", "login", folder=workspace, then=answers)
    who = run("taiga", "whoami", folder=workspace)
    assert shown.status == 0 and f"Signed in to {site.root} as alice (Alice Harper)." in shown.text
    assert PASSWORD not in shown.text
    assert who.stdout == f"alice (Alice Harper) at {site.root}\n"


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ((), "Address of the instance is not given. Pass --url."),
        (("--url", "https://taiga.example"), "Name or e-mail address is not given. Pass --username."),
        (
            ("--url", "https://taiga.example", "-u", "alice"),
            "Password is not given. Pass --password-stdin.",
        ),
    ],
)
def test_where_nobody_can_answer_the_option_is_named(
    workspace: Path, words: tuple[str, ...], missing: str
) -> None:
    done = run("taiga", "login", *words, folder=workspace)
    assert (done.returncode, done.stdout) == (2, "") and missing in done.stderr


def test_an_address_that_is_none_is_refused_in_words_and_not_repeated(workspace: Path) -> None:
    words = ("-u", "alice", "--password-stdin", "--url", "https://alice:s3cret@taiga.example")
    done = run("taiga", "login", *words, folder=workspace, stdin="x\n")
    assert done.returncode == 2 and "The address of Taiga is not valid." in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and "s3cret" not in done.stderr


def test_an_address_that_others_can_read_along_is_warned_about(workspace: Path) -> None:
    more = ("-u", "alice", "--password-stdin")
    plain = run("taiga", "login", "--url", "http://taiga.invalid", *more, folder=workspace, stdin="x\n")
    assert plain.returncode == 1
    assert (
        "Note: http://taiga.invalid/api/v1 is not encrypted: others on the way can read it." in plain.stderr
    )
    assert (
        "Network unreachable: taiga.invalid cannot be reached: there is no host of that name." in plain.stderr
    )


def test_the_account_of_the_variables_signs_in_without_a_question(site: TaigaServer, workspace: Path) -> None:
    account = {"LACONIC_TAIGA_URL": site.url, "LACONIC_TAIGA_USERNAME": "bob"}
    done = run("taiga", "login", folder=workspace, LACONIC_TAIGA_PASSWORD=PASSWORD, **account)
    assert done.stdout == f"Signed in to {site.root} as bob (Bob Quay).\n", done.stderr


def test_what_fails_is_told_on_stderr_with_an_exit_code(site: TaigaServer, workspace: Path) -> None:
    account = {"LACONIC_TAIGA_URL": site.url, "LACONIC_TAIGA_USERNAME": "alice"}
    nobody = run("taiga", "logout", folder=workspace)
    doctor = run("doctor", "-s", "taiga", folder=workspace)
    unknown = run("taiga", "projects", folder=workspace)
    refused = run("taiga", "projects", folder=workspace, LACONIC_TAIGA_PASSWORD="guess", **account)
    signed_out = run("taiga", "whoami", folder=workspace, **account)
    (wrong,) = [line for line in doctor.stdout.splitlines() if line.startswith("WRONG")]
    assert wrong.startswith("WRONG taiga: No Taiga address is set. Run 'laconic taiga login'")
    assert "laconic.toml" not in wrong  # which may not name one
    assert (nobody.returncode, nobody.stdout) == (0, "Nobody was signed in.\n")
    for done, words in (
        (unknown, "No Taiga address is set. Run 'laconic taiga login'"),
        (refused, "A person must sign in again: 'laconic taiga login'."),
        (signed_out, "Nobody is signed in. Run 'laconic taiga login'"),
    ):
        assert done.returncode in (1, 2) and done.stdout == "" and words in done.stderr, done.stderr
    assert [one.path for one in site.app.seen] == ["auth"]
