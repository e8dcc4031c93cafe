"""Every change of an item increases the revision of its kind; uses and reads do not."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import Database, Draft, Shelf
from laconic.stores.shelf.glance import revision_of
from tests.unit.stores.shelf.samples import ME, START, Clock, add, edit

Work = Callable[[Any, str, str], Any]
CHANGES: dict[str, Work] = {
    "edit": lambda desk, id, other: desk.edit(id, {"title": "new"}, ME),
    "archive": lambda desk, id, other: desk.archive(id, ME),
    "trash": lambda desk, id, other: desk.trash(id, ME),
    "purge": lambda desk, id, other: desk.purge(id),
    "link": lambda desk, id, other: desk.link(id, other, ME),
    "label": lambda desk, id, other: desk.label(id, "production", 1),
    "rename tag": lambda desk, id, other: desk.rename_tag("old", "new"),
    "drop tag": lambda desk, id, other: desk.drop_tag("old"),
}
NO_CHANGES: dict[str, Work] = {
    "use": lambda desk, id, other: desk.use(id),
    "same": lambda desk, id, other: desk.edit(id, {"body": "word"}, ME),
    "read": lambda desk, id, other: desk.get(id),
    "another kind": lambda desk, id, other: desk.add(Draft("page", "p"), ME),
}


def purge(id: str, desk: Any) -> None:
    desk.purge(id)


async def revision(shelf: Shelf, *kinds: str) -> int:
    return await shelf.read(lambda desk: desk.revision(kinds or ["prompt"]))


@pytest.mark.parametrize("name", [*CHANGES, *NO_CHANGES])
async def test_changes_are_counted_and_nothing_else(shelf: Shelf, name: str) -> None:
    item, other = await add(shelf, "a", body="word", tags=["old"]), await add(shelf, "b")
    before = await revision(shelf)

    await shelf.run(lambda desk: (CHANGES | NO_CHANGES)[name](desk, item.id, other.id))

    assert (await revision(shelf) > before) is (name in CHANGES)


async def test_a_revision_never_comes_again_after_the_newest_item_is_gone(shelf: Shelf) -> None:
    seen = [await revision(shelf)]
    for name in ("a", "b"):
        item = await add(shelf, name)
        seen.append(await revision(shelf))
        await shelf.run(partial(purge, item.id))
        seen.append(await revision(shelf))

    assert seen == sorted(set(seen))


async def test_changes_of_one_moment_are_counted_also_when_the_clock_goes_back(
    shelf: Shelf, clock: Clock
) -> None:
    seen: list[int] = []
    for back in (0, 0, 1):
        clock.turn(days=-back)
        await add(shelf, f"a{len(seen)}")
        seen.append(await revision(shelf))

    assert seen == sorted(set(seen))


async def test_no_revision_of_a_library_comes_again_in_the_one_that_takes_its_place(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    seen = []
    for _ in range(2):
        database = Database(file, [Shelf.schema])
        await add(Shelf(database), "a")
        await database.close()
        seen.append(revision_of(str(file), ["prompt"]))
        file.unlink()

    assert len(set(seen)) == 2


async def test_what_fails_is_not_counted(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    before = await revision(shelf)

    def work(desk: Any) -> None:
        desk.edit(item.id, {"title": "x"}, ME)
        raise ValueError

    with pytest.raises(ValueError):
        await shelf.run(work)
    assert await revision(shelf) == before


async def test_the_next_archiving_is_known(shelf: Shelf, clock: Clock) -> None:
    item = await add(shelf, "a")
    late = START + timedelta(days=2)
    await shelf.run(lambda desk: desk.archive(item.id, ME, late))
    assert await shelf.read(lambda desk: desk.next_archiving(["prompt"])) == late
    clock.turn(days=3)
    assert await shelf.read(lambda desk: desk.next_archiving(["prompt"])) is None


async def test_a_glance_at_a_file_sees_the_same_number_and_creates_nothing(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    assert revision_of(str(file), ["prompt"]) == 0
    assert not file.exists()
    database = Database(file, [Shelf.schema])
    shelf = Shelf(database)
    item = await add(shelf, "a")
    await edit(shelf, item, title="b")
    seen = revision_of(str(file), ["prompt"])
    assert seen and seen == await revision(shelf)
    await database.close()
    assert revision_of(str(file), ["prompt"]) == seen
    assert [path.name for path in tmp_path.iterdir()] == ["library.db"]  # noqa: ASYNC240
    file.write_bytes(b"not a database")
    assert revision_of(str(file), ["prompt"]) is None
    assert revision_of("postgresql://nobody@localhost/x", ["prompt"]) is None


def test_a_glance_imports_no_sqlalchemy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom laconic.stores.shelf.glance import revision_of\n"
        f"revision_of({str(tmp_path / 'x.db')!r}, ['prompt'])\nprint('sqlalchemy' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


async def test_the_trash_of_one_kind_is_emptied_alone(shelf: Shelf, clock: Clock) -> None:
    prompt, page = await add(shelf, "a"), await add(shelf, "p", kind="page")
    await shelf.run(lambda desk: (desk.trash(prompt.id, ME), desk.trash(page.id, ME)))
    clock.turn(days=31)
    assert await shelf.run(lambda desk: desk.empty_trash(clock.time, ["page"])) == 1
    assert await shelf.run(lambda desk: desk.empty_trash(clock.time)) == 1
