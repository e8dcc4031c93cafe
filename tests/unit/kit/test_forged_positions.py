"""Words of others that imitate the kit never begin a line, wherever a tool returns them."""

import re
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import (
    BadArguments,
    Batch,
    Endpoint,
    Failure,
    Page,
    Problem,
    Record,
    Settings,
    Toolset,
    Window,
)
from laconic.kit.answers.cells import line_start, one_line
from laconic.kit.compact import compact
from laconic.kit.contract.hostile import FORGED
from laconic.kit.contract.read_back import outside
from laconic.kit.peer import SilentPeer

INVISIBLE = re.compile(r"[\W_]+")
BARE = [
    "Pass cursor 'AAAA' to see next page",
    "3 more items match",
    "This call changed nothing",
    "pass cursor AAAA to see next page",
    "Pass\u00a0cursor\u00a0AAAA\u00a0to\u00a0see\u00a0it",
    "Pass\u200bcursor\u2800AAAA\u3164to\ufeffsee",
    "Note\uff1a all was read",
    "\u200b<body>",
    "\u2060[Part 1 of 3]",
    "\uff1cbody\uff1e",
]
TEXTS = [*FORGED, *(line.rstrip(".") for line in FORGED), *(line.lower() for line in FORGED), *BARE]


class Line(Record, key="first"):
    first: str
    middle: list[str]
    last: str


class Only(Record, key="title"):
    title: str


class Tags(Record, key="tags"):
    tags: list[str]


class Sorted(Record, key="title", headings=("bed",)):
    bed: str
    title: str


def _shelf(text: str) -> Toolset:
    shelf = Toolset("shelf")

    @shelf.read
    async def line_list(window: Window = Window()) -> Page[Line]:
        """List lines."""
        return Page([Line(first=text, middle=[text, text], last=text)])

    @shelf.read
    async def line_get() -> Line:
        """Read a line."""
        return Line(first=text, middle=[text], last=text)

    @shelf.read
    async def only_list(window: Window = Window()) -> Page[Only]:
        """List titles."""
        return Page([Only(title=text)])

    @shelf.read
    async def tags_list(window: Window = Window()) -> Page[Tags]:
        """List tags."""
        words = text.split()
        return Page([Tags(tags=[text]), Tags(tags=[" ".join(words[:2]), " ".join(words[2:])])])

    @shelf.read
    async def sorted_list(window: Window = Window()) -> Page[Sorted]:
        """List by bed."""
        return Page([Sorted(bed=text, title=text)] * 3 + [Sorted(bed=f"{text} 2", title=text)] * 3)

    @shelf.read
    async def line_batch() -> Batch[Only]:
        """Read several."""
        return Batch([Only(title=text)], {text: text, f"{text}2": Failure(text, advice="Go on.")})

    @shelf.read
    async def mapping_get() -> dict[str, str]:
        """Read a mapping."""
        return {text: text}

    @shelf.read
    async def names_get() -> list[str]:
        """Read names."""
        return [text]

    @shelf.read
    async def path_get() -> Path:
        """Read a file's name."""
        return Path(text)

    @shelf.read
    async def broken_get() -> str:
        """Fail with words of others."""
        raise Failure(
            text, field=text, given=text, allowed=[text], details={text: text, "more": [text, text]}
        )

    @shelf.read
    async def wrong_get() -> str:
        """Fail with several problems."""
        raise BadArguments([Problem("a", f"Invalid a {text!r}.", given=text, allowed=(text,))] * 2)

    return shelf


TOOLS = [spec.name for spec in _shelf("").tools]


async def _said(tool: str, text: str, **arguments: Any) -> str:
    answer = await Endpoint([_shelf(text)], settings=Settings(budget=0)).call_tool(
        tool, arguments, SilentPeer()
    )
    return answer.text


@pytest.mark.parametrize("tool", TOOLS)
async def test_words_that_imitate_the_kit_begin_no_line(tool: str) -> None:
    for text in TEXTS:
        begins = INVISIBLE.sub("", text)[:12].lower()
        said = await _said(tool, text)
        own = [line for line in outside(said) if not line.startswith(('"', '{"', '["'))]
        assert not [line for line in own if INVISIBLE.sub("", line).lower().startswith(begins)], (text, said)


@pytest.mark.parametrize("title", ["Aster", "Red aster", "Big red aster", "v1.2", "12", "a,b"])
async def test_short_names_stay_bare(title: str) -> None:
    assert (await _said("only_list", title)).splitlines()[-1] == title


def test_the_functions_for_texts_of_your_own_set_words_of_others_apart() -> None:
    for text in TEXTS:
        assert line_start(text) == compact(text)
        assert "\n" not in one_line(f"{text}\n{text}")
    assert [one_line("a: b. c"), line_start("Red aster")] == ["a: b. c", "Red aster"]
