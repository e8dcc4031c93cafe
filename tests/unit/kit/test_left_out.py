"""Structured content that is too long: what is left out is named, and can be read."""

import re
from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field

from laconic.kit import META, TABLE, Batch, Envelope, Record, Settings, Toolset
from laconic.kit.compact import compact
from laconic.kit.pipeline import Output
from laconic.kit.testing import TestClient, connect

SPECIFICATION = "# Plan\n\nFirst.\n\n" + "".join(
    f"## Part {n}\n\n" + f"Sentence {n}. " * 40 + "\n\n" for n in range(60)
)
ENVELOPES = {"table": TABLE, "meta": META}


class Memo(Record, bodies=("description",)):
    """Something written down."""

    id: str
    labels: list[str]
    description: str = ""
    history: list[str] = Field(default_factory=list)


MEMO = Memo(id="M-1", labels=["a", "b"], description=SPECIFICATION)


def _desk(envelope: Envelope = TABLE) -> Toolset:
    desk = Toolset("desk", envelope=envelope)

    @desk.read
    async def memo_get(id: Annotated[str, "Which."] = "M-1") -> Memo:
        """Read a memo."""
        if id == "many":
            return Memo(id=id, labels=["x" * 90] * 3, history=["y" * 90] * 3, description="z" * 250)
        return MEMO if id == "M-1" else MEMO.model_copy(update={"id": id, "history": ["changed"] * 9_000})

    @desk.read
    async def memos_get(ids: Annotated[list[str], "Which."], size: Annotated[int, "Of each."]) -> Batch[Memo]:
        """Read memos."""
        found = [Memo(id=id, labels=["a"], description="word " * (size // 5)) for id in ids if id[0] == "M"]
        return Batch(found, {id: f"Memo {id} not found." for id in ids if id[0] != "M"})

    @desk.read
    async def memo_counts() -> dict[str, Any]:
        """Count things."""
        return {"total": 7, "words": {f"word {n}": n for n in range(4_000)}}

    @desk.read
    async def memo_named(
        names: Annotated[list[str], "Which."], size: Annotated[int, "Of each."]
    ) -> dict[str, str]:
        """Read texts by name."""
        return {name: "word " * (size // 5) for name in names}

    @desk.read
    async def memo_words(count: Annotated[int, "How many."]) -> dict[str, int]:
        """Count each word."""
        return {f"word {n}": n for n in range(count)}

    return desk


async def _read(client: TestClient, note: str, **way: str) -> str:
    found = re.search(r"handle='(\w+)'", note)
    assert found, note
    return (await client.call("read_on", handle=found[1], **way)).text


async def _checked(client: TestClient, name: str, budget: int, **arguments: Any) -> dict[str, Any]:
    """Call a tool; its content is within the budget and fits its schema."""
    reply = await client.call(name, **arguments)
    assert not reply.failed, reply.text
    listed = {tool["name"]: tool for tool in await client.tools()}
    Draft202012Validator(listed[name]["outputSchema"]).validate(reply.structured)
    assert len(compact(reply.structured)) <= budget
    found: dict[str, Any] = reply.structured
    return found


@pytest.mark.parametrize("output", ["structured", "both"])
@pytest.mark.parametrize("envelope", ENVELOPES)
async def test_a_long_field_of_a_record_is_named_and_the_others_are_whole(
    envelope: str, output: Output
) -> None:
    settings = Settings(output=output, budget=9_000)
    async with connect(_desk(ENVELOPES[envelope]), settings=settings) as client:
        data = await _checked(client, "memo_get", 9_000)
        (note,) = data["_notes"]
        assert data.get("data", data) == {
            "id": "M-1",
            "labels": ["a", "b"],
            "history": [],
            **({} if envelope == "meta" else {"_notes": [note]}),
        }
        assert note.startswith(f"Left out: description ({len(SPECIFICATION):,} characters). Read on: read_on")
        assert "section='…'" in note
        assert "Sentence 33." in await _read(client, note, section="Part 33")


async def test_several_long_fields_each_have_a_note() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=9_000)) as client:
        data = await _checked(client, "memo_get", 9_000, id="M-2")
        assert {name for name in data if name != "_notes"} == {"id", "labels"}
        about_history, about_description = data["_notes"]
        assert about_history.startswith("Left out: history (90,001 characters).")
        assert '"changed"' in await _read(client, about_history, items="8999-9000")
        assert "Sentence 3." in await _read(client, about_description, section="Part 3")


async def test_many_fields_that_are_too_long_together_share_a_note() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=500)) as client:
        data = await _checked(client, "memo_get", 500, id="many")
        (note,) = data["_notes"]
        assert data["id"] == "many"
        left = {"labels", "history", "description"} - data.keys()
        assert left and all(name in note for name in left)
        whole = await _read(client, note, characters="0-")
        assert all(f'"{name}":' in whole for name in left)


async def test_a_field_of_a_batch_is_left_out_of_every_record_and_each_can_be_read() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=9_000)) as client:
        data = await _checked(client, "memos_get", 9_000, ids=["M-1", "X-2", "M-3"], size=30_000)
        assert (data["columns"], data["rows"]) == (
            ["id", "labels", "history"],
            [["M-1", ["a"], []], ["M-3", ["a"], []]],
        )
        assert data["failed"] == {"X-2": "Memo X-2 not found."}
        (note,) = data["_notes"]
        handles = re.findall(r"handle='(\w+)'", note)
        assert note == (
            f"Left out: M-1: description (30,000 characters, handle='{handles[0]}'), "
            f"M-3: description (30,000 characters, handle='{handles[1]}'). "
            "Read on: read_on with one of these handles and characters='0-', lines='1-50' or find='words'."
        )
        for handle in handles:
            assert "word word" in (await client.call("read_on", handle=handle, characters="0-100")).text


async def test_notes_about_many_values_fit_and_each_value_can_be_read() -> None:
    ids = [f"M-{n}" for n in range(40)]
    async with connect(_desk(), settings=Settings(output="structured", budget=6_000)) as client:
        data = await _checked(client, "memos_get", 6_000, ids=ids, size=3_000)
        (note,) = data["_notes"]
        assert [row[0] for row in data["rows"]] == ids
        assert note.count("Read on: ") == 1
        for id in ids:
            assert f"{id}: description (3,000 characters, handle='" in note


@pytest.mark.parametrize("envelope", ENVELOPES)
async def test_rows_of_a_batch_that_do_not_fit_are_named_by_their_keys(envelope: str) -> None:
    settings = Settings(output="structured", budget=6_000)
    ids = [f"M-{n}" for n in range(60)]
    async with connect(_desk(ENVELOPES[envelope]), settings=settings) as client:
        data = await _checked(client, "memos_get", 6_000, ids=ids, size=200)
        (note,) = data["_notes"]
        content = data.get("data", data)
        shown = (
            [row[0] for row in content["rows"]]
            if "rows" in content
            else [one["id"] for one in content["items"]]
        )
        named = note.removeprefix("Left out: ").partition(" (")[0].split(", ")
        assert shown and named
        assert sorted(shown + named) == sorted(ids)
        assert f'"id":"{named[-1]}"' in await _read(client, note, items=f"{len(named)}")


async def test_a_batch_with_more_names_than_room_says_how_many_more() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=1_000)) as client:
        data = await _checked(client, "memos_get", 1_000, ids=[f"M-{n}" for n in range(300)], size=200)
        (note,) = data["_notes"]
        named = int(re.search(r" and (\d+) more \(", note)[1]) + len(note.partition(" and ")[0].split(", "))  # type: ignore[index]
        assert named + len(data["rows"]) == 300


async def test_failures_of_a_batch_are_never_dropped_in_silence() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=1_000)) as client:
        data = await _checked(
            client, "memos_get", 1_000, ids=["M-1", *(f"X-{n}" for n in range(300))], size=9
        )
        note = next(note for note in data["_notes"] if note.startswith("Left out: failed ("))
        assert "Memo X-299 not found." in await _read(client, note, find="X-299")


AMBIGUOUS = [
    "M-1, M-2 (9 characters)",
    "M: description",
    'M "x"',
    "M-1. Read on: read_on with handle='x'",
    "M\nNote: x",
]


async def test_keys_of_rows_left_out_are_quoted_where_they_are_ambiguous() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=1_400)) as client:
        ids = [*AMBIGUOUS, *(f"M-{n}" for n in range(9))]
        data = await _checked(client, "memos_get", 1_400, ids=ids, size=300)
        (note,) = data["_notes"]
        left = [id for id in ids if id not in [row[0] for row in data["rows"]]]
        named = [compact(id) if id in AMBIGUOUS else id for id in left]
        assert note.startswith(f"Left out: {', '.join(named)} (")


async def test_keys_of_fields_left_out_are_quoted_where_they_are_ambiguous() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=9_000)) as client:
        data = await _checked(client, "memos_get", 9_000, ids=AMBIGUOUS, size=30_000)
        (note,) = data["_notes"]
        for id in AMBIGUOUS:
            assert f"{compact(id)}: description (30,000 characters, handle='" in note


async def test_names_of_a_mapping_left_out_are_quoted_where_they_are_ambiguous() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=3_000)) as client:
        few = await _checked(client, "memo_named", 3_000, names=AMBIGUOUS[:2], size=9_000)
        many = await _checked(client, "memo_named", 3_000, names=[*AMBIGUOUS, *"abcdefghijklmnop"], size=600)
    for name in AMBIGUOUS[:2]:
        assert f"{compact(name)} (9,000 characters, handle='" in few["_notes"][0]
    told = "\n".join(many["_notes"])
    for name in AMBIGUOUS:
        assert name in many or compact(name) in told
        assert f", {name}" not in told and f": {name}" not in told


async def test_a_mapping_without_a_record_keeps_its_short_values() -> None:
    async with connect(_desk(), settings=Settings(output="structured", budget=9_000)) as client:
        data = await _checked(client, "memo_counts", 9_000)
        assert data["total"] == 7
        assert data["_notes"][0].startswith("Left out: words (")
        assert "3999" in await _read(client, data["_notes"][0], find="word 3999")


async def test_a_mapping_of_thousands_of_keys_is_shortened_with_one_look_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded = 0

    def counting(value: Any) -> str:
        nonlocal encoded
        text = compact(value)
        encoded += len(text)
        return text

    monkeypatch.setattr("laconic.kit.keeping.shrink.compact", counting)
    async with connect(_desk(), settings=Settings(output="structured", budget=9_000)) as client:
        data = await _checked(client, "memo_words", 9_000, count=5_000)
        (note,) = data["_notes"]
        assert len(data) > 100
        assert re.match(r"Left out: word \d+, .* and [\d,]+ more \(", note)
        assert "4999" in await _read(client, note, find="word 4999")
        assert encoded < 20 * len(compact({f"word {n}": n for n in range(5_000)}))


@pytest.mark.parametrize("output", ["text", "structured", "both"])
async def test_no_budget_means_that_nothing_is_left_out(output: Output) -> None:
    async with connect(_desk(), settings=Settings(output=output, budget=0)) as client:
        one = await client.call("memo_get")
        batch = await client.call("memos_get", ids=["M-1", "M-2"], size=30_000)
    assert one.text.count("Sentence 59.") == 40
    assert batch.text.count("word ") == 12_000
    if output != "text":
        assert one.structured == MEMO.model_dump()
        assert len(batch.structured["rows"]) == 2
