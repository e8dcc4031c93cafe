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


def test_a_number_of_two_types_is_ambiguous(store: IssueStore) -> None:
    with pytest.raises(Conflict, match=r"42 could be 2 files: ISS-000042 at .*, SPEC-000042 at .*"):
        store.find("42")


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
