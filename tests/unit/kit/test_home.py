"""What a factory is told: private folders, its part of the state store, leases, whose services they are."""

import asyncio
import stat
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Caller, Endpoint, Home, HomeFolders, Settings, Toolset
from laconic.kit.peer import SilentPeer
from laconic.kit.redaction import without_secrets
from laconic.kit.supplying.services import Services
from laconic.kit.testing import FakeClock, connect
from laconic.stores.keyvalue.memory import MemoryStore
from laconic.upstream import Credential, credential_name

ANN, BEN = Caller("ann"), Caller("ben")


class Account:
    """A service that keeps its home."""

    def __init__(self, home: Home) -> None:
        self.home = home


def _account(name: str = "bank", *, per_caller: bool = False, closed: list[str] | None = None) -> Toolset:
    toolset = Toolset(name, provides=(Account,))

    @toolset.factory(per_caller=per_caller)
    async def opened(section: Any, home: Home) -> AsyncIterator[Account]:
        yield Account(home)
        if closed is not None:
            closed.append(home.caller.name if home.caller else "shared")

    @toolset.read(name=f"{name}_owner")
    async def owner(account: Account) -> str:
        """Show whose account it is."""
        return account.home.caller.name if account.home.caller else "everybody"

    return toolset


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def _home(endpoint: Endpoint, toolset: str = "bank") -> Home:
    account: Account = (await endpoint.supplies.of(toolset))[Account]
    return account.home


async def test_a_factory_gets_private_folders_outside_the_workspace(tmp_path: Path) -> None:
    folders = HomeFolders(tmp_path / "state", tmp_path / "cache", tmp_path / "data")
    workspace = tmp_path / "workspace"
    sections = {"bank": {"workspace": str(workspace)}}
    endpoint = Endpoint([_account()], settings=Settings(sections=sections), folders=folders)
    home = await _home(endpoint)

    assert home.workspace == workspace
    assert not workspace.exists()
    places = (home.state, home.cache, home.data, home.credentials)
    assert [str(place.relative_to(tmp_path)) for place in places] == [
        "state/bank",
        "cache/bank",
        "data",
        "data/credentials/bank",
    ]
    for place in (*places, home.data / "credentials"):
        assert _mode(place) == 0o700
    assert not home.is_http
    assert home.now() > 0
    await endpoint.close()


async def test_a_credentials_folder_that_others_can_enter_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "data" / "credentials" / "bank").mkdir(parents=True, mode=0o755)
    endpoint = Endpoint([_account()], folders=HomeFolders.below(tmp_path))

    assert _mode((await _home(endpoint)).credentials) == 0o700
    await endpoint.close()


async def test_credentials_are_the_same_in_every_workspace(tmp_path: Path) -> None:
    found = set()
    for name in ("a", "b"):
        folders = HomeFolders(tmp_path / name / "state", tmp_path / "cache", tmp_path / "data")
        endpoint = Endpoint([_account()], folders=folders)
        found.add((await _home(endpoint)).credentials)
        await endpoint.close()
    assert len(found) == 1


async def test_without_folders_they_are_temporary_and_gone_at_the_end() -> None:
    async with connect(_account()) as client:
        state = (await _home(client.endpoint)).state
        assert state.is_dir()
    assert not state.exists()


async def test_the_store_of_a_toolset_shows_nothing_of_another() -> None:
    endpoint = Endpoint([_account("bank"), _account("shop")], state=MemoryStore())
    bank, shop = (await _home(endpoint, "bank")).store, (await _home(endpoint, "shop")).store
    await bank.put("rate", b"1")
    assert await bank.put_new("rate", b"2") is False
    assert await bank.replace("rate", b"1", b"3") is True
    assert (await bank.count("calls", 60)).number == 1

    assert await bank.get("rate") == b"3"
    assert await bank.touch("rate", 60) is True
    assert await bank.keys() == ["calls", "rate"]
    assert await bank.keys("r") == ["rate"]
    assert await shop.get("rate") is None
    assert await shop.keys() == []
    assert await bank.delete("rate") is True
    await endpoint.close()


async def test_one_of_several_processes_gets_a_lease() -> None:
    state = MemoryStore()
    first, second = Endpoint([_account()], state=state), Endpoint([_account()], state=state)
    one, other = await _home(first), await _home(second)

    assert await one.lease("purge", 3600)
    assert not await other.lease("purge", 3600)
    assert await other.lease("mail", 3600)
    await first.close()
    await second.close()


async def test_over_http_services_open_at_the_start_and_know_it() -> None:
    opened: list[bool] = []
    is_open = asyncio.Event()
    toolset, broken = Toolset("bank", provides=(Account,)), Toolset("broken", provides=(int,))

    @toolset.factory
    async def open_account(section: Any, home: Home) -> AsyncIterator[Account]:
        opened.append(home.is_http)
        is_open.set()
        yield Account(home)

    @broken.factory
    async def fail(section: Any) -> AsyncIterator[int]:
        raise ValueError("no such host")
        yield 1

    @broken.read
    async def number(value: int) -> str:
        """Fail."""
        return str(value)

    async with connect(toolset, broken, over="http") as client:
        async with asyncio.timeout(10):
            await is_open.wait()
        assert "no such host" in (await client.call("number")).text  # the others work
    async with connect(toolset, over="lean"):
        pass
    assert opened == [True]


async def test_each_caller_can_have_services_of_its_own(tmp_path: Path) -> None:
    closed: list[str] = []
    endpoint = Endpoint([_account(per_caller=True, closed=closed)], folders=HomeFolders.below(tmp_path))

    for caller in (ANN, BEN, ANN):
        answer = await endpoint.call_tool("bank_owner", {}, SilentPeer(caller))
        assert answer.text == caller.name
    homes = [(await endpoint.supplies.of("bank", caller))[Account].home for caller in (ANN, BEN, Caller())]
    assert len({home.credentials for home in homes}) == 3
    assert homes[2].credentials == tmp_path / "data" / "credentials" / "bank"
    await endpoint.close()
    assert sorted(closed) == ["ann", "ben", "local"]


async def test_services_of_a_caller_are_never_given_where_no_caller_is_known() -> None:
    endpoint = Endpoint([_account(per_caller=True)])
    with pytest.raises(Exception, match="opened for a caller, and there is none"):
        await endpoint.supplies.of("bank")
    await endpoint.close()


async def test_a_credential_is_kept_for_its_host_and_account_only(tmp_path: Path) -> None:
    endpoint = Endpoint([_account()], folders=HomeFolders.below(tmp_path))
    home = await _home(endpoint)
    kept = home.credential("https://bank.example/api", "ann")
    kept.write(Credential("tell-nobody-this", refresh="nor-this-one"))

    again = (await _home(endpoint)).credential("https://bank.example", "ann").read()
    assert again is not None
    assert again.token == "tell-nobody-this"
    assert home.credential("https://bank.example", "ben").read() is None
    assert home.credential("https://other.example", "ann").read() is None
    (file,) = (path for path in home.credentials.iterdir() if path.suffix == ".json")
    assert _mode(file) == 0o600
    stolen = home.credential("https://other.example", "ann")
    file.rename(home.credentials / credential_name("https://other.example", "ann"))
    assert stolen.read() is None
    assert without_secrets("It said tell-nobody-this and nor-this-one.") == "It said [hidden] and [hidden]."
    await endpoint.close()


async def test_services_of_a_caller_who_left_are_closed_after_a_while() -> None:
    closed: list[str] = []
    clock, toolset = FakeClock(), _account(per_caller=True, closed=closed)
    whole = Endpoint([toolset]).supplies
    services = Services(toolset, dict, partial(whole.home, "bank"), now=clock)

    ann = (await services.of(ANN))[Account]
    clock.forward(20 * 60)
    await services.of(BEN)
    assert (await services.of(ANN))[Account] is ann
    clock.forward(25 * 60)
    assert (await services.of(ANN))[Account] is ann  # 45 minutes after the first call, 25 after the last
    clock.forward(10 * 60)
    await services.of(ANN)
    await asyncio.sleep(0.01)
    assert closed == ["ben"]
    await services.close()
    assert closed == ["ben", "ann"]
    await whole.close()


def test_the_docs_name_everything_that_a_factory_is_told() -> None:
    page = (Path(__file__).parents[3] / "docs" / "accounts.md").read_text("utf-8")
    told = {name for name in [*vars(Home), *Home.__annotations__] if not name.startswith("_")}
    inside = {"folders", "toolset"}  # what the others are made of

    assert [name for name in told - inside if f"`{name}`" not in page and f"home.{name}(" not in page] == []
