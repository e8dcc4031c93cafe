"""Sets of items: kept in little space, ranked all at once, and read back as they were written."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some
from sqlalchemy import Connection, text

from laconic.stores import Database, Shelf
from laconic.stores.shelf.search.changes import IndexChanges
from laconic.stores.shelf.search.hits import Hits
from laconic.stores.shelf.search.postings import (
    BLOCK,
    Postings,
    decoded,
    encoded,
    highest,
    members,
    of_junction,
    set_of,
    terms_of,
)
from laconic.stores.shelf.search.ranking import Ranks
from laconic.stores.shelf.search.seeking import meeting
from laconic.stores.shelf.search.words import INSIDE, LONGEST, chunks, fold, is_unit, units

NUMBERS = some.sets(some.integers(0, 400))


@given(NUMBERS, some.sampled_from([1, 20]))
def test_a_set_is_kept_and_read_whether_it_has_few_items_or_many(numbers: set[int], stretch: int) -> None:
    numbers = {number * stretch for number in numbers}
    assert members(decoded(encoded(set_of(numbers)))) == sorted(numbers)
    assert [*highest(set_of(numbers))] == sorted(numbers, reverse=True)


def test_a_set_takes_two_bytes_for_an_item_or_one_bit_for_each_there_is() -> None:
    assert len(encoded(set_of([BLOCK - 1]))) == 3
    assert len(encoded((1 << BLOCK) - 1)) == 1 + BLOCK // 8


@given(some.lists(some.tuples(NUMBERS, some.integers(0, 900)), max_size=6), NUMBERS)
def test_points_add_up_and_the_best_come_first(added: list[tuple[set[int], int]], doubled: set[int]) -> None:
    ranks, sums = Ranks(), dict.fromkeys(range(401), 0)
    for numbers, points in added:
        ranks.add(set_of(numbers), points)
        for number in numbers:
            sums[number] += points
    ranks.double(set_of(doubled))
    sums = {number: total * (2 if number in doubled else 1) for number, total in sums.items()}
    expected = sorted(((total, number) for number, total in sums.items()), reverse=True)
    hits = Hits(set_of(sums), ranks)
    assert hits.best(1000) == expected
    assert hits.best(7, skip=33) == expected[33:40]
    assert hits.best(7, after=expected[50]) == expected[51:58]
    assert hits.best(5, skip=400) == expected[400:]


def test_the_ranks_of_two_kinds_of_items_are_joined() -> None:
    one, other = Ranks(), Ranks()
    one.add(0b0001, 3)
    other.add(0b0010, 800)
    one.join(other)
    assert [*one.best_first(0b0111)] == [(800, 0b0010), (3, 0b0001), (0, 0b0100)]


@given(some.text("abc", min_size=1, max_size=5 * LONGEST), some.data())
def test_every_short_part_of_a_long_chunk_is_inside_one_of_its_pieces(
    chunk: str, data: some.DataObject
) -> None:
    start = data.draw(some.integers(0, len(chunk) - 1))
    part = chunk[start : start + INSIDE]
    pieces = chunks(chunk)
    assert any(part in piece for piece in pieces)
    assert any(chunk.startswith(piece) for piece in pieces) and any(chunk.endswith(piece) for piece in pieces)
    assert max(map(len, pieces)) <= LONGEST


@given(some.text("ab  ", max_size=40), some.data())
def test_a_text_that_is_part_of_another_meets_its_words_where_the_other_does(
    whole: str, data: some.DataObject
) -> None:
    start = data.draw(some.integers(0, len(whole)))
    part = fold(whole[start : data.draw(some.integers(start, len(whole)))])
    assert {one for (one,) in meeting(part.split(" "))} <= terms_of(fold(whole))


def test_words_meet_only_where_no_piece_is_cut_too_short() -> None:
    assert [*meeting(["review", "bread"])] == [(of_junction("iew bre"),)]
    assert [*meeting(["me", "a", "br"])] == []
    assert [*meeting(["the", "a", "b", "me"])] == [(of_junction("the a"),), (of_junction("a b"),)]


@given(
    some.lists(some.sampled_from(["{", "}", "{{", "}}", " ", "a", "%", "{{ a }}"]), max_size=12).map("".join)
)
def test_a_text_in_braces_is_found_wherever_it_appears(folded: str) -> None:
    for wanted in ("{{ a }}", "{ a }", "{% a %}", "{ }"):
        assert is_unit(wanted)
        assert (wanted in units(folded)) == (wanted in folded)


async def test_items_of_many_blocks_are_written_and_taken_out(tmp_path: Path) -> None:
    far = [1, BLOCK - 1, BLOCK, 3 * BLOCK + 5]

    def put(connection: Connection) -> list[int]:
        changes = IndexChanges(connection)
        for number in far:
            changes.put("prompt", number, 4, ["cword", "sword"])
        changes.write()
        return members(Postings(connection, ["cword"], ["prompt"]).of("prompt", 4, "cword"))

    def take(connection: Connection) -> tuple[list[int], int]:
        changes = IndexChanges(connection)
        for number in far[1:]:
            changes.take("prompt", number, 4, ["cword"])
        changes.take("prompt", 1, 4, ["cword"])
        changes.put("prompt", 1, 4, ["cword"])
        changes.write()
        words = connection.scalar(text("SELECT count(*) FROM vocabulary")) or 0
        return members(Postings(connection, ["cword"], ["prompt"]).of("prompt", 4, "cword")), words

    database = Database(tmp_path / "library.db", [Shelf.schema])
    assert await database.run(put) == far
    assert await database.run(take) == ([1], 1)
    await database.close()
