"""A whole item: everything that belongs to it comes with one statement, whatever its texts are."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event

from laconic.stores import BadValue, Item, ItemLink, Missing, Shelf
from laconic.stores.database import rows
from tests.unit.stores.shelf.samples import ME, Clock, add, found, get

STRANGE = ['a "quoted" \\ text', "line\nline\ttab", "[1, null]", "é 𝄞 \U0001f600", "", None]


@contextmanager
def statements(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield what is asked of the database meanwhile, through SQLAlchemy or beside it."""
    asked: list[str] = []
    original = rows._cursor

    def noted(connection: Any, sql: str) -> Any:
        asked.append(sql)
        return original(connection, sql)

    def note(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        asked.append(statement)

    event.listen(desk._connection, "before_cursor_execute", note)
    monkeypatch.setattr(rows, "_cursor", noted)
    yield asked
    event.remove(desk._connection, "before_cursor_execute", note)


def _link(id: str, other: str, text: str | None, desk: Any) -> None:
    desk.link(id, other, ME, text)


def _label(id: str, label: str, desk: Any) -> None:
    desk.label(id, label, 1)


def _find(states: tuple[str, ...], desk: Any) -> Item:
    found: Item = desk.find("prompt", "one", states)
    return found


async def test_tags_labels_and_links_come_in_their_order_as_they_were_written(shelf: Shelf) -> None:
    item = await add(shelf, "one", body="text", tags=["zebra", "apple", "m-1"])
    for text in STRANGE:
        other = await add(shelf, None, kind="note", title=text or "none")
        await shelf.run(partial(_link, item.id, other.id, text))
    for label in ("staging", "beta", "production"):
        await shelf.run(partial(_label, item.id, label))
    whole = await get(shelf, item.id)
    assert whole.tags == ("zebra", "apple", "m-1")
    assert list(whole.labels.items()) == [("beta", 1), ("production", 1), ("staging", 1)]
    assert [link.description for link in whole.links] == STRANGE
    assert [link.title for link in whole.links] == [text or "none" for text in STRANGE]
    last = whole.links[-1]
    assert last == ItemLink(other.id, "note", None, "none", "active", None)
    assert [link.id for link in (await get(shelf, other.id)).links] == [item.id]


async def test_a_link_tells_the_state_of_its_other_end_at_this_moment(shelf: Shelf, clock: Clock) -> None:
    item, other = await add(shelf, "one"), await add(shelf, "two")
    await shelf.run(lambda desk: desk.link(item.id, other.id, ME))
    late = clock.time.replace(year=2030)
    await shelf.run(lambda desk: desk.archive(other.id, ME, late))
    assert [link.state for link in (await get(shelf, item.id)).links] == ["active"]
    clock.turn(days=5 * 366)
    assert [link.state for link in (await get(shelf, item.id)).links] == ["archived"]
    await shelf.run(lambda desk: desk.trash(other.id, ME))
    assert [link.state for link in (await get(shelf, item.id)).links] == ["deleted"]


async def test_one_statement_reads_it_by_id_and_by_name(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await add(shelf, "one", tags=["a"])
    other = await add(shelf, "two")
    await shelf.run(lambda desk: desk.link(item.id, other.id, ME))

    def work(desk: Any) -> None:
        with statements(desk, monkeypatch) as asked:
            assert desk.get(item.id) == desk.find("prompt", "one")
            assert len(desk.get(item.id).links) == 1
        assert len(asked) == 3

    await shelf.read(work)


async def test_what_is_not_there_or_in_another_state_is_missing(shelf: Shelf) -> None:
    item = await add(shelf, "one")
    await shelf.run(lambda desk: desk.archive(item.id, ME))
    for states in (("active",), ("deleted",)):
        with pytest.raises(Missing, match="There is no prompt one"):
            await shelf.read(partial(_find, states))
    kept = await shelf.read(lambda desk: desk.find("prompt", "one", ("active", "archived")))
    assert (kept.id, kept.state, kept.links, kept.labels) == (item.id, "archived", (), {})
    assert await found(shelf) == []


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
async def test_what_no_database_can_keep_is_refused_and_not_looked_for(shelf: Shelf, text: str) -> None:
    for look in (lambda desk: desk.get(text), lambda desk: desk.find("prompt", text)):
        with pytest.raises(BadValue):
            await shelf.read(look)
