"""Several processes serve one library: each sees what the others write, and no edit is lost."""

import json
import signal
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tests.library import KINDS, address_of
from tests.process.speaking import Stdio, serving, text_of

PLACES = range(20)


def edit(server: Stdio, place: int, new: str) -> int:
    arguments = {"name": "list", "old_str": f"place {place}.", "new_str": new}
    return server.send("tools/call", name="edit_prompt_template", arguments=arguments)


def answers(server: Stdio, numbers: set[int]) -> list[str]:
    """The texts of these answers, whatever else comes in between."""
    texts = []
    while numbers:
        message = json.loads(server.line())
        if message.get("id") in numbers:
            numbers.remove(message["id"])
            texts.append(text_of(message["result"]))
    return texts


@pytest.mark.parametrize("kind", KINDS)
def test_edits_of_four_processes_all_survive_and_of_two_in_one_place_one_wins(
    workspace: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    shared = {"LACONIC_DATABASE": address_of(kind, request, workspace)}
    with ExitStack() as stack:
        servers = [stack.enter_context(serving("prompts", folder=workspace, **shared)) for _ in range(4)]
        servers[0].call(
            "create_prompt", name="list", content="".join(f"place {place}.\n" for place in PLACES)
        )
        sent: list[set[int]] = [set() for _ in servers]
        for place in PLACES:
            sent[place % 4].add(edit(servers[place % 4], place, f"{{{{ v{place} }}}} {place};"))
        done = [
            text for server, numbers in zip(servers, sent, strict=True) for text in answers(server, numbers)
        ]
        assert len(done) == len(PLACES) and not [text for text in done if text.startswith("Error")]
        template = servers[1].call("get_prompt_template", name="list")
        assert all(f"\n{{{{ v{place} }}}} {place};\n" in template for place in PLACES)
        assert "\nversion: 21\n" in template and '{"name":"v19","required":true}' in template

        servers[2].call("edit_prompt_template", name="list", old_str="{{ v0 }} 0;", new_str="place 0.")
        both = [{edit(server, 0, f"mine {number}")} for number, server in enumerate(servers[:2])]
        told = [
            text for server, numbers in zip(servers, both, strict=False) for text in answers(server, numbers)
        ]
        assert ["does not occur" in text for text in sorted(told)] == [True, False]


def test_who_was_answered_from_the_kept_list_hears_of_a_change_in_another_process(workspace: Path) -> None:
    with serving("prompts", folder=workspace) as first:
        first.call("create_prompt", name="a", content="Hello.")
        answered(first, first.send("prompts/list"))  # keeps the list
    with (
        serving("prompts", folder=workspace) as reader,
        serving("prompts", folder=workspace) as writer,
    ):
        assert listed(reader) == ["a"]
        writer.call("create_prompt", name="b", content="Hello.")
        while json.loads(reader.line()).get("method") != "notifications/prompts/list_changed":
            pass
        assert listed(reader) == ["a", "b"]


def answered(server: Stdio, number: int) -> dict[str, Any]:
    while True:
        message = json.loads(server.line())
        if message.get("id") == number:
            result: dict[str, Any] = message["result"]
            return result


def listed(server: Stdio) -> list[str]:
    return [one["name"] for one in answered(server, server.send("prompts/list"))["prompts"]]


def test_a_killed_server_has_kept_every_edit_that_it_answered(workspace: Path) -> None:
    content = "".join(f"place {place}.\n" for place in PLACES)
    with serving("prompts", folder=workspace) as killed:
        killed.call("create_prompt", name="list", content=content)
        sent = {edit(killed, place, f"done {place};"): place for place in PLACES}
        kept: list[int] = []
        while len(kept) < 5:
            message = json.loads(killed.line())
            if message.get("id") in sent:
                kept.append(sent[message["id"]])
        killed.signal(signal.SIGKILL)
        killed.wait()
    with serving("prompts", folder=workspace) as server:
        template = server.call("get_prompt_template", name="list")
        changed = sum(f"done {place};" in template for place in PLACES)
        assert all(f"done {place};\n" in template for place in kept)
        assert f"\nversion: {changed + 1}\n" in template


def test_a_library_that_others_hold_is_told_and_loses_nothing(workspace: Path) -> None:
    file = workspace / "library.db"
    with serving("prompts", folder=workspace, LACONIC_DATABASE=str(file)) as server:
        server.call("create_prompt", name="list", content="place 0.")
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = server.call("edit_prompt_template", name="list", old_str="0", new_str="1")
            assert "held by another process" in told
            assert "place 0." in server.call("get_prompt_template", name="list")
            other.execute("ROLLBACK")
        assert "version: 2" in server.call("edit_prompt_template", name="list", old_str="0", new_str="1")
