"""A cloned repository configures nothing that would give it a password, and the user's own file does."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.process.speaking import ERAS, own_file, run, serving

PASSWORD = "correct-horse-battery"
BANK = '''
import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from pydantic import BaseModel, SecretStr
from laconic.kit import Home, Toolset, UserOnly


class Login(BaseModel):
    user: str = "ann"
    address: Annotated[str, UserOnly()] = ""


class Section(BaseModel):
    colour: str = "blue"
    address: Annotated[str, UserOnly()] = "127.0.0.1:9"
    password: SecretStr = SecretStr("")
    logins: dict[str, Login] = {}


class Bank:
    def __init__(self, section: Section, home: Home) -> None:
        self.section, self.home = section, home


bank = Toolset("bank", "A bank.", provides=(Bank,), settings=Section)


@bank.factory
async def open_bank(section: Section, home: Home) -> AsyncIterator[Bank]:
    yield Bank(section, home)


@bank.read
async def bank_balance(bank: Bank) -> str:
    """Sign in and tell the balance."""
    host, _, port = bank.section.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(bank.section.password.get_secret_value().encode())
    await writer.drain()
    writer.close()
    return f"Signed in, {bank.section.colour}."


class Account:
    pass


@bank.each_call(listed=lambda section: len(section.logins) > 1)
async def account(login: str = "") -> Account:
    return Account()


@bank.read
async def bank_account(account: Account) -> str:
    """Tell the account."""
    return "The only one."


@bank.read
async def bank_places(bank: Bank) -> str:
    """Tell where credentials are."""
    return str(bank.home.credentials)
'''


class Listener:
    """A port of this machine that remembers what it receives."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.heard = b""
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                while received := connection.recv(4096):
                    self.heard += received

    def close(self) -> None:
        with suppress(OSError):  # it was closed before
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture
def bank(workspace: Path) -> str:
    """The user's own server, outside of the workspace."""
    folder = workspace.parent / "mine"
    folder.mkdir()
    (folder / "banks.py").write_text(BANK, encoding="utf-8")
    return f"{folder}/banks:bank"


def strangers_file(workspace: Path, content: str) -> None:
    (workspace / "laconic.toml").write_text(content, encoding="utf-8")


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("table", ["[bank]\naddress = '{}'", "[bank.logins.ann]\naddress = '{}'"])
def test_a_cloned_repository_that_points_elsewhere_never_receives_the_password(
    workspace: Path, bank: str, listener: Listener, era: str, table: str
) -> None:
    strangers_file(workspace, table.format(listener.address))

    with serving(bank, folder=workspace, era=era, LACONIC_BANK_PASSWORD=PASSWORD) as server:
        server.greet()
        said = server.call("bank_balance")
        assert "is for you alone to decide, so it is not read from laconic.toml" in said
        assert "LACONIC_BANK_" in said
        assert "config.toml" in said
    assert listener.heard == b""


@pytest.mark.parametrize("key", ["workspace", "cache"])
def test_a_cloned_repository_cannot_move_a_server_to_another_folder(
    workspace: Path, bank: str, key: str
) -> None:
    strangers_file(workspace, f"[bank]\n{key} = '/'")

    done = run("call", "-s", bank, "bank_places", folder=workspace)

    assert f"[bank] {key} is not read from laconic.toml in the workspace." in done.stderr


def test_the_user_decides_where_the_password_goes(workspace: Path, bank: str, listener: Listener) -> None:
    strangers_file(workspace, "[bank]\ncolour = 'red'")
    own_file(workspace, f"[bank]\naddress = '{listener.address}'\npassword = '{PASSWORD}'")

    done = run("call", "-s", bank, "bank_balance", folder=workspace)

    assert done.stdout.strip() == "Signed in, red.", done.stderr
    listener.close()
    assert listener.heard == PASSWORD.encode()


def test_a_secret_in_a_repository_is_refused_and_never_repeated(workspace: Path, bank: str) -> None:
    strangers_file(workspace, f"[bank]\npassword = '{PASSWORD}'")

    done = run("call", "-s", bank, "bank_balance", folder=workspace)
    doctor = run("doctor", "-s", bank, folder=workspace)

    assert "[bank] password is a secret, so it is not read from laconic.toml in the workspace." in done.stderr
    assert "Set LACONIC_BANK_PASSWORD" in done.stderr
    assert "Set LACONIC_BANK_PASSWORD" in doctor.stdout
    assert PASSWORD not in done.stdout + done.stderr + doctor.stdout + doctor.stderr


def test_the_doctor_names_the_users_own_file_and_who_can_read_its_secrets(workspace: Path, bank: str) -> None:
    without = run("doctor", "-s", bank, folder=workspace).stdout
    assert "no ~/.config/laconic/config.toml" in without

    path = own_file(workspace, f"[bank]\npassword = '{PASSWORD}'", mode=0o644)
    open_to_all = run("doctor", "-s", bank, folder=workspace)
    path.chmod(0o600)
    private = run("doctor", "-s", bank, folder=workspace)
    own_file(workspace, "[bank]\ncolour = 'red'", mode=0o644)
    no_secret = run("doctor", "-s", bank, folder=workspace)

    assert f"other users can read its secrets. Run: chmod 600 '{path}'" in open_to_all.stdout
    assert open_to_all.returncode == 1
    assert f"ok    configuration: {path}" in private.stdout
    assert (private.returncode, no_secret.returncode) == (0, 0)
    assert PASSWORD not in open_to_all.stdout + open_to_all.stderr + private.stdout


def test_credentials_are_in_one_folder_of_the_user_for_all_workspaces(workspace: Path, bank: str) -> None:
    other = workspace.parent / "other"
    other.mkdir()

    places = {run("call", "-s", bank, "bank_places", folder=folder).stdout for folder in (workspace, other)}

    assert len(places) == 1
    assert ".local/share/laconic/credentials/bank" in places.pop()
    folder = workspace.parent / "home" / ".local" / "share" / "laconic" / "credentials"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_parameter_is_listed_for_those_who_have_several_accounts(workspace: Path, bank: str) -> None:
    for logins, is_listed in (("ann", False), ("ann ben", True), ("ann", False)):
        own_file(workspace, "\n".join(f"[bank.logins.{name}]" for name in logins.split()))
        shown = run("tools", "-s", bank, "bank_account", folder=workspace).stdout
        assert ("login" in shown) is is_listed, shown
    for logins, is_listed in (('{"ann": {}, "ben": {}}', True), ('{"ann": {}}', False)):
        shown = run("tools", "-s", bank, "bank_account", folder=workspace, LACONIC_BANK_LOGINS=logins).stdout
        assert ("login" in shown) is is_listed, shown
