"""Two clones that create and change issues and then merge, with real git and the merge driver."""

import re
from pathlib import Path

import pytest

from laconic.kit import Conflict
from laconic.servers.issues.service import Tracker
from tests.unit.issues.clones import Clone, two_clones

Pair = tuple[Clone, Clone]


@pytest.fixture
def clones(tmp_path: Path) -> Pair:
    return two_clones(tmp_path)


def meet(clones: Pair) -> str:
    """One pushes, the other merges; returns the output of the merge."""
    one, two = clones
    one.push()
    done = two.pull()
    return done.stdout + done.stderr


def test_edits_of_different_fields_merge_without_conflict(clones: Pair) -> None:
    ann, bob = clones
    ann.set("1", priority="high", labels=["ui"], assignee="ann")
    bob.set("1", status="in_progress", labels=["bug"], blockedBy=["ISS-000009"])

    assert "CONFLICT" not in meet(clones)

    issue = bob.store.read(bob.store.find("1"))
    assert (issue.priority, issue.status, issue.assignee) == ("high", "in_progress", "ann")
    assert sorted(issue.labels) == ["bug", "ui"]
    assert issue.blocked_by == ["ISS-000009"]
    assert issue.warnings == []
    assert bob.status() == ""


def test_a_rebase_merges_fields_as_well(clones: Pair) -> None:
    ann, bob = clones
    ann.set("1", priority="high")
    ann.push()
    bob.set("1", status="in_progress")
    bob.commit()

    bob.git("pull", "--quiet", "--rebase", "origin", "main")

    entry = bob.store.find("1")
    assert (entry.priority, entry.status, entry.warnings) == ("high", "in_progress", ())


def test_without_the_driver_git_cannot_merge_them(tmp_path: Path, clones: Pair) -> None:
    """The reason for all this: both sides change updatedAt."""
    ann, bob = clones
    bob.git("config", "--remove-section", "merge.laconic-issues")
    ann.set("1", priority="high")
    bob.set("1", status="in_progress")

    assert "CONFLICT" in meet(clones)


def test_edits_of_the_text_in_different_places_merge(clones: Pair) -> None:
    ann, bob = clones
    body = ann.store.read(ann.store.find("1")).description
    ann.set("1", body=body.replace("One.", "One!"), title="Changed")
    bob.set("1", body=body.replace("Three.", "Three!"), priority="low")

    assert "CONFLICT" not in meet(clones)

    assert bob.store.read(bob.store.find("1")).description == body.replace("One.", "One!").replace(
        "Three.", "Three!"
    )


def test_a_field_that_both_changed_shows_both_values_and_the_file_is_readable(clones: Pair) -> None:
    ann, bob = clones
    ann.set("1", priority="high", title="Ann's")
    bob.set("1", priority="low", status="in_progress")

    assert "both sides changed priority" in meet(clones)

    issue = bob.store.read(bob.store.find("ISS-000001"))
    assert (issue.priority, issue.title, issue.status) == ("low", "Ann's", "in_progress")
    assert issue.warnings == ["A merge left open: priority: high (theirs)"]
    assert "<<<<" not in bob.file("1")
    (finding,) = bob.doctor().findings()
    assert (finding.kind, finding.is_repairable) == ("conflict", False)


def test_setting_the_field_resolves_what_a_merge_left_open(clones: Pair) -> None:
    ann, bob = clones
    ann.set("1", priority="high")
    bob.set("1", priority="low")
    meet(clones)

    settled = bob.set("1", priority="low")

    assert (settled.priority, settled.warnings) == ("low", [])
    assert "conflict" not in bob.file("1")


def test_lines_that_both_changed_are_both_in_the_text_between_markers(clones: Pair) -> None:
    ann, bob = clones
    body = ann.store.read(ann.store.find("1")).description
    ann.set("1", body=body.replace("Two.", "Ann's two."))
    bob.set("1", body=body.replace("Two.", "Bob's two."))

    assert "CONFLICT" in meet(clones)

    issue = bob.store.read(bob.store.find("1"))
    marked = "<<<<<<< ours\nBob's two.\n=======\nAnn's two.\n>>>>>>> theirs"
    assert issue.description == body.replace("Two.", marked)
    assert issue.warnings == ["The text contains conflict markers, line 5."]


@pytest.mark.parametrize("archives", [0, 1])
def test_one_closes_and_the_other_edits(clones: Pair, archives: int) -> None:
    clones[archives].set("1", status="closed", closedAt="2025-01-01T00:00:00.000Z")
    clones[1 - archives].set("1", priority="critical", body="Another text.\n\nOne.\n\nTwo.\n\nThree.\n")

    assert "CONFLICT" not in meet(clones)

    (entry,) = clones[1].store.entries()
    assert entry.path == ".wrangler/issues/archived/ISS-000001-first.md"
    assert (entry.status, entry.priority, entry.warnings) == ("closed", "critical", ())
    assert clones[1].doctor().findings() == []


def test_if_both_close_an_issue_the_later_time_wins(clones: Pair) -> None:
    ann, bob = clones
    ann.set("1", status="closed", closedAt="2025-01-02T00:00:00.000Z")
    bob.set("1", status="closed", closedAt="2025-01-01T00:00:00.000Z")

    assert "CONFLICT" not in meet(clones)

    assert "closedAt: '2025-01-02T00:00:00.000Z'" in bob.file("1")


def test_two_issues_with_one_id_have_a_warning_wherever_they_are_shown(clones: Pair) -> None:
    ann, bob = clones
    assert ann.create("From Ann").id == bob.create("From Bob").id == "ISS-000002"

    meet(clones)

    entries = [entry for entry in bob.store.entries() if entry.id == "ISS-000002"]
    assert sorted(entry.warnings for entry in entries) == [
        ("shared id: call it ISS-000002-from-ann",),
        ("shared id: call it ISS-000002-from-bob",),
    ]
    assert bob.store.read(entries[0]).warnings == list(entries[0].warnings)
    for deed in (bob.store.find, bob.store.delete, lambda id: bob.set(id, priority="low")):
        with pytest.raises(Conflict, match="ISS-000002 could be 2 files"):
            deed("ISS-000002")


def test_the_doctor_gives_the_younger_one_its_own_number(clones: Pair) -> None:
    ann, bob = clones
    ann.create("From Ann")
    bob.create("From Bob")
    meet(clones)

    checkup = bob.repair()

    assert (len(checkup.repaired), checkup.findings) == (1, [])
    titles = {entry.id: entry.title for entry in bob.store.entries()}
    assert titles == {"ISS-000001": "First", "ISS-000002": "From Ann", "ISS-000003": "From Bob"}
    younger = bob.store.find("3")
    assert younger.path == ".wrangler/issues/ISS-000003-from-bob.md"
    assert younger.context == {"formerId": "ISS-000002"}


def test_a_repair_before_the_merge_is_committed_leaves_no_reference_ambiguous(clones: Pair) -> None:
    ann, bob = clones
    for clone, name in ((ann, "Ann"), (bob, "Bob")):
        clone.create(f"{name}'s base")
        clone.create(f"{name}'s next", blockedBy=["ISS-000002"])
    ann.push()
    bob.commit()
    bob.git("fetch", "--quiet")
    bob.git("merge", "--quiet", "--no-commit", "origin/main")

    checkup = bob.repair()

    found = {entry.title: entry for entry in bob.store.entries()}
    assert checkup.findings == []
    for name in ("Ann", "Bob"):
        assert found[f"{name}'s next"].blocked_by == (found[f"{name}'s base"].id,)


def test_both_clones_would_renumber_the_same_one(clones: Pair) -> None:
    ann, bob = clones
    ann.create("From Ann")
    bob.create("From Bob")
    meet(clones)
    bob.push()
    ann.pull()

    assert [(one.path, one.problem) for one in ann.doctor().findings()] == [
        (one.path, one.problem) for one in bob.doctor().findings()
    ]


def test_a_reference_follows_the_issue_it_meant_when_it_was_committed(clones: Pair) -> None:
    ann, bob = clones
    for clone, name in ((ann, "Ann"), (bob, "Bob")):
        clone.create(f"{name}'s base")
        clone.create(f"{name}'s next", blockedBy=["ISS-000002"])
        clone.create(f"{name}'s part", wranglerContext={"parentTaskId": "ISS-000002"})
    meet(clones)

    bob.repair()

    found = {entry.title: entry for entry in bob.store.entries()}
    assert found["Ann's base"].id == "ISS-000002"
    for name in ("Ann", "Bob"):
        base = found[f"{name}'s base"].id
        assert found[f"{name}'s next"].blocked_by == (base,)
        assert found[f"{name}'s part"].parent == base
    assert len({entry.id for entry in found.values()}) == 7
    assert bob.repair().repaired == []


def test_a_reference_that_could_mean_either_is_reported_and_left_alone(clones: Pair) -> None:
    ann, bob = clones
    ann.create("From Ann")
    bob.create("From Bob")
    meet(clones)
    bob.set("1", blockedBy=["ISS-000002"])  # written when both existed

    checkup = bob.repair()

    (left,) = checkup.findings
    assert (left.kind, left.mendable) == ("reference", False)
    assert "ISS-000002 (" in left.problem and "ISS-000003 (" in left.problem
    assert bob.store.find("1").blocked_by == ("ISS-000002",)


def test_two_issues_with_one_id_and_one_name_are_both_kept(clones: Pair) -> None:
    ann, bob = clones
    for clone, who in ((ann, "ann"), (bob, "bob")):
        clone.create("Login fails", assignee=who, labels=[f"by-{who}"])
    before = {clone.file("2") for clone in clones}

    assert "CONFLICT (add/add)" in meet(clones)

    both = bob.file("2")
    assert all(text in both for text in before)
    issue = bob.store.read(bob.store.find("ISS-000002"))
    assert (issue.assignee, len(issue.warnings)) == ("bob", 1)
    bob.repair()
    found = {entry.id: entry for entry in bob.store.entries()}
    assert {id: entry.assignee for id, entry in found.items()} == {
        "ISS-000001": None,
        "ISS-000002": "ann",
        "ISS-000003": "bob",
    }
    assert bob.file("2") in before
    assert bob.doctor().findings() == []


def test_fetched_issues_count_for_the_next_number(clones: Pair) -> None:
    ann, bob = clones
    for _ in range(3):
        ann.create("More")
    ann.push()

    bob.git("fetch", "--quiet")

    assert bob.create("Bob's").id == "ISS-000005"


@pytest.mark.slow
def test_no_two_issues_share_an_id_silently_after_a_week_of_work(clones: Pair) -> None:
    ann, bob = clones
    for day in range(3):
        for clone, who in ((ann, "ann"), (bob, "bob")):
            clone.create(f"Day {day} of {who}")
            clone.create("Same title")
            clone.set("1", **{f"note{day}{who}": "x"})
        meet(clones)
        bob.repair()
        bob.push()
        ann.pull()
    for clone in clones:
        ids = [entry.id for entry in clone.store.entries()]
        assert len(ids) == len(set(ids)) == 13
        assert clone.doctor().findings() == []
        keys = re.findall(r"^note\d\w+: x$", clone.file("1"), re.MULTILINE)
        assert len(keys) == 6


def test_a_merge_and_the_doctor_say_who_claimed_first(clones: Pair) -> None:
    ann, bob = clones
    for clone, name in ((bob, "bob"), (ann, "ann")):
        Tracker(clone.store).change("1", {"assignee": name, "status": "in_progress"}, claim=True)

    said = meet(clones)

    first = r"bob claimed it first, at \S+Z; ann at \S+Z\."
    assert re.search(rf"both sides changed assignee, claimedAt\. {first}", said)
    (found,) = [one for one in bob.doctor().findings() if one.kind == "claim"]
    assert re.fullmatch(first, found.problem) and not found.is_repairable

    Tracker(bob.store).change("1", {"assignee": "ann"})
    assert bob.doctor().findings() == [] and "conflict" not in bob.file("1")
