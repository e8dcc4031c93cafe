"""The log: for people and for programs, and never a secret in it."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from laconic.cli import logs
from laconic.cli.configuration.options import ServerOptions

SECRETS = ServerOptions(
    log="json",
    verbose=True,
    secret=("first-secret-of-all", "second-secret"),
    token="bearer-token-value",
    tokens={"ci": "token-of-ci", "ada": "sha256:00ff"},
)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    yield
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    for name in ("laconic", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def call_line() -> None:
    facts = {"tool": "memo_list", "outcome": "success", "ms": 1.5, "tokens": 7, "trace": "0a1b"}
    logging.getLogger("laconic.call").info(
        "%s %s %.1f ms ~%d tokens %s", *facts.values(), extra={"facts": facts}
    )


def test_a_program_reads_the_facts_of_a_call_under_their_names(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up(ServerOptions(log="json", verbose=True))
    call_line()

    out, err = capfd.readouterr()
    line = json.loads(err)
    assert out == ""
    assert (line["tool"], line["outcome"], line["tokens"], line["level"]) == (
        "memo_list",
        "success",
        7,
        "info",
    )


def test_a_person_reads_one_short_line(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up(ServerOptions(log="human", verbose=True))
    call_line()
    logging.getLogger("laconic").warning("mind the gap")

    call, warning = capfd.readouterr().err.splitlines()
    assert call.partition(" ")[2] == "memo_list success 1.5 ms ~7 tokens 0a1b"
    assert warning.partition(" ")[2] == "warning: mind the gap"


def test_without_verbose_calls_are_not_logged(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up(ServerOptions(log="json"))
    call_line()

    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("form", ["json", "human"])
def test_no_secret_is_ever_logged(capfd: pytest.CaptureFixture[str], form: str) -> None:
    logs.set_up(ServerOptions(**{**vars(SECRETS), "log": form}))
    log = logging.getLogger("laconic")
    log.warning("signed with first-secret-of-all and second-secret")
    log.warning("Authorization: Basic dXNlcjpwYXNz and authorization='Bearer abc.def'")
    log.warning("sent %s", {"Authorization": "Bearer opaque-token-1"})
    log.warning("opened redis://user:pass-word@cache:6379/0")
    try:
        raise ValueError("bearer-token-value was refused, so was token-of-ci")
    except ValueError:
        log.exception("bug")

    said = capfd.readouterr().err
    for word in (*SECRETS.secret, "dXNlcjpwYXNz", "abc.def", "opaque-token-1", "pass-word"):
        assert word not in said
    for word in ("bearer-token-value", "token-of-ci"):
        assert word not in said
    assert "redis://user:[hidden]@cache:6379/0" in said and "Traceback" in said


@pytest.mark.parametrize("option", ["database", "state"])
def test_the_password_in_an_address_is_hidden_wherever_it_stands(
    capfd: pytest.CaptureFixture[str], option: str
) -> None:
    addresses = {
        f"postgresql://ada:{option}-plain@db/laconic": f"{option}-plain",
        f"redis://:{option}%2Ffolded@cache:6379/0": f"{option}/folded",
        f"redis://:{option}%2fsmall@cache:6379/0": f"{option}%2fsmall",
    }
    for address, password in addresses.items():
        logs.set_up(replace(ServerOptions(log="human"), **{option: address}))  # type: ignore[arg-type]
        logging.getLogger("laconic").warning("refused %s of ada", password)

    assert capfd.readouterr().err.count("refused [hidden] of ada") == len(addresses)


@pytest.mark.parametrize("address", ["redis://[", "memory:", "/srv/state", "redis://cache:6379/0"])
def test_an_address_without_a_password_hides_nothing(capfd: pytest.CaptureFixture[str], address: str) -> None:
    logs.set_up(ServerOptions(log="human", state=address))
    logging.getLogger("laconic").warning("opened %s", address)

    assert f"opened {address}" in capfd.readouterr().err


@pytest.mark.parametrize("form", ["json", "human"])
def test_passwords_and_tokens_are_not_logged_and_paths_are(
    capfd: pytest.CaptureFixture[str], form: str
) -> None:
    logs.set_up(ServerOptions(log=form, workspace=Path("/srv/garden")))
    log = logging.getLogger("laconic")
    log.warning("login with password=hunter2 and api_key: 0a1b2c3d")
    log.warning("the facts", extra={"facts": {"sent": {"token": ["token=abcdef"]}}})
    log.warning("cannot read /home/ada/notes.md, /tmp/ada/x and /srv/garden/beds/a.md")
    try:
        raise ValueError("refused Bearer sk_live_0a1b2c3d for /home/ada/keys")
    except ValueError:
        log.exception("bug")

    said = capfd.readouterr().err
    for word in ("hunter2", "0a1b2c3d", "abcdef", "sk_live"):
        assert word not in said
    assert "/home/ada/notes.md, /tmp/ada/x and /srv/garden/beds/a.md" in said and "Traceback" in said
