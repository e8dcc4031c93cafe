"""What a server checks about itself, and the journal, in `laconic doctor`."""

from pathlib import Path

import pytest

from tests.process.speaking import run

STATION = '''
from collections.abc import AsyncIterator, Iterator
from laconic.kit import Diagnosis, Refused, Toolset


class Station:
    name = "ada"


station = Toolset("station", "A station.", provides=(Station,))


@station.factory
async def open_station(section: object) -> AsyncIterator[Station]:
    yield Station()


@station.read
async def station_name(station: Station) -> str:
    """Read its name."""
    return station.name


@station.checkup
async def sign_in(station: Station) -> Diagnosis:
    return Diagnosis("sign-in", f"as {station.name}")


@station.checkup
def tables(station: Station) -> Iterator[Diagnosis]:
    yield Diagnosis("tables", "3, current")
    yield Diagnosis("backup", "none. Run: station backup", ok=False)


@station.checkup
async def scopes() -> Diagnosis:
    raise Refused("The password=hunter22 is refused.", advice="Set STATION_PASSWORD.")


@station.checkup
async def clock() -> Diagnosis:
    raise ZeroDivisionError


more = Toolset("station_more", of=station)


@more.read
async def station_age(station: Station) -> int:
    """Read its age."""
    return 3
'''


@pytest.fixture
def station(workspace: Path) -> Path:
    (workspace / "stations.py").write_text(STATION, encoding="utf-8")
    return workspace


def test_a_server_brings_its_own_checks_to_doctor(station: Path) -> None:
    done = run("doctor", "-s", "stations:station", folder=station)
    lines = [line for line in done.stdout.splitlines() if " station" in line]

    assert done.returncode == 1
    assert lines[:4] == [
        "ok    station: opens, 1 tools",
        "ok    station sign-in: as ada",
        "ok    station tables: 3, current",
        "WRONG station backup: none. Run: station backup",
    ]
    assert lines[4] == "WRONG station scopes: The password=[hidden] is refused. Set STATION_PASSWORD."
    assert lines[5].startswith("WRONG station clock: ")


def test_a_toolset_that_is_served_alone_brings_the_checks_of_the_one_it_uses(
    station: Path,
) -> None:
    alone = run("doctor", "-s", "stations:more", folder=station)
    both = run("doctor", "-s", "stations:more", "-s", "stations:station", folder=station)

    assert "ok    station_more sign-in: as ada" in alone.stdout
    assert both.stdout.count("sign-in: as ada") == 1


def test_doctor_tells_the_size_of_the_journal_and_when_it_cannot_be_written(workspace: Path) -> None:
    run("call", "memo_list", folder=workspace)
    told = run("doctor", folder=workspace)
    (folder,) = (workspace.parent / "home" / "state").glob("laconic/*/journal")
    assert f"ok    journal: 0 kB in {folder}" in told.stdout
    assert "ok    journal: off" in run("doctor", folder=workspace, LACONIC_JOURNAL="off").stdout

    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    wrong = run("doctor", folder=workspace)
    assert f"WRONG journal: {folder} is not a writable folder." in wrong.stdout
    assert run("call", "memo_list", folder=workspace).stdout == "There are no memos.\n"
