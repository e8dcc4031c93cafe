"""Whether wishes find an operation: `python -m tests.unit.google.granting FILE` counts, and shows no wish.

A file of wishes begins with a remark and an empty line. Each line after that is a wish, ` | `, and the names
of all tools that would do, with blanks between them.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.google.tools import google


@dataclass(frozen=True)
class Granted:
    """How many wishes there are, and how many find a right tool first and among five."""

    count: int
    first: int
    among: int


def wishes_in(file: Path) -> list[tuple[str, set[str]]]:
    """The wishes of a file, each with the tools that would do."""
    lines = file.read_text(encoding="utf-8").splitlines()[2:]
    parts = (line.partition(" | ") for line in lines if line.strip())
    return [(wish.strip(), set(tools.split())) for wish, _, tools in parts]


async def granted(wishes: Sequence[tuple[str, set[str]]]) -> Granted:
    """Ask `tools_find` for each wish, as a model does with the usual profile."""
    async with connect(google, settings=Settings(sandbox=True)) as client:
        texts = [(await client.call("tools_find", query=wish)).text for wish, _ in wishes]
    names = [[line.split(" ")[0] for line in text.splitlines()][:5] for text in texts]
    found = list(zip(names, (tools for _, tools in wishes), strict=True))
    first = sum(five[0] in tools for five, tools in found)
    return Granted(len(wishes), first, sum(bool(tools.intersection(five)) for five, tools in found))


def main() -> None:
    """Count the wishes of a file, after a check that every tool it names exists."""
    wishes = wishes_in(Path(sys.argv[1]))
    unknown = {name for _, tools in wishes for name in tools} - {spec.name for spec in google.tools}
    empty = [wish for wish, tools in wishes if not tools]
    if unknown or empty:
        sys.exit(f"No such tools: {', '.join(sorted(unknown)) or '-'}. Wishes without a tool: {len(empty)}.")
    done = asyncio.run(granted(wishes))
    shares = f"{done.first / done.count:.1%} first, {done.among / done.count:.1%} among five"
    print(f"{done.count} wishes: {shares} ({done.first} and {done.among}).")


if __name__ == "__main__":
    main()
