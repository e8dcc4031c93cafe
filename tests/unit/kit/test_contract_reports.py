"""What a stranger sees of the contract in his own tests: checks not made, excuses, and snapshots."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from laconic.kit import Toolset
from laconic.kit.contract import Broken, Contract, Untried

ROOT = Path(__file__).resolve().parents[3]

SUITE = """
from pathlib import Path

from laconic.kit import Toolset
from laconic.kit.contract import Case, Contract

toolset = Toolset("shop")


@toolset.read
async def price_get() -> str:
    \"\"\"Read a price.\"\"\"
    return "3"


@toolset.read
async def price_list() -> str:
    \"\"\"List prices.\"\"\"
    return "3, 4"


contract = Contract(toolset, samples={"price_get": {}}, snapshots=Path("snapshots"))


@contract.parametrize
def test_the_shop_keeps_the_contract(case: Case) -> None:
    case.run()
"""


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> pytest.Pytester:
    """A stranger's project with one toolset and its contract."""
    for name in ("CI", "UPDATE_SNAPSHOTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"), prepend=os.pathsep)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest")
    if not pytestconfig.pluginmanager.has_plugin("laconic"):  # run from the source, not installed
        pytester.makeconftest("pytest_plugins = ['laconic.kit.pytest_plugin']")
    pytester.makepyfile(test_shop=SUITE)
    return pytester


def test_checks_without_a_sample_are_seen(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess("-k", "price_list")

    skipped = result.parseoutcomes()["skipped"]
    assert (result.ret, skipped > 0) == (0, True)
    result.stdout.fnmatch_lines([f"contract: {skipped} checks not made: price_list has no sample"])


def test_a_missing_snapshot_is_written(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-k", "snapshot").assert_outcomes(passed=4)

    written = sorted(path.name for path in (project.path / "snapshots" / "shop").iterdir())
    assert written == ["_size.json", "price_get.json", "price_list.json"]


def test_a_missing_snapshot_fails_where_nobody_would_commit_it(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")

    result = project.runpytest_subprocess("-k", "snapshot")

    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*There is no snapshot price_get.json.*"])
    assert not (project.path / "snapshots").exists()


def test_a_changed_snapshot_shows_its_difference_and_the_option_writes_it(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-k", "snapshot").assert_outcomes(passed=4)
    project.makepyfile(test_shop=SUITE.replace("Read a price.", "Read one price.").replace("_list", "_all"))

    result = project.runpytest_subprocess("-k", "snapshot")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        ['*-*"description": "Read a price.",', '*+*"description": "Read one price.",']
    )
    result.stdout.fnmatch_lines(["*price_list.json is the snapshot of a tool that no longer exists*"])

    project.runpytest_subprocess("-k", "snapshot", "--update-snapshots").assert_outcomes(passed=4)
    project.runpytest_subprocess("-k", "snapshot").assert_outcomes(passed=4)


def undescribed() -> Toolset:
    toolset = Toolset("shop")

    @toolset.read
    async def price_get(product: str) -> str:
        """Read a price."""
        return product

    return toolset


def run(contract: Contract, check: str) -> None:
    for case in contract.cases():
        if case.check.name == check:
            case.run()


def test_an_excuse_is_seen() -> None:
    contract = Contract(undescribed(), excused={"parameters_are_described:price_get": "required so"})

    with pytest.raises(Untried, match="parameters_are_described of price_get is excused: required so"):
        run(contract, "parameters_are_described")


def test_an_excuse_that_is_no_longer_needed_fails() -> None:
    contract = Contract(undescribed(), excused={"the_description_is_short": "once it was long"})

    with pytest.raises(Broken, match="drop the excuse"):
        run(contract, "the_description_is_short")


def test_an_excuse_for_nothing_is_refused() -> None:
    contract = Contract(undescribed(), excused={"parameters_are_describd": "a slip"})

    with pytest.raises(ValueError, match="Did you mean parameters_are_described"):
        list(contract.cases())


def test_a_store_that_cannot_be_seen_is_not_said_to_be_unchanged() -> None:
    contract = Contract(undescribed(), samples={"price_get": {"product": "nail"}})

    with pytest.raises(Untried, match="give fingerprint="):
        run(contract, "a_read_changes_nothing")


def test_a_sample_for_no_tool_is_refused() -> None:
    with pytest.raises(ValueError, match="Did you mean price_get"):
        Contract(undescribed(), samples={"prices_get": {}})


async def test_a_check_of_ones_own_gets_a_tool_on_trial() -> None:
    contract = Contract(undescribed(), samples={"price_get": {"product": "nail"}})

    async with contract.trial("price_get", output="both", era="legacy") as trial:
        reply = await trial.succeed()

    assert reply.text == "nail"


def test_the_plugin_is_registered_and_brings_nothing_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    plugin = project["entry-points"]["pytest11"]["laconic"]
    ours = f"import sys, {plugin}; print(*sorted(name for name in sys.modules if name.startswith('laconic')))"

    seen = subprocess.run([sys.executable, "-c", ours], capture_output=True, text=True, check=True).stdout

    assert seen.split() == ["laconic", "laconic.kit", "laconic.kit.pytest_plugin", "laconic.lazily"]
