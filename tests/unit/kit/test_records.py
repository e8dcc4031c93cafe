"""What the head of a record's class declares."""

from typing import Any

import pytest

from laconic.kit import META, PAGINATION, TABLE, BadConfiguration, Envelope, Record, Settings, Toolset
from laconic.kit.answers.records import RecordOptions, _Keywords, count_of, options_of
from laconic.kit.contract.calls import leaves
from laconic.kit.testing import connect

WORDS = (
    *("text", "key", "notes", "default", "formats", "format", "groups", "headings", "usual", "bodies"),
    *(
        "choices",
        "noun",
        "plural",
        "nouns",
        "heading",
        "remarks",
        "options",
        "values",
        "columns",
        "result",
        "error",
    ),
    *("next", "total", "rows", "items", "meta", "data", "ok"),
)


class Wordy(Record, key="key", bodies=("text",), noun="word", plural="words"):
    """Its fields have the names of everything that the kit has names for."""

    text: str = "of text"
    key: str = "of key"
    notes: str = "of notes"
    default: str = "of default"
    formats: str = "of formats"
    format: str = "of format"
    groups: str = "of groups"
    headings: str = "of headings"
    usual: str = "of usual"
    bodies: str = "of bodies"
    choices: str = "of choices"
    noun: str = "of noun"
    plural: str = "of plural"
    nouns: str = "of nouns"
    heading: str = "of heading"
    remarks: str = "of remarks"
    options: str = "of options"
    values: str = "of values"
    columns: str = "of columns"
    result: str = "of result"
    error: str = "of error"
    next: str = "of next"
    total: str = "of total"
    rows: str = "of rows"
    items: str = "of items"
    meta: str = "of meta"
    data: str = "of data"
    ok: str = "of ok"


@pytest.mark.parametrize("output", ["text", "structured", "both"])
async def test_a_field_may_have_any_name(output: Any) -> None:
    wordy = Toolset("wordy")

    @wordy.read
    async def word_get() -> Wordy:
        """Get a word."""
        return Wordy()

    async with connect(wordy, settings=Settings(output=output)) as client:
        reply = await client.call("word_get")
    if output != "structured":
        assert all(f"{word}: of {word}" in reply.text.splitlines() for word in WORDS if word != "text")
        assert "of text" in reply.text.splitlines()
    if output != "text":
        assert reply.structured == {word: f"of {word}" for word in ["key", *WORDS]}


def test_keywords_are_inherited_and_one_at_a_time_replaced() -> None:
    class Tree(Wordy, noun="tree", plural="trees"):
        """A record of a record."""

    assert (options_of(Tree).key, options_of(Tree).bodies) == ("key", ("text",))
    assert (count_of(2, Tree), count_of(2, Wordy)) == ("2 trees", "2 words")


def test_a_keyword_that_does_not_exist_is_refused_by_the_name_of_its_record() -> None:
    with pytest.raises(BadConfiguration, match="Shrub: a record has no keyword body_field"):

        class Shrub(Record, body_field="text"):
            """Declared the old way."""


def test_a_keyword_that_names_no_field_is_refused_by_the_name_of_its_record() -> None:
    with pytest.raises(BadConfiguration, match="Fern: there is no field 'nmae', which its class names"):

        class Fern(Record, formats={"short": ("nmae",)}):
            """Has a slip of the pen."""

            id: int
            name: str


def test_a_field_cannot_hide_a_method_that_records_override() -> None:
    refused = pytest.raises(BadConfiguration, match="Moss: a record's field cannot be called write_text")
    with pytest.warns(UserWarning, match="shadows"), refused:

        class Moss(Record):
            """Its field would be called as a function."""

            write_text: str  # type: ignore[assignment]  # the mistake under test


def test_editors_know_every_keyword() -> None:
    assert _Keywords.__annotations__.keys() >= RecordOptions.__dataclass_fields__.keys()


class Diary(Record, noun="diary"):
    """Its notes are its own."""

    id: int
    notes: str


@pytest.mark.parametrize("envelope", [TABLE, META, PAGINATION])
async def test_what_the_kit_remarks_replaces_no_value_of_an_answer(envelope: Envelope) -> None:
    diaries = Toolset("diaries", envelope=envelope)

    @diaries.read(was=["journal_get"])
    async def diary_get() -> Diary:
        """Read a diary."""
        return Diary(id=1, notes="my own")

    @diaries.read(was=["journal_data"])
    async def diary_data() -> dict[str, Any]:
        """Read a diary as data."""
        return {"_notes": "my own", "id": 1}

    async with connect(diaries, settings=Settings(output="both")) as client:
        replies = [await client.call("journal_get"), await client.call("journal_data")]
    for reply in replies:
        assert "my own" in leaves(reply.structured)
        assert len(reply.structured["_notes"]) == 1
        assert reply.structured["_notes"][0] in reply.text


@pytest.mark.parametrize("choices", [None, ("owner_name", "who_all")])
async def test_a_group_is_found_by_the_name_that_the_schema_offers(choices: tuple[str, ...] | None) -> None:
    class Task(Record, groups={"who_all": ("owner_name", "reviewer")}, choices=choices):
        id: str
        owner_name: str = "Ann"
        reviewer: str = "Bo"

    toolset = Toolset("tasks", "Tasks.", case="camel")

    @toolset.read
    async def tasks_get() -> Task:
        """Read a task."""
        return Task(id="1")

    async with connect(toolset, settings=Settings(output="structured")) as client:
        tool = next(tool for tool in await client.tools() if tool["name"] == "tasks_get")
        offered = tool["inputSchema"]["properties"]["fields"]["items"]["enum"]
        assert "whoAll" in offered and "who_all" not in offered
        reply = await client.call("tasks_get", fields=["whoAll"])
        assert reply.structured == {"id": "1", "ownerName": "Ann", "reviewer": "Bo"}
