"""Every answer is true and no key has two effects: calls are killed and repeated, and the store fails."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def _run(count: int, store: str, seed: int, seconds: float) -> dict[str, Any]:
    """Run schedules; what is wrong comes with the command that runs its schedule again."""
    command = [sys.executable, "-m", "tests.process.schedules", str(count), store, str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _check(result: dict[str, Any]) -> None:
    print(result["schedules"], "schedules,", result["with_effect"], "with effect,", result["outcomes"])
    assert result["wrong"] == []
    assert result["with_effect"] > result["schedules"] / 2
    for outcome in ("success", "PROVIDER_ERROR", "RESOURCE_LOCKED", "TIMEOUT", "UNAVAILABLE"):
        assert result["outcomes"].get(outcome), f"nothing was answered with {outcome}"


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
