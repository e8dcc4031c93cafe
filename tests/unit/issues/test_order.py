"""The order that is kept while single files change equals a new one."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from laconic.servers.issues.index.entries import Entry, parse
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.index.order import Order, Step
from laconic.servers.issues.index.scan import Tree
from laconic.servers.issues.store import IssueStore
from tests.chance import examples
from tests.unit.issues.conftest import Open

STEPS = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from(["A", "B", "C", "D", "E", None]), st.integers(0, 3)),
    max_size=30,
)


def entry(number: int, id: str, day: int) -> Entry:
    at = f"updatedAt: '2025-01-0{day}'\n" if day else ""
    content = f"---\nid: {id}\n{at}---\n".encode()
    return parse(f".wrangler/issues/{number}.md", content, "issue", (number, 1, 1, 1)).entry


def said(order: Order) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.path, one.id, one.warnings) for one in order.entries()]


@examples(300)
@given(steps=STEPS)
def test_an_order_after_changes_equals_a_new_one(
    steps: list[tuple[int, str | None, int]],
) -> None:
    known: dict[int, Entry] = {}
    order = Order([])
    for number, id, day in steps:
        old = known.pop(number, None)
        if id is not None:
            known[number] = entry(number, id, day)
        step: Step = (old, known.get(number))
        order = order if order.follow([step]) else Order(known.values())
        again = Order(known.values())
        assert said(order) == said(again)
        assert {id: len(same) for id, same in order.ids.items()} == {
            id: len(same) for id, same in again.ids.items()
        }


def test_an_order_without_shared_ids_is_never_sorted_again() -> None:
    one, two, later = entry(1, "A", 1), entry(2, "B", 2), entry(1, "A", 3)
    order = Order([one, two])

    assert order.follow([(one, later), (two, None), (None, entry(3, "C", 0))])
    assert [found.id for found in order.entries()] == ["A", "C"]
    assert not order.follow([(None, entry(4, "A", 1))])


def test_only_new_entries_are_returned_since_a_generation(root: Path) -> None:
    index = Index(Layout.of(root))
    folder = root / ".wrangler/issues"
    folder.mkdir(parents=True)
    for number in range(400):
        (folder / f"ISS-{number:06d}-x.md").write_text("x", encoding="utf-8")
    index.refresh()
    generation = index.generation
    assert len(index.since(-1)) == len(index.since(0)) == 400

    (folder / "ISS-000401-x.md").write_text("x", encoding="utf-8")
    index.refresh()

    assert [entry.path for entry in index.since(generation)] == [".wrangler/issues/ISS-000401-x.md"]
    assert index.since(index.generation) == []


def test_our_own_write_is_not_found_again_and_a_foreign_one_is(root: Path, open_store: Open) -> None:
    store, other = open_store(), open_store(cache=None)
    made = [store.create({"title": title}, "B") for title in ("One", "Two")]
    other.entries()
    folder = root / ".wrangler/issues"
    tree = Tree(Layout.of(root))
    known = {entry.path: entry for entry in store.entries()}
    tree.scan(known)
    before = known[made[0].path]

    store.edit(made[0].id, lambda header, _: header.set("title", "Uno"))
    after = store.find(made[0].id)
    tree.expect(after.path, before.stamp, after.stamp)
    assert tree.scan({**known, after.path: after}).changed == []

    os.utime(folder / Path(made[1].path).name, (1, 1))
    assert tree.scan({**known, after.path: after}).changed == [made[1].path]


def test_many_changes_in_one_scan_are_applied_one_by_one(root: Path, store: IssueStore) -> None:
    ids = [store.create({"title": f"Number {number}"}, "B").id for number in range(30)]
    with store.one_scan():
        for id in ids[::2]:
            store.edit(id, lambda header, _: header.set("status", "closed"))

    assert [entry.id for entry in store.entries()][:15] == ids[::2][::-1]
    assert [entry.id for entry in store.entries() if entry.status == "open"] == ids[1::2][::-1]
