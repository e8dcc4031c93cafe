"""The 138 tools of requirement 004, and questions about them by a person who did not see the ranking."""

import hashlib
import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.kit import Toolset

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Tool:
    name: str
    effect: str
    description: str
    parameters: Sequence[str]
    toolset: str = "google"
    says: Sequence[str] = ()


@dataclass(frozen=True)
class Question:
    """A question in plain words, and every tool that would answer it alone.

    `set`: "first" was used to tune the finder; a later set, by somebody else, is only measured.
    """

    question: str
    answers: Sequence[str]
    set: str = "first"

    @property
    def is_for_development(self) -> bool:
        """Return a fixed random half of the first set; the finder was tuned without the other half."""
        return self.set == "first" and hashlib.sha256(self.question.encode()).digest()[0] % 2 == 0


def _read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return found


def _read_phrases() -> dict[str, list[str]]:
    """Return the phrases by tool, as a toolset takes them."""
    phrases: dict[str, list[str]] = {}
    for block in (HERE / "google_phrases.txt").read_text(encoding="utf-8").split("\n\n")[1:]:
        lines = block.splitlines()
        tools = [name for line in lines if line[0] != " " for name in line.split()]
        for name in tools:
            ways = " ".join(line.strip() for line in lines if line[0] == " ").split("; ")
            phrases.setdefault(name, []).extend(ways)
    return phrases


PHRASES = _read_phrases()
TOOLS = [Tool(**one, says=PHRASES[one["name"]]) for one in _read("google_tools.json")]
QUESTIONS = [Question(**one) for one in _read("questions.json")]


def google() -> Toolset:
    """The tools as a toolset of which nothing works."""
    toolset = Toolset(
        "google", "Drive, Docs, Sheets and Slides.", case="camel", open_world=True, phrases=PHRASES
    )
    for tool in TOOLS:
        verb = getattr(toolset, tool.effect)
        verb(name=tool.name)(_function(tool))
    return toolset


def _function(tool: Tool) -> Any:
    async def function(**arguments: str | None) -> str:
        return "Done."

    kind, default = inspect.Parameter.KEYWORD_ONLY, None
    annotations: dict[str, Any] = {name: str | None for name in tool.parameters}
    parameters = [inspect.Parameter(name, kind, default=default) for name in tool.parameters]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect reads
    function.__annotations__ = {**annotations, "return": str}
    function.__doc__ = tool.description
    return function
