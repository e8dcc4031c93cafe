"""Tools made from data: described arguments, checked to any depth, beside those of the kit."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from laconic.kit import BadArguments, BadConfiguration, Described, Problem, Settings, Toolset
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import Reply, connect
from tests.toolsets.places import ID, TYPES, places

PLACE = {"index": 2}


def told(reply: Reply) -> str:
    """What a failure says, without its code."""
    assert reply.failed
    return reply.text.partition("]: ")[2]


async def test_a_tool_made_from_data_gets_its_arguments_and_what_is_supplied() -> None:
    async with connect(places) as client:
        reply = await client.call("texts_insert", textId="T-1", text="--", location={"index": 2})
        assert reply.text.startswith("insert He--llo {")
        assert (await client.call("texts_read", textId="T-1")).text.startswith("read He--llo")
        missing = await client.call("texts_read", textId="T-2")
    assert told(missing).startswith("Text T-2 not found. Did you mean T-1?")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"location": {"indx": 1}}, "Unknown argument 'location.indx'. Did you mean 'index'?"),
        ({"location": {}}, "Missing location.index: integer of at least 0."),
        ({"location": {"index": -1}}, "Invalid location.index -1. Expected: integer of at least 0."),
        (
            {"location": {"index": 1, "segmentId": []}},
            "Invalid location.segmentId a list of 0. Expected: string.",
        ),
        ({"location": [1]}, "Invalid location a list of 1. Expected: object with index, segmentId."),
        ({"text": "x" * 21}, f"Invalid text '{'x' * 21}'. Expected: string of at most 20 characters."),
        ({"textId": ""}, "Invalid textId ''. Expected: string of at least 1 character."),
        ({"txt": "a"}, "Unknown argument 'txt'. Did you mean 'text'?"),
        (
            {"thumbnailProperties.mimeType": "image/gfi"},
            "Invalid thumbnailProperties.mimeType 'image/gfi'. Valid values: image/png, image/gif. "
            "Did you mean 'image/gif'?",
        ),
        ({"budget": 3}, "Invalid budget 3. Expected: integer of at least 500."),
    ],
)
async def test_a_problem_is_told_with_its_place(arguments: dict[str, Any], problem: str) -> None:
    async with connect(places) as client:
        right = {"textId": "T-1", "text": "a", "location": PLACE}
        reply = await client.call("texts_insert", **{**right, **arguments})
    assert told(reply) == problem


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"style": {"below": {"below": {"weight": "bald"}}}}, "Invalid style.below.below.weight 'bald'."),
        ({"style": {"size": 0}}, "Invalid style.size 0. Expected: number above 0."),
        ({"tags": ["a", 1, True]}, "Invalid tags[2] true. Expected: string."),
        ({"tags": list("abcd")}, "Invalid tags a list of 4. Expected: list of at most 3 items, each string."),
        ({"after": {"index": "x"}}, "Invalid after.index 'x'. Expected: integer of at least 0."),
        ({"after": [1]}, "Invalid after a list of 1. Expected: integer or object with index, segmentId."),
        ({"range": {"start": PLACE, "end": {"indx": 1}}}, "Unknown argument 'range.end.indx'."),
    ],
)
async def test_types_that_refer_to_each_other_are_checked_to_any_depth(
    arguments: dict[str, Any], problem: str
) -> None:
    right = {"textId": "T-1", "range": {"start": PLACE, "end": PLACE}}
    async with connect(places) as client:
        assert not (await client.call("texts_style", **right, after=3)).failed
        reply = await client.call("texts_style", **{**right, **arguments})
    assert told(reply).startswith(problem)


async def test_every_problem_of_a_call_is_told_also_that_of_an_argument_of_the_kit() -> None:
    async with connect(places) as client:
        reply = await client.call("texts_insert", txet="T-1", location={"indx": 1}, budget=3)
    assert [line.split(".")[0] for line in told(reply).splitlines()] == [
        "Unknown argument 'txet'",
        "Missing textId: string of at least 1 character",
        "Unknown argument 'location",
        "Invalid budget 3",
    ]


@pytest.mark.parametrize(
    ("text", "said"), [("a" * 100_001, "string of at most 100,000 characters."), ("a\0b", "a zero byte.")]
)
@pytest.mark.parametrize("place", ["location.segmentId", "textId"])
async def test_a_text_is_limited_and_has_no_zero_byte_at_any_depth(place: str, text: str, said: str) -> None:
    inside = {"index": 1, "segmentId": text if "." in place else ""}
    async with connect(places) as client:
        reply = await client.call(
            "texts_insert", textId="T-1" if "." in place else text, text="a", location=inside
        )
    assert f"Invalid {place}" in told(reply) and said.rstrip(".") in told(reply)


@pytest.mark.parametrize("described", [{"type": "object"}, {"description": "Anything."}])
async def test_a_problem_in_an_object_of_any_shape_is_told_with_its_place(described: dict[str, Any]) -> None:
    async def kept(arguments: Mapping[str, Any]) -> str:
        return "kept"

    toolset = Toolset("keeping", "Keeps.")
    toolset.add("update", "note_keep", "Keep a note.", Described({"note": described}), kept)
    async with connect(toolset) as client:
        reply = await client.call("note_keep", note={"lines": [{"text": "a\0b"}]})

    assert reply.error["field"] == "note.lines[0].text"


async def test_arguments_nested_too_deeply_are_refused() -> None:
    style: dict[str, Any] = {}
    for _ in range(3000):
        style = {"below": style}
    async with connect(places) as client:
        reply = await client.endpoint.call_tool("texts_style", {"style": style}, SilentPeer())
    assert "nested too deeply" in reply.text


async def test_what_was_clearly_meant_is_understood_inside_objects_too() -> None:
    async with connect(places) as client:
        sent = {"textId": "T-1", "text": 12, "location": '{"index": "2", "segmentId": null}'}
        reply = await client.send("texts_insert", sent)
    assert reply.text == "insert He12llo {'textId': 'T-1', 'text': '12', 'location': {'index': 2}}"


async def test_the_list_shows_objects_to_a_depth_and_no_unlisted_argument() -> None:
    async with connect(places) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
    assert listed["texts_insert"]["description"] == "Insert text at a place."
    schema = listed["texts_insert"]["inputSchema"]
    assert schema["required"] == ["textId", "text", "location"]
    assert schema["properties"]["location"] == {
        "type": "object",
        "properties": {"index": {"type": "integer"}, "segmentId": {"type": "string"}},
        "required": ["index"],
        "description": "Where.",
    }
    style = listed["texts_style"]["inputSchema"]["properties"]
    assert style["range"] == {"type": "object", "description": "Which part."}
    assert list(style) == ["textId", "range", "style", "tags"]
    assert "confirm" in listed["texts_drop"]["inputSchema"]["properties"]


async def test_a_description_writes_a_type_once_and_by_name_where_it_is_used_often() -> None:
    async with connect(places, settings=Settings(long_list=True)) as client:
        reply = await client.call("tools_describe", names=["texts_style", "texts_drop"])
    assert reply.text.splitlines() == [
        "texts_style(textId: string (Of the text), range: {start: Place, end: Place} (Which part), "
        "style?: Style (How), tags?: string[] (Words), after?: integer|Place (Only from here on)) "
        "update: Change how a part looks.",
        "Place = {index: integer 0.., segmentId?: string}",
        "Style = {weight?: thin|bold, size?: number, below?: Style}",
        "texts_drop(textId: string (Of the text), confirm?: boolean) delete: Drop a text.",
    ]


async def test_confirmation_and_keys_work_for_tools_made_from_data() -> None:
    async with connect(places) as client:
        assert "Drop T-1?" in (await client.call("texts_drop", textId="T-1")).text
        assert (await client.call("texts_drop", textId="T-1", confirm=True)).text.startswith("drop Hello")


class Odd:
    """Arguments checked by an author's own code."""

    names = ("number",)
    schema: Mapping[str, Any] = {"type": "object", "properties": {"number": {"type": "integer"}}}

    def notation(self) -> str:
        return "number: an odd integer"

    def check(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if given.get("number", 0) % 2 == 0:
            raise BadArguments([Problem("number", "Invalid number. Expected: an odd one.")])
        return {"half": given["number"] // 2}


async def test_an_author_may_bring_a_check_of_their_own() -> None:
    numbers = Toolset("numbers", "Numbers.")

    def halve(arguments: Mapping[str, Any]) -> str:
        return f"{arguments['half']} and a half"

    numbers.add("read", "numbers_halve", "Halve an odd number.", Odd(), halve)
    async with connect(numbers, settings=Settings(long_list=True)) as client:
        assert (await client.call("numbers_halve", number=5)).text == "2 and a half"
        assert told(await client.call("numbers_halve", number=4)) == "Invalid number. Expected: an odd one."
        described = await client.call("tools_describe", names=["numbers_halve"])
    assert described.text == "numbers_halve(number: an odd integer) read: Halve an odd number."


def as_sent(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments))


OPEN: dict[str, dict[str, Any]] = {  # as OpenAPI 3.1 writes what may be null, or one of several types
    "note": {"type": ["string", "null"], "maxLength": 3, "description": "A note."},
    "size": {"type": ["integer", "string"], "default": 1},
    "state": {"type": ["string", "null", "boolean"], "enum": ["on", None, True]},
    "only": {"type": ["boolean"]},
    "items": {"type": "array", "items": {"type": ["integer", "null"]}},
    "node": {"$ref": "Node"},
}
NODES = {
    "Node": {"type": "object", "properties": {"kids": {"type": ["array", "null"], "items": {"$ref": "Node"}}}}
}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"note": None, "size": "s", "state": None, "items": [1, None], "node": {"kids": None}}, ""),
        ({"note": "abc", "size": 2, "only": True, "node": {"kids": [{}, {"kids": [{}]}]}}, ""),
        ({"note": "abcd"}, "Invalid note 'abcd'. Expected: string of at most 3 characters."),
        ({"size": 1.5}, "Invalid size 1.5. Expected: integer or string."),
        ({"state": "off"}, "Invalid state 'off'. Valid values: on, null, true."),
        ({"items": ["x"]}, "Invalid items[0] 'x'. Expected: integer."),
        ({"node": {"kids": [{"kid": 1}]}}, "Unknown argument 'node.kids[0].kid'. Did you mean 'kids'?"),
    ],
)
async def test_a_list_of_types_is_a_choice_of_them(given: dict[str, Any], said: str) -> None:
    toolset = Toolset("open")
    toolset.add("read", "open_do", "Do.", Described(OPEN, types=NODES), as_sent)
    async with connect(toolset) as client:
        (listed, *_) = await client.tools()
        reply = await client.send("open_do", given)
    assert (told(reply) if reply.failed else "") == said
    assert said or json.loads(reply.text) == given
    assert not any(isinstance(one.get("type"), list) for one in listed["inputSchema"]["properties"].values())


async def test_limits_and_fixed_values_are_told_as_a_caller_writes_them() -> None:
    toolset = Toolset("open")
    share: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0, "maximum": 5}
    takes = Described({"share": share, "all": {"type": "boolean", "default": True}})
    toolset.add("read", "open_do", "Do.", takes, as_sent)
    async with connect(toolset, settings=Settings(long_list=True)) as client:
        wrong = await client.call("open_do", share=0)
        described = await client.call("tools_describe", names=["open_do"])
    assert told(wrong) == "Invalid share 0. Expected: number above 0 and of at most 5."
    assert "all?: boolean=true" in described.text


def test_mistakes_in_a_declaration_are_told_in_a_sentence() -> None:
    odd = Toolset("odd")
    takes = Described({"id": ID}, ["id"])

    async def plain(arguments: Mapping[str, Any]) -> str:
        return ""

    async def both(arguments: Mapping[str, Any], more: str) -> str:
        return ""

    with pytest.raises(BadConfiguration, match=r"odd_get: unknown option 'hnit'. Did you mean 'hint'\?"):
        odd.add("read", "odd_get", "Get.", takes, plain, hnit="x")
    with pytest.raises(BadConfiguration, match=r"mentions 'idd', no argument of it. Did you mean 'id'\?"):
        odd.add("read", "odd_get", "Get.", takes, plain, subject="odd:{idd}")
    with pytest.raises(BadConfiguration, match=r"it needs one parameter for the arguments"):
        odd.add("read", "odd_get", "Get.", takes, both)
    odd.add("read", "odd_get", "Get.", takes, partial(both, more="x"))
    with pytest.raises(BadConfiguration, match=r"No type is called 'Plac'. Did you mean 'Place'\?"):
        Described({"at": {"$ref": "Plac"}}, types=TYPES).schema  # noqa: B018  # made on first use
