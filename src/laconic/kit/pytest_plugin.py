"""Our pytest plugin: an option to write snapshots, and a line about checks that were not made.

It is loaded into every pytest of an environment that has laconic, so it imports nothing of ours.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

_UNTRIED = (
    "contract_untried"  # a property of a report, since reports are what comes back from another process
)
_VARIABLE = "UPDATE_SNAPSHOTS"
_before = pytest.StashKey[str | None]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer --update-snapshots."""
    group = parser.getgroup("laconic")
    group.addoption(
        "--update-snapshots", action="store_true", help="write the snapshots of tools instead of comparing"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the option do what the variable does."""
    if config.getoption("--update-snapshots"):
        config.stash[_before] = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = "1"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave the variable as it was."""
    if _before in config.stash:
        before = config.stash[_before]
        if before is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = before


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note in the report of a test which cases of a contract were not made."""
    report = yield
    if report.when == "call" and isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        for value in item.callspec.params.values():
            report.user_properties += [(_UNTRIED, reason) for reason in getattr(value, "untried", ())]
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each why checks of a contract were not made."""
    reasons: Counter[str] = Counter()
    for outcome in ("passed", "failed", "skipped"):
        for report in terminalreporter.stats.get(outcome, ()):
            said = _untried(report) or ([_skipped(report)] if outcome == "skipped" else [])
            reasons.update(
                reason for _, found, reason in (one.partition("contract: ") for one in said) if found
            )
    for reason, count in sorted(reasons.items()):
        checks = "check" if count == 1 else "checks"
        terminalreporter.write_line(f"contract: {count} {checks} not made: {reason}", yellow=True)


def _untried(report: Any) -> list[str]:
    return [str(value) for name, value in getattr(report, "user_properties", ()) if name == _UNTRIED]


def _skipped(report: Any) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
