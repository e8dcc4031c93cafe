"""A call and its answer: time to record a write, and notes for the model."""

import asyncio
from typing import Any

import pytest

from laconic.kit import Endpoint, Toolset
from laconic.kit.answers.content import Block, Image, Text
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer, Call, Inner, compose, deadline_at, only_for

PICTURE = Image(b"\x89PNG\r\n\x1a\n", "image/png")
NOTE = Text("Note: Look out.")


@pytest.mark.parametrize(
    ("blocks", "data", "noted"),
    [
        ([], None, [NOTE]),
        ([], {"a": 1}, []),
        ([Text("Text.")], None, [Text("Text.\n\nNote: Look out.")]),
        ([PICTURE, Text("Text.")], {"a": 1}, [PICTURE, Text("Text.\n\nNote: Look out.")]),
        ([Text("Text."), PICTURE], None, [Text("Text.\n\nNote: Look out."), PICTURE]),
        ([PICTURE], {"a": 1}, [PICTURE, NOTE]),
    ],
)
def test_a_note_is_added_to_text_and_data(
    blocks: list[Block], data: dict[str, Any] | None, noted: list[Block]
) -> None:
    answer = Answer([*blocks], data)

    answer.note(["Look out."])

    assert answer.blocks == noted
    assert answer.structured == (None if data is None else {"a": 1, "_notes": ["Look out."]})


def test_without_notes_an_answer_stays_as_it_was() -> None:
    answer = Answer([Text("Text.")], {"a": 1})

    answer.note([])

    assert answer == Answer([Text("Text.")], {"a": 1})


def _call(name: str) -> Call:
    toolset = Toolset("memos")

    @toolset.create
    async def memo_create() -> str:
        """Create a memo."""
        return "Created."

    @toolset.read
    async def memo_read() -> str:
        """Read a memo."""
        return "Text."

    return Call(Endpoint([toolset]).catalogue.tool(name), {}, SilentPeer())


async def _finish(call: Call) -> None:
    """Let the function return right before the deadline, and the recording take until after it."""
    async with asyncio.timeout(0.02) as call.timer:
        call.deadline_at = call.timer.when()
        call.finish()
        await asyncio.sleep(0.1)


async def test_a_write_that_is_done_has_time_to_be_recorded_and_a_read_has_not() -> None:
    write, read = _call("memo_create"), _call("memo_read")

    await _finish(write)
    with pytest.raises(TimeoutError):
        await _finish(read)

    assert write.returned and read.returned


async def test_a_call_without_a_deadline_just_ends() -> None:
    call = _call("memo_create")

    call.finish()

    assert (call.returned, call.deadline_at, call.budget) == (True, None, 0)


async def test_the_clock_stops_while_a_person_is_asked() -> None:
    call = _call("memo_read")

    async with asyncio.timeout(60) as call.timer:
        before = call.deadline_at = call.timer.when() or 0.0
        with call.waiting():
            await asyncio.sleep(0.05)
        after = call.timer.when() or 0.0

    assert 0.05 <= after - before < 30
    assert deadline_at.get() == call.deadline_at == after


@pytest.mark.parametrize("name", ["memo_create", "memo_read"])
async def test_a_call_takes_only_the_steps_that_its_spec_needs(name: str) -> None:
    taken: list[str] = []
    asked: list[str] = []

    def is_write(spec: Any) -> bool:
        asked.append(spec.name)
        return bool(spec.writes)

    async def every(call: Call, inner: Inner) -> Answer:
        taken.append("every")
        return await inner(call)

    @only_for(is_write)
    async def writes(call: Call, inner: Inner) -> Answer:
        taken.append("writes")
        return await inner(call)

    async def end(call: Call) -> Answer:
        return Answer()

    call = _call(name)
    path = compose([writes, every], end, call.spec)
    await path(call)
    await path(call)
    expected = ["writes", "every"] if name == "memo_create" else ["every"]
    assert (taken, asked) == (expected * 2, [name])
    await compose([writes, every], end)(call)  # where the spec is not known before
    assert taken == expected * 3
