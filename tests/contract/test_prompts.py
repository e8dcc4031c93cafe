"""The prompts server keeps the contract: every tool, in every output mode, for old and new clients."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from laconic.kit import Changes
from laconic.kit.contract import BODIES, Body, Cases, Contract
from laconic.kit.contract.snapshots import tokens_of
from laconic.servers.prompts.models import Edit
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.tools import prompts
from laconic.stores import By, Database, Shelf
from tests.library import Prepared

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
# a variable of a template must be an argument, and only names in quotes are texts
TEXTS = tuple(text.replace("{{ x }}", "{{ 'x' }}") for text in BODIES)
LIST_TOKENS = 1400  # what the usual list may cost a model
ALL_TOKENS = 1500  # and that with the tools for people


async def fill(file: Path) -> None:
    database = Database(file, [Shelf.schema])
    library = Library(Shelf(database, [KIND]), Judge(), Changes())
    for number in range(1, 6):
        await library.editing.create(
            f"prompt-{number}",
            f"Write {number} lines about {{{{ topic }}}}.\n",
            By("ada", "test"),
            title=f"Prompt {number}",
            description="Several lines\nof words.",
            tags=["odd" if number % 2 else "even"],
        )
    await library.editing.edit("prompt-1", [Edit(old_str="1 lines", new_str="one line")], By("ada", "test"))
    await library.close()
    await database.close()


async def fingerprint(things: Mapping[type, Any]) -> Any:
    """Everything but when prompts were used."""
    return await things[Library].versions.revision()


contract = Contract(
    prompts,
    settings=Prepared(fill),
    tools={"prompts": "all"},
    samples={
        "search_prompts": {},
        "get_prompt_template": {"name": "prompt-1"},
        "render_prompt": {"name": "prompt-1", "arguments": {"topic": "trees"}},
        "create_prompt": {"name": "prompt-6", "content": "Write about {{ topic }}."},
        "edit_prompt_template": {"name": "prompt-1", "old_str": "Write", "new_str": "Sing"},
        "update_prompt_metadata": {"name": "prompt-1", "title": "A song", "add_tags": ["sung"]},
        "get_prompt_metadata": {"name": "prompt-2"},
        "list_tags": {},
        "list_prompt_versions": {"name": "prompt-1"},
        "compare_prompt_versions": {"name": "prompt-1@1"},
        "restore_prompt_version": {"name": "prompt-1", "to": "1"},
        "label_prompt_version": {"name": "prompt-1@1", "label": "production"},
        "archive_prompt": {"name": "prompt-3"},
    },
    failing={
        "search_prompts": [{"cursor": "forged"}, {"tags": ["No Tag!"]}],
        "get_prompt_template": [{"name": "prompt-17"}, {"name": "../notes"}, {"name": "prompt-1@7"}],
        "render_prompt": [{"name": "prompt-17"}, {"name": "prompt-1", "arguments": {"x": 1}}],
        "create_prompt": [{"name": "prompt-1", "content": "x"}, {"name": "prompt-7", "content": "{{ }}"}],
        "edit_prompt_template": [
            {"name": "prompt-17", "old_str": "a", "new_str": "b"},
            {"name": "prompt-1", "old_str": "nowhere", "new_str": "b"},
            {"name": "prompt-1", "old_str": "Write", "new_str": "Sing", "version": 7},
            {"name": "prompt-1", "old_str": "Write", "new_str": "{% if %}"},
        ],
        "update_prompt_metadata": [
            {"name": "prompt-17", "title": "x"},
            {"name": "prompt-1", "new_name": "prompt-2"},
            {"name": "prompt-1", "title": "x", "version": 7},
        ],
        "get_prompt_metadata": [{"name": "prompt-17"}],
        "list_tags": [{"cursor": "forged"}],
        "list_prompt_versions": [{"name": "prompt-17"}],
        "compare_prompt_versions": [{"name": "prompt-1@7"}, {"name": "prompt-1", "to": "nothing"}],
        "restore_prompt_version": [
            {"name": "prompt-17", "to": "1"},
            {"name": "prompt-1", "to": "2"},
            {"name": "prompt-1", "to": "nothing"},
            {"name": "prompt-1", "to": "1", "version": 7},
        ],
        "label_prompt_version": [
            {"name": "prompt-17", "label": "production"},
            {"name": "prompt-1", "label": "3"},
            {"name": "prompt-1", "label": "No Label!"},
        ],
        "archive_prompt": [{"name": "prompt-17"}, {"name": "prompt-3", "at": "someday"}],
    },
    snapshots=SNAPSHOTS,
    fingerprint=fingerprint,
    budget=ALL_TOKENS,
    bodies={"create_prompt": Body("content", read="get_prompt_template", by="name", texts=TEXTS)},
)


@contract.per_tool
def test_every_tool_of_prompts_keeps_the_contract(cases: Cases) -> None:
    cases.run()


def test_the_tools_for_people_are_not_listed_as_a_rule() -> None:
    usual = Contract(prompts).listing

    assert sum(map(tokens_of, usual.values())) <= LIST_TOKENS
    assert {spec.name for spec in prompts.tools} - set(usual) == {
        "restore_prompt_version",
        "label_prompt_version",
        "archive_prompt",
    }
