"""Several processes serve one library: each sees what the others write, and no edit is lost."""

import json
from contextlib import ExitStack
from pathlib import Path

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


def test_edits_of_four_processes_all_survive_and_of_two_in_one_place_one_wins(workspace: Path) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(serving("prompts", folder=workspace)) for _ in range(4)]
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
