"""Declaring many tools: as functions, and from data; then their list, which reads every schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import process_time
from typing import Annotated, Any, Literal

from benchmarks.harness import Subject, interleaved
from benchmarks.report import Result, Table, figures, times
from laconic.kit import Described, Endpoint, Toolset

__all__ = ["run"]

TOOLS = 257  # operations of Google's four APIs
_TYPES: dict[str, dict[str, Any]] = {
    "Place": {
        "type": "object",
        "properties": {"index": {"type": "integer"}, "segmentId": {"type": "string"}},
    }
}
_ARGUMENTS: dict[str, dict[str, Any]] = {
    "documentId": {"type": "string", "description": "Its id."},
    "text": {"type": "string", "description": "What to insert."},
    "location": {"$ref": "Place"},
    "unit": {"type": "string", "enum": ["letters", "words"]},
    "times": {"type": "integer", "minimum": 1},
    "tabId": {"type": "string"},
}


async def run(quick: bool) -> Result:
    """Declare the tools and make their list, again and again; the time is this process's own."""
    ways = {"functions": _functions, "data": _data}
    subjects: dict[str, Subject] = {}
    for way, declare in ways.items():
        subjects[way] = partial(_timed, declare, _nothing)
        subjects[f"{way}, listed"] = partial(_timed, declare, _listed)
    found = await interleaved(subjects, 2 if quick else 15)
    rows = [
        [
            f"{TOOLS} tools from {way}" if way == "data" else f"{TOOLS} {way}",
            *(
                text
                for name in (way, f"{way}, listed")
                for text in (
                    f"{found[name].median * 1e3:.1f}",
                    times(found[name].over(found[name.replace(way, "functions")])),
                )
            ),
        ]
        for way in ways
    ]
    caption = (
        "Tools with six arguments, declared as functions and from data with one shared type; processor time. "
        "*Listed* is the time until their list is made, which needs every schema."
    )
    columns = ["", "declared, ms", "vs functions", "listed, ms", "vs functions"]
    over = {"data": "functions", "data, listed": "functions, listed"}
    return Result("declaring", [Table(caption, columns, rows)], figures=figures(found, over))


async def _timed(declare: Callable[[], Toolset], use: Callable[[Toolset], object]) -> list[float]:
    began = process_time()
    use(declare())
    return [process_time() - began]


def _nothing(toolset: Toolset) -> None:
    assert len(toolset.tools) == TOOLS


def _listed(toolset: Toolset) -> None:
    assert len(Endpoint([toolset]).listing.tools) > TOOLS  # with the kit's own


def _functions() -> Toolset:
    toolset = Toolset("functions", "Functions.", case="camel")
    for number in range(TOOLS):

        async def insert(
            document_id: Annotated[str, "Its id."],
            text: Annotated[str, "What to insert."],
            location: dict[str, Any] | None = None,
            unit: Literal["letters", "words"] = "letters",
            times: int = 1,
            tab_id: str | None = None,
        ) -> str:
            """Insert text into a document."""
            return text

        toolset.update(name=f"docs_insert{number}")(insert)
    return toolset


async def _insert(operation: str, arguments: Mapping[str, Any]) -> str:
    return f"{operation} {arguments['text']}"


def _data() -> Toolset:
    toolset = Toolset("data", "Data.", case="camel")
    for number in range(TOOLS):
        name = f"docs_insert{number}"
        takes = Described(_ARGUMENTS, ["documentId", "text"], types=_TYPES)
        toolset.add("update", name, "Insert text into a document.", takes, partial(_insert, name))
    return toolset
