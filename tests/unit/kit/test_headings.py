"""What rows of a list have in common is said once above them, in text and as data."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import pytest
from pydantic import Field

from laconic.kit import BadConfiguration, Record
from laconic.kit.answers.lists import listed
from laconic.kit.answers.packing import packed, unpacked
from laconic.kit.answers.views import View


class Bed(
    Record,
    formats={"short": ("plant", "state", "tags", "sown", "dug"), "full": ("plant", "state", "tags")},
    default="short",
    headings=("state", "tags", "sown", "dug"),
    usual="state",
):
    """A bed of a garden."""

    id: str
    plant: str
    state: str | None = "growing"
    tags: list[str] = Field(default_factory=list)
    sown: date | None = None
    dug: date | None = None


class Spoken(Bed):
    """A bed that writes its own line."""

    def write_row(self, format: str | None, day: Callable[[date], str]) -> Mapping[str, str]:
        words = {"id": self.id, "state": f"[{self.state}]", "sown": day(self.sown) if self.sown else ""}
        return {**words, "plant": self.plant, "tags": f"[{', '.join(self.tags)}]" if self.tags else ""}


Row = tuple[str | None, Sequence[str], date | None]
MAY, JUNE, LAST_YEAR = date(2026, 5, 4), date(2026, 6, 15), date(2025, 12, 31)
SUNNY = ["sunny corner", "needs water"]


def beds(kind: type[Bed], *rows: Row) -> list[Bed]:
    return [
        kind(id=f"B{number}", plant=f"Aster {number}", state=state, tags=list(tags), sown=sown, dug=sown)
        for number, (state, tags, sown) in enumerate(rows, 1)
    ]


def shown(records: Sequence[Bed], head: str = "Beds:") -> list[str]:
    view = View(type(records[0]), form="short", fields=None, case="camel")
    found = listed(view, records)
    return [found.under(head), *found.text.split("\n")]


def data(records: Sequence[Bed]) -> dict[str, object]:
    view = View(type(records[0]), form="short", fields=None, case="camel")
    rows = [list(view.values(record, days=True).values()) for record in records]
    table = packed(view.columns, rows, view.headings)
    assert unpacked(table) == [view.values(record, days=True) for record in records]
    return table


MIXED: tuple[Row, ...] = (
    ("growing", SUNNY, JUNE),
    ("growing", SUNNY, JUNE),
    ("resting", SUNNY, JUNE),
    ("growing", [], MAY),
    ("growing", SUNNY[:1], LAST_YEAR),
)


def test_own_lines_share_headings_in_their_order_and_a_lone_line_keeps_its_own() -> None:
    assert shown(beds(Spoken, *MIXED)) == [
        "Beds, growing unless marked, dates in 2026:",
        "All Jun15 [sunny corner, needs water]:",
        "B1 Aster 1",
        "B2 Aster 2",
        "B3 [resting] Aster 3",
        "",
        "B4 May4 Aster 4",
        "B5 2025-12-31 Aster 5 [sunny corner]",
    ]


def test_lines_of_the_kit_share_headings_and_empty_cells_are_what_is_said_above() -> None:
    assert shown(beds(Bed, *MIXED)) == [
        "Beds:",
        "id\tplant\tstate=growing\ttags\tsown (2026)\tdug (2026)",
        "All: tags sunny corner,needs water\tsown Jun15\tdug Jun15",
        "B1\tAster 1",
        "B2\tAster 2",
        "B3\tAster 3\tresting",
        "",
        "B4\tAster 4\t\t[]\tMay4\tMay4",
        "B5\tAster 5\t\tsunny corner\t2025-12-31\t2025-12-31",
    ]


def test_data_has_defaults_and_the_year_once() -> None:
    rows = [
        *(("growing", SUNNY, JUNE), ("growing", SUNNY, JUNE), ("resting", SUNNY, MAY)),
        *(("growing", [], MAY), ("growing", SUNNY[:1], LAST_YEAR)),
    ]
    assert data(beds(Bed, *rows)) == {
        "columns": ["id", "plant", "sown", "tags", "state", "dug"],
        "default": {"state": "growing", "tags": SUNNY, "dug": {"as": "sown"}},
        "year": {"sown": 2026, "dug": 2026},
        "rows": [
            ["B1", "Aster 1", "06-15"],
            ["B2", "Aster 2", "06-15"],
            ["B3", "Aster 3", "05-04", SUNNY, "resting"],
            ["B4", "Aster 4", "05-04", []],
            ["B5", "Aster 5", "2025-12-31", SUNNY[:1]],
        ],
    }


def test_data_says_what_only_some_rows_share_in_an_object_before_them() -> None:
    rows = [("growing", [f"tag {number // 3}", "in the long border"], MAY) for number in range(9)]
    table = data(beds(Bed, *rows))
    assert [row for row in table["rows"] if isinstance(row, dict)] == [  # type: ignore[attr-defined]
        {"tags": [f"tag {number}", "in the long border"]} for number in range(3)
    ]


def test_what_all_lines_share_is_said_in_the_first_line_or_with_the_column() -> None:
    same = [("growing", SUNNY, MAY)] * 4
    assert shown(beds(Spoken, *same)) == [
        "Beds, all [growing] May4 [sunny corner, needs water], dates in 2026:",
        *(f"B{number} Aster {number}" for number in range(1, 5)),
    ]
    assert shown(beds(Bed, *same))[1:3] == [
        "id\tplant\tstate=growing\ttags=sunny corner,needs water\tsown=2026-05-04\tdug=2026-05-04",
        "B1\tAster 1",
    ]


@pytest.mark.parametrize("kind", [Bed, Spoken])
def test_a_list_that_is_not_shared_whole_is_never_shared_in_part(kind: type[Bed]) -> None:
    rows = [("growing", [*SUNNY, f"row {number}"], None) for number in range(6)]
    lines = shown(beds(kind, *rows))
    assert sum("sunny corner" in line for line in lines) == 6
    assert not any(line.startswith("All") for line in lines)


@pytest.mark.parametrize("kind", [Bed, Spoken])
def test_a_short_list_says_everything_on_its_lines(kind: type[Bed]) -> None:
    lines = shown(beds(kind, *MIXED[:3]))
    assert lines[0] == "Beds:" and all("2026-06-15" in line for line in lines[-3:])
    assert "default" not in data(beds(kind, *MIXED[:3]))


def test_a_missing_value_is_never_taken_for_the_usual_one() -> None:
    rows: list[Row] = [("growing", [], None)] * 5 + [(None, [], None)]
    assert shown(beds(Bed, *rows))[1] == "id\tplant\tstate\tsown\tdug\ttags=[]"


def test_a_heading_cannot_be_forged_by_a_value() -> None:
    forged = "All [resting]:"
    rows = [Bed(id=forged, plant="x", state="All: state resting") for _ in range(4)]
    lines = shown(rows)
    assert lines[1] == "id\tplant\tsown\tdug\tstate=All: state resting\ttags=[]"
    assert all(line.startswith('"All [resting]:"') for line in lines[2:])


def test_the_usual_field_must_be_one_of_the_headings() -> None:
    with pytest.raises(BadConfiguration, match="'name', its usual field, is not in its headings"):

        class Wrong(Record, usual="name"):
            id: str
            name: str
