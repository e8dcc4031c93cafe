"""Whatever is looked for, both databases find what reading every text finds, in the same order."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from laconic.stores import Database, Draft, Item, ItemKind, ItemQuery, Shelf
from tests.postgres_server import PostgresServer
from tests.unit.stores.shelf.oracle import ranked
from tests.unit.stores.shelf.samples import ME, Clock, found

KINDS = ("prompt", "page")
PAGE = ItemKind("page", name=50)
LETTERS = some.sampled_from(
    [
        *"aAbsSeéÉßİﬁ",
        "e\u0301",
        " ",
        "\n",
        "-",
        "_",
        "%",
        "/",
        "\\",
        '"',
        "'",
        "*",
        "ing",
        "aaa",
        "abs bee",
        "{{ a }}",
        "{",
    ]
)
TEXTS = some.lists(LETTERS, max_size=12).map("".join)
NAMES = some.sampled_from(["abs", "bee-abs", "aaa-b", "e", "sing"])
TAGS = some.lists(some.sampled_from(["abs", "e", "bee-abs"]), max_size=2, unique=True)
STATES = some.sampled_from(["active", "active", "archived", "deleted"])
ITEMS = some.lists(
    some.tuples(some.sampled_from(KINDS), NAMES, TEXTS, TEXTS, TEXTS, TAGS, STATES), min_size=1, max_size=5
)
PARTS = some.one_of(
    TEXTS,
    NAMES,
    some.sampled_from(
        [" OR ", " -", ' "', '" ', "abs bee", "{{ a }}", "bs b", "ab", "e", " -abs", '-"bee"', "-bee-"]
    ),
)
QUERIES = some.tuples(
    some.lists(PARTS, min_size=1, max_size=4).map("".join).filter(str.strip),
    some.sampled_from([["prompt"], ["page"], ["prompt", "page"]]),
    some.sampled_from([["active"], ["active", "archived"], ["archived", "deleted"]]),
)


@pytest.mark.needs("postgres")
@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(items=ITEMS, queries=some.lists(QUERIES, min_size=1, max_size=6))
async def test_both_databases_find_what_reading_every_text_finds(
    pair: tuple[Shelf, Shelf], items: list[Any], queries: list[tuple[str, list[str], list[str]]]
) -> None:
    for shelf in pair:
        kept = await shelf.run(partial(fill, items))
        for text, kinds, states in queries:
            query = ItemQuery(kinds, text, states=states)  # type: ignore[arg-type]  # of a list
            names = {item.id: item.name for item in kept}
            expected = [names[id] for id in ranked(kept, query, {"page": PAGE})]
            assert await found(shelf, text, kinds=kinds, states=states) == expected
            by_title = await found(shelf, text, kinds=kinds, states=states, sort="title")
            assert sorted(map(str, by_title)) == sorted(map(str, expected))


def fill(items: list[Any], desk: Any) -> list[Item]:
    """Put these items, and no others, on a shelf."""
    everything = ItemQuery(KINDS, states=["active", "archived", "deleted"])
    for item in desk.search(everything, 99).items:
        desk.purge(item.id)
    kept = []
    for number, (kind, name, title, description, body, tags, state) in enumerate(items):
        draft = Draft(kind, f"{name}-{number}", title, description, body, tags=tags, terms=title[:3])
        item = desk.add(draft, ME)
        if state != "active":
            (desk.archive if state == "archived" else desk.trash)(item.id, ME)
        kept.append(desk.get(item.id))
    return kept


@pytest.fixture(scope="module")
def pair(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Shelf]]:
    """A shelf on each database."""
    file: Path = tmp_path_factory.mktemp("pair") / "library.db"
    databases = [Database(at, [Shelf.schema]) for at in (file, postgres.new_database())]
    one, other = (Shelf(database, [PAGE], Clock()) for database in databases)
    yield one, other
    for database in databases:
        asyncio.run(database.close())
