import json
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.issues.sessions.audit import Audit, AuditEntry, phase_line


def audit(*lines: dict[str, Any], path: Path = Path("audit.jsonl")) -> Audit:
    return Audit(path, "".join(json.dumps(line) + "\n" for line in lines))


def test_the_engines_dialect_is_read_as_ours() -> None:
    line = {"step": "execute", "status": "completed", "timestamp": "t", "metadata": {"agent": "a"}}
    entry = AuditEntry.of(line)
    assert (entry.phase, entry.status, entry.more) == ("execute", "complete", {"agent": "a"})
    assert audit(line).phases_done == ["execute"]
    assert audit(line).active_step == "execute just completed, waiting for next step"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("started", "verify (in progress)"),
        ("resumed", "verify (in progress)"),
        ("failed", "verify FAILED"),
        ("paused", "verify (paused)"),
        ("{0.__class__}", "verify ({0.__class__})"),
    ],
)
def test_the_active_step_comes_from_the_last_entry(status: str, said: str) -> None:
    assert audit({"phase": "verify", "status": status}).active_step == said


def test_an_empty_log_has_no_step() -> None:
    assert (audit().active_step, audit().phases_done, audit().last_step) == ("unknown", [], None)


def test_long_metadata_stays_in_the_file_and_its_size_is_shown() -> None:
    line = AuditEntry.of({"phase": "task", "status": "complete", "log": "x" * 1000}).line()
    assert "metadata in audit.jsonl: log)" in line
    assert len(line) < 100


def test_a_duration_of_the_caller_makes_another_entry(tmp_path: Path) -> None:
    log = audit(path=tmp_path / "audit.jsonl")
    for milliseconds in (5, 5, 7):
        log.note(phase_line("task", "complete", "t", {"duration_ms": milliseconds}))
    kept = Audit(tmp_path / "audit.jsonl", (tmp_path / "audit.jsonl").read_text(encoding="utf-8"))
    assert [line["duration_ms"] for line in kept.lines] == [5, 7]
    assert len(log.entries) == 2


def test_metadata_replaces_nothing() -> None:
    line = phase_line("plan", "started", "now", {"phase": "x", "timestamp": "then", "agent": "a"})
    assert line == {
        **{"phase": "plan", "timestamp": "now", "status": "started"},
        **{"metadata_phase": "x", "metadata_timestamp": "then", "agent": "a"},
    }
