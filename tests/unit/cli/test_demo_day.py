"""The day of the demo: every answer is real, with the same tokens each time."""

import asyncio
import json
import shutil
from functools import cache
from pathlib import Path

import pytest

import laconic
from laconic.cli.demo.day import STEPS, Day, spend
from laconic.cli.demo.sample import MEMOS

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@cache
def said() -> tuple[Day, list[tuple[str, str]]]:
    """A day with its answers, ours and the thin wrapper's."""
    texts: list[str] = []

    def count(text: str) -> int:
        texts.append(text)
        return len(text)

    day = asyncio.run(spend(count))
    return day, list(zip(texts[::2], texts[1::2], strict=True))


def answers(what: str) -> tuple[str, str]:
    day, texts = said()
    (number,) = [number for number, row in enumerate(day.rows) if what in row.what]
    return texts[number]


@needs_git
def test_only_the_call_with_wrong_arguments_fails() -> None:
    day, texts = said()

    failed = [row.what for row, (ours, _) in zip(day.rows, texts, strict=True) if ours.startswith("Error")]

    assert failed == ["opens a ticket, with wrong arguments"]


@needs_git
def test_two_days_are_identical() -> None:
    again = asyncio.run(spend(len))

    assert again == said()[0]


def test_the_thin_wrapper_returns_every_record_in_full() -> None:
    ours, thin = answers("the first page")
    records = json.loads(thin)

    assert len(records) == MEMOS
    assert all(record["body"] for record in records)
    assert f"Showing 25 of {MEMOS} memos:" in ours
    assert records[0]["name"] in ours and records[0]["body"] not in ours


def test_a_search_finds_the_same_in_both() -> None:
    ours, thin = answers("insurer")
    found = [record["name"] for record in json.loads(thin)]

    assert [line.split("\t")[0] for line in ours.splitlines()[2:]] == found
    assert json.loads(answers("one of the memos")[1])["name"] in found


def test_the_page_read_is_a_part_of_what_the_thin_wrapper_sent() -> None:
    page, nothing = answers("reads that page")

    part = page.removeprefix("<part>\n").removesuffix("\n</part>")
    assert part.startswith("### Page 137: Compasses") and part.strip() in answers("manual")[1]
    assert nothing == ""


def test_wrong_arguments_are_refused_by_both_and_only_ours_names_the_right_ones() -> None:
    ours, thin = answers("wrong arguments")

    assert "Unknown argument 'title'. Arguments: topic" in ours
    assert "Field required" in thin and "errors.pydantic.dev" in thin


def test_sent_again_there_is_one_ticket_and_in_the_thin_wrapper_two() -> None:
    ours, thin = answers("sends it again")

    assert ours.startswith(answers("fixes the call")[0]) and "Already done" in ours
    assert json.loads(thin)["id"] == json.loads(answers("fixes the call")[1])["id"] + 1


@needs_git
def test_the_summary_has_three_parts_and_names_the_missing_one() -> None:
    ours, thin = answers("sums up")
    whole = json.loads(thin)

    assert ours.endswith("Left out: release (There is no tag yet.)")
    assert len(whole["commits"]) > 50 and whole["commits"][0]["sha"].startswith("7d4e12f")


def test_without_the_examples_the_day_uses_only_the_example_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(laconic, "__file__", str(tmp_path / "lib" / "laconic" / "__init__.py"))
    day = asyncio.run(spend(len))

    assert day.left_out[0].startswith("The examples are not installed")
    assert [row.tool for row in day.rows] == ["tools/list", "memo_list", "memo_list", "memo_list", "memo_get"]


def test_without_git_no_repository_is_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    day = asyncio.run(spend(len))

    assert day.left_out == ("git is not installed, so no repository is summed up.",)
    assert len(day.rows) == len(STEPS)
