"""Runs with scripted models, right ones and all kinds of wrong ones; interrupted runs; many cases."""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from laconic.cli.eval.stages import stages_of
from laconic.evals.conversation import BadSuite
from laconic.evals.providers.choosing import Chosen, spec_of
from laconic.evals.results import Run, Unfinished, read_run
from laconic.evals.running import run
from laconic.evals.suite import Suite
from tests.unit.evals.pads import case, suite_of

ADD = {"tool": "line_add", "arguments": {"text": "two"}}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Stages are made here, and nothing of them may stay."""
    folder = tmp_path / "stages"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def run_scripts(suite: Suite, model: str = "other", **more: Any) -> list[dict[str, Any]]:
    chosen = Chosen(suite, spec_of(f"scripted/{model}"), "", {})
    with stages_of(suite) as stages:
        return await run(suite, stages, chosen, count=len, **more)


async def outcome(folder: Path, script: list[dict[str, Any]], **limits: Any) -> dict[str, Any]:
    suite = suite_of(folder, case(script=script), eval={"samples": 1, **limits})
    (record,) = await run_scripts(suite)
    return record


async def test_a_right_model_passes_and_its_calls_were_really_made(tmp_path: Path) -> None:
    record = await outcome(tmp_path, [{"calls": [ADD]}, {"says": "Done."}])

    assert (record["outcome"], record["reason"], record["answer"]) == ("pass", "", "Done.")
    assert record["calls"] == [{"tool": "line_add", "arguments": {"text": "two"}, "failed": False}]
    assert record["tokens"]["answers"] == len("Added.") and record["tokens"]["tools"] > 100


@pytest.mark.parametrize(
    ("script", "result", "words"),
    [
        ([{"calls": [ADD, ADD]}], "fail", 'the lines: is ["one", "two", "two"]'),
        ([{"says": "I did it."}], "fail", 'the lines: is ["one"]'),
        ([], "fail", 'the lines: is ["one"]'),
        ([{"calls": [{"tool": "line_delete"}]}], "fail", 'the lines: is ["one"]'),
        ([{"does": "stall"}], "error", "slow: No reply within 0.2 s."),
        ([{"does": "babble"}], "fail", "malformed: "),
        ([{"does": "refuse"}], "fail", "refused: "),
        ([{"does": "repeat", "calls": [{"tool": "pad_read"}]}], "fail", "endless: more than 5 calls"),
    ],
    ids=["wrong", "idle", "silent", "no-such-tool", "slow", "malformed", "refusing", "endless"],
)
async def test_a_model_that_does_not_do_it_fails(
    tmp_path: Path, script: list[dict[str, Any]], result: str, words: str
) -> None:
    record = await outcome(tmp_path, script, max_calls=5, timeout=0.2)

    assert record["outcome"] == result
    assert words in record["reason"]


async def test_a_call_that_the_tool_refuses_is_told_and_counted(tmp_path: Path) -> None:
    wrong = {"tool": "line_add", "arguments": {"txt": "two"}}

    record = await outcome(tmp_path, [{"calls": [wrong]}, {"calls": [ADD]}])

    assert record["outcome"] == "pass"
    assert [call["failed"] for call in record["calls"]] == [True, False]


async def test_a_starting_state_that_cannot_be_made_is_the_suites_mistake(tmp_path: Path) -> None:
    broken = case()
    broken["input"]["given"] = [{"tool": "line_add"}]

    with pytest.raises(BadSuite, match="add: line_add failed: Error"):
        await run_scripts(suite_of(tmp_path, broken))


async def test_a_tool_that_does_not_exist_is_the_suites_mistake(tmp_path: Path) -> None:
    broken = case()
    broken["input"]["after"] = {"pad": {"tool": "pad_rea"}}

    with pytest.raises(BadSuite, match=r"add: .*Did you mean pad_read"):
        await run_scripts(suite_of(tmp_path, broken))


async def test_scripts_can_refer_to_what_was_given_and_read(tmp_path: Path) -> None:
    add: dict[str, Any] = {"tool": "line_add", "arguments": {"text": "$.reads[0].lines[0]"}}
    twice = case(script=[{"calls": [add]}], expected={"lines": ["one", "one"]})

    (record,) = await run_scripts(suite_of(tmp_path, twice))

    assert record["outcome"] == "pass"
    with pytest.raises(BadSuite, match="A script is wrong: "):
        add["arguments"]["text"] = "$.reads[0].nothing"
        await run_scripts(suite_of(tmp_path, case(script=[{"calls": [add]}])))


async def test_a_sample_passes_only_if_all_its_cases_do(tmp_path: Path) -> None:
    idle = case("idle", script=[{"says": "No."}])
    suite = suite_of(tmp_path, case(), idle, eval={"samples": 2, "pass_threshold": 0.5})

    records = await run_scripts(suite)
    result = Run.of(suite, spec_of("scripted/other"), records, {})

    assert (result.data["samples"], result.data["samples_passed"], result.passed) == (2, 0, False)
    assert [(one["id"], one["passed"]) for one in result.data["cases"]] == [("add", 2), ("idle", 0)]


async def test_an_interrupted_run_continues_where_it_was(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, case(), case("again"), eval={"samples": 2, "max_concurrency": 1})
    head = {"suite": suite.digest}
    kept = Unfinished(tmp_path / "results" / "pads.json", head)
    kept.start([])
    seen: list[str] = []

    def interrupt(record: dict[str, Any]) -> None:
        kept.add(record)
        seen.append(record["case"])
        if len(seen) == 3:
            first.cancel()  # what Ctrl-C does

    first = asyncio.create_task(run_scripts(suite, done=interrupt))
    with pytest.raises(asyncio.CancelledError):
        await first
    with (tmp_path / "results" / "pads.partial.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"case": "torn')
    known = Unfinished(tmp_path / "results" / "pads.json", head).read()
    more: list[dict[str, Any]] = []
    records = await run_scripts(suite, known=known, done=more.append)

    assert len(known) == 3 and len(more) == 1 and len(records) == 4
    assert Unfinished(tmp_path / "results" / "pads.json", {"suite": "another"}).read() == []


async def test_errors_of_an_interrupted_run_are_asked_again(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, case())
    known = [{"case": "add", "sample": 0, "outcome": "error"}]

    (record,) = await run_scripts(suite, known=known)

    assert record["outcome"] == "pass"


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_two_hundred_cases_at_once_leave_nothing_behind(tmp_path: Path, temporary: Path) -> None:
    cases = [case(f"case-{n}") for n in range(50)]
    suite = suite_of(tmp_path, *cases, eval={"samples": 4, "max_concurrency": 8})
    await run_scripts(suite_of(tmp_path, case()))  # opens what every run needs
    files, tasks, most = open_files(), asyncio.all_tasks(), 0

    def count(record: dict[str, Any]) -> None:
        nonlocal most
        most = max(most, len(list(temporary.glob("*/*/project"))))

    records = await run_scripts(suite, done=count)

    assert sum(record["outcome"] == "pass" for record in records) == 200
    assert most <= 8
    assert asyncio.all_tasks() == tasks
    assert open_files() <= files + 2


async def test_a_result_is_read_back_and_has_the_documented_keys(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, case())
    result = Run.of(suite, spec_of("scripted/right"), await run_scripts(suite, "right"), {"laconic": "1"})

    result.write(tmp_path / "one.json")

    assert read_run(tmp_path / "one.json") == result
    assert list(json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))) == [
        "format",
        "suite",
        "model",
        "laconic",
        "samples",
        "samples_passed",
        "pass_threshold",
        "passed",
        "cases",
        "records",
    ]
    assert list(result.data["records"][0]) == [
        "case",
        "sample",
        "outcome",
        "reason",
        "checks",
        "calls",
        "answer",
        "tokens",
    ]
