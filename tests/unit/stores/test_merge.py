"""Merging: changes to different things are combined, changes to the same thing are both shown."""

import string
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laconic.stores.errors import Unreadable
from laconic.stores.header.composing import compose
from laconic.stores.header.header import Header
from laconic.stores.header.merge import Merged, merge

BASE = """\
---
id: 1
title: First
status: open
priority: low
labels:
  - a
  - b
updatedAt: '2025-01-01T10:00:00.000Z'
context:
  agent: ann
---
One.

Two.

Three.
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_different_keys_and_lines_merge_even_if_they_are_neighbours() -> None:
    ours = changed(BASE, ("status: open", "status: closed"), ("One.", "One!"))
    theirs = changed(BASE, ("priority: low", "priority: high # now"), ("Three.", "Three!"))

    both = changed(ours, ("priority: low", "priority: high # now"), ("Three.", "Three!"))
    assert merge(BASE, ours, theirs) == Merged(both, ())


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    ours = changed(BASE, ("status: open", "status: closed"), ("One.", "One!"), ("id: 1", "id: 2"))
    theirs = changed(BASE, ("status: open", "status: 'closed'"), ("One.", "One!"))

    assert merge(BASE, ours, theirs) == Merged(ours, ())


def test_where_both_changed_a_key_ours_stays_and_theirs_is_seen() -> None:
    ours = changed(BASE, ("priority: low", "priority: high"))
    theirs = changed(BASE, ("priority: low", "priority: 'a: b'"))

    conflict = "priority: high\n# conflict: priority: 'a: b' (theirs)"
    assert merge(BASE, ours, theirs) == Merged(changed(ours, ("priority: high", conflict)), ("priority",))


@pytest.mark.parametrize(
    ("ours", "theirs", "expected", "conflicts"),
    [
        ("", "priority: low\n", "", ()),
        ("priority: low\n", "", "", ()),
        ("", "", "", ()),
        ("", "priority: high\n", "# conflict: priority: high (theirs)\n", ("priority",)),
        ("priority: high\n", "", "priority: high\n# conflict: priority (removed by theirs)\n", ("priority",)),
        ("priority: low\nnew: 1\n", "priority: low\n", "priority: low\nnew: 1\n", ()),
        ("priority: low\n", "priority: low\nnew: 1\n", "priority: low\nnew: 1\n", ()),
        ("priority: low\nnew: 1\n", "priority: low\nnew: 1\n", "priority: low\nnew: 1\n", ()),
        (
            "priority: low\nnew: 1\n",
            "priority: low\nnew: [x]\n",
            "priority: low\nnew: 1\n# conflict: new: [x] (theirs)\n",
            ("new",),
        ),
    ],
)
def test_added_and_removed_keys(ours: str, theirs: str, expected: str, conflicts: tuple[str, ...]) -> None:
    """Both sides also changed something else, so that neither is simply taken as a whole."""
    mine = changed(BASE, ("priority: low\n", ours), ("id: 1", "id: 2"))
    yours = changed(BASE, ("priority: low\n", theirs), ("Three.", "Three!"))

    whole = changed(BASE, ("priority: low\n", expected), ("id: 1", "id: 2"), ("Three.", "Three!"))
    assert merge(BASE, mine, yours) == Merged(whole, conflicts)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (["a", "b", "c"], ["a", "b", "d"], ["a", "b", "c", "d"]),
        (["b"], ["a"], []),
        (["a", "b", "c"], ["b", "c"], ["b", "c"]),
        (["c", "b", "a"], ["a", "b", "d"], ["c", "b", "a", "d"]),
        (["a", "b", "c"], None, None),
    ],
)
def test_lists_merge_as_sets_in_order(
    ours: list[str], theirs: list[str] | None, expected: list[str] | None
) -> None:
    mine, yours = Header.of(BASE), Header.of(BASE)
    mine.set("labels", ours)
    yours.set("labels", theirs)

    merged = merge(BASE, mine.text(), yours.text())

    assert Header.of(merged.text).values()["labels"] == (ours if expected is None else expected)
    assert merged.conflicts == (() if expected is not None else ("labels",))


@pytest.mark.parametrize(
    ("ours", "theirs", "later"),
    [
        ("2025-01-03T10:00:00.000Z", "2025-01-02T10:00:00.000Z", "2025-01-03T10:00:00.000Z"),
        ("2025-01-02T10:00:00.000Z", "2025-01-03T10:00:00.000Z", "2025-01-03T10:00:00.000Z"),
        ("2025-01-02T10:00:00+05:00", "2025-01-02T08:00:00Z", "2025-01-02T08:00:00Z"),
        ("2025-01-02", "2025-01-03T08:00:00Z", "2025-01-03T08:00:00Z"),
        ("soon", "later", "soon"),
        (None, "2025-01-03", "2025-01-03"),
        (7, 8, 8),
    ],
)
def test_for_some_keys_the_later_value_wins(ours: Any, theirs: Any, later: Any) -> None:
    mine, yours = Header.of(BASE), Header.of(BASE)
    mine.set("updatedAt", ours)
    yours.set("updatedAt", theirs)

    merged = merge(BASE, mine.text(), yours.text(), newest=frozenset({"updatedAt"}))

    assert Header.of(merged.text).values()["updatedAt"] == later
    assert merged.conflicts == ()


def test_mappings_merge_key_by_key() -> None:
    ours = changed(BASE, ("agent: ann", "agent: bob\n  task: 1"))
    theirs = changed(BASE, ("agent: ann", "agent: eve\n  effort: 2"))

    merged = merge(BASE, ours, theirs)

    assert Header.of(merged.text).values()["context"] == {"agent": "bob", "task": 1, "effort": 2}
    assert merged.conflicts == ("context.agent",)
    assert "  effort: 2\n# conflict: context.agent: eve (theirs)\n---\n" in merged.text


def test_where_both_changed_the_same_lines_of_the_body_markers_surround_only_them() -> None:
    ours = changed(BASE, ("Two.\n", "Same.\nTwo!\n"), ("status: open", "status: closed"))
    theirs = changed(BASE, ("Two.\n", "Same.\n2\n3\n"))

    marked = "Same.\n<<<<<<< ours\nTwo!\n=======\n2\n3\n>>>>>>> theirs\n"
    assert merge(BASE, ours, theirs) == Merged(changed(ours, ("Same.\nTwo!\n", marked)), ("body",))


def test_markers_are_on_separate_lines_below_a_last_line_without_a_line_break() -> None:
    base, ours, theirs = ("---\r\na: 1\r\n---\r\n" + end for end in ("x", "y", "z\r\n"))

    merged = merge(base, ours, theirs).text

    assert merged == "---\r\na: 1\r\n---\r\n<<<<<<< ours\r\ny\r\n=======\r\nz\r\n>>>>>>> theirs\r\n"


def test_a_conflict_at_the_top_of_a_bare_text_is_not_taken_for_a_header() -> None:
    merged = merge("a\n", "b\n", "c\n")

    assert merged.text == "---\n---\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
    assert Header.of(merged.text).problem is None


def test_comments_of_both_sides_stay() -> None:
    ours = changed(BASE, ("id: 1\n", "# ours\nid: 1\n"), ("status: open", "status: closed"))
    theirs = changed(
        BASE, ("title: First", "# theirs\ntitle: Second"), ("context:", "context: # also theirs")
    )

    merged = merge(BASE, ours, theirs)

    for words in ("# ours\n", "# theirs\n", "# also theirs\n", "title: Second\n", "status: closed\n"):
        assert words in merged.text
    assert merged.conflicts == ()


def test_their_comment_stays_where_our_line_replaced_its_line() -> None:
    ours = changed(BASE, ("priority: low", "priority: high"), ("agent: ann", "agent: bob"))
    theirs = changed(BASE, ("priority: low", "priority: low # for now"), ("agent: ann", "agent: ann # who?"))

    merged = merge(BASE, ours, theirs)

    assert merged.conflicts == ()
    assert "priority: high\n# for now (theirs)\n" in merged.text
    assert "agent: bob\n# who? (theirs)\n" in merged.text


def test_setting_a_key_resolves_only_its_own_conflict() -> None:
    ours = changed(BASE, ("priority: low", "priority: high"), ("status: open", "status: closed"))
    theirs = changed(BASE, ("priority: low", "priority: mid"), ("status: open", "status: cancelled"))
    header = Header.of(merge(BASE, ours, theirs).text)
    assert header.conflicts() == ["status: cancelled (theirs)", "priority: mid (theirs)"]

    header.set("priority", "high")

    assert header.conflicts() == ["status: cancelled (theirs)"]
    header.set("status", None)
    assert header.text() == changed(ours, ("status: closed\n", ""))


def test_another_line_end_is_no_change() -> None:
    ours = changed(BASE, ("One.", "One!"), ("id: 1", "id: 2"))
    theirs = changed(BASE, ("Three.", "Three!"), ("status: open", "status: closed")).replace("\n", "\r\n")

    both = changed(ours, ("Three.", "Three!"), ("status: open", "status: closed"))
    assert merge(BASE, ours, theirs) == Merged(both, ())


def test_a_header_on_one_side_only_is_kept() -> None:
    assert merge("a\nb\nc\n", "A\nb\nc\n", "---\nx: 1\n---\na\nb\nC\n").text == "---\nx: 1\n---\nA\nb\nC\n"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_header_is_refused(place: int) -> None:
    versions = [BASE, changed(BASE, ("id: 1", "id: 2")), changed(BASE, ("Two.", "2"))]
    versions[place] = versions[place].replace("title: First", "title: [")

    with pytest.raises(Unreadable, match=("base", "ours", "theirs")[place]):
        merge(*versions)


patiently = settings(suppress_health_check=[HealthCheck.too_slow])
words = st.text(string.ascii_lowercase, min_size=1, max_size=5)
fields = st.one_of(
    words, st.text(max_size=10), st.booleans(), st.integers(-9, 9), st.lists(words, max_size=3)
)
fields = st.one_of(fields, st.dictionaries(words, fields, max_size=2))
keys = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
bodies = st.lists(st.sampled_from(["a", "b", "c", "", "---", "x: y"]), max_size=8).map("\n".join)
files = st.builds(compose, st.dictionaries(keys, fields, max_size=6), st.just(()), bodies)
wild = st.one_of(files, st.text("-a: \n\r[<", max_size=20))


@patiently
@given(wild, wild)
def test_a_side_without_changes_yields(base: str, other: str) -> None:
    assert merge(base, other, base) == Merged(other, ())
    assert merge(base, base, other) == Merged(other, ())
    assert merge(base, other, other) == Merged(other, ())


@patiently
@given(files, st.dictionaries(keys, st.one_of(st.none(), fields)), st.data())
def test_edits_of_different_keys_never_conflict_and_both_survive(
    base: str, edits: dict[str, Any], data: st.DataObject
) -> None:
    of_ours = data.draw(st.sets(st.sampled_from(sorted(edits)))) if edits else set()
    ours, theirs = Header.of(base), Header.of(base)
    for key, value in edits.items():
        (ours if key in of_ours else theirs).set(key, value)

    merged = merge(base, ours.text(), theirs.text())

    expected = {
        key: value for key, value in {**Header.of(base).values(), **edits}.items() if value is not None
    }
    assert Header.of(merged.text).values() == expected
    assert merged.conflicts == ()


@patiently
@given(files, files, files)
def test_a_merged_file_can_be_read_and_ours_is_in_it(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    header, mine = Header.of(merged.text), Header.of(ours).values()

    assert header.problem is None
    for name in set(merged.conflicts) - {"body"}:
        assert f"# conflict: {name}" in merged.text
        if "." not in name:
            assert header.values().get(name) == mine.get(name)
    assert ("<<<<<<< ours" in header.body) == ("body" in merged.conflicts)


@patiently
@given(files, files, files)
def test_both_sides_agree_on_what_they_disagree(base: str, ours: str, theirs: str) -> None:
    assert set(merge(base, ours, theirs).conflicts) == set(merge(base, theirs, ours).conflicts)


@patiently
@given(st.lists(words, min_size=3, max_size=12), st.data())
def test_lines_changed_apart_from_each_other_merge(lines: list[str], data: st.DataObject) -> None:
    base = [f"{number} {line}" for number, line in enumerate(lines)]
    one = data.draw(st.integers(0, len(base) - 3))
    two = data.draw(st.integers(one + 2, len(base) - 1))
    ours, theirs, both = [*base], [*base], [*base]
    ours[one] = both[one] = "ours"
    theirs[two] = both[two] = "theirs"

    merged = merge(*("".join(f"{line}\n" for line in version) for version in (base, ours, theirs)))

    assert merged == Merged("".join(f"{line}\n" for line in both), ())


remarks = st.lists(st.sampled_from(["one", "two", "three"]), min_size=1, max_size=3, unique=True)


@patiently
@given(st.dictionaries(keys, words, min_size=1), st.dictionaries(keys, words), remarks, st.data())
def test_no_comment_of_either_side_is_lost(
    values: dict[str, str], edits: dict[str, str], said: list[str], data: st.DataObject
) -> None:
    base = compose(values, (), "")
    ours = Header.of(base)
    for key, value in edits.items():
        ours.set(key, value)
    lines = base.splitlines()
    for words_of_theirs in said:
        line = data.draw(st.integers(1, len(values)))
        lines[line] += f" # {words_of_theirs}" if "#" not in lines[line] else f" {words_of_theirs}"

    merged = merge(base, ours.text(), "\n".join(lines) + "\n")

    assert all(words_of_theirs in merged.text for words_of_theirs in said)
    assert Header.of(merged.text).values() == {**values, **edits}
