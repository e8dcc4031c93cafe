"""Tags: one set for all kinds, written in one way, renamed everywhere at once."""

import pytest

from laconic.stores import BadValue, Missing, Shelf, TagCount, Taken
from tests.unit.stores.shelf.samples import ME, add, edit, get


async def test_tags_are_kept_in_one_form_each_once(shelf: Shelf) -> None:
    item = await add(shelf, "a", tags=["  Code-Review", "x", "", "code-review", " "])
    assert item.tags == ("code-review", "x")


@pytest.mark.parametrize("tag", ["two words", "a--b", "-a", "a_b", "ä", "x" * 51, "nul\0"])
async def test_what_is_no_tag_is_refused(shelf: Shelf, tag: str) -> None:
    with pytest.raises(BadValue) as refused:
        await add(shelf, "a", tags=["fine", tag])
    assert refused.value.field == "tags"
    assert await shelf.read(lambda desk: desk.tags(["prompt"], unused=True)) == []


async def test_an_item_has_at_most_a_hundred_tags(shelf: Shelf) -> None:
    item = await add(shelf, "a", tags=[f"t{number}" for number in range(100)])
    assert len(item.tags) == 100
    with pytest.raises(BadValue, match="at most 100 tags, not 10000"):
        await edit(shelf, item, tags=[f"t{number}" for number in range(10_000)])


async def test_tags_are_replaced_as_a_whole_and_none_leaves_them(shelf: Shelf) -> None:
    item = await add(shelf, "a", tags=["x", "y"])
    assert (await edit(shelf, item, tags=["y", "z"])).tags == ("y", "z")
    assert (await edit(shelf, item, tags=None)).tags == ("y", "z")
    assert (await edit(shelf, item, tags=[])).tags == ()


async def test_tags_are_counted_for_the_kinds_asked_for(shelf: Shelf) -> None:
    await add(shelf, "a", tags=["x", "y"])
    put_away = await add(shelf, "b", tags=["x"])
    await add(shelf, "c", kind="note", tags=["x", "z"])
    await shelf.run(lambda desk: desk.archive(put_away.id, ME))
    counts = await shelf.read(lambda desk: desk.tags(["prompt"]))
    assert counts == [TagCount("x", 1), TagCount("y", 1)]
    both = await shelf.read(lambda desk: desk.tags(["prompt", "note"], ["active", "archived"]))
    assert both == [TagCount("x", 3), TagCount("y", 1), TagCount("z", 1)]
    everything = await shelf.read(lambda desk: desk.tags(["prompt"], unused=True))
    assert TagCount("z", 0) in everything


async def test_a_renamed_tag_is_renamed_everywhere_and_changes_no_item(shelf: Shelf) -> None:
    item = await add(shelf, "a", tags=["old", "x"])
    await shelf.run(lambda desk: desk.rename_tag("old", " New "))
    after = await get(shelf, item.id)
    assert after.tags == ("new", "x")
    assert (after.version, after.updated_at) == (item.version, item.updated_at)
    with pytest.raises(Taken):
        await shelf.run(lambda desk: desk.rename_tag("new", "x"))
    with pytest.raises(Missing, match="There is no tag old"):
        await shelf.run(lambda desk: desk.rename_tag("old", "older"))


async def test_a_dropped_tag_is_taken_off_all_items(shelf: Shelf) -> None:
    item = await add(shelf, "a", tags=["old", "x"])
    await shelf.run(lambda desk: desk.drop_tag("old"))
    assert (await get(shelf, item.id)).tags == ("x",)
    with pytest.raises(Missing):
        await shelf.run(lambda desk: desk.drop_tag("old"))
