"""A library of an earlier version is migrated when it is opened, and everything is found as before."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, inspect, select

from laconic.stores import Database, ItemQuery, Schema, Shelf
from laconic.stores.shelf.search.postings import of_junction
from laconic.stores.shelf.tables import TABLES
from laconic.stores.shelf.upkeep.moving import continue_numbers
from tests.library import KINDS, address_of
from tests.unit.stores.shelf.samples import add, edit, found

Rows = dict[str, list[dict[str, Any]]]
QUERIES = ("reviewing", "view", "{{ code", "ea", "C++", "poem", '"great poem"')


def read_rows(connection: Connection) -> Rows:
    """Return everything that is in the tables."""
    return {
        table.name: [dict(row._mapping) for row in connection.execute(select(table))]
        for table in TABLES.sorted_tables
    }


async def written(address: str) -> Rows:
    """Write a few items with today's program, and return what is in the tables."""
    database = Database(address, [Shelf.schema])
    shelf = Shelf(database)
    await add(shelf, "code-review", title="Reviews", body="Review {{ code }} in C++.", tags=["dev"])
    poem = await add(shelf, "poem", body="Write a poem.")
    await edit(shelf, poem, body="Write a great poem.")
    rows = await database.read(read_rows)
    await database.close()
    return rows


def older_schema(folder: Path, revision: int) -> Schema:
    """The schema as it was at an earlier revision."""
    folder.mkdir()
    for number in range(1, revision + 1):
        for script in Path(Shelf.schema.folder).glob(f"m{number:04}_*.py"):
            shutil.copy(script, folder)
    return Schema("shelf", folder)


async def put_into_older(rows: Rows, address: str, schema: Schema) -> None:
    """Make a library as it was then; its index did not have where words meet."""
    rows["postings"] = [row for row in rows["postings"] if not row["term"].startswith(of_junction("")[0])]

    def put(connection: Connection) -> None:
        had = inspect(connection).get_table_names()
        for table in TABLES.sorted_tables:
            if rows[table.name] and table.name in had:
                connection.execute(insert(table), list(rows[table.name]))
        continue_numbers(connection)

    database = Database(address, [schema])
    await database.run(put)
    await database.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("revision", [1, 2, 3, 4])
async def test_an_older_library_is_migrated_and_searched(
    kind: str, revision: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    rows = await written(str(tmp_path / "new.db"))
    address = address_of(kind, request, tmp_path)
    await put_into_older(rows, address, older_schema(tmp_path / "older", revision))

    database = Database(address, [Shelf.schema])
    shelf = Shelf(database)
    names: dict[str, Any] = {query: await found(shelf, query) for query in QUERIES}
    assert names == {
        "reviewing": ["code-review"],
        "view": ["code-review"],
        "{{ code": ["code-review"],
        "ea": ["poem"],
        "C++": ["code-review"],
        "poem": ["poem"],
        '"great poem"': ["poem"],
    }
    assert await shelf.read(lambda desk: desk.revision(["prompt"])) >= 3
    item = (await shelf.read(lambda desk: desk.search(ItemQuery(["prompt"], "great"), 1))).items[0]
    await edit(shelf, item, body="Write a good poem.")
    assert await found(shelf, "great") == [] and await found(shelf, "goo") == ["poem"]
    await database.close()
