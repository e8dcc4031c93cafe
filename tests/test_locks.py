"""The pins: complete, the same for users and developers, and free of any one machine's addresses."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pins(name: str) -> set[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.lstrip().startswith("#")}


def project_names(requirements: list[str]) -> set[str]:
    """The normalised names, as the lock files spell them."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[<>=\[; ]", line)[0]).lower() for line in requirements}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_exact_versions_and_nothing_else(name: str) -> None:
    strange = [
        line for line in pins(name) if not re.fullmatch(r"[a-z0-9-]+==[\w.+]+( ; [\w ='<>!.()]+)?", line)
    ]

    assert strange == []
    assert not re.search(r"://|file:|/[a-z]+/", (ROOT / name).read_text(encoding="utf-8"))


def test_developers_run_what_users_run() -> None:
    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_every_declared_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    users = project_names(project["project"]["dependencies"])
    developers = users | project_names(project["dependency-groups"]["dev"])

    assert users <= project_names(sorted(pins("requirements.lock")))
    assert developers <= project_names(sorted(pins("requirements-dev.lock")))
