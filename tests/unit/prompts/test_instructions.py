"""The instructions are short, name only tools that exist, and answer what agents ask first."""

import re
from importlib.resources import files

import pytest

from laconic.servers.prompts.tools import prompts
from laconic.text import estimate_tokens

TEXT = files("laconic.servers.prompts").joinpath("instructions.md").read_text(encoding="utf-8")
NAMES = {spec.name for spec in prompts.select("").tools}
PARAMETERS = {one.wire for spec in prompts.tools for one in spec.signature.parameters}


@pytest.mark.requirement("002-5.1", "002-3")
def test_every_tool_that_is_named_exists_and_no_capability_is_shown_as_one() -> None:
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)+", TEXT))
    assert named <= NAMES | PARAMETERS
    assert {"search_prompts", "get_prompt_template", "edit_prompt_template", "render_prompt"} <= named
    assert {"update_prompt_metadata", "add_tags", "remove_tags"} <= named
    assert not {"list_prompts", "get_prompt", "update_prompt"} & (named | NAMES)
    assert "but no tools" in TEXT


@pytest.mark.requirement("002-5.2")
@pytest.mark.parametrize(
    "words",
    [
        "my prompts",
        "each with a name such as code-review",
        "No tool deletes prompts",
        "An error says what is wrong, where, and what to do next",
        "renamed or archived: search again",
        "only a person can restore an archived one",
    ],
)
def test_what_agents_ask_first_is_answered(words: str) -> None:
    assert words in TEXT


def test_they_are_short() -> None:
    assert estimate_tokens(TEXT) < 250


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("create_prompt", "A name in use, or an argument that the template does not use, is refused."),
        ("create_prompt", "returns its id and version"),
        ("edit_prompt_template", "occurs nowhere or more than once is refused, with the lines"),
        ("update_prompt_metadata", "not its template; a name in use is refused"),
        ("get_prompt_template", "raw Jinja2 template"),
    ],
)
@pytest.mark.requirement("002-5.3")
def test_descriptions_say_how_a_tool_fails(tool: str, words: str) -> None:
    said = next(spec.description for spec in prompts.tools if spec.name == tool)
    assert words in " ".join(said.split())
