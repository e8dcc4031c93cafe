"""Notes for the model: they are in the text and in the data of an answer, whatever it consists of."""

from typing import Any

import pytest

from laconic.kit.answers.content import Block, Image, Text
from laconic.kit.pipeline import Answer

PICTURE = Image(b"\x89PNG\r\n\x1a\n", "image/png")
NOTE = Text("Note: Look out.")


@pytest.mark.parametrize(
    ("blocks", "data", "noted"),
    [
        ([], None, [NOTE]),
        ([], {"a": 1}, []),
        ([Text("Text.")], None, [Text("Text.\n\nNote: Look out.")]),
        ([PICTURE, Text("Text.")], {"a": 1}, [PICTURE, Text("Text.\n\nNote: Look out.")]),
        ([Text("Text."), PICTURE], None, [Text("Text."), PICTURE, NOTE]),
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
