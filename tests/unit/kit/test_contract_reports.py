"""What an author sees of the contract in their own tests: checks not made, excuses, and snapshots."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from laconic.kit import Profile, Settings, Toolset
from laconic.kit.contract import Broken, Cases, Contract, Untried

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


PER_TOOL = SUITE.replace("Case,", "Cases,").replace(".parametrize", ".per_tool")
PER_TOOL = PER_TOOL.replace("case: Case", "cases: Cases").replace("case.run", "cases.run")


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


@pytest.mark.slow
def test_checks_without_a_sample_are_seen_case_by_case_and_tool_by_tool(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("-k", "price_list")

    skipped = result.parseoutcomes()["skipped"]
    assert (result.ret, skipped > 0) == (0, True)
    said = f"contract: {skipped} checks not made: price_list has no sample"
    result.stdout.fnmatch_lines([said])

    project.makepyfile(test_shop=PER_TOOL)
    result = project.runpytest_inprocess("-k", "price_list", "-n1")  # a worker sends them with its report

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([said])


def test_a_tool_that_is_one_test_names_every_case_that_failed(project: pytest.Pytester) -> None:
    bad = PER_TOOL.replace("async def price_get() -> str", "async def price_get(product: str) -> str")
    project.makepyfile(test_shop=bad.replace("Read a price.", "One. Two. Three. Four."))

    result = project.runpytest_inprocess("-k", "price_get")

    result.assert_outcomes(failed=1)
    named = ["*price_get-the_description_is_short", "*price_get-parameters_are_described"]
    named += [f"*price_get-text_comes_alone-text-{era}" for era in ("legacy", "2026-07-28")]
    result.stdout.fnmatch_lines([*named, "*the sample fails*"])


def test_a_tool_none_of_whose_cases_could_be_made_is_skipped() -> None:
    contract = Contract(undescribed())
    cases = [case for case in contract.cases() if case.check.name == "text_comes_alone"]

    with pytest.raises(Untried, match="contract: price_get has no sample"):
        Cases(tuple(cases)).run()


def test_an_error_nobody_expected_is_given_with_its_case_and_its_traceback() -> None:
    def furnish(folder: Path) -> Settings:
        raise ZeroDivisionError("no world")

    contract = Contract(undescribed(), settings=furnish, samples={"price_get": {"product": "nail"}})
    cases = [case for case in contract.cases() if case.check.name == "text_comes_alone"]

    with pytest.raises(Broken, match=r"price_get-text_comes_alone-text-legacy\n(.*\n)+.*no world"):
        Cases(tuple(cases)).run()


def test_a_missing_snapshot_is_written(project: pytest.Pytester) -> None:
    project.runpytest_inprocess("-k", "snapshot").assert_outcomes(passed=4)

    written = sorted(path.name for path in (project.path / "snapshots" / "shop").iterdir())
    assert written == ["_size.json", "price_get.json", "price_list.json"]


def test_a_name_that_tools_of_two_profiles_share_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    profiles = {"new": Profile(lambda spec: not spec.tags), "old": Profile(lambda spec: bool(spec.tags))}
    shop = Toolset("shop", profiles=profiles, default="new")

    async def price(product: str) -> str:
        """Read a price."""
        return product

    shop.read(name="price_get")(price)
    shop.read(name="price_get", tags=["old"])(price)
    for case in Contract(shop, samples={"price_get": {"product": "nail"}}, snapshots=tmp_path).cases():
        if "snapshot" in case.check.name and "left" not in case.check.name:
            case.run()
    one, all = (
        json.loads((tmp_path / "shop" / f"{name}.json").read_text()) for name in ("price_get", "_size")
    )
    assert all["tokens"] == one["tokens"] > 0


def test_a_missing_snapshot_fails_where_nobody_would_commit_it(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")

    result = project.runpytest_inprocess("-k", "snapshot")

    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*There is no snapshot price_get.json.*"])
    assert not (project.path / "snapshots").exists()


def test_a_changed_snapshot_shows_its_difference_and_the_option_writes_it(project: pytest.Pytester) -> None:
    project.runpytest_inprocess("-k", "snapshot").assert_outcomes(passed=4)
    project.makepyfile(test_shop=SUITE.replace("Read a price.", "Read one price.").replace("_list", "_all"))

    result = project.runpytest_inprocess("-k", "snapshot")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        ['*-*"description": "Read a price.",', '*+*"description": "Read one price.",']
    )
    result.stdout.fnmatch_lines(["*price_list.json is the snapshot of a tool that no longer exists*"])

    project.runpytest_inprocess("-k", "snapshot", "--update-snapshots").assert_outcomes(passed=4)
    project.runpytest_inprocess("-k", "snapshot").assert_outcomes(passed=4)


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

    with pytest.raises(Broken, match="remove the excuse"):
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


def test_a_call_that_comes_first_and_fails_is_said_to() -> None:
    contract = Contract(
        undescribed(), samples={"price_get": {"product": "nail"}}, before={"price_get": {"produkt": "nail"}}
    )

    with pytest.raises(Broken, match=r"price_get: the call in before= fails: .*'produkt'"):
        run(contract, "text_comes_alone")
    with pytest.raises(ValueError, match="Did you mean price_get"):
        Contract(undescribed(), before={"prices_get": {}})


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


def test_a_parameter_whose_name_says_it_all_is_named_as_such() -> None:
    run(Contract(undescribed(), obvious={"price_get": ["product"]}), "parameters_are_described")


def test_a_parameter_that_is_named_as_obvious_and_does_not_exist_is_reported() -> None:
    contract = Contract(undescribed(), obvious={"price_get": ["product", "colour"]})

    with pytest.raises(Broken, match="'colour' is said to be obvious"):
        run(contract, "parameters_are_described")
