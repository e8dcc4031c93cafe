"""What is kept of a database: within its bytes, and never longer than its mark."""

from laconic.stores.database.kept import Kept

KILO = 1024


def filled(most: int, count: int, size: int = KILO) -> Kept[int]:
    kept: Kept[int] = Kept(most)
    kept.start("mark")
    for number in range(count):
        kept.keep("mark", number, number, size)
    return kept


def test_a_value_is_there_as_long_as_the_mark_is_the_same() -> None:
    kept = filled(64 * KILO, 2)
    assert (kept.get("mark", 0), kept.get("mark", 1), kept.get("mark", 2)) == (0, 1, None)
    assert kept.get("another", 0) is None
    assert kept.get("mark", 0) is None and kept.size == 0


def test_without_a_mark_nothing_is_kept_or_found() -> None:
    kept = filled(64 * KILO, 1)
    assert kept.get(None, 0) is None
    kept.keep(None, 0, 0, 1)
    assert kept.get(None, 0) is None


def test_what_was_read_under_an_earlier_mark_is_not_kept() -> None:
    kept: Kept[int] = Kept(64 * KILO)
    kept.start("before")
    kept.start("after")
    kept.keep("before", 1, 1, 1)
    assert kept.get("after", 1) is None and kept.get("before", 1) is None


def test_it_never_holds_more_than_its_bytes_and_forgets_what_was_used_least() -> None:
    kept = filled(64 * KILO, 20)
    for number in range(20, 1000):
        assert kept.get("mark", 0) == 0  # used all the time
        kept.keep("mark", number, number, KILO)
        assert kept.size <= 64 * KILO
    assert kept.get("mark", 999) == 999 and kept.get("mark", 1) is None


def test_what_takes_a_large_part_of_it_is_not_kept() -> None:
    kept = filled(64 * KILO, 1, size=4 * KILO)
    assert kept.get("mark", 0) is None and kept.size == 0


def test_a_value_that_replaces_another_is_counted_once() -> None:
    kept = filled(64 * KILO, 1)
    before = kept.size
    kept.keep("mark", 0, 7, KILO)
    assert (kept.size, kept.get("mark", 0)) == (before, 7)
