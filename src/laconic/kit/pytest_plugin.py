"""Our pytest plugin: an option to write snapshots, and a line about checks that were not made.

It is loaded into every pytest of an environment that has laconic, so it imports nothing of ours.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each why checks of a contract were not made."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _, found, reason = said.partition("contract: ")
        if found:
            reasons[reason] += 1
    for reason, count in sorted(reasons.items()):
        checks = "check" if count == 1 else "checks"
        terminalreporter.write_line(f"contract: {count} {checks} not made: {reason}", yellow=True)
