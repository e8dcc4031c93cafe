"""A toolset's own secrets are hidden by value, wherever a model or the log would show them."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretBytes, SecretStr, field_validator

from laconic.cli import logs
from laconic.cli.configuration.options import ServerOptions
from laconic.cli.doctor.checks import CheckResult
from laconic.kit import BadConfiguration, Failure, Settings, Toolset, UpstreamDown
from laconic.kit import redaction as process
from laconic.kit.redaction import Redactor
from laconic.kit.settings import read_section
from laconic.kit.testing import connect


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    monkeypatch.setattr(process, "_known", [])
    yield
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


class Account(BaseModel):
    name: str
    pin: SecretBytes = SecretBytes(b"")


class Login(BaseModel):
    password: SecretStr
    spare: SecretStr = SecretStr("spare wheel")
    accounts: list[Account] = []

    @field_validator("password")
    @classmethod
    def _long(cls, password: SecretStr) -> SecretStr:
        if len(password.get_secret_value()) < 8:
            raise ValueError(f"{password.get_secret_value()} is too short")
        return password


class Garden:
    """What a tool gets."""

    def __init__(self, login: Login) -> None:
        self.login = login


def _garden() -> Toolset:
    toolset = Toolset("garden", provides=(Garden,), settings=Login)

    @toolset.factory
    async def open_garden(login: Login) -> AsyncIterator[Garden]:
        yield Garden(login)

    @toolset.read
    async def gate_open(garden: Garden) -> str:
        """Open the gate."""
        login = garden.login
        pins = [account.pin.get_secret_value().decode() for account in login.accounts]
        raise UpstreamDown(
            f"{login.password.get_secret_value()}, {login.spare.get_secret_value()} and {pins} were refused",
            details={"tried": [login.password.get_secret_value()]},
        )

    @toolset.read
    async def gate_show(garden: Garden) -> str:
        """Show the key."""
        return f"The password is {garden.login.password.get_secret_value()}."

    return toolset


SECTIONS = {"garden": {"password": "blue whale", "accounts": [{"name": "ada", "pin": "orange"}]}}
HIDDEN = ("blue whale", "spare wheel", "orange")


@pytest.mark.parametrize("output", ["text", "both"])
async def test_a_failure_does_not_show_the_secrets_of_a_toolset(output: str) -> None:
    settings = Settings(output=output, sections=SECTIONS)  # type: ignore[arg-type]  # one of the words
    async with connect(_garden(), settings=settings) as client:
        reply = await client.call("gate_open")
    said = reply.text + repr(reply.error) + repr(reply.structured)
    assert "were refused" in said
    assert not [secret for secret in HIDDEN if secret in said]


async def test_an_answer_is_data_and_is_not_touched() -> None:
    async with connect(_garden(), settings=Settings(sections=SECTIONS)) as client:
        reply = await client.call("gate_show")
    assert reply.text == "The password is blue whale."


class Kept(logging.Handler):
    """A handler that an author attached to the kit's logger, with the lines it wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Format the line, and look at the exception as an error tracker does."""
        self.lines.append(self.format(record) + str(record.exc_info) + str(record.__dict__.get("facts", "")))


async def test_the_kits_own_log_shows_no_secret_however_the_server_was_started() -> None:
    toolset = _garden()

    @toolset.read
    async def gate_break(garden: Garden) -> str:
        """Fail with a bug."""
        raise ValueError(f"{garden.login.password.get_secret_value()}, password=hunter2, /home/ada/x")

    kept = Kept()
    logging.getLogger("laconic").addHandler(kept)
    filters = logging.root.filters[:]
    try:
        async with connect(toolset, settings=Settings(sections=SECTIONS)) as client:
            await client.call("gate_break")
    finally:
        logging.getLogger("laconic").removeHandler(kept)

    said = "\n".join(kept.lines)
    assert "Traceback" in said and "ValueError: [hidden], password=[hidden], /home/ada/x" in said
    assert "blue whale" not in said and "hunter2" not in said
    assert logging.root.filters == filters


def test_the_facts_of_a_log_line_show_no_secret() -> None:
    kept = Kept()
    log = process.redacted_log("laconic.test")
    log.addHandler(kept)
    log.warning("sent %s", "token=abcdef", stack_info=True, extra={"facts": {"sent": ["token=abcdef", 7]}})
    log.removeHandler(kept)

    assert "abcdef" not in kept.lines[0]
    assert kept.lines[0].startswith("sent token=[hidden]\nStack")
    assert kept.lines[0].endswith("{'sent': ['token=[hidden]', 7]}")


def test_a_line_whose_arguments_do_not_fit_is_still_logged() -> None:
    kept = Kept()
    log = process.redacted_log("laconic.test")
    log.addHandler(kept)
    log.warning("two: %s and %s", "token=abcdef")
    log.removeHandler(kept)

    assert kept.lines[0].startswith("two: %s and %s ('token=[hidden]',)")


async def test_the_log_and_the_doctor_do_not_show_them(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up(ServerOptions(log="human"))
    read_section("garden", SECTIONS["garden"], Login)
    logging.getLogger("laconic").warning("sent blue whale, spare wheel, orange, blue%20whale")
    line = CheckResult(False, "garden", "blue whale was refused, see /home/ada/x").line

    said = capfd.readouterr().err
    assert "sent [hidden], [hidden], [hidden], [hidden]" in said
    assert line == "WRONG garden: [hidden] was refused, see /home/ada/x"


def test_a_section_that_is_refused_does_not_show_its_secret() -> None:
    with pytest.raises(BadConfiguration) as refused:
        read_section("garden", {"password": "orchid"}, Login)
    assert "orchid" in refused.value.message
    assert "orchid" not in Redactor().for_model(refused.value.message)


async def test_paths_in_the_workspace_are_relative_in_an_error(tmp_path: Path) -> None:
    toolset = Toolset("broken")

    @toolset.read
    async def broken_get() -> str:
        """Fail."""
        raise Failure(f"{tmp_path}/a/b.md is broken, and so is {tmp_path}", advice=f"Look into {tmp_path}/a.")

    settings = Settings(sections={"broken": {"workspace": str(tmp_path)}})
    async with connect(toolset, settings=settings) as client:
        reply = await client.call("broken_get")
    assert reply.text == (
        "Error [TOOL_EXECUTION_ERROR]: a/b.md is broken, and so is the workspace. Look into a."
    )


async def test_what_the_caller_sent_is_repeated_and_what_an_author_declares_safe_is_shown() -> None:
    toolset = Toolset("broken")

    @toolset.read
    async def broken_get(path: str) -> str:
        """Fail."""
        raise Failure(f"{path} is not /home/ada/x.md")

    @toolset.read
    async def broken_help() -> str:
        """Fail."""
        raise Failure("Set password=example1 in /etc/garden.conf", safe=True)

    async with connect(toolset) as client:
        sent = await client.call("broken_get", path="/home/bob/y.md")
        safe = await client.call("broken_help")
    assert sent.text == "Error [TOOL_EXECUTION_ERROR]: /home/bob/y.md is not ~/x.md"
    assert safe.text == "Error [TOOL_EXECUTION_ERROR]: Set password=example1 in /etc/garden.conf"


class Pin(BaseModel):
    """A secret that is short enough to occur in any text."""

    pin: SecretStr


async def test_a_secret_of_fewer_than_six_characters_is_not_looked_for() -> None:
    toolset = Toolset("door", provides=(Pin,), settings=Pin)

    @toolset.factory
    async def opened(section: Pin) -> AsyncIterator[Pin]:
        yield section

    @toolset.read
    async def door_open(pin: Pin) -> str:
        """Open the door."""
        raise UpstreamDown(f"It said {pin.pin.get_secret_value()}.")

    for pin, said in (("door5", "It said door5."), ("door66", "It said [hidden].")):
        async with connect(toolset, settings=Settings(sections={"door": {"pin": pin}})) as client:
            assert said in (await client.call("door_open")).text
