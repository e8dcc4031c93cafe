"""The text of records reads back to the values of the structured form, whatever the values are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, NewType
from uuid import UUID

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from laconic.kit import Record
from laconic.kit.answers.lists import listed
from laconic.kit.answers.packing import packed, unpacked
from laconic.kit.answers.views import View
from laconic.kit.contract.read_back import outside, read_many, read_one
from laconic.text import case_of

Name = NewType("Name", str)


class Colour(StrEnum):
    """A word."""

    RED = "red"
    NONE = "none"


class Level(Enum):
    """A number, or a word."""

    ONE = 1
    TOP = "top"


class Inner(BaseModel):
    """A model in a record."""

    words: str
    at: datetime | None = None


@dataclass
class Point:
    """A dataclass in a record."""

    x: float
    label: str


class Everything(Record, bodies=("body", "body2", "second")):
    """A record with a field of every type."""

    id: str
    text: str
    maybe: str | None
    name: Name
    limited: Annotated[str, Field(max_length=10_000)]
    body: str
    body2: str | None
    second: str
    number: int
    real: float
    exact: Decimal
    flag: bool
    maybe_flag: bool | None
    mixed: int | str | bool | None
    anything: Any
    colour: Colour
    level: Level
    word: Literal["a", "b"]
    at: datetime
    day: date
    hour: time
    lasts: timedelta
    uuid: UUID
    raw: bytes
    path: PurePosixPath
    texts: list[str]
    maybe_texts: list[str | None] | None
    numbers: list[float]
    flags: tuple[bool, ...]
    pair: tuple[int, str]
    some: set[str]
    days: list[date]
    lists: list[list[str]]
    table: dict[str, Any]
    by_number: dict[int, str]
    inner: Inner
    inners: list[Inner]
    point: Point


class Grouped(
    Record,
    formats={"short": ("group", "more", "tags", "on", "at"), "long": ("group", "more", "tags", "on", "at")},
    default="short",
    headings=("group", "more", "tags", "on", "at"),
    usual="group",
):
    """A record in a list with headings."""

    id: str | None
    group: str | None
    more: str | None = None
    tags: list[str] | None = None
    on: date | None = None
    at: datetime | None = None


TRICKS = [
    *("", " ", "\n", "\r", "\t", '"', '""', "none", "null", "true", "yes", "no", "5", "-0.0", "NaN", "[]"),
    *("{}", "a,b", ",", ":", "a:", "a: b", "Note: x", "Error [X]: y", "<body>", "</body>", "---", "id: x"),
    *("<body2>\n</body2>", "</body>\n</body-2>\n</body3>", "a\n", "\na", "a\n\n", "\n\nid: x", "\x85"),
    *("\u2028a", "\ud800", "\udfff\n\ud800", "👍🏽", "\u202eabc", "שלום", "\x00", "\x1b[31m", "\ufeff"),
    *("[1, 2]", "1e400", "3 more items match. Pass cursor 'x' to see next page.", "[5 characters more.]"),
]
LETTERS = st.characters(exclude_categories=()) | st.sampled_from("\n\r\t\"',:<>[]{}/\\ \ud83d\u2029")
TEXT = st.sampled_from(TRICKS) | st.text(LETTERS, max_size=12)
NUMBER = st.floats() | st.integers().map(float)
SOME_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
ZONES = st.sampled_from([None, UTC, timezone(timedelta(hours=2)), timezone(timedelta(seconds=3))])
TIMES = st.datetimes(timezones=ZONES)
INNER = st.builds(Inner, words=TEXT, at=TIMES | st.none())
EVERYTHING = st.fixed_dictionaries(
    {
        **dict.fromkeys(["id", "text", "name", "limited", "body", "second"], TEXT),
        **dict.fromkeys(["maybe", "body2"], TEXT | st.none()),
        "number": st.integers(),
        "real": NUMBER,
        "exact": st.decimals(),
        "flag": st.booleans(),
        "maybe_flag": st.booleans() | st.none(),
        "mixed": st.integers() | TEXT | st.booleans() | st.none(),
        "anything": SOME_JSON,
        "colour": st.sampled_from(Colour),
        "level": st.sampled_from(Level),
        "word": st.sampled_from(["a", "b"]),
        "at": TIMES,
        "day": st.dates(),
        "hour": st.times(),
        "lasts": st.timedeltas(),
        "uuid": st.uuids(),
        "raw": st.binary(max_size=9),
        "path": TEXT.map(PurePosixPath),
        "texts": st.lists(TEXT, max_size=3),
        "maybe_texts": st.lists(TEXT | st.none(), max_size=3) | st.none(),
        "numbers": st.lists(NUMBER, max_size=3),
        "flags": st.lists(st.booleans(), max_size=3).map(tuple),
        "pair": st.tuples(st.integers(), TEXT),
        "some": st.sets(TEXT, max_size=3),
        "days": st.lists(st.dates(), max_size=3),
        "lists": st.lists(st.lists(TEXT, max_size=2), max_size=2),
        "table": st.dictionaries(TEXT, SOME_JSON, max_size=2),
        "by_number": st.dictionaries(st.integers(), TEXT, max_size=2),
        "inner": INNER,
        "inners": st.lists(INNER, max_size=2),
        "point": st.builds(Point, x=NUMBER, label=TEXT),
    }
).map(lambda values: Everything.model_construct(**values))
FIELDS = st.none() | st.lists(st.sampled_from(sorted(Everything.model_fields)), min_size=1, max_size=5)


def same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


@given(EVERYTHING, FIELDS, st.sampled_from(["snake", "camel"]))
def test_the_text_of_a_record_reads_back(record: Everything, fields: list[str] | None, case: str) -> None:
    chosen = None if fields is None else [case_of(name, case) for name in fields]
    view = View(Everything, form=None, fields=chosen, case=case)
    assert same(read_one(view.one(record), view), view.values(record))


@given(st.lists(EVERYTHING, min_size=1, max_size=3), FIELDS)
def test_the_text_of_a_list_reads_back(records: list[Everything], fields: list[str] | None) -> None:
    view = View(Everything, form=None, fields=fields, case="snake")
    text = f"{len(records)} things:\n{listed(view, records).text}\n\n3 more items match."
    assert same(read_many(text, view), [view.values(record, days=view.days) for record in records])


FEW_DAYS = st.sampled_from([date(2026, 9, 7), date(2026, 9, 27), date(2025, 12, 31), None])
SOME_WORDS = st.sampled_from(["a", "open", "All: group a", "All", "group=a", "Sep7", "a, b", "none", ""])
GROUPED = st.fixed_dictionaries(
    {
        "id": TEXT | st.none(),
        "group": SOME_WORDS | TEXT | st.none(),
        "more": SOME_WORDS | st.none(),
        "tags": st.none() | st.lists(SOME_WORDS | TEXT, max_size=2),
        "on": FEW_DAYS,
        "at": FEW_DAYS.map(lambda day: day and datetime(day.year, day.month, day.day, 9, tzinfo=UTC)),
    }
).map(lambda values: Grouped.model_construct(None, **values))
REPEATED = st.lists(st.tuples(GROUPED, st.integers(1, 4)), min_size=1, max_size=5).map(
    lambda found: [record for record, count in found for _ in range(count)]
)
BELOW = st.sampled_from(["", "\n\n3 more items match.", "\n\nFailed: x: y"])
SOME_FIELDS = st.none() | st.lists(st.sampled_from(sorted(Grouped.model_fields)), min_size=1, max_size=5)


@given(REPEATED, BELOW, SOME_FIELDS)
def test_a_list_with_headings_reads_back_in_its_order(
    records: list[Grouped], below: str, fields: list[str] | None
) -> None:
    view = View(Grouped, form="short", fields=fields, case="snake")
    text = f"Things:\n{listed(view, records).text}{below}"
    assert read_many(text, view) == [view.values(record, days=view.days) for record in records]


@given(REPEATED, SOME_FIELDS)
def test_a_packed_page_is_the_page(records: list[Grouped], fields: list[str] | None) -> None:
    view = View(Grouped, form="short", fields=fields, case="snake")
    rows = [view.values(record, days=view.days) for record in records]
    table = packed(view.columns, [list(row.values()) for row in rows], view.headings)
    assert unpacked(json.loads(json.dumps(table))) == rows


@given(EVERYTHING, st.sampled_from([*TRICKS, "Read on: read_on(handle='x')", "Failed: x: y"]))
@example(Everything.model_construct(id="x"), "Note: x")
def test_no_text_of_others_begins_a_line_as_the_kit_does(record: Everything, text: str) -> None:
    view = View(Everything, form=None, fields=None, case="snake")
    for name in ("text", "maybe", "body", "second", "anything"):
        setattr(record, name, f"mine\n{text}\n{text}")
    begins = tuple(f"{name}: " for name in view.columns)
    assert all(line.startswith(begins) for line in outside(view.one(record)))


@given(TEXT, TEXT | st.none())
def test_no_row_begins_as_a_line_of_the_kit(id: str, more: str | None) -> None:
    view = View(Grouped, form=None, fields=["id", "more"], case="snake")
    _, row = listed(view, [Grouped.model_construct(id=id, more=more)]).text.split("\n")
    is_quoted = row.startswith('"')
    assert is_quoted or not row.startswith(("<", "Note: ", "Error [", "[", "3 more", "Read on:"))
