"""Each keyed effect happens once, even if calls are killed, late, repeated or concurrent."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def _run(count: int, store: str, seed: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.process.schedules", str(count), store, str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.timeout(300)
@pytest.mark.requirement("003-8.5")
def test_killed_and_concurrent_calls_on_sqlite_leave_one_effect_each() -> None:
    result = _run(40, "sqlite:FOLDER/state.sqlite", 1, 280)
    assert result["wrong"] == []
    assert result["with_effect"] > 16


@pytest.mark.timeout(300)
@pytest.mark.needs("redis")
@pytest.mark.requirement("003-8.5")
def test_killed_and_concurrent_calls_on_redis_leave_one_effect_each(redis_url: str) -> None:
    result = _run(40, redis_url, 2, 280)
    assert result["wrong"] == []
    assert result["with_effect"] > 16


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_thousands_of_schedules_on_sqlite() -> None:
    assert _run(2000, "sqlite:FOLDER/state.sqlite", 3, 3500)["wrong"] == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.needs("redis")
def test_thousands_of_schedules_on_redis(redis_url: str) -> None:
    assert _run(2000, redis_url, 4, 3500)["wrong"] == []
