"""A toolset of someone else, served by name of its module: its settings, its name and its version."""

import re
from pathlib import Path

import pytest

from tests.process.speaking import ERAS, Stdio, run, serving

SHOP = '''
from collections.abc import AsyncIterator
from pydantic import BaseModel
from laconic.kit import Ask, Toolset


class Section(BaseModel):
    supplier_url: str = "nowhere"


class Supplier:
    def __init__(self, url: str) -> None:
        self.url = url


shop = Toolset("shop", "A shop.", provides=(Supplier,), settings=Section, version="1.4.0")
bare = Toolset("bare", "No version.")


@shop.factory
async def open_shop(section: Section) -> AsyncIterator[Supplier]:
    yield Supplier(section.supplier_url)


@shop.read
async def shop_ask(ask: Ask) -> str:
    """Ask."""
    return (await ask("Which?", Section)).supplier_url


@shop.read
async def shop_supplier(supplier: Supplier) -> str:
    """Tell who delivers."""
    return supplier.url


@bare.read
async def bare_get() -> str:
    """Tell nothing."""
    return ""
'''


def about(server: Stdio) -> dict[str, str]:
    """The name and version that a client is given."""
    greeting = server.greet()
    modern = greeting.get("_meta", {}).get("io.modelcontextprotocol/serverInfo")
    found: dict[str, str] = greeting.get("serverInfo") or modern
    return found


@pytest.fixture
def foreign(workspace: Path) -> Path:
    (workspace / "shops.py").write_text(SHOP, encoding="utf-8")
    return workspace


def test_variables_configure_it(foreign: Path) -> None:
    with serving(
        "shops:shop", folder=foreign, LACONIC_SHOP_SUPPLIER_URL="https://supplier.example"
    ) as server:
        assert server.call("shop_supplier") == "https://supplier.example"


def test_a_command_takes_the_same_variables(foreign: Path) -> None:
    words = ("call", "-s", "shops:shop", "shop_supplier")

    done = run(*words, folder=foreign, LACONIC_SHOP_SUPPLIER_URL="https://supplier.example")

    assert done.stdout == "https://supplier.example\n"


def test_a_tool_that_asks_is_not_called_from_the_command_line(foreign: Path) -> None:
    done = run("call", "-s", "shops:shop", "shop_ask", folder=foreign)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: shop_ask asks the user a question, which 'laconic call' cannot answer.\n"


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("LACONIC_SHOP_SUPLIER_URL", "Unknown key 'suplier_url' in [shop]. Did you mean 'supplier_url'?"),
        ("LACONIC_STORE_SUPPLIER_URL", "Unknown variable 'LACONIC_STORE_SUPPLIER_URL'."),
    ],
)
def test_a_variable_of_nobody_is_refused(foreign: Path, variable: str, said: str) -> None:
    done = run("call", "-s", "shops:shop", "shop_supplier", folder=foreign, **{variable: "x"})

    assert done.returncode != 0
    assert said in done.stderr


@pytest.mark.parametrize("wire", ["lean", "sdk"])
@pytest.mark.parametrize("era", ERAS)
def test_clients_see_its_own_name_and_version(foreign: Path, era: str, wire: str) -> None:
    with serving("shops:shop", "--wire", wire, folder=foreign, era=era) as server:
        assert about(server) == {"name": "shop", "version": "1.4.0"}


@pytest.mark.parametrize(
    ("served", "name", "version"),
    [("shops:bare", "bare", "0"), ("shops:bare shops:shop", "bare-shop", "1.4.0")],
)
def test_a_server_without_a_version_or_with_two_toolsets_is_still_its_authors(
    foreign: Path, served: str, name: str, version: str
) -> None:
    with serving(*served.split(), folder=foreign) as server:
        assert about(server) == {"name": name, "version": version}


def test_beside_one_of_ours_the_server_is_ours(foreign: Path) -> None:
    with serving("example", "shops:shop", folder=foreign) as server:
        assert about(server)["name"] == "laconic"


@pytest.mark.parametrize("host", ["claude-code", "claude-desktop", "cursor"])
def test_what_install_writes_starts_it_in_any_folder_that_the_host_chooses(
    foreign: Path, tmp_path: Path, host: str
) -> None:
    deep = foreign / "deep"
    deep.mkdir()
    (foreign / "shops.py").rename(deep / "shops.py")
    (foreign / ".git").mkdir()  # the workspace is the repository, not the folder of the module

    done = run("install", host, "shops:shop", "--dry-run", folder=deep)

    assert done.returncode == 0, done.stderr
    written = re.findall(r'"([^"]*shops:shop)"', done.stdout)
    start = foreign if host == "claude-code" else tmp_path
    with serving(*written, folder=start) as server:
        assert about(server)["name"] == "shop"
