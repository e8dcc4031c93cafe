"""What a contributor meets first is sound: the guide, templates, workflow, hook and changelog."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from laconic import __version__
from tests.docs.pages import ROOT

GITHUB = ROOT / ".github"
FORMS = sorted(path for path in GITHUB.glob("ISSUE_TEMPLATE/*.yml") if path.stem != "config")
YAML = [*sorted(GITHUB.rglob("*.yml")), ROOT / ".pre-commit-config.yaml"]
GUIDES = [ROOT / "CONTRIBUTING.md", *YAML, *sorted(GITHUB.rglob("*.md"))]
_PROGRAM = re.compile(r"(?<![\w./-])(?:scripts|\.ci)/[\w-]+(?:\.\w+)?|(?<!\w)\./laconic\b")
_RELEASE = re.compile(r"^## (\d+\.\d+\.\d+)$", re.MULTILINE)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", YAML, ids=named)
def test_a_file_for_github_and_the_hook_is_yaml(path: Path) -> None:
    assert isinstance(read(path), dict)


@pytest.mark.parametrize("path", FORMS, ids=named)
def test_an_issue_form_has_a_name_a_description_and_labelled_fields(path: Path) -> None:
    form = read(path)
    fields = [field for field in form["body"] if field["type"] != "markdown"]

    assert form["name"] and form["description"]
    assert fields and all(field["attributes"]["label"] for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)


def test_the_workflow_runs_what_ci_runs_on_the_oldest_python_and_tests_on_newer_ones() -> None:
    jobs = read(GITHUB / "workflows" / "ci.yml")["jobs"]
    commands = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()}
    options = [step.get("with", {}) for step in jobs["all"]["steps"]]
    (oldest,) = [given["python-version"] for given in options if "python-version" in given]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert commands == {"all": ["bash .ci/run"], "newer-python": ["scripts/test --quick"]}
    assert project["requires-python"] == f">={oldest}"


def test_the_hook_runs_the_checks_on_everything() -> None:
    ((hook,),) = [repo["hooks"] for repo in read(ROOT / ".pre-commit-config.yaml")["repos"]]

    assert (hook["entry"], hook["pass_filenames"]) == ("scripts/check", False)


@pytest.mark.parametrize("path", GUIDES, ids=named)
def test_every_program_that_a_guide_names_is_there(path: Path) -> None:
    programs = set(_PROGRAM.findall(path.read_text(encoding="utf-8")))

    assert [name for name in programs if not os.access(ROOT / name, os.X_OK)] == []


def test_the_changelog_has_the_version_or_the_one_before_it() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = [tuple(map(int, found.split("."))) for found in _RELEASE.findall(changelog)]
    version, _, after = __version__.partition(".dev")
    now = tuple(map(int, version.split(".")))

    assert releases == sorted(set(releases), reverse=True)
    if after:
        assert "\n## Unreleased\n" in changelog[: changelog.index(f"\n## {'.'.join(map(str, releases[0]))}")]
        assert now > releases[0]
    else:
        assert now == releases[0]
