"""The rules about issues: their order, and what an operation needs."""

from pathlib import Path

import pytest

from laconic.kit import BadArguments, Window
from laconic.servers.issues.filters import Filters
from laconic.servers.issues.service import Categories, Tracker
from laconic.servers.issues.store import IssueStore


@pytest.fixture
def tracker(store: IssueStore) -> Tracker:
    return Tracker(store)


@pytest.fixture
def categories(store: IssueStore) -> Categories:
    return Categories(store)


def write(root: Path, number: int, header: str = "") -> None:
    folder = root / ".wrangler/issues"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nid: ISS-{number:06d}\ntitle: Issue {number}\nstatus: open\n{header}---\nText.\n"
    (folder / f"ISS-{number:06d}-x.md").write_text(text, encoding="utf-8")


def numbers(
    tracker: Tracker, *, ready: bool = False, sort: tuple[str, bool] = ("updated", True)
) -> list[int]:
    page = tracker.find(Window(size=9), Filters(), ready=ready, sort=sort)
    return [int(issue.id[-1]) for issue in page.items]


def test_issues_are_sorted_by_priority_and_one_that_nobody_knows_is_the_lowest(
    root: Path, tracker: Tracker
) -> None:
    for number, priority in enumerate(("low", "critical", "someday", "high", "medium"), 1):
        write(root, number, f"priority: {priority}\n")

    assert numbers(tracker, sort=("priority", True)) == [2, 4, 5, 1, 3]
    assert numbers(tracker, sort=("priority", False)) == [3, 1, 5, 4, 2]


def test_issues_are_sorted_by_each_date_and_those_without_one_are_the_oldest(
    root: Path, tracker: Tracker
) -> None:
    write(root, 1, "createdAt: '2026-01-02'\nupdatedAt: '2026-01-03'\n")
    write(root, 2)
    write(root, 3, "createdAt: '2026-01-01'\nupdatedAt: '2026-01-04'\n")

    assert numbers(tracker, sort=("created", True)) == [1, 3, 2]
    assert numbers(tracker, sort=("updated", False)) == [2, 1, 3]


def test_of_equally_urgent_issues_the_oldest_is_first_and_one_without_a_date_last(
    root: Path, tracker: Tracker
) -> None:
    write(root, 1)
    write(root, 2, "createdAt: '2026-01-02'\n")
    write(root, 3, "createdAt: '2026-01-01'\n")
    write(root, 4, "priority: high\n")

    assert numbers(tracker, ready=True) == [4, 3, 2, 1]


@pytest.mark.parametrize("sort", [("updated", True), ("created", False)])
def test_a_page_that_is_cut_goes_on_after_its_last_issue(
    root: Path, tracker: Tracker, sort: tuple[str, bool]
) -> None:
    for number in (1, 2, 3):
        write(root, number)
    page = tracker.find(Window(size=3), Filters(), sort=sort)

    position = page.first(1).next
    assert isinstance(position, tuple)
    rest = tracker.find(Window(size=3, position=position), Filters(), sort=sort)

    assert rest.items == page.items[1:]


def test_a_search_for_an_id_shows_the_issues_that_mention_it(root: Path, tracker: Tracker) -> None:
    write(root, 1)
    write(root, 2, "labels: [ISS-000001]\n")

    page = tracker.search(Window(), "ISS-000001", ["labels"], Filters(), None, excerpts=False)

    assert [issue.id for issue in page.items] == ["ISS-000002"]
    assert page.remark == ""


def test_completing_says_whether_anything_changed(root: Path, tracker: Tracker) -> None:
    write(root, 1)

    assert [tracker.complete("1", "Done.").is_new for _ in range(2)] == [True, False]


@pytest.mark.parametrize("field", ["title", "description"])
def test_no_text_with_a_zero_byte_is_written(root: Path, tracker: Tracker, field: str) -> None:
    values = {"title": "New", "description": "Text.", field: "a\0b"}

    with pytest.raises(BadArguments, match=f"Invalid {field}: it contains a zero byte"):
        tracker.add({"title": values["title"]}, values["description"])


def test_the_labels_of_one_issue_or_of_all_are_listed(root: Path, categories: Categories) -> None:
    write(root, 1, "labels: [b]\n")
    write(root, 2, "labels: [c, a]\n")

    assert categories.labels("list", "2", []).values == ["c", "a"]
    assert categories.labels("list", None, []).values == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("operation", "reference", "labels", "missing"),
    [
        ("add", None, ["bug"], "issueId"),
        ("add", "1", [], "labels"),
        ("remove", None, [], "issueId"),
    ],
)
def test_labels_need_an_issue_and_labels(
    root: Path, categories: Categories, operation: str, reference: str | None, labels: list[str], missing: str
) -> None:
    write(root, 1)

    with pytest.raises(BadArguments, match=f"Missing {missing}: {operation} needs it"):
        categories.labels(operation, reference, labels)


@pytest.mark.parametrize(
    ("operation", "reference", "project", "missing"),
    [("add", None, "web", "issueId"), ("add", "1", "", "project"), ("remove", None, None, "issueId")],
)
def test_a_project_needs_an_issue_and_a_name(
    root: Path,
    categories: Categories,
    operation: str,
    reference: str | None,
    project: str | None,
    missing: str,
) -> None:
    write(root, 1)

    with pytest.raises(BadArguments, match=f"Missing {missing}: {operation} needs it"):
        categories.projects(operation, reference, project)


def test_an_issue_is_in_one_project_or_in_none(root: Path, categories: Categories) -> None:
    write(root, 1)

    assert categories.projects("add", "1", "web").values == ["web"]
    assert categories.projects("list", None, None).values == ["web"]
    assert categories.projects("remove", "1", None).values == []


def test_metadata_is_set_to_a_value_and_removed_without_one(
    root: Path, categories: Categories, tracker: Tracker
) -> None:
    write(root, 1)

    for key, is_given, missing in ((None, True, "key"), ("team", False, "value")):
        with pytest.raises(BadArguments, match=f"Missing {missing}: set needs it"):
            categories.metadata("set", "1", key, "a", is_given=is_given)
    categories.metadata("set", "1", "team", "a", is_given=True)
    assert tracker.get("1").wrangler_context == {"team": "a"}
    categories.metadata("remove", "1", "team", None, is_given=False)
    assert not tracker.get("1").wrangler_context
