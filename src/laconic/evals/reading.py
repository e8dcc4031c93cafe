"""Read a suite: a file, or one of those that come with Laconic by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from laconic.evals.checks import mistake_in
from laconic.evals.conversation import BadSuite
from laconic.evals.suite import Suite
from laconic.stores.errors import Unreadable
from laconic.stores.yamlfile import read_yaml
from laconic.text import did_you_mean, nearest

__all__ = ["read_suite", "shipped"]

_FOLDER: Final = Path(__file__).parent / "suites"


def shipped() -> list[str]:
    """Return the names of the suites that come with Laconic."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def read_suite(name: str) -> Suite:
    """Read a suite by its path or its name.

    Raises:
        BadSuite: there is none, or it is wrong; the message says where.
    """
    path = Path(name)
    if name in shipped():
        path = _FOLDER / f"{name}.yaml"
    elif not path.exists():
        hint = did_you_mean(nearest(name, shipped()))
        raise BadSuite(f"There is no suite '{name}': neither a file nor one of {', '.join(shipped())}.{hint}")
    try:
        suite = Suite.model_validate(read_yaml(path))
    except ValidationError as error:
        raise BadSuite(f"{path.name}: {_first_problem(error)}") from None
    except (Unreadable, OSError) as error:
        raise BadSuite(f"{path.name} cannot be read: {error}") from None
    for spec, cases in [(spec, suite.test_cases) for spec in suite.checks] + [
        (spec, [case]) for case in suite.test_cases for spec in case.checks
    ]:
        if mistake := mistake_in(spec, cases):
            raise BadSuite(f"{path.name}: the check '{spec.name}' {mistake}")
    return suite


def _first_problem(error: ValidationError) -> str:
    """Return the first mistake of a suite: where it is, and what is wrong."""
    problem: Mapping[str, Any] = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    words = str(problem["msg"]).removeprefix("Value error, ")
    return f"{place}: {words}" if place else words
