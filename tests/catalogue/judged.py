"""Lists of tools with queries that judge the search, written before anybody looked at the ranking."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from laconic.servers.issues.tools import issues
from tests.catalogue.google import TOOLS, Tool

HERE = Path(__file__).parent / "lists"
UNOPENED = "mixed"  # its figures were first seen when the ranking was finished

Queries = Mapping[str, Sequence[str]]
"""A query, and every tool that would answer it alone."""


@dataclass(frozen=True)
class JudgedList:
    """Tools, and queries for them: a few keywords, or a wish in everyday words."""

    name: str
    tools: Sequence[Tool]
    keywords: Queries
    wishes: Queries


@cache
def judged(name: str) -> JudgedList:
    """Read a list by its name."""
    content = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    return JudgedList(name, _tools(name, content), content["keywords"], content["wishes"])


def _tools(name: str, content: Mapping[str, Mapping[str, Sequence[str]]]) -> Sequence[Tool]:
    if name == "google":
        return TOOLS
    if name == "issues":
        return [
            Tool(
                spec.name,
                spec.effect.value,
                spec.description,
                [parameter.wire for parameter in spec.signature.parameters],
            )
            for spec in issues.tools
        ]
    return [
        Tool(tool, effect, description, parameters.split())
        for tool, (effect, description, parameters) in content["tools"].items()
    ]


NAMES = sorted(path.stem for path in HERE.glob("*.toml"))
OPENED = [name for name in NAMES if name != UNOPENED]
