"""Warming up: what the first call needs is loaded part by part while nobody asks."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.opening import Opened, open_stdio
from tests.process.speaking import environment
from tests.wire.odd import TOOLSETS
from tests.wire.talking import encoded, initialize, modern, notice, request
from tests.wire.test_imports import strangers

ABOUT = ServerCard.of(Endpoint(TOOLSETS, name="odd"))
OPENING = [initialize("2025-11-25", 1), notice("notifications/initialized")]
ISSUE = ".wrangler/issues/ISS-000001-a.md"
LIST = request(2, "tools/list")
CALL = request(9, "tools/call", name="odd_say", arguments={})


class Client:
    """A client that speaks while the server does a part, so that everything happens in one known order."""

    def __init__(self) -> None:
        self.hears, said = os.pipe()
        heard, self.says = os.pipe()
        os.set_blocking(self.hears, False)
        self.streams = (heard, said)
        self.log: list[Any] = []

    def send(self, *messages: Any) -> None:
        os.write(self.says, b"".join(encoded(one) + b"\n" for one in messages))

    def note(self, what: Any) -> None:
        """Note what was answered so far, and then this."""
        try:
            lines = os.read(self.hears, 1 << 20).splitlines()
        except BlockingIOError:
            lines = []
        self.log += [json.loads(line)["id"] for line in lines]
        self.log.append(what)

    def opened(self, ahead: Iterator[None]) -> Opened | None:
        return open_stdio(ABOUT, *self.streams, ahead)


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    for descriptor in {client.hears, client.says, *client.streams}:
        os.close(descriptor)


def speaking(client: Client, *said: Any) -> Iterator[None]:
    """Parts, in each of which the client sends one message; a part without a message is silent."""
    for number, message in enumerate(said, 1):
        client.note(f"part {number}")
        if message is not None:
            client.send(message)
        yield


def test_nothing_is_done_ahead_before_the_tools_are_listed(client: Client) -> None:
    client.send(*OPENING, request(3, "ping"), CALL)

    assert client.opened(speaking(client, None, None)) is not None

    client.note("end")
    assert client.log == [1, 3, "end"]


def test_a_request_that_arrives_is_answered_between_two_parts(client: Client) -> None:
    client.send(*OPENING, LIST)

    client.opened(speaking(client, None, request(3, "ping"), None, request(4, "tools/list"), None, CALL))

    assert client.log == [1, 2, "part 1", "part 2", 3, "part 3", "part 4", 4, "part 5", "part 6"]


def test_a_call_ends_it_and_is_the_next_to_be_served(client: Client) -> None:
    client.send(*OPENING, LIST)
    parts = speaking(client, None, CALL, None, None)

    opened = client.opened(parts)

    assert opened is not None
    assert [one.id for one in opened.requests] == [9]
    assert client.log[-1] == "part 2"


def test_a_modern_client_is_served_in_the_same_way(client: Client) -> None:
    client.send(modern(1, "server/discover"), modern(2, "tools/list"))

    client.opened(speaking(client, modern(3, "server/discover"), modern(9, "tools/call", name="odd_say")))

    assert client.log == [1, 2, "part 1", 3, "part 2"]


def test_what_fails_ahead_is_left_to_the_first_call(client: Client) -> None:
    def failing() -> Iterator[None]:
        client.send(CALL)
        raise OSError("no such library")
        yield

    client.send(*OPENING, LIST)

    opened = client.opened(failing())

    assert opened is not None
    assert [one.id for one in opened.requests] == [9]


class ShopSettings(BaseModel):
    shelves: int = 1


async def test_a_toolset_loads_ahead_what_it_declares() -> None:
    shop = Toolset("shop", settings=ShopSettings)
    loaded: list[int] = []

    @shop.ahead
    def load(section: ShopSettings) -> Iterator[None]:
        for number in range(section.shelves):
            loaded.append(number)
            yield

    endpoint = Endpoint([shop], settings=Settings(sections={"shop": {"shelves": 3}}))
    seen = [len(loaded) for _ in endpoint.ahead()]
    await endpoint.close()

    assert loaded == [0, 1, 2]
    assert seen[-3:] == [1, 2, 3]


# The real command: it is asked for the list, left alone until it has warmed up, and then told the rest

PROGRAM = """
import sys
bare = set(sys.modules)
from laconic.cli.serve import warming
from laconic.cli.main import main
parts = warming.parts
def told(prepared):
    try:
        yield from parts(prepared)
    except RuntimeError:
        pass
    from pydantic import BaseModel
    print(*(set(sys.modules) - bare), sep="\\n", file=sys.stderr)
    for one in BaseModel.__subclasses__():
        if one.model_config.get("strict"):
            print("arguments", one.__name__, file=sys.stderr)
    print("warm", file=sys.stderr, flush=True)
warming.parts = told
sys.exit(main(["serve", *sys.argv[1:]]))
"""


def warmed(folder: Path, rest: list[dict[str, Any]], *servers: str) -> tuple[set[str], list[Any], int]:
    """The modules that were imported ahead, the answers, and by how many bytes memory grew."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, *servers],
        cwd=folder,
        env=environment(folder.parent / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"".join(encoded(line) + b"\n" for line in [*OPENING, LIST]))
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in range(2)]
        before = memory(process.pid)
        modules = set[str]()
        for line in process.stderr:
            if line == b"warm\n":
                break
            modules.add(line.decode().strip())
        grown = memory(process.pid) - before
        more, _ = process.communicate(b"".join(encoded(line) + b"\n" for line in rest), timeout=60)
        assert process.returncode == 0
    return modules, [json.loads(line) for line in [*answers, *more.splitlines()]], grown


def memory(process: int) -> int:
    status = Path(f"/proc/{process}/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".wrangler/issues").mkdir(parents=True)
    (folder / ISSUE).write_text("---\nid: ISS-000001\ntitle: One\n---\nText.\n")
    return folder


def everything_in(folder: Path) -> dict[str, bytes | None]:
    paths = sorted(folder.rglob("*"))
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


def test_the_first_call_finds_everything_imported_and_no_argument_model_built(folder: Path) -> None:
    (folder / ISSUE).unlink()
    call = request(3, "tools/call", name="issues_list", arguments={})
    warmed(folder, [], "issues")  # makes the list, for which it needs every model

    modules, answers, _ = warmed(folder, [call], "issues")

    assert {"pydantic", "asyncio", "laconic.servers.issues.tools"} <= modules
    assert [name for name in modules if name.startswith("arguments ")] == []
    assert strangers(modules, "before", "after") == []
    assert "There are no issues" in json.dumps(answers[-1]["result"])


def test_the_files_of_a_workspace_are_read_ahead(folder: Path) -> None:
    (folder / ISSUE).write_text("---\nid: ISS-000001\ntitle: One # which only the parser reads\n---\nText.\n")
    call = request(3, "tools/call", name="issues_list", arguments={})

    modules, answers, _ = warmed(folder, [call], "issues")

    assert "yaml" in modules
    assert "One" in json.dumps(answers[-1]["result"])


def test_a_server_that_is_never_called_grows_little_and_leaves_nothing_behind(folder: Path) -> None:
    warmed(folder, [], "issues")  # makes the list
    before = everything_in(folder.parent)

    _, answers, grown = warmed(folder, [], "issues")

    assert everything_in(folder.parent) == before
    assert len(answers) == 2
    assert grown < 22 << 20


def test_a_toolset_that_cannot_be_imported_is_reported_by_the_first_call(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "import sys\nfrom pathlib import Path\nfrom laconic.kit import Toolset\nmine = Toolset('mine')\n"
        "@mine.read\ndef mine_say() -> str:\n    'Say.'\n    return 'hello'\n"
        "if Path('broken').exists():\n    sys.exit(3)\n"
    )
    call = request(3, "tools/call", name="mine_say", arguments={})
    _, answers, _ = warmed(folder, [call], "mine:mine")
    assert "hello" in json.dumps(answers[-1])

    (folder / "broken").touch()
    _, answers, _ = warmed(folder, [call, request(4, "ping")], "mine:mine")

    assert {one["id"]: "result" in one for one in answers} == {1: True, 2: True, 3: False, 4: True}
