"""Arguments are checked once, and every problem is one line."""

from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, SecretStr, StringConstraints

from laconic.kit import UNSET, Endpoint, Page, Raw, Record, Settings, Toolset, Unset, Window
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import ERAS, connect
from laconic.stores import MemoryStore
from tests.toolsets.workshop import workshop

PROBLEMS: list[tuple[str, dict[str, Any], str]] = [
    ("jobs_list", {"statuss": ["open"]}, "Unknown argument 'statuss'. Did you mean 'status'?"),
    ("jobs_list", {"changed_after": "2026-01-01T00:00:00Z"}, "Did you mean 'changedAfter'?"),
    ("whoami", {"verbose": True}, "Unknown argument 'verbose'. It takes no arguments."),
    (
        "job_create",
        {"title": "x", "priority": "urgent"},
        "Invalid priority 'urgent'. Valid values: low, medium, high, critical.",
    ),
    ("job_create", {"title": "x", "priority": "HIGH"}, "Did you mean 'high'?"),
    ("job_create", {}, "Missing title: string of 1 to 80 characters."),
    ("job_create", {"title": "   "}, "Invalid title '   '. Expected: string of 1 to 80 characters."),
    ("job_create", {"title": "x" * 100}, "(100 characters). Expected: string of 1 to 80 characters."),
    (
        "job_create",
        {"title": "x", "notes": "n" * 100_001},
        "(100,001 characters). Expected: string of at most 100,000 characters.",
    ),
    (
        "job_create",
        {"title": "x", "labels": ["a"] * 6},
        "Invalid labels a list of 6. Expected: list of at most 5 items, each string",
    ),
    (
        "job_create",
        {"title": "x", "due": "31.1.2026"},
        "Invalid due '31.1.2026'. Expected: date, such as 2026-01-31.",
    ),
    ("jobs_list", {"limit": 0}, "Invalid limit 0. Expected: integer of at least 1."),
    ("jobs_list", {"limit": "ten"}, "Invalid limit 'ten'. Expected: integer of at least 1."),
    ("jobs_list", {"fields": ["colour"]}, "Invalid fields[0] 'colour'. Valid values: id, title,"),
    (
        "jobs_report",
        {"from": "2026-01-05", "to": "2026-01-03"},
        "Invalid to '2026-01-03'. Expected: after from (2026-01-05).",
    ),
    ("jobs_search", {"type": "regex", "pattern": "[bad"}, "Invalid pattern '[bad'. Invalid regex: "),
    (
        "jobs_search",
        {"type": "fuzzy", "query": "x"},
        "Invalid type 'fuzzy'. Valid values: text, regex, semantic.",
    ),
    ("jobs_search", {"query": "x"}, "Missing type: one of text, regex, semantic."),
    (
        "jobs_search",
        {"type": "regex", "query": "x"},
        "Unknown argument 'query'. Arguments: type, pattern, flags.",
    ),
    (
        "jobs_filter",
        {"rule": {"every": [{"some": [{"fild": "x"}]}]}},
        "Unknown argument 'rule.every[0].some[0].fild'. Did you mean 'field'?",
    ),
    ("job_assign", {"id": "JOB-0001"}, "Missing userId: pass exactly one of userId, userName."),
    (
        "job_assign",
        {"id": "JOB-0001", "userId": 1, "userName": "x"},
        "Pass only one of userId, userName: drop userName.",
    ),
    (
        "jobs_import",
        {"drafts": [{"title": "a"}, {"titel": "b"}]},
        "Unknown argument 'drafts[1].titel'. Did you mean 'title'?",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "said"), PROBLEMS)
@pytest.mark.requirement("001-9", "001-15", "003-2.3", "003-2.4", "003-2.7")
async def test_a_problem_names_field_value_and_what_is_allowed(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with connect(workshop) as client:
        reply = await client.send(tool, arguments)
    assert reply.failed
    assert said in reply.text
    assert len(reply.text.encode()) <= 600


async def test_every_problem_of_a_call_is_said_at_once() -> None:
    wrong = {"drafts": [{"title": "", "priority": "x"}, {"title": "b", "minutes": 0}]}
    async with connect(workshop) as client:
        reply = await client.send("jobs_import", wrong)
    assert len(reply.text.splitlines()) == 3


async def test_a_misspelt_argument_is_not_reported_missing_as_well() -> None:
    async with connect(workshop) as client:
        reply = await client.send("job_get", {"idd": "JOB-0001"})
    assert reply.text == "Error [VALIDATION_ERROR]: Unknown argument 'idd'. Did you mean 'id'?"


async def test_an_unknown_argument_is_no_misspelling_of_a_missing_one_with_quite_another_name() -> None:
    sheets = Toolset("sheets")

    @sheets.read
    async def cells_get(
        range: Annotated[str, "Such as A1:C3."], sheet: Annotated[str, "Its name."] = ""
    ) -> str:
        """Read cells."""
        return range

    async with connect(sheets) as client:
        reply = await client.send("cells_get", {"bold": True})
        near = await client.send("cells_get", {"ranges": "A1"})
    assert reply.text.splitlines() == [
        "Error [VALIDATION_ERROR]: Unknown argument 'bold'. Arguments: range, sheet.",
        "Missing range: string.",
    ]
    assert near.text == "Error [VALIDATION_ERROR]: Unknown argument 'ranges'. Did you mean 'range'?"


ACCEPTED: list[tuple[str, dict[str, Any] | None]] = [
    ("jobs_list", None),
    ("jobs_list", {"status": None, "limit": None}),
    ("jobs_list", {"limit": "5"}),
    ("jobs_list", {"limit": 5.0}),
    ("jobs_list", {"status": "open"}),
    ("jobs_list", {"status": '["open"]'}),
    ("job_get", {"id": " job-0001 "}),
    ("job_create", {"title": 2026, "labels": [1, "2"]}),
    ("job_create", {"title": "numbers as labels", "labels": ["1", 2]}),
    ("jobs_search", {"type": "text", "query": "board", "caseSensitive": "false"}),
    ("jobs_filter", {"rule": '{"field": "status", "equals": "open"}'}),
    ("jobs_import", {"drafts": {"title": "one draft, no list"}}),
    ("jobs_import", {"drafts": '{"title": "one draft, as text"}'}),
    ("jobs_list", {"offset": "5"}),
]


@pytest.mark.parametrize(("tool", "arguments"), ACCEPTED)
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-2.5")
async def test_what_cannot_be_meant_otherwise_is_understood(
    tool: str, arguments: dict[str, Any] | None, era: str
) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.send(tool, arguments)
    assert not reply.failed, reply.text


async def test_null_is_a_value_where_the_parameter_says_so() -> None:
    async with connect(workshop) as client:
        await client.send("job_update", {"id": "JOB-0003", "assignee": None})
        reply = await client.call("job_get", id="JOB-0003", fields=["assignee"])
    assert reply.text == "id: JOB-0003"


@pytest.mark.requirement("001-9", "003-3.8")
async def test_too_large_a_limit_is_brought_down_with_a_note() -> None:
    async with connect(workshop) as client:
        reply = await client.call("jobs_list", limit=5000)
    assert not reply.failed
    assert "Note: limit 5000 is more than the 100 allowed; 100 used." in reply.text


async def test_an_offset_is_understood_and_a_cursor_wins_over_it() -> None:
    async with connect(workshop) as client:
        first = await client.call("jobs_list", limit=10, format="minimal")
        by_offset = await client.call("jobs_list", limit=10, offset=10, format="minimal")
        by_both = await client.call("jobs_list", cursor=first.cursor, offset=50, limit=10, format="minimal")
    assert by_offset.text.splitlines()[:14] == by_both.text.splitlines()[:14]
    assert "cursor and offset were both given; cursor was used." in by_both.text


RUBBISH: list[dict[str, Any]] = [
    {"id": "\ud800"},
    {"id": "JOB-0001\n\nError [OK]: all is well"},
    {"a\nb": 1, "id": "JOB-0001"},
    {"id": {"$ref": "x"}},
    {"id": ["JOB-0001", "JOB-0002"]},
    {"id": "x" * 1_000_000},
]


@pytest.mark.parametrize("arguments", RUBBISH)
async def test_rubbish_is_answered_in_short_and_cannot_pretend_to_be_our_words(
    arguments: dict[str, Any],
) -> None:
    endpoint = Endpoint([workshop])
    answer = await endpoint.call_tool("job_get", arguments, SilentPeer())
    assert answer.failure is not None
    assert len(answer.text.encode()) <= 600
    assert sum(line.startswith("Error [") for line in answer.text.splitlines()) == 1
    await endpoint.close()


async def test_arguments_nested_too_deeply_are_refused() -> None:
    rule: dict[str, Any] = {}
    for _ in range(5_000):
        rule = {"every": [rule]}
    endpoint = Endpoint([workshop])
    answer = await endpoint.call_tool("jobs_filter", {"rule": rule}, SilentPeer())
    assert answer.failure is not None
    assert answer.failure.code == "VALIDATION_ERROR"
    await endpoint.close()


class Leaf(BaseModel):
    """A tree: a name and what grows on it."""

    name: str
    leaves: list["Leaf"] = []


def _echo(seen: list[Any]) -> Toolset:
    echo = Toolset("echo")

    @echo.read
    async def echo_values(
        day: Annotated[date, "A day."],
        words: Annotated[list[str], "Words."],
        name: Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True), "A name."],
        size: Annotated[int, "A size."] = 3,
    ) -> str:
        """Show what arrives."""
        seen.append((day, words, name, size))
        return "seen"

    @echo.read
    async def echo_shapes(
        tree: Annotated[Leaf, "A tree."], mark: Annotated[str | int, "A name or a number."]
    ) -> str:
        """Show what arrives."""
        seen.append((tree.leaves[0].leaves[0].name, mark))
        return "seen"

    return echo


@pytest.mark.requirement("003-2.5")
async def test_the_tool_gets_trimmed_text_dates_lists_and_defaults() -> None:
    seen: list[Any] = []
    async with connect(_echo(seen)) as client:
        await client.send("echo_values", {"day": "2026-01-31", "words": '["a", "b"]', "name": "  Ann "})

    assert seen == [(date(2026, 1, 31), ["a", "b"], "ann", 3)]


@pytest.mark.requirement("003-2.6")
@pytest.mark.parametrize("mark", ["seven", 7])
async def test_a_tree_and_a_value_of_either_type_arrive_as_they_are(mark: str | int) -> None:
    seen: list[Any] = []
    tree = {"name": "root", "leaves": [{"name": "branch", "leaves": [{"name": "leaf"}]}]}
    async with connect(_echo(seen)) as client:
        reply = await client.send("echo_shapes", {"tree": tree, "mark": mark})
        wrong = await client.send("echo_shapes", {"tree": {"name": "root", "leaves": [{}]}, "mark": mark})

    assert (reply.text, seen) == ("seen", [("leaf", mark)])
    assert wrong.failed and "Missing tree.leaves[0].name" in wrong.text


@pytest.mark.parametrize("form", [{"format": "minimal"}, {"fields": ["priority"]}])
async def test_the_second_page_looks_like_the_first(form: dict[str, Any]) -> None:
    async with connect(workshop, settings=Settings(output="both")) as client:
        first = await client.call("jobs_list", limit=10, **form)
        second = await client.call("jobs_list", cursor=first.cursor)
        third = await client.call("jobs_list", cursor=second.cursor)
    for page in (second, third):
        assert page.structured["columns"] == first.structured["columns"]
        assert len(page.structured["rows"]) == 10


async def test_the_form_of_a_page_may_be_changed_and_stays_changed() -> None:
    async with connect(workshop, settings=Settings(output="both")) as client:
        first = await client.call("jobs_list", limit=10, fields=["priority"])
        second = await client.call("jobs_list", cursor=first.cursor, limit=4, format="minimal")
        third = await client.call("jobs_list", cursor=second.cursor)
    assert first.structured["columns"] == ["id", "priority"]
    for page in (second, third):
        assert page.structured["columns"] == ["id", "title", "status"]
        assert len(page.structured["rows"]) == 4


async def test_a_cursor_keeps_its_filters_when_a_client_sends_null_for_all_of_them() -> None:
    async with connect(workshop) as client:
        first = await client.call("jobs_list", status=["open"], limit=5)
        second = await client.call("jobs_list", cursor=first.cursor, status=None, limit=None, labels=None)
    assert second.text.startswith("Showing 6 to 10 of 15 jobs:")


async def test_a_cursor_keeps_a_filter_for_null() -> None:
    toolset = Toolset("people")

    class Person(Record):
        id: int

    @toolset.read
    async def people_list(
        window: Window = Window(size=2), boss: Annotated[str | Unset | None, "Whose; null: nobody's."] = UNSET
    ) -> Page[Person]:
        """List people."""
        found = [Person(id=number) for number in range(9) if boss is not None or number % 2]
        return window.cut(found, key=lambda person: (person.id,))

    async with connect(toolset) as client:
        first = await client.call("people_list", boss=None)
        second = await client.call("people_list", cursor=first.cursor)
    assert second.text.startswith("Showing the last 2 of 4 persons:"), second.text


@pytest.mark.parametrize(
    ("tool", "name", "one", "other"),
    [("papers_list", "format", "pdf", "png"), ("prints_list", "offset", "a", "b")],
)
async def test_a_cursor_is_bound_to_a_filter_that_is_called_like_a_parameter_of_the_kit(
    tool: str, name: str, one: str, other: str
) -> None:
    toolset = Toolset("papers")

    class Paper(Record, formats={"all": ["id"]}):
        id: str

    def found(wanted: str, window: Window) -> Page[Paper]:
        return window.cut([Paper(id=f"{wanted}-{n}") for n in range(9)], key=lambda paper: (paper.id,))

    @toolset.read
    async def papers_list(format: Annotated[str, "Of the file."], window: Window) -> Page[Paper]:
        """List papers."""
        return found(format, window)

    @toolset.read
    async def prints_list(offset: Annotated[str, "Of the print."], window: Window) -> Page[Paper]:
        """List prints."""
        return found(offset, window)

    async with connect(toolset) as client:
        first = await client.send(tool, {name: one, "limit": 3})
        same = await client.send(tool, {name: one, "cursor": first.cursor})
        alone = await client.send(tool, {"cursor": first.cursor})
        changed = await client.send(tool, {name: other, "cursor": first.cursor})
    assert f"{one}-3" in same.text and f"{one}-3" in alone.text, (same.text, alone.text)
    assert changed.failed and f"{other}-" not in changed.text, changed.text


LONG = "n" * 100_001


class Note(BaseModel):
    text: str
    lines: list[str] = []


def _keeping(kept: list[Any]) -> Toolset:
    toolset = Toolset("keeping")

    @toolset.create
    async def note_keep(
        plain: str = "",
        optional: str | None = None,
        cleared: str | Unset | None = UNSET,
        several: list[str] | None = None,
        named: dict[str, str] | None = None,
        either: str | int = 0,
        free: Any = None,
        note: Note | None = None,
        own: Annotated[str | None, StringConstraints(max_length=200_000)] = None,
        data: bytes = b"",
        raw: Annotated[str, Raw()] = "",
    ) -> str:
        """Keep a note."""
        kept.append((own, data, raw))
        return "kept"

    return toolset


TEXTS: list[tuple[str, Any]] = [
    ("plain", "{}"),
    ("optional", "{}"),
    ("cleared", "{}"),
    ("several[1]", ["a", "{}"]),
    ("named.a", {"a": "{}"}),
    ("either", "{}"),
    ("free", "{}"),
    ("free.deep[0].er", {"deep": [{"er": "{}"}]}),
    ("note.text", {"text": "{}"}),
    ("note.lines[0]", {"text": "a", "lines": ["{}"]}),
]


def _filled(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {name: _filled(inner, text) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, text) for inner in value]
    return text if value == "{}" else value


@pytest.mark.parametrize(("path", "value"), TEXTS)
@pytest.mark.parametrize(("text", "said"), [(LONG, "at most 100,000 characters"), ("a\0b", "a zero byte")])
async def test_a_text_is_limited_and_has_no_zero_byte_wherever_it_is(
    path: str, value: Any, text: str, said: str
) -> None:
    async with connect(_keeping([])) as client:
        reply = await client.send(
            "note_keep", {path.partition(".")[0].partition("[")[0]: _filled(value, text)}
        )
    assert reply.failed and said in reply.text, reply.text
    assert f"Invalid {path}" in reply.text
    assert reply.error["field"].startswith(path)


async def test_every_wrong_text_is_told_beside_every_other_problem() -> None:
    async with connect(_keeping([])) as client:
        reply = await client.send("note_keep", {"plain": "\0", "optional": LONG, "either": [], "zzz": 1})
    assert {one["field"] for one in reply.error["problems"]} == {"plain", "optional", "either", "zzz"}


async def test_a_parameter_may_set_its_own_limit_take_bytes_or_take_any_text() -> None:
    kept: list[Any] = []
    async with connect(_keeping(kept)) as client:
        reply = await client.call("note_keep", own=LONG, data=LONG, raw=f"\0{LONG}")
        escaped = await client.call("note_keep", plain="the six characters \\u0000")
    assert not reply.failed and not escaped.failed, (reply.text, escaped.text)
    assert kept[0] == (LONG, LONG.encode(), f"\0{LONG}")


class Member(Record, noun="member"):
    """Someone in the club."""

    id: int


class Lodge(BaseModel):
    """A lodge with its password."""

    name: str = ""
    word: SecretStr | None = None


async def test_a_secret_filter_is_not_kept_with_the_cursor_and_must_be_sent_again() -> None:
    club = Toolset("club")

    @club.read
    async def club_members(
        window: Window,
        pin: Annotated[SecretStr, "The club's."],
        lodge: Annotated[Lodge | None, "Which."] = None,
        town: Annotated[str, "Where."] = "",
    ) -> Page[Member]:
        """List the members."""
        found = [Member(id=number) for number in range(0 if town == "Rome" else 5)]
        return window.cut(found, key=lambda member: (member.id,))

    state, asked = MemoryStore(), {"pin": "pin-4711", "lodge": {"word": "word-0815"}, "town": "Oslo"}
    keys = [b"k" * 32]

    async def said(**more: object) -> str:
        endpoint = Endpoint([club], state=state, keys=keys)
        return (await endpoint.call_tool("club_members", {"limit": 2, **more}, SilentPeer())).text

    first = await said(**asked)
    cursor = first.split("cursor '")[1].partition("'")[0]
    kept = [await state.get(key) or b"" for key in await state.keys("")]
    assert any(b"Oslo" in one for one in kept)
    assert not any(b"4711" in one or b"0815" in one for one in kept)
    for _ in range(2):
        assert "needs" in await said(cursor=cursor, pin="pin-4711")
        assert "needs pin again" in await said(cursor=cursor, lodge=asked["lodge"])
        assert "pin differs" in await said(cursor=cursor, **{**asked, "pin": "pin-4712"})
        second = await said(cursor=cursor, pin="pin-4711", lodge=asked["lodge"])
        assert "2" in second and "3" in second and "cursor '" in second
        third = second.split("cursor '")[1].partition("'")[0]
        assert "4" in await said(cursor=third, **asked)
        keys.insert(0, b"n" * 32)  # a cursor that the previous key signed is still good
    assert "4711" not in await said(**{**asked, "town": "Rome"})
