"""Whatever is raised below becomes an answer the model can act on."""

import json
import logging
import math
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import SecretStr

from laconic.kit import (
    META,
    PAGINATION,
    TABLE,
    UNSET,
    BadArguments,
    Batch,
    Bug,
    Changed,
    Endpoint,
    Failure,
    Guard,
    NotFound,
    Page,
    Problem,
    Record,
    Refused,
    Settings,
    Toolset,
    Unset,
    Was,
    Window,
    failure_of,
)
from laconic.kit.pipeline import Output
from laconic.kit.testing import ERAS, Over, connect
from laconic.stores import Missing, OutsideFolder, StoreDown, Taken, Unreadable
from laconic.stores.errors import BadValue, Full, Locked, ReadOnly, Stale, StoreError, ValueTooLarge
from laconic.stores.keyvalue.memory import MemoryStore
from laconic.text import BadExpression, NoItems, NoLines, NoSection, boundary
from laconic.upstream.errors import (
    Absent,
    BadAddress,
    BadReply,
    Clash,
    Faulty,
    Forbidden,
    Invalid,
    Throttled,
    Unauthorised,
    Unreachable,
    UpstreamError,
)
from tests.toolsets.workshop import workshop

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
OUTPUTS: tuple[Output, ...] = ("text", "structured", "both")


@pytest.mark.parametrize("era", ERAS)
async def test_a_not_found_names_the_nearest_and_the_tool_that_finds(era: str) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.call("job_get", id="JOB-0061")
    assert reply.failed
    assert reply.text == (
        "Error [RESOURCE_NOT_FOUND]: Job JOB-0061 not found. Did you mean JOB-0001? Use jobs_list to find it."
    )


@pytest.mark.parametrize("era", ERAS)
async def test_a_bug_is_a_short_answer_with_a_trace_id(era: str, caplog: pytest.LogCaptureFixture) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.call("job_break")
    assert reply.failed
    assert "Traceback" not in reply.text
    assert "secret" not in reply.text
    trace = reply.error["trace"]
    assert f"Trace {trace[:8]}." in reply.text
    assert any(trace in record.message for record in caplog.records if record.levelno == logging.ERROR)


async def test_a_failed_write_says_whether_anything_changed() -> None:
    async with connect(workshop) as client:
        reply = await client.call("job_break")
    assert "not known whether anything was changed" in reply.text


def _raising(error: Exception) -> Toolset:
    broken = Toolset("broken")

    @broken.read(hint="broken_list")
    async def broken_get() -> str:
        """Fail."""
        raise error

    return broken


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Missing("There is no file a.md."), "RESOURCE_NOT_FOUND"),
        (Taken("A file a.md already exists."), "RESOURCE_ALREADY_EXISTS"),
        (OutsideFolder("'../a' leads out of the folder."), "PATH_TRAVERSAL_DENIED"),
        (StoreDown("The store is gone."), "PROVIDER_ERROR"),
        (Stale("Note 7 was changed.", 3), "RESOURCE_LOCKED"),
        (BadValue("A name has no line breaks.", "name"), "VALIDATION_ERROR"),
        (ValueTooLarge("The value is too large."), "FILE_TOO_LARGE"),
        (Full("The disk is full."), "PROVIDER_ERROR"),
        (ReadOnly("notes.db can only be read."), "PROVIDER_ERROR"),
        (Locked("notes.db was held for too long."), "PROVIDER_ERROR"),
        (NoLines(9, 9, 5), "VALIDATION_ERROR"),
        (NoSection("Setup", ["Set up"]), "RESOURCE_NOT_FOUND"),
        (NoSection("Day", ["Notes/Day", "Log/Day"], ambiguous=True), "VALIDATION_ERROR"),
        (NoItems("This text has no list of items."), "VALIDATION_ERROR"),
        (BadExpression("the expression is invalid"), "VALIDATION_ERROR"),
        (BadAddress("http://10.0.0.1 is a private address."), "PERMISSION_DENIED"),
        (Unreachable("taiga.example did not answer."), "UNAVAILABLE"),
        (BadReply("taiga.example sent a login page."), "PROVIDER_ERROR"),
        (Unauthorised("taiga.example refused the token.", status=401), "PERMISSION_DENIED"),
        (Forbidden("The account may not do this.", status=403), "PERMISSION_DENIED"),
        (Absent("taiga.example has no such thing.", status=404), "RESOURCE_NOT_FOUND"),
        (Clash("Another change came first.", status=412), "RESOURCE_LOCKED"),
        (Invalid("subject is required.", status=400), "VALIDATION_ERROR"),
        (Throttled("Too many requests.", wait=7), "RATE_LIMIT_EXCEEDED"),
        (Faulty("taiga.example failed.", status=502), "PROVIDER_ERROR"),
        (NotFound("Thing", "x"), "RESOURCE_NOT_FOUND"),
        (Failure("It is Sunday.", code="UNAVAILABLE"), "UNAVAILABLE"),
        (ValueError("oops"), "INTERNAL_ERROR"),
    ],
)
@pytest.mark.requirement("003-4.6")
async def test_each_kind_of_failure_has_its_code_and_is_never_a_success(error: Exception, code: str) -> None:
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert reply.failed
    assert reply.error["code"] == code
    assert reply.text.startswith(f"Error [{code}]: ")
    assert len(reply.text.encode()) <= 600


@pytest.mark.parametrize(
    ("error", "status", "end"),
    [
        (Absent("No such story.", status=404), 404, "Use broken_list to find it."),
        (Throttled("Too many requests.", wait=7), 429, "Retry after 7 s."),
        (Throttled("Too many requests.", wait=98.9926), 429, "Retry after 99 s."),
        (Unauthorised("The token was refused.", status=401), 401, "trying again does not help."),
        (Unreachable("It did not answer."), None, "Try again later."),
    ],
)
async def test_an_error_of_another_system_says_what_to_do_and_keeps_its_status(
    error: UpstreamError, status: int | None, end: str
) -> None:
    async with connect(_raising(error), settings=Settings(attempts=1)) as client:
        reply = await client.call("broken_get")
    assert end in reply.text
    assert "httpStatus" not in reply.text
    assert reply.error.get("httpStatus") == status


@pytest.mark.parametrize(("changed", "said"), [(False, False), (None, None)])
async def test_a_write_says_what_another_system_knows_about_its_effect(
    changed: Literal[False] | None, said: bool | None
) -> None:
    posting = Toolset("posting")

    @posting.create
    async def post_create() -> str:
        """Post."""
        raise Unreachable("The answer was lost.", changed=changed)

    async with connect(posting) as client:
        reply = await client.call("post_create")
    assert reply.error.get("changed") is said
    assert ("not known whether anything was changed" in reply.text) is (said is None)


async def test_a_request_that_fails_after_one_that_was_accepted_does_not_say_that_nothing_was_changed() -> (
    None
):
    posting = Toolset("posting")

    @posting.create
    async def post_create(changed: Changed) -> str:
        """Post, then read what was posted."""
        changed("17")
        raise Unreachable("It did not answer.", changed=False)

    async with connect(posting) as client:
        reply = await client.call("post_create")
    assert "not known whether anything was changed" in reply.text and "changed" not in reply.error


async def test_a_section_that_is_not_there_names_the_nearest_and_is_no_bug() -> None:
    async with connect(_raising(NoSection("Setup", ["Set up"]))) as client:
        reply = await client.call("broken_get")
    assert reply.text == "Error [RESOURCE_NOT_FOUND]: Section 'Setup' not found. Did you mean Set up?"


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (Full("The disk is full."), "must make room; trying again does not help."),
        (ReadOnly("notes.db can only be read."), "must allow it; trying again does not help."),
        (Locked("notes.db was held for too long."), "Try again later."),
        (Stale("Note 7 was changed.", 3), "repeat with version 3 if the change still fits."),
    ],
)
async def test_a_store_that_fails_says_who_can_help(error: StoreError, end: str) -> None:
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert end in reply.text


def test_errors_are_translated_without_a_call() -> None:
    absent = failure_of(Missing("There is no file a.md."), "Use notes_list to find it.")
    assert (absent.category, absent.advice, absent.changed) == (
        "not_found",
        "Use notes_list to find it.",
        False,
    )
    assert isinstance(failure_of(KeyError("x"), what="GET /notes"), Bug)
    assert failure_of(KeyError("x"), what="GET /notes").message == "GET /notes failed unexpectedly."


@pytest.mark.parametrize("cause", [PermissionError(13, "Permission denied"), OSError(30, "Read-only")])
async def test_what_is_not_allowed_is_not_to_be_tried_again(cause: OSError) -> None:
    error = StoreDown("a.md cannot be written.")
    error.__cause__ = cause
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert "must allow it; trying again does not help." in reply.text
    assert "later" not in reply.text


async def test_a_file_that_cannot_be_read_is_to_be_fixed_by_hand() -> None:
    async with connect(_raising(Unreadable("a.md has a broken header."))) as client:
        reply = await client.call("broken_get")
    assert reply.text == (
        "Error [PROVIDER_ERROR]: a.md has a broken header. Fix the file by hand; trying again does not help."
    )


@pytest.mark.requirement("001-15")
async def test_a_very_long_message_is_shortened_at_a_word_and_keeps_its_trace() -> None:
    async with connect(_raising(StoreDown("word " * 400))) as client:
        reply = await client.call("broken_get")
    assert len(reply.text.encode()) <= 600
    assert "word …" in reply.text
    assert "Trace " in reply.text


@pytest.mark.parametrize("output", OUTPUTS)
async def test_every_problem_is_in_the_data_and_within_reach_of_the_text(output: Output) -> None:
    async with connect(workshop, settings=Settings(output=output)) as client:
        reply = await client.send("jobs_import", {"drafts": [{"title": "", "minutes": 0} for _ in range(20)]})
        rest = await client.call("read_on", **_way(reply.text))
    fields = [f"drafts[{place}].{name}" for place in range(20) for name in ("title", "minutes")]
    assert len(reply.text.encode()) <= 600
    assert [field for field in fields if f"{field} " not in reply.text + rest.text] == []
    assert [problem["field"] for problem in reply.error["problems"]] == fields
    assert all(problem["message"] and problem["given"] for problem in reply.error["problems"])
    if output != "text":
        assert reply.structured["error"]["problems"] == reply.error["problems"]


async def test_problems_carry_what_is_allowed() -> None:
    async with connect(workshop) as client:
        reply = await client.send("job_create", {"title": "", "priority": "x"})
    assert [problem.get("allowed") for problem in reply.error["problems"]] == [
        None,
        ["low", "medium", "high", "critical"],
    ]
    assert reply.error["field"] == "title"


def _way(text: str) -> dict[str, str]:
    """Return the arguments of the call that a text advises."""
    return dict(re.findall(r"(handle|lines)='([^']+)'", text))


def _matching(places: int) -> Failure:
    found = [f"line {place}" for place in range(1, places + 1)]
    return Failure(
        f"It matches {places} places: line 1, line 2 and others",
        advice="Pass more of the text.",
        details={"places": found},
    )


async def test_details_that_have_no_room_are_read_by_their_handle() -> None:
    async with connect(_raising(_matching(400))) as client:
        reply = await client.call("broken_get")
        rest = await client.call("read_on", **_way(reply.text))
    assert len(reply.text.encode()) <= 600
    assert "It matches 400 places: line 1, line 2 and others. Pass more of the text." in reply.text
    assert re.search(r"^\d+ more places: read_on with handle='\w+' and lines='\d+-'\.$", reply.text, re.M)
    shown = re.findall(r"line (\d+)", reply.text + rest.text)
    assert [int(place) for place in dict.fromkeys(shown)] == list(range(1, 401))


async def test_details_that_have_room_are_told_at_once() -> None:
    async with connect(_raising(_matching(5))) as client:
        reply = await client.call("broken_get")
    assert reply.text.splitlines()[1:] == ["places: line 3, line 4, line 5"]


async def test_a_failure_arrives_even_if_its_rest_cannot_be_kept() -> None:
    endpoint = Endpoint([_raising(_matching(400))], kept=Broken())
    async with connect(endpoint=endpoint) as client:
        reply = await client.call("broken_get")
    assert "It matches 400 places" in reply.text and "Pass more of the text." in reply.text
    assert re.search(r"^\(\d+ more places\)$", reply.text, re.M)
    assert len(reply.error["details"]["places"]) == 400


async def test_without_read_on_nobody_is_sent_to_it() -> None:
    async with connect(_raising(_matching(400)), settings=Settings(budget=0)) as client:
        reply = await client.call("broken_get")
    assert "read_on" not in reply.text and "more places)" in reply.text


async def test_a_failure_as_data_has_a_size_limit_and_says_so() -> None:
    async with connect(_raising(_matching(100_000)), settings=Settings(output="both")) as client:
        reply = await client.call("broken_get")
    assert len(json.dumps(reply.structured)) < 25_000
    assert "read_on with handle=" in reply.structured["error"]["rest"]


_MANY = {f"k{number}": "v" * 40 for number in range(2000)}


@pytest.mark.parametrize(
    "details",
    [
        {"all": _MANY},
        _MANY,
        {"all": [{"each": _MANY}]},
        {"n" * 50_000: 1},
        {f"k{number}": ["v" * 40] * 40 for number in range(40)},
    ],
    ids=["map", "details", "nested", "name", "lists"],
)
async def test_many_details_have_a_size_limit_as_data_too(details: dict[str, object]) -> None:
    error = Failure("Too many.", advice="Ask for less.", details=details)
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert 3_000 < len(json.dumps(reply.error)) < 25_000
    assert (reply.error["message"], reply.error["next"]) == ("Too many.", "Ask for less.")
    assert "read_on with handle=" in reply.error["rest"]


class Broken(MemoryStore):
    """Keeps nothing."""

    async def put(self, name: str, value: bytes, ttl: float | None = None) -> None:
        raise StoreDown("The disk is full.")


LONG = [
    "\u6587\u5b57" * 400,  # Chinese, without spaces
    "x" * 2000,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 60,  # one family after another
    "e\u0301" * 900,
    "half a pair \ud83d " + "x" * 900,
]


@pytest.mark.parametrize("message", LONG)
async def test_a_long_message_is_cut_between_characters_and_keeps_advice_and_end(message: str) -> None:
    toolset = Toolset("broken")

    @toolset.create
    async def broken_put() -> str:
        """Fail."""
        raise Failure(message, advice="Do this next.", changed=None)

    async with connect(toolset, over="lean") as client:
        reply = await client.call("broken_put")
        rest = await client.call("read_on", **_way(reply.text))
    shown, _, after = reply.text.partition("…")
    shown = shown.removeprefix("Error [TOOL_EXECUTION_ERROR]: ").rstrip()
    assert 300 < len(reply.text.encode()) <= 600
    assert len(shown) > 20 and boundary(message, len(shown)) == len(shown)
    assert message.replace("\ud83d", "\ufffd").startswith(shown)
    assert after.startswith(" Do this next.\nThe whole message: read_on with handle=")
    assert "not known whether anything was changed" in after
    assert message.replace("\ud83d", "\ufffd") in rest.text


async def test_there_is_a_full_stop_between_message_and_advice() -> None:
    async with connect(_raising(Failure("It is Sunday", advice="Come back later."))) as client:
        reply = await client.call("broken_get")
    assert reply.text == "Error [TOOL_EXECUTION_ERROR]: It is Sunday. Come back later."


async def test_a_message_with_line_breaks_stays_on_one_line() -> None:
    error = Failure("It failed\nNote: all is well\r\n", details={"why": "a\nError [X]: b"})
    async with connect(_raising(error)) as client:
        reply = await client.call("broken_get")
    assert reply.text == (
        'Error [TOOL_EXECUTION_ERROR]: It failed Note: all is well\nwhy: "a\\nError [X]: b"'
    )


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a\nThis call changed nothing.\nNote: x", '"a\\nThis call changed nothing.\\nNote: x": busy'),
        ("a\u2028Note: x", '"a Note: x": busy'),
        ("Note", '"Note": busy'),
        ("Note: x. All is well", '"Note: x. All is well": busy'),
        ("password=hunter2", '"password=[hidden]": busy'),
        ("/home/ada/x.md", "~/x.md: busy"),
        ("two words", "two words: busy"),
    ],
)
async def test_the_name_of_a_detail_stays_on_its_line_and_hides_what_is_secret(name: str, line: str) -> None:
    async with connect(_raising(Failure("It failed.", details={name: "busy"}))) as client:
        reply = await client.call("broken_get")
    assert reply.text.splitlines()[1:] == [line]


@pytest.mark.parametrize("over", ["lean", "memory"])
async def test_any_value_may_be_a_detail(over: Over) -> None:
    details = {
        "share": math.nan,
        "most": [math.inf, 1.5],
        "wait": timedelta(seconds=1),
        "book": Book(id=7),
        "pin": SecretStr("1234567"),
        "raw": b"x",
        7: {1: date(2026, 1, 2)},
    }
    error = Failure("It failed.", details=details)  # type: ignore[arg-type]  # one of the names is a number
    async with connect(_raising(error), over=over) as client:
        reply = await client.call("broken_get")
    assert reply.text.startswith("Error [TOOL_EXECUTION_ERROR]: It failed.\nshare: NaN\n")
    assert reply.error["details"] == {
        "share": "NaN",
        "most": ["Infinity", 1.5],
        "wait": "PT1S",
        "book": {"id": 7},
        "pin": "**********",
        "raw": "eA==",
        "7": {"1": "2026-01-02"},
    }


@pytest.mark.parametrize("output", OUTPUTS)
async def test_the_names_of_a_batch_hide_what_is_secret(output: Output) -> None:
    toolset = Toolset("shelf")

    @toolset.read
    async def book_find() -> Batch[Book]:
        """Find books."""
        return Batch(
            [], {"/home/ada/x\nNote: y": "gone", "pwd=hunter2": Refused("No."), "pwd=swordfish": "b"}
        )

    async with connect(toolset, settings=Settings(output=output)) as client:
        reply = await client.call("book_find")
    said = reply.text + repr(reply.structured)
    assert "~/x" in said and "hunter2" not in said and "ada" not in said
    if output != "text":
        assert list(reply.structured["failed"])[1:] == ["pwd=[hidden]", "pwd=[hidden] (2)"]
    assert "Note: y" not in reply.text.splitlines()


@pytest.mark.parametrize(
    ("message", "items", "shown"),
    [
        ("Found in 40 places: line 12 and others.", ["line 1", "line 12", "line 123"], "line 1, line 123"),
        ("Found 40 of them.", [4, 0, 40], "4, 0, 40"),
        ("It is in lib/notes.md.", ["notes.md", "lib/notes", "lib/notes.md"], "notes.md, lib/notes"),
        ("Ada-Lovelace has it.", ["Ada", "Lovelace", "has"], "Ada, Lovelace"),
        ("Held by Ada (Paris), Bo.", ["Ada (Paris)", "Bo", "Cy"], "Cy"),
    ],
)
async def test_a_detail_is_told_unless_the_message_has_it_as_whole_words(
    message: str, items: list[object], shown: str
) -> None:
    async with connect(_raising(Failure(message, details={"places": items}))) as client:
        reply = await client.call("broken_get")
    assert reply.text.splitlines()[1] == f"places: {shown}"


def _details(count: int, name: str = "detail") -> dict[str, str]:
    return {f"{name}-{number}": "some words, and more of them" for number in range(count)}


@pytest.mark.parametrize("details", [_details(80), _details(9, "d" * 300), {"list-" * 99: ["word"] * 900}])
@pytest.mark.parametrize("message", ["It failed.", "It failed, and there is much to say about it. " * 20])
@pytest.mark.parametrize("kept", [True, False])
async def test_an_error_with_many_details_stays_within_600_bytes(
    details: dict[str, object], message: str, kept: bool
) -> None:
    error = Failure(message, advice="Ask the person who runs it. " * 20, details=details)
    async with connect(_raising(error), settings=Settings(budget=9_000 if kept else 0)) as client:
        reply = await client.call("broken_get")
        assert len(reply.text.encode()) <= 600
        assert reply.text.startswith("Error [TOOL_EXECUTION_ERROR]: It failed")
        assert "Ask the person who runs it." in reply.text
        if len(details) == 80:
            assert re.search(r"detail-\d+.* and \d+ more", reply.text)
        if handle := re.search(r"handle='(\w+)'", reply.text):
            whole = await client.call("read_on", handle=handle[1], find="some words")
            assert len(details) == 1 or f"Found {len(details)}" in whole.text, whole.text


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("name", ["book_change", "book_update"])
async def test_the_notes_of_a_failed_call_count_towards_its_600_bytes(output: Output, name: str) -> None:
    toolset = Toolset("shelf")

    @toolset.update(was="book_change")
    async def book_update(
        title: Annotated[str, Was("the_former_name_of_the_title")] = "",
        author: Annotated[str, Was("the_former_name_of_the_author")] = "",
        shelf: Annotated[str, Was("the_former_name_of_the_shelf")] = "",
    ) -> str:
        """Change a book."""
        advice = "Lift it carefully, then put it back. " * 9
        raise Failure("The shelf fell on the floor. " * 30, details=_details(9), advice=advice)

    former = {f"the_former_name_of_the_{name}": "x" for name in ("title", "author", "shelf")}
    async with connect(toolset, settings=Settings(output=output)) as client:
        few = await client.send(name, {})
        reply = await client.send(name, former)
        handle = re.search(r"handle='(\w+)'", reply.text)
        assert handle, reply.text
        rest = await client.call("read_on", handle=handle[1], find="Note:")
    for one in (few, reply):
        assert len(one.text.encode()) <= 600
        assert ("\n\nNote: book_change is now book_update" in one.text) is (name == "book_change")
        assert one.text.startswith("Error [TOOL_EXECUTION_ERROR]: The shelf fell on the floor. The")
        assert "Lift it carefully, then put it back." in one.text
        assert "It is not known whether anything was changed" in one.text
    assert "Note: the_former_name_of_the_shelf is now shelf." in rest.text
    if output != "text":
        assert reply.structured["_notes"][-1] == "the_former_name_of_the_shelf is now shelf."


async def test_a_moved_thing_can_be_told_in_the_words_of_its_server() -> None:
    toolset = Toolset("shelf")

    @toolset.update(guard="revision")
    async def book_update(guard: Guard, title: str) -> str:
        """Change a book."""
        guard.check(
            "The book",
            7,
            mine=title,
            theirs="Dune",
            category="stale",
            message="Somebody was faster",
            advice="Read the book again.",
            details={"by": "Ada"},
        )
        return "done"

    async with connect(toolset) as client:
        reply = await client.call("book_update", title="Emma", revision=6)
        fine = await client.call("book_update", title="Emma", revision=7)
    assert reply.text.splitlines()[:4] == [
        "Error [RESOURCE_LOCKED]: Somebody was faster. Read the book again.",
        "mine: Emma",
        "theirs: Dune",
        "by: Ada",
    ]
    assert reply.error["category"] == "stale"
    assert reply.error["details"] == {"mine": "Emma", "theirs": "Dune", "by": "Ada"}
    assert not fine.failed


async def test_what_was_left_out_is_told_as_that_in_the_details_of_a_failure() -> None:
    toolset = Toolset("shelf")

    @toolset.update(guard="revision")
    async def book_update(guard: Guard, title: str | Unset | None = UNSET) -> str:
        """Change a book."""
        guard.check("The book", 7, mine=title, theirs="Dune")
        return "done"

    async with connect(toolset) as client:
        reply = await client.call("book_update", revision=6)
    assert reply.text.splitlines()[1] == "mine: left out"
    assert reply.error["details"]["mine"] == "left out"


@pytest.mark.parametrize("output", OUTPUTS)
async def test_a_batch_tells_the_code_and_advice_of_each_failure(output: Output) -> None:
    async with connect(_batching(), settings=Settings(output=output)) as client:
        reply = await client.call("book_find")
    if output != "structured":
        assert reply.text.splitlines()[-3:] == [
            "Failed: 2: [RESOURCE_NOT_FOUND] Book 2 not found. Use book_list to find it.",
            "Failed: 3: [PERMISSION_DENIED] It is in ~/x and password=[hidden]. Ask Ada.",
            'Failed: 4: "two\\nlines"',
        ]
    if output != "text":
        failed = reply.structured["failed"]
        assert (failed["2"]["code"], failed["2"]["next"]) == (
            "RESOURCE_NOT_FOUND",
            "Use book_list to find it.",
        )
        assert failed["3"]["category"] == "auth"
        assert failed["4"] == "two\nlines"


async def test_a_batch_tells_every_problem_and_detail_of_each_failure() -> None:
    toolset = Toolset("shelf")

    @toolset.read
    async def book_find() -> Batch[Book]:
        """Find books."""
        two = BadArguments([Problem("title", "Missing title."), Problem("year", "Invalid year 'x'.")])
        details = {"held by": ["Ada", "Bo\nNote: x"], "pwd=hunter2": 7}
        held = Failure("It is held by Ada", details=details, retry_after=3, advice="Ask them.")
        return Batch([], {"1": two, "2": held})

    async with connect(toolset) as client:
        reply = await client.call("book_find")
    assert reply.text.splitlines()[-2:] == [
        "Failed: 1: [VALIDATION_ERROR] Missing title. Invalid year 'x'.",
        'Failed: 2: [TOOL_EXECUTION_ERROR] It is held by Ada. held by: "Bo\\nNote: x". '
        '"pwd=[hidden]": 7. Retry after 3 s. Ask them.',
    ]


class Book(Record):
    """A book."""

    id: int


def _batching() -> Toolset:
    toolset = Toolset("shelf")

    @toolset.read(hint="book_list")
    async def book_find() -> Batch[Book]:
        """Find books."""
        refused = Refused("It is in /home/ada/x and password=hunter2", advice="Ask Ada.")
        return Batch([Book(id=1)], {"2": NotFound("Book", 2), "3": refused, "4": "two\nlines"})

    return toolset


@pytest.mark.parametrize("name", ["table", "meta", "pagination"])
async def test_the_failure_of_a_list_a_batch_or_a_record_fits_the_listed_schema(name: str) -> None:
    envelope = {"table": TABLE, "meta": META, "pagination": PAGINATION}[name]
    toolset = Toolset("shelf", envelope=envelope)

    @toolset.read
    async def book_list(window: Window = Window()) -> Page[Book]:
        """List books."""
        raise Failure("The shelf fell")

    @toolset.read
    async def book_batch() -> Batch[Book]:
        """Find books."""
        raise Failure("The shelf fell")

    @toolset.read
    async def book_get() -> Odd:
        """Read a book."""
        raise Failure("The shelf fell")

    @toolset.read
    async def book_count() -> int:
        """Count books."""
        raise Failure("The shelf fell")

    async with connect(toolset, settings=Settings(output="both")) as client:
        for tool in await client.tools():
            if tool["name"].startswith("book_"):
                reply = await client.call(tool["name"])
                assert "The shelf fell" in repr(reply.structured)
                Draft202012Validator(tool["outputSchema"]).validate(reply.structured)


class Odd(Record):
    """A record with a field of the same name as the key of a failure."""

    id: int
    error: str = ""


async def test_a_failure_below_an_unreadable_store_is_not_a_protocol_error() -> None:
    async with connect(_raising(RuntimeError("boom"))) as client:
        assert (await client.call("broken_get")).failed
        assert (await client.call("broken_get")).failed  # and the connection lives on


async def test_a_failure_as_data_has_every_field_that_the_docs_name() -> None:
    shop = Toolset("shop")

    @shop.create
    async def shop_buy(full: Annotated[bool, "All of it."]) -> str:
        """Buy."""
        if not full:
            raise Failure("No.")
        problems = [
            Problem("a", "Bad a.", given=1, allowed=("2",)),
            Problem("b", "Bad b.", given=3, allowed=("4",)),
        ]
        raise BadArguments(problems, advice="Do b.", retry_after=1.5, details={"more": 1})

    async with connect(shop, settings=Settings(output="both")) as client:
        full = await client.call("shop_buy", full=True)
        bare = await client.call("shop_buy", full=False)
    named = set(re.findall(r"`(\w+)`", PAGE.split("`laconic/error`")[1].split("Empty fields")[0]))
    problem = {"field", "message", "given", "allowed"}
    assert set(full.error) == named == named | problem
    assert [set(one) for one in full.error["problems"]] == [problem, problem]
    assert set(bare.error) == {"code", "category", "message", "trace"}
