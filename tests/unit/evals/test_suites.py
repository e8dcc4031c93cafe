"""The suites that come with Laconic, and what is said of a suite that is wrong."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from laconic.cli.eval.stages import stages_of
from laconic.evals.conversation import BadSuite
from laconic.evals.providers.choosing import Chosen, spec_of
from laconic.evals.reading import read_suite, shipped
from laconic.evals.running import run

CASES = {
    "google": [
        "doc-replace",
        "doc-nth",
        "doc-insert-section",
        "doc-append",
        "doc-section",
        "doc-delete",
        "doc-comment",
        "doc-table-cell",
        "doc-header",
        "doc-tab",
        "doc-two-edits",
        "doc-find",
        "doc-create",
        "sheet-write",
        "sheet-formula",
        "sheet-append",
        "sheet-tab",
        "sheet-read",
        "drive-rename",
        "drive-share",
        "drive-trash",
        "drive-folder",
        "drive-comment",
        "slide-notes",
        "slide-order",
        "slide-table",
    ],
    "issues": ["find", "claim", "edit", "close", "batch"],
    "notes-edit": [
        "prefix-word",
        "code",
        "link",
        "table",
        "front-matter",
        "nested-list",
        "json",
        "blockquote",
    ],
    "notes-update": [
        "rewrite-as-list",
        "rewrite-shorter",
        "complete-replacement",
        "rewrite-with-heading",
        "add-tag",
        "preserve-tags",
    ],
    "prompts-edit": [
        "remove-variable",
        "add-variable",
        "rename-variable",
        "simple-edit-no-arg-change",
        "add-variable-with-description",
        "remove-one-of-many",
    ],
    "prompts-update": [
        "rewrite-keep-variables",
        "rewrite-add-variable",
        "rewrite-remove-variables",
        "complete-replacement",
        "rewrite-rename-variables",
        "metadata-only-update",
        "add-tag-to-existing",
        "rewrite-preserve-tags",
    ],
    "taiga": ["find", "change-status", "create-task", "block"],
}


@pytest.mark.requirement("002-6")
def test_the_suites_have_the_required_cases() -> None:
    found = {name: [case.id for case in read_suite(name).test_cases] for name in shipped()}

    assert found == CASES


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("script", "outcome"), [("right", "pass"), ("wrong", "fail")])
@pytest.mark.requirement("002-6", "004-success.2")
async def test_a_right_script_passes_every_case_and_a_wrong_one_none(
    name: str, script: str, outcome: str
) -> None:
    suite = read_suite(name)
    once = suite.model_copy(update={"eval": suite.eval.model_copy(update={"samples": 1})})

    with stages_of(once) as stages:
        records = await run(once, stages, Chosen(once, spec_of(f"scripted/{script}"), "", {}), count=len)

    assert {record["case"]: (record["outcome"], record["reason"]) for record in records} == {
        record["case"]: (outcome, "" if outcome == "pass" else record["reason"]) for record in records
    }
    assert all(record["checks"] for record in records)


@pytest.mark.requirement("004-success.2")
async def test_a_model_that_looks_first_passes_every_case_of_google() -> None:
    suite = read_suite("google")
    data = suite.model_dump(mode="json")
    looks = {"calls": [{"tool": "drive_listFiles", "arguments": {}}, {"tool": "docs_edit", "arguments": {}}]}
    for case in data["test_cases"]:
        case["scripts"]["right"] = [looks, *case["scripts"]["right"]]
    careful = type(suite).model_validate(data)
    with stages_of(careful) as stages:
        records = await run(careful, stages, Chosen(careful, spec_of("scripted/right"), "", {}), count=len)
    assert [(record["case"], record["reason"]) for record in records if record["outcome"] != "pass"] == []
    assert len(records) >= 20 and all(len(record["calls"]) >= 3 for record in records)


def wrong(**more: Any) -> dict[str, Any]:
    case = {"id": "one", "input": {"ask": "?"}}
    check = {"type": "equals", "arguments": {"actual": 1, "expected": 1}}
    return {"name": "mine", "servers": ["issues"], "test_cases": [case], "checks": [check], **more}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (wrong(test_cases=[]), "mine.yaml: test_cases: List should have at least 1 item"),
        (wrong(checks=[]), "mine.yaml: nothing is checked of one"),
        (wrong(test_cases=[{"id": "a", "input": {"ask": "?"}}] * 2), "two cases are called a"),
        (wrong(url="http://elsewhere"), "mine.yaml: url: Extra inputs are not permitted"),
        (wrong(models=[{"provider": "openai", "name": "x", "key": "k"}]), "models.0.key: Extra inputs"),
        (wrong(checks=[{"type": "judge", "arguments": {}}]), "checks.0.type: Input should be"),
        (wrong(eval={"samples": 0}), "eval.samples: Input should be greater than or equal to 1"),
    ],
)
def test_a_mistake_in_a_suite_is_named_with_its_place(
    tmp_path: Path, data: dict[str, Any], words: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")

    with pytest.raises(BadSuite, match=words):
        read_suite(str(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"name: [", "not valid YAML"),
        (b"- a list", "is a sequence, not a mapping"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"a: b\n" * 250_000, "more than 1,000,000 bytes"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)

    with pytest.raises(BadSuite, match=words):
        read_suite(str(path))


def test_a_decimal_is_a_number_and_a_quoted_one_a_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    data = wrong()
    data["test_cases"][0]["expected"] = {"bare": -1.46, "quoted": "-1.46", "date": "2026-11-17"}
    path.write_text(yaml.safe_dump(data), encoding="utf-8")

    assert read_suite(str(path)).test_cases[0].expected == data["test_cases"][0]["expected"]


def test_a_suite_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(BadSuite, match=r"neither a file nor one of google, .*Did you mean prompts-edit"):
        read_suite("prompt-edit")


def test_how_often_a_suite_is_run_does_not_change_what_it_is() -> None:
    suite = read_suite("issues")
    more = suite.model_copy(update={"eval": suite.eval.model_copy(update={"samples": 99})})
    other = suite.model_copy(update={"test_cases": suite.test_cases[1:]})

    assert more.digest == suite.digest != other.digest
