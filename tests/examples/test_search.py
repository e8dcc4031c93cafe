"""A discriminated union: each way takes its own fields, and only those."""

import sqlite3
from typing import Any

import pytest

from examples.search import toolset
from laconic.kit.testing import ERAS, connect

FOUND: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"type": "text", "query": "sea"},
        ["Twenty Thousand Leagues Under the Sea", "The Old Man and the Sea"],
    ),
    ({"type": "text", "query": "  SEA  ", "since": 1900}, ["The Old Man and the Sea"]),
    ({"type": "regex", "pattern": "^The .*s$"}, ["The Hound of the Baskervilles", "The Waves"]),
    ({"type": "regex", "pattern": "moby", "ignore_case": True}, ["Moby-Dick"]),
    ({"type": "regex", "pattern": "moby"}, []),
    ({"type": "regex", "pattern": "[ae]", "since": 1883, "before": 1903, "limit": 1}, ["Treasure Island"]),
]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"type": "regex", "pattern": "[invalid"}, "Invalid pattern '[invalid'. Invalid regex: unterminated"),
    ({"type": "regex", "query": "sea"}, "Unknown argument 'query'. Arguments: type, pattern, ignore_case."),
    ({"type": "text", "query": "sea", "ignore_case": True}, "Unknown argument 'ignore_case'."),
    ({"type": "text", "query": "   "}, "Invalid query '   '. Expected: string of at least 1 character."),
    ({"type": "fuzzy", "query": "sea"}, "Invalid type 'fuzzy'. Valid values: text, regex."),
    ({"query": "sea"}, "Missing type: one of text, regex."),
    ({"type": "text", "query": "sea", "since": 1950, "before": 1900}, "Invalid before 1900."),
]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("arguments", "titles"), FOUND)
@pytest.mark.requirement("003-2.1", "003-2.5")
async def test_each_way_finds_what_it_should(era: str, arguments: dict[str, Any], titles: list[str]) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.send("book_search", {**arguments, "fields": ["title"]})

    assert not reply.failed
    assert [line.split("\t")[1] for line in reply.text.splitlines() if "\t" in line][1:] == titles


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("arguments", "said"), REFUSED)
@pytest.mark.requirement("003-2.1", "003-2.2", "003-2.4")
async def test_what_does_not_fit_the_way_is_refused(era: str, arguments: dict[str, Any], said: str) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.send("book_search", arguments)

    assert reply.failed
    assert said in reply.text


async def test_the_fields_of_every_way_stand_at_the_top_of_the_schema() -> None:
    async with connect(toolset) as client:
        tools = {tool["name"]: tool for tool in await client.tools()}

    schema = tools["book_search"]["inputSchema"]
    assert schema["properties"]["type"]["enum"] == ["text", "regex"]
    assert {"query", "pattern", "ignore_case"} < set(schema["properties"])
    assert not {"oneOf", "anyOf", "allOf"} & set(schema)


async def test_the_table_cannot_be_written() -> None:
    async with connect(toolset) as client:
        things = await client.endpoint.supplies.of("search")

        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            things[sqlite3.Connection].execute("DELETE FROM book")
