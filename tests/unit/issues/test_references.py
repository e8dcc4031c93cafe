"""Finding the issue that is meant."""

from pathlib import Path

import pytest

from laconic.kit import Conflict, NotFound
from laconic.servers.issues.store import IssueStore


def write(root: Path, name: str, id: str | None = None) -> None:
    path = root / ".wrangler" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nid: {id}\ntitle: T\n---\n" if id else "Text.", encoding="utf-8")


@pytest.fixture(autouse=True)
def files(root: Path) -> None:
    write(root, "issues/ISS-000099-crash-on-start.md", "ISS-000099")
    write(root, "issues/archived/ISS-000042-old.md", "ISS-000042")
    write(root, "specifications/SPEC-000042-plan.md", "SPEC-000042")
    write(root, "ideas/000007-legacy.md", "'000007'")
    write(root, "ideas/loose.md")


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("ISS-000099", "ISS-000099-crash-on-start"),
        (" iss-000099 ", "ISS-000099-crash-on-start"),
        ("99", "ISS-000099-crash-on-start"),
        ("#99", "ISS-000099-crash-on-start"),
        ("000099", "ISS-000099-crash-on-start"),
        ("ISS-99", "ISS-000099-crash-on-start"),
        ("iss99", "ISS-000099-crash-on-start"),
        ("ISS-000099-crash-on-start", "ISS-000099-crash-on-start"),
        ("ISS-000099-crash-on-start.md", "ISS-000099-crash-on-start"),
        ("spec-42", "SPEC-000042-plan"),
        ("ISS-42", "ISS-000042-old"),
        ("archived/ISS-000042-old.md", "ISS-000042-old"),
        ("./.wrangler/issues/archived/ISS-000042-old", "ISS-000042-old"),
        (".wrangler\\ideas\\loose.md", "loose"),
        ("7", "000007-legacy"),
        ("loose", "loose"),
    ],
)
def test_an_issue_is_found_by_id_number_file_name_and_path(
    store: IssueStore, reference: str, name: str
) -> None:
    assert store.find(reference).stem == name


def test_a_bare_number_means_an_issue_before_a_specification_or_an_idea(
    root: Path, store: IssueStore
) -> None:
    write(root, "ideas/IDEA-000043-later.md", "IDEA-000043")
    write(root, "specifications/SPEC-000043-now.md", "SPEC-000043")

    assert store.find("42").id == "ISS-000042"
    assert store.find("#43").id == "SPEC-000043"


def test_an_issue_is_found_by_its_absolute_path(root: Path, store: IssueStore) -> None:
    path = root / ".wrangler" / "issues" / "archived" / "ISS-000042-old.md"

    assert store.find(str(path)).id == "ISS-000042"
    with pytest.raises(NotFound):
        store.find("/elsewhere/ISS-000042-old.md")


@pytest.mark.parametrize("reference", ["ISS-000099-crash", "iss-000099-c", "000007-leg"])
def test_an_issue_is_found_by_a_unique_beginning_of_its_file_name(store: IssueStore, reference: str) -> None:
    assert store.find(reference).stem.lower().startswith(reference.lower())


@pytest.mark.parametrize("reference", ["ISS-0000", "ISS", "loo", "ISS-000099-crush"])
def test_less_than_an_id_and_a_word_is_no_beginning(store: IssueStore, reference: str) -> None:
    with pytest.raises(NotFound):
        store.find(reference)


def test_a_shared_id_is_answered_with_a_short_name_for_each_file(root: Path, store: IssueStore) -> None:
    write(root, "issues/ISS-000005-update-cache.md", "ISS-000005")
    write(root, "issues/ISS-000005-update-views.md", "ISS-000005")
    write(root, "issues/a/ISS-000005-same.md", "ISS-000005")
    write(root, "issues/b/ISS-000005-same.md", "ISS-000005")

    with pytest.raises(Conflict) as shared:
        store.find("ISS-000005")

    names = shared.value.details["candidates"]
    assert {Path(name).stem for name in names} == {
        *("ISS-000005-update-cache", "ISS-000005-update-views", "ISS-000005-same")
    }
    assert {store.find(name).id for name in names} == {"ISS-000005"}
    assert len({store.find(name).path for name in names}) == 4
    assert "fix" not in shared.value.text()


def test_a_missing_issue_with_a_shared_name_is_answered_with_names_that_differ(
    root: Path, store: IssueStore
) -> None:
    write(root, "issues/000147-update-cache.md", "'000147'")
    write(root, "issues/000147-add-cache.md", "'000147'")

    with pytest.raises(NotFound) as missing:
        store.find("47-")

    assert set(missing.value.near) == {"000147-update", "000147-add"}
    assert all(store.find(name).id == "000147" for name in missing.value.near)


@pytest.mark.parametrize(
    ("reference", "near"),
    [("ISS-000098", ["ISS-000099"]), ("crash", ["ISS-000099"]), ("SPEC-00042x", ["SPEC-000042"]), ("", [])],
)
def test_a_missing_issue_is_reported_with_similar_ids(
    store: IssueStore, reference: str, near: list[str]
) -> None:
    with pytest.raises(NotFound) as missing:
        store.find(reference)

    assert missing.value.code == "ISSUE_NOT_FOUND"
    assert list(missing.value.near)[: len(near)] == near


def test_many_candidates_fit_into_a_message(root: Path, store: IssueStore) -> None:
    for number in range(30):
        write(root, f"issues/{'long-folder-name' * 3}/{number}.md", "ISS-000001")

    with pytest.raises(Conflict) as conflict:
        store.find("ISS-000001")

    assert "and 26 more" in conflict.value.message
    assert len(conflict.value.details["candidates"]) == 30
    assert len(conflict.value.text().encode()) <= 600
