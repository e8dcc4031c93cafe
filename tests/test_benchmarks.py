"""The benchmarks run, and their harness counts right; how long anything takes is no test's business."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.library_tokens import task
from benchmarks.programs import LEGACY, MODERN, serving, work_of
from benchmarks.report import Result, Table, filled
from benchmarks.stdio_servers import ECHO, call

ROOT = Path(__file__).resolve().parent.parent


def measured(*rounds: list[float]) -> Measured:
    return Measured(tuple(tuple(calls) for calls in rounds))


def test_a_ratio_is_taken_within_each_round_and_one_bad_round_does_not_count() -> None:
    baseline = measured([1, 1, 9], [2, 2, 2], [100, 100, 100])  # the machine grew slow meanwhile
    subject = measured([3, 3, 3], [6, 6, 50], [300, 300, 300])

    assert subject.over(baseline) == 3
    assert subject.spread(baseline) == (3, 3)
    assert subject.beyond(baseline) == 4
    assert (baseline.median, subject.median) == (2, 6)


def test_the_ninety_fifth_percentile_is_of_all_calls() -> None:
    assert measured([float(n) for n in range(0, 51)], [float(n) for n in range(51, 101)]).p95 == 95
    assert measured([7.0]).p95 == 7


def test_rounds_of_different_number_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="zip"):
        measured([1], [2]).over(measured([1]))


async def test_subjects_take_turns_and_the_first_round_only_warms_up() -> None:
    order: list[str] = []

    def subject(name: str) -> Subject:
        async def run() -> list[float]:
            order.append(name)
            return [len(order)]

        return run

    found = await interleaved({"a": subject("a"), "b": subject("b")}, rounds=2)

    assert order == ["a", "b", "b", "a", "a", "b"]
    assert found["a"].rounds == ((4,), (5,))
    assert found["b"].rounds == ((3,), (6,))


def test_a_result_fills_its_own_part_of_the_page() -> None:
    page = "# B\n\n<!-- generated:bench-x -->\nold\n<!-- /generated -->\n\n<!-- generated:bench-y -->\nkept\n"
    result = Result("x", [Table("What it shows.", ["name", "ratio"], [["a", "1.20"]])])

    text = filled(page, result)

    assert "old" not in text and "kept" in text
    assert "What it shows.\n\n| name | ratio |\n| --- | --: |\n| a | 1.20 |" in text
    with pytest.raises(ValueError, match="no place for bench-z"):
        filled(page, Result("z", []))


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_the_loop_that_is_the_floor_lists_and_answers(era: str, tmp_path: Path) -> None:
    tools = [{"name": "echo", "inputSchema": {"type": "object"}}]
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(tools), encoding="utf-8")

    with serving([sys.executable, "-P", "-m", "benchmarks.loop", str(file)], tmp_path, era) as program:
        assert program.ask("tools/list")["tools"] == tools
        assert b'"text":"hello"' in call(program, *ECHO)
        with pytest.raises(RuntimeError, match="no answer to echo"):
            call(program, "echo", {"text": 1})


def test_the_work_of_a_process_grows_as_it_works(tmp_path: Path) -> None:
    before = work_of(os.getpid())
    if before is None:
        pytest.skip("this system does not tell")
    sum(range(3_000_000))

    assert (work_of(os.getpid()) or 0) > before


async def test_to_find_read_and_change_a_prompt_takes_three_calls_and_few_tokens() -> None:
    ours, earlier = (await task()).rows

    calls, *_, together = (int(cell.replace(",", "")) for cell in ours[1:])
    assert (calls, int(earlier[1])) == (3, 4)
    assert together <= 700
    assert together * 20 <= int(earlier[-1].replace(",", ""))


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "name", ["steps", "replay", "calls", "long_answers", "issues", "upstream", "library"]
)
def test_a_quick_run_prints_its_tables_and_keeps_nothing(name: str) -> None:
    before = kept()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", name, "--quick"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=280,
    )

    assert done.returncode == 0, done.stderr
    assert f"## {name}\n" in done.stdout and "| --- | --: |" in done.stdout
    assert kept() == before


def kept() -> dict[str, bytes]:
    """What a run that is not quick would write."""
    pages = [*(ROOT / "benchmarks" / "results").glob("*.json"), ROOT / "docs" / "benchmarks.md"]
    return {path.name: path.read_bytes() for path in pages}
