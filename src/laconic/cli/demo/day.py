"""The day of the demo: what an agent asks, step by step; every answer is really given and counted."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import laconic
from laconic.cli.demo.sample import MEMOS, write_memos, write_repository
from laconic.cli.demo.thin_wrapper import ThinWrapper
from laconic.kit.endpoint import Endpoint
from laconic.kit.listing import model_text
from laconic.kit.peer import SilentPeer
from laconic.kit.settings import Settings
from laconic.kit.toolset import Toolset
from laconic.servers.example.tools import example

__all__ = ["STEPS", "AnswerCost", "Day", "Step", "spend"]

_TICKET: Final = {"topic": "The bilge pump leaks", "idempotency_key": "leak-1"}
_FROM_ANSWERS: Final = {  # read from the text, as a model does
    "cursor": re.compile(r"Pass cursor '([^']+)'"),
    "handle": re.compile(r"handle='(\w+)'"),
}
_HANDLE: Final = "7m5qrszug6ytg96w"  # handles are random: a fixed one is counted instead


@dataclass(frozen=True)
class Step:
    """One thing the agent does; `{cursor}` and `{handle}` in an argument are the last ones it received."""

    what: str
    toolset: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    thin: Literal["calls", "had it", "repository"] = "calls"  # how a thin wrapper does the same


_FIND: Final = {"handle": "{handle}", "find": "Page 137"}
_PAGE: Final = {"handle": "{handle}", "section": "Chapter 14/Page 137: Compasses"}
STEPS: Final = (
    Step(f"lists {MEMOS} memos: the first page", "example", "memo_list"),
    Step("reads the next page", "example", "memo_list", {"cursor": "{cursor}"}, "had it"),
    Step("searches for what the insurer wants", "example", "memo_list", {"text": "insurer"}),
    Step("reads one of the memos it found", "example", "memo_get", {"name": "stow-flares"}),
    Step("opens a 200-page manual", "document", "manual_read"),
    Step("searches it for page 137", "document", "read_on", _FIND, "had it"),
    Step("reads that page", "document", "read_on", _PAGE, "had it"),
    Step("opens a ticket, with wrong arguments", "live_list", "ticket_open", {"title": _TICKET["topic"]}),
    Step("fixes the call and adds a key", "live_list", "ticket_open", _TICKET),
    Step("sends it again: still one ticket", "live_list", "ticket_open", _TICKET),
    Step("sums up a repository; one part fails", "repo_summary", "repo_summary", thin="repository"),
)


@dataclass(frozen=True)
class AnswerCost:
    """The tokens of one answer, and of a thin wrapper's."""

    what: str
    tool: str
    laconic: int
    thin: int


@dataclass(frozen=True)
class Day:
    """The cost of all answers, and why a part of the day was left out."""

    rows: tuple[AnswerCost, ...]
    left_out: tuple[str, ...] = ()

    @property
    def laconic(self) -> int:
        """Our tokens in total."""
        return sum(row.laconic for row in self.rows)

    @property
    def thin(self) -> int:
        """A thin wrapper's tokens in total."""
        return sum(row.thin for row in self.rows)


async def spend(count: Callable[[str], int]) -> Day:
    """Run the day in a temporary folder and count every answer."""
    toolsets, left_out = _toolsets()
    with TemporaryDirectory(prefix="laconic-demo-") as folder:
        write_memos(Path(folder))
        if "repo_summary" in toolsets:
            write_repository(Path(folder))
        sections = {name: {"workspace": folder} for name in toolsets}
        endpoint = Endpoint(list(toolsets.values()), settings=Settings(sections=sections))
        thin = ThinWrapper(list(toolsets.values()), sections)
        try:
            rows = await _rows(endpoint, thin, count, [step for step in STEPS if step.toolset in toolsets])
        finally:
            await thin.close()
            await endpoint.close()
    return Day(tuple(rows), tuple(left_out))


async def _rows(
    endpoint: Endpoint, thin: ThinWrapper, count: Callable[[str], int], steps: list[Step]
) -> list[AnswerCost]:
    listing = endpoint.listing
    seen: dict[str, str] = {}
    listed = "\n".join([listing.instructions, *map(model_text, listing.tools)])
    rows = [AnswerCost("reads the tool list", "tools/list", count(listed), count(thin.tools()))]
    for step in steps:
        given = {name: str(value).format_map(seen) for name, value in step.arguments.items()}
        answer = (await endpoint.call_tool(step.tool, given, SilentPeer())).text
        seen |= {name: found[1] for name, form in _FROM_ANSWERS.items() if (found := form.search(answer))}
        theirs = "" if step.thin == "had it" else await _of_thin(thin, step, given)
        ours = count(answer.replace(seen.get("handle", _HANDLE), _HANDLE))
        rows.append(AnswerCost(step.what, step.tool, ours, count(theirs)))
    return rows


async def _of_thin(thin: ThinWrapper, step: Step, given: Mapping[str, Any]) -> str:
    return await (thin.repository(step.tool) if step.thin == "repository" else thin.call(step.tool, given))


def _toolsets() -> tuple[dict[str, Toolset], list[str]]:
    """Return the example server and the examples of the checkout by name, and what is missing and why."""
    found, left_out = {example.name: example}, []
    root = Path(str(laconic.__file__)).resolve().parents[2]
    if (root / "examples" / "__init__.py").is_file():
        with _importable(root):
            for module in sorted(iter_modules([str(root / "examples")]), key=lambda module: module.name):
                toolset: Toolset = import_module(f"examples.{module.name}").toolset
                found[toolset.name] = toolset
        if shutil.which("git") is None:
            del found["repo_summary"]
            left_out.append("git is not installed, so no repository is summed up.")
    else:
        left_out.append("The examples are not installed: the day uses only the example server.")
    return found, left_out


@contextmanager
def _importable(root: Path) -> Iterator[None]:
    """Put the checkout first on the path: another package may also be called `examples`."""
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
