"""Search and lists: what is found, in which order, and page after page."""

from functools import partial
from typing import Any

import pytest

from laconic.stores import BadValue, ItemPage, ItemQuery, Missing, Shelf
from laconic.stores.shelf.models import Sort
from tests.unit.stores.shelf.samples import ME, add, edit, found, get, version


async def test_words_are_found_in_any_form_and_field(shelf: Shelf) -> None:
    await add(shelf, "code-review")
    await add(shelf, "b", title="Reviewing code")
    await add(shelf, "c", description="It reviews the code")
    await add(shelf, "d", body="He reviewed\nsome of my CODE.")
    await add(shelf, "e", terms="review code")
    await add(shelf, "f", body="only review")
    assert set(await found(shelf, "reviews code")) == {"code-review", "b", "c", "d", "e"}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("apple", "abc"),
        ("apple pear", "ab"),
        ("apple -plum", "a c"),
        ("apple pear OR cherry", "abd"),
        ('"apple and pear"', "a"),
        ('"pear apple"', "b"),
        ('apple -"pear apple"', "a c"),
        ("-apple", "deg"),
        ('"', "e"),
        ("OR", "g"),
        ("- ", ""),
        (" ", "abcdeg"),
        ("{{ fruit }}", "e"),
        ("{{", "e"),
        ("50%", "e"),
        ("_x", "e"),
        ("ea", "abe"),
        ("r", "abdeg"),
        ("APPLE AND PEAR", "a"),
        ("kiwi", ""),
        ("ﬁg", "e"),
        ("STRASSE", "e"),
        ("İstanbul", "e"),
        ("tel", "e"),
        ("nbu", "e"),
        ("{{ apple", ""),
    ],
)
async def test_the_language_of_queries(shelf: Shelf, query: str, names: str) -> None:
    await add(shelf, "a", body="apple and pear")
    await add(shelf, "b", body="a pear\n apple, plum")
    await add(shelf, "c", body="Apples")
    await add(shelf, "d", body="cherry")
    await add(shelf, "e", body="{{ fruit }} 50% early _x fig Straße İSTANBUL ℡ \\ \"quoted\" 'single'")
    await add(shelf, "g", body="for")
    assert set(await found(shelf, query)) == set(names.replace(" ", ""))


async def test_a_hit_in_the_name_comes_before_one_in_the_body(shelf: Shelf) -> None:
    for name, fields in {
        "x-body": {"body": "needle"},
        "x-description": {"description": "needle"},
        "x-title": {"title": "needle"},
        "x-both": {"title": "needle", "body": "needle"},
        "needle": {},
    }.items():
        await add(shelf, name, **fields)
    assert await found(shelf, "needle") == ["x-both", "needle", "x-title", "x-description", "x-body"]


async def test_equal_hits_come_newest_first_and_archived_ones_count_half(shelf: Shelf) -> None:
    old, new = await add(shelf, "old", title="needle"), await add(shelf, "new", title="needle")
    await add(shelf, "low", description="needle and thread", body="needle")
    assert await found(shelf, "needle") == ["new", "old", "low"]
    await shelf.run(lambda desk: desk.archive(new.id, ME))
    assert await found(shelf, "needle", states=["active", "archived"]) == ["old", "low", "new"]
    assert await found(shelf, "needle", states=["archived"]) == ["new"]
    await shelf.run(lambda desk: desk.trash(old.id, ME))
    assert await found(shelf, "needle") == ["low"]
    assert await found(shelf, "needle", states=["deleted"]) == ["old"]


async def test_a_kind_may_weigh_its_fields_in_its_own_way(shelf: Shelf) -> None:
    await add(shelf, "needle", kind="page")
    await add(shelf, "other", kind="page", body="needle")
    await add(shelf, "third", kind="prompt", description="needle")
    assert await found(shelf, "needle", kinds=["page", "prompt"]) == ["third", "other", "needle"]


async def test_a_tag_is_found_by_its_name_also_after_it_was_renamed(shelf: Shelf) -> None:
    await add(shelf, "a", tags=["to-do"])
    await add(shelf, "b")
    assert await found(shelf, "to-do") == ["a"]
    await shelf.run(lambda desk: desk.rename_tag("to-do", "done"))
    assert await found(shelf, "done") == ["a"]
    assert await found(shelf, "to-do") == []


async def test_an_edit_is_found_at_once_and_what_it_replaced_no_longer(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="first", body="old words {{here}}")
    await edit(shelf, item, body="new words")
    assert await found(shelf, "new") == await found(shelf, "first") == await found(shelf, "wor") == ["a"]
    assert await found(shelf, "old") == await found(shelf, "{{here") == []
    await edit(shelf, item, terms="argument")
    assert await found(shelf, "argument") == ["a"]
    assert (await get(shelf, item.id)).version == 2  # words to find it by are no content


async def test_tags_filter_all_or_any(shelf: Shelf) -> None:
    await add(shelf, "a", tags=["x", "y"])
    await add(shelf, "b", tags=["y", "z"])
    await add(shelf, "c")
    assert await found(shelf, tags=["y"]) == ["b", "a"]
    assert await found(shelf, tags=["X ", "y"]) == ["a"]
    assert await found(shelf, tags=["x", "z"], any_tag=True) == ["b", "a"]
    assert await found(shelf, tags=["nobody"]) == []
    with pytest.raises(BadValue):
        await found(shelf, tags=["no tag"])


@pytest.mark.parametrize(
    ("sort", "ascending", "names"),
    [
        ("created_at", False, "dcba"),
        ("created_at", True, "abcd"),
        ("updated_at", False, "bdca"),
        ("last_used_at", False, "cdba"),
        ("title", True, "dbac"),
        ("title", False, "cabd"),
        ("name", True, "abcd"),
        ("relevance", False, "dcba"),
    ],
)
async def test_lists_are_sorted(shelf: Shelf, sort: Sort, ascending: bool, names: str) -> None:
    await add(shelf, "a", title="Éclair")
    b = await add(shelf, "b")
    c = await add(shelf, "c", title="ñandu")
    await add(shelf, "d", title="ANT")
    await edit(shelf, b, description="changed", body="x")
    await shelf.run(lambda desk: desk.use(c.id))
    assert await found(shelf, sort=sort, ascending=ascending) == list(names)


def search(query: ItemQuery, after: Any, desk: Any) -> ItemPage:
    page: ItemPage = desk.search(query, 3, after)
    return page


def purge(id: str, desk: Any) -> None:
    desk.purge(id)


async def test_pages_go_on_after_the_last_item_whatever_comes_and_goes(shelf: Shelf) -> None:
    items = [await add(shelf, name, body="word") for name in "abcdef"]
    for text in ("", "word"):
        query = ItemQuery(["prompt"], text)
        first = await shelf.read(partial(search, query, None))
        assert [item.name for item in first.items] == ["f", "e", "d"]
        late = await add(shelf, "late", body="word")
        await shelf.run(lambda desk: desk.trash(items[3].id, ME))
        rest = await shelf.read(partial(search, query, first.after))
        assert [item.name for item in rest.items] == ["c", "b", "a"]
        assert rest.after is None
        await shelf.run(partial(purge, late.id))
        await shelf.run(lambda desk: desk.untrash(items[3].id, ME))


async def test_lists_have_the_beginning_of_a_body_and_its_length(shelf: Shelf) -> None:
    await add(shelf, "a", body="word\n" * 1000)
    page = await shelf.read(lambda desk: desk.search(ItemQuery(["prompt"]), 1))
    item = page.items[0]
    assert item.body is None
    assert (item.preview, item.length) == (" ".join(["word"] * 100), 5000)


async def test_a_query_that_is_too_long_is_refused(shelf: Shelf) -> None:
    with pytest.raises(BadValue, match="at most 1,000 characters, not 1,001"):
        await found(shelf, "x" * 1001)
    with pytest.raises(BadValue, match="at most 32 words and phrases"):
        await found(shelf, "x " * 33)
    assert await found(shelf, "x" * 1000) == []


@pytest.mark.parametrize("query", ["nul \0", "half \ud800", '"half \ud800"'])
async def test_a_query_that_no_text_can_match_is_refused(shelf: Shelf, query: str) -> None:
    with pytest.raises(BadValue):
        await found(shelf, query)


async def test_a_text_without_spaces_is_found_by_any_part_of_it(shelf: Shelf) -> None:
    key = "".join(f"{number:x}" for number in range(9000))
    await add(shelf, "key", body=f"The key is {key}.")
    await add(shelf, "words", body=" ".join(f"w{number}x" for number in range(300)))
    assert await found(shelf, key[20_000:20_040]) == await found(shelf, key[-5:]) == ["key"]
    assert await found(shelf, "9x") == ["words"]  # more words contain it than are looked up one by one
    assert await found(shelf, "w299x") == ["words"] and await found(shelf, "w2999") == []


@pytest.mark.parametrize("far", [10**12, 10**30])
async def test_numbers_beyond_all_items_find_nothing(shelf: Shelf, far: int) -> None:
    item = await add(shelf, "a")
    assert not (await shelf.read(lambda desk: desk.search(ItemQuery(["prompt"]), 9, skip=far))).items
    assert not await shelf.read(lambda desk: desk.versions(item.id, 9, skip=far))
    with pytest.raises(Missing, match="has no version"):
        await version(shelf, item.id, far)
