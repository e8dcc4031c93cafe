"""Every answer is true and no key has two effects: calls are killed and repeated, and the store fails."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AT_ONCE = 4


def _run(count: int, store: str, seed: int, seconds: float) -> dict[str, Any]:
    """Run schedules, several at a time since they mostly wait; each found fault names its own command."""
    share = count // AT_ONCE
    assert share * AT_ONCE == count
    started = [_started(share, store, seed, part * share) for part in range(AT_ONCE)]
    outputs = [part.communicate(timeout=seconds) for part in started]
    assert [part.returncode for part in started] == [0] * AT_ONCE, outputs
    results = [json.loads(stdout.splitlines()[-1]) for stdout, _ in outputs]
    return {
        "schedules": sum(result["schedules"] for result in results),
        "with_effect": sum(result["with_effect"] for result in results),
        "wrong": [one for result in results for one in result["wrong"]],
        "outcomes": sum((Counter(result["outcomes"]) for result in results), Counter()),
    }


def _started(count: int, store: str, seed: int, first: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.process.schedules", *map(str, (count, store, seed, first))]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _check(result: dict[str, Any]) -> None:
    print(result["schedules"], "schedules,", result["with_effect"], "with effect,", dict(result["outcomes"]))
    assert result["wrong"] == []
    assert result["with_effect"] > result["schedules"] / 2
    for outcome in ("success", "PROVIDER_ERROR", "RESOURCE_LOCKED", "TIMEOUT", "UNAVAILABLE"):
        assert result["outcomes"][outcome], f"nothing was answered with {outcome}"


@pytest.mark.timeout(600)
@pytest.mark.requirement("003-8.5")
def test_what_is_answered_is_true_on_a_sqlite_that_fails_at_any_point() -> None:
    _check(_run(100, "sqlite", 1, 580))


@pytest.mark.timeout(600)
@pytest.mark.needs("redis")
@pytest.mark.requirement("003-8.5")
def test_what_is_answered_is_true_on_a_redis_that_fails_at_any_point() -> None:
    _check(_run(100, "redis", 2, 580))


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_thousands_of_schedules_on_sqlite() -> None:
    _check(_run(2000, "sqlite", 3, 7000))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.needs("redis")
def test_thousands_of_schedules_on_redis() -> None:
    _check(_run(2000, "redis", 4, 7000))
