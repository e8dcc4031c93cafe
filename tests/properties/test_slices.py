"""For any text: all ways of reading join to the whole, and no boundary splits what belongs together."""

import json
import re
from bisect import bisect_right
from itertools import pairwise
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laconic.text import (
    NoItems,
    Slice,
    beginning,
    by_characters,
    by_items,
    by_lines,
    by_section,
    count_hits,
    headings,
    kind_of,
    outline,
    pieces,
    search,
    section,
)

# Each is one grapheme, whatever is next to it.
CLUSTERS = [
    "👨\u200d👩\u200d👧\u200d👦",
    "👍🏽",
    "🇩🇪",
    "🇫🇷",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "e\u0301",
    "z\u0331\u0308\u0301",
    "\u1112\u1161\u11ab",
    "\u0915\u094d\u0937\u093f",
    "\ud83d\ude00",
]
LETTERS = [
    "a",
    "B",
    "ß",
    "日",
    " ",
    " ",
    ". ",
    "! ",
    "\ud800",
    "\udfff",
    "word",
    "`x y`",
    "[l k](http://u.v/w)",
]
ONE = re.compile(
    "|".join([*CLUSTERS, r"\r\n", r"[\ud800-\udbff][\udc00-\udfff]"])
)  # also where two parts meet
BREAKS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
INLINE = st.lists(st.sampled_from(CLUSTERS + LETTERS), max_size=25)
FILLED = INLINE.map(lambda parts: ["w", *parts])
LONG = st.integers(20, 300).flatmap(lambda count: FILLED.map(lambda parts: parts * (1 + count // 10)))


class Document(NamedTuple):
    """A text, and the places where no border may be: inside graphemes and rows, and inside fenced lines."""

    text: str
    torn: frozenset[int]
    fenced: frozenset[int]


Line = tuple[str, list[str], str]
"""What the line is (a row, fenced, or other), its graphemes and letters, and its break."""


def line(kind: str, parts: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[Line]]:
    return st.tuples(st.just(kind), parts, BREAKS).map(lambda made: [made])


def lines(kind: str, *texts: str) -> st.SearchStrategy[list[Line]]:
    return BREAKS.map(lambda end: [(kind, [text], end) for text in texts])


def joined(blocks: list[list[Line]]) -> list[Line]:
    return [made for block in blocks for made in block]


@st.composite
def tables(draw: st.DrawFn) -> list[Line]:
    end = draw(BREAKS)
    cell = INLINE.map(lambda parts: [part for part in parts if part != "`x y`"])
    rows = [["| a | b |"], ["|---|:-:|"]]
    rows += [["| ", *draw(cell), " | ", *draw(cell), " |"] for _ in range(draw(st.integers(0, 4)))]
    return [("row", parts, end) for parts in rows] + [("", [], end)]


@st.composite
def fences(draw: st.DrawFn) -> list[Line]:
    mark, end = draw(st.sampled_from(["```", "~~~~"])), draw(BREAKS)
    inside = draw(st.lists(FILLED | st.just(["# no heading"]) | st.just([]), max_size=4))
    body = [[part for part in parts if "`" not in part] for parts in inside]
    return [("fenced", parts, end) for parts in [[mark, "py"], *body, [mark]]] + [("", [], end)]


TITLES = st.sampled_from(["Notes", "1. Notes", "2.1 *Plan*", "In/Out", "notes", "Day 👍🏽", "e\u0301"])
BLOCKS = st.one_of(
    line("", FILLED),
    line("", LONG),
    lines("", ""),
    lines("", "", ""),
    st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(1, 4), TITLES).flatmap(
        lambda heading: lines("", heading, "")
    ),
    TITLES.flatmap(lambda title: lines("", "", title, "---", "")),
    tables(),
    fences(),
    lines("", "<!--", "# hidden", "-->", ""),
    lines("", "- item", "", "  # in a list", ""),
    lines("", "see [a link", "over two lines](http://u.v/w) and", "`code", "over` two"),
)


@st.composite
def prose(draw: st.DrawFn) -> Document:
    text, torn, fenced = "", set[int](), set[int]()
    for kind, parts, end in joined(draw(st.lists(BLOCKS, max_size=8))):
        start, text = len(text), text + "".join(parts) + end
        inside = set(range(start + 1, len(text)))
        torn |= inside if kind == "row" else set()
        fenced |= inside if kind == "fenced" else set()
    torn |= {index for found in ONE.finditer(text) for index in range(found.start() + 1, found.end())}
    return Document(text, frozenset(torn), frozenset(fenced))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | INLINE.map("".join)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=6),
    max_leaves=30,
)
RECORDS = st.lists(st.dictionaries(st.sampled_from(["id", "title", "tags"]), VALUES, max_size=3), max_size=12)
TREES = st.one_of(
    st.lists(VALUES, max_size=8),
    st.dictionaries(st.text(max_size=5), VALUES, max_size=8),
    RECORDS,
    st.builds(lambda rows, before, after: {"n": before, "rows": rows, "z": after}, RECORDS, VALUES, VALUES),
)
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[^\s,:\[\]{}"]+|\r\n', re.S)


@st.composite
def json_documents(draw: st.DrawFn) -> Document:
    value, indent = draw(TREES), draw(st.sampled_from([None, 1]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    text = draw(st.sampled_from(["", "\n ", "\r\n"])) + text.replace(
        "\n", draw(st.sampled_from(["\n", "\r\n"]))
    )
    torn = {index for found in TOKEN.finditer(text) for index in range(found.start() + 1, found.end())}
    return Document(text, frozenset(torn), frozenset())


@st.composite
def delimited(draw: st.DrawFn) -> Document:
    mark, end = draw(st.sampled_from(["\t", ",", ";"])), draw(BREAKS)
    alphabet = ["a", '"', "|", " ", *CLUSTERS] + ([] if mark == "\t" else ["\n", "\r\n", mark])
    cell = st.lists(st.sampled_from(alphabet), max_size=6).map("".join)
    rows = [
        ["id", "name", "note"],
        *draw(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=1, max_size=9)),
    ]
    texts = [mark.join(cell if mark == "\t" else quoted(cell) for cell in row) + end for row in rows]
    starts = [sum(map(len, texts[:number])) for number in range(len(texts) + 1)]
    torn = {index for start, after in pairwise(starts) for index in range(start + 1, after)}
    return Document("".join(texts), frozenset(torn), frozenset())


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if set(cell) & set('",;\r\n') else cell


# A document takes a while to draw, and a loaded machine takes longer: neither is a failure.
patiently = settings(suppress_health_check=[HealthCheck.too_slow])
DOCUMENTS = prose() | json_documents() | delimited()
CUTS = st.lists(st.integers(0, 2_000), max_size=12).map(sorted)
SIZES = st.integers(1, 400)


def borders(slices: list[Slice]) -> set[int]:
    return {border for part in slices for border in (part.start, part.end)}


@patiently
@given(DOCUMENTS, CUTS)
def test_ranges_of_characters_join_and_tear_nothing(document: Document, cuts: list[int]) -> None:
    text = document.text
    parts = [by_characters(text, start, end) for start, end in pairwise([0, *cuts, len(text) + 2_000])]

    assert "".join(part.text for part in parts) == text
    assert all(text[part.start : part.end] == part.text for part in parts)
    assert not borders(parts) & document.torn


@patiently
@given(DOCUMENTS, SIZES)
def test_pieces_join_and_tear_nothing(document: Document, size: int) -> None:
    text = document.text
    parts = pieces(text, size)

    assert "".join(part.text for part in parts) == text
    assert all(part.text for part in parts)
    assert not borders(parts) & (document.torn | document.fenced)
    whole = sorted(set(range(len(text) + 1)) - document.torn - document.fenced)
    for part in parts:
        assert len(part.text) <= size or is_one(part, whole)


def is_one(part: Slice, whole: list[int]) -> bool:
    """True if a part is one thing that cannot be cut; rows keep the blank lines after them."""
    start = part.start + len(part.text) - len(part.text.lstrip("\r\n"))
    end = max(start + len(part.text.strip("\r\n")), part.start + 1)
    return whole[bisect_right(whole, min(start, part.end - 1))] >= end


@patiently
@given(DOCUMENTS, st.integers(1, 9))
def test_lines_join(document: Document, step: int) -> None:
    text = document.text
    total = by_lines(text, 1, 1).total
    parts = [by_lines(text, first, first + step - 1) for first in range(1, total + 1, step)]

    assert "".join(part.text for part in parts) == text
    assert re.split(r"\r\n|\n|\r", text)[: len(parts)] == [
        by_lines(text, number, number).text.rstrip("\r\n") for number in range(1, len(parts) + 1)
    ]


@patiently
@given(prose())
def test_sections_nest_and_join(document: Document) -> None:
    text = document.text
    found = headings(text)
    top = [heading for heading in found if len(heading.names) == 1]

    assert by_section(text, "").text + "".join(text[heading.start : heading.end] for heading in top) == text
    for one, other in pairwise(found):
        assert one.start < other.start
        assert other.start >= one.end or other.end <= one.end
    for heading in found:
        assert text[heading.start : heading.end].startswith(by_lines(text, heading.line, heading.line).text)


@patiently
@given(prose())
def test_every_heading_is_found_by_its_path(document: Document) -> None:
    found = headings(document.text)

    for heading in found:
        if [other.path for other in found].count(heading.path) == 1:
            assert section(document.text, heading.path) == (heading.start, heading.end)


@patiently
@given(json_documents() | delimited(), st.integers(1, 5))
def test_items_join_to_the_list(document: Document, step: int) -> None:
    text = document.text
    try:
        total = by_items(text, 1, 1).total
    except NoItems:
        return
    parts = [by_items(text, first, first + step - 1) for first in range(1, total + 1, step)]

    assert not borders(parts) & document.torn
    if kind_of(text) == "table":
        assert "".join(part.text for part in parts) == text[parts[0].start :]
        return
    values = [value for part in parts for value in json.loads(part.text)]
    assert values in lists_of(json.loads(text))
    assert all(text[one.end : other.start].strip() == "," for one, other in pairwise(parts))


def lists_of(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else []
    return [value] + [found for item in inner for found in lists_of(item)]


@patiently
@given(DOCUMENTS, SIZES)
def test_a_beginning_fits_tears_nothing_and_can_be_read_on(document: Document, budget: int) -> None:
    text = document.text
    found = beginning(text, budget)

    assert len(found.text) <= budget
    assert found.end not in document.torn
    shown = found.text
    if kind_of(text) == "json":
        assert budget < 2 or json.loads(shown) is not None
        assert found.unit != "items" or found.last <= found.total
    else:
        assert shown == text[: found.end] or (
            found.end in fence_lines(document) and shown.startswith(text[: found.end])
        )
    assert shown == text or text.startswith(by_characters(text, 0, found.end).text)


def fence_lines(document: Document) -> set[int]:
    """Where lines begin inside a fence: a cut there is closed."""
    return {
        index
        for index in range(len(document.text))
        if index - 1 in document.fenced or index + 1 in document.fenced
    }


@patiently
@given(DOCUMENTS)
def test_an_outline_is_short(document: Document) -> None:
    assert len(outline(document.text).splitlines()) <= 42


@patiently
@given(prose(), st.sampled_from(["word", "NOTES", "👍🏽", "/w.?/", "e\u0301"]))
def test_what_is_found_is_there(document: Document, query: str) -> None:
    text = document.text
    hits = search(text, query)

    assert len(hits) == count_hits(text, query)
    for hit in hits:
        assert query[0] == "/" or text[hit.start : hit.end].casefold() == query.casefold()
        first = by_lines(text, hit.line, hit.line)
        assert first.start <= hit.start < first.end
        assert hit.start in range(*section(text, hit.section))
