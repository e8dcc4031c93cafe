"""The pytest plugin: an option that writes snapshots, and a line about checks that were not made.

Every pytest in an environment with laconic loads it, so it imports nothing of ours.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

_VARIABLE = "UPDATE_SNAPSHOTS"
_NOT_MADE = "contract check not made"  # a property of reports, which also come from other processes
_OUTCOMES = ("passed", "failed", "skipped")
_before = pytest.StashKey[str | None]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer --update-snapshots."""
    group = parser.getgroup("laconic")
    group.addoption(
        "--update-snapshots",
        action="store_true",
        help="write snapshots of tools instead of comparing them",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the option do what the variable does."""
    if config.getoption("--update-snapshots"):
        config.stash[_before] = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = "1"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Restore the variable."""
    if _before in config.stash:
        before = config.stash[_before]
        if before is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = before


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Store in the report of a test why checks of a contract were not made."""
    reasons = _not_made(item, call) if call.when == "call" else []  # now: pytest replaces what was raised
    outcome = yield
    outcome.get_result().user_properties += [(_NOT_MADE, reason) for reason in reasons]


def _not_made(item: pytest.Item, call: pytest.CallInfo[None]) -> list[str]:
    """Return the reasons of all cases of a tool if they are one test, else the reason that was raised."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    several = [reason for value in parameters for reason in getattr(value, "untried", ())]
    raised = getattr(call.excinfo.value, "not_made", None) if call.excinfo else None
    return several or ([raised] if isinstance(raised, str) else [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line per reason for which checks of a contract were not made."""
    reports = [one for outcome in _OUTCOMES for one in terminalreporter.stats.get(outcome, ())]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    reasons = Counter(reason for name, reason in properties if name == _NOT_MADE)
    for reason, count in sorted(reasons.items()):
        checks = "check" if count == 1 else "checks"
        terminalreporter.write_line(f"contract: {count} {checks} not made: {reason}", yellow=True)
