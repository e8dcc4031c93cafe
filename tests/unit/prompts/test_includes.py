"""Prompts include each other: without circles, with the variables of all, and everybody is told."""

from typing import Any

import pytest
from mcp import MCPError

from laconic.kit import BadArguments
from laconic.kit.testing import TestClient
from laconic.servers.prompts.models import Edit
from laconic.servers.prompts.service import Library, PromptChanges
from laconic.servers.prompts.service.templates import CheckedTemplate
from laconic.servers.prompts.store import ById
from laconic.stores import Shelf
from tests.unit.prompts.calls import content, create, done, edit, refused
from tests.unit.stores.shelf.samples import ME


async def test_an_included_prompt_brings_its_variables(client: TestClient) -> None:
    await create(client, "intro", "You are {{ role }}.\n")
    await create(client, "letter", "{% include 'intro' %}Write to {{ who }}.")
    text = await done(client, "render_prompt", name="letter", arguments={"role": "Ada", "who": "Bo"})
    assert text == "<prompt>\nYou are Ada.\nWrite to Bo.\n</prompt>"


# What a template does with the variable of what it includes, and whether that is an argument.
SETTING: list[tuple[str, bool]] = [
    ("{% macro m(role) %}{{ role }}{% endmacro %}{{ m(1) }}{% include 'intro' %}", True),
    ("{% for role in [1] %}{{ role }}{% endfor %}{% include 'intro' %}", True),
    ("{% include 'intro' %}{% set role = 'x' %}", True),
    ("{% include 'intro' %}{% with role = 'x' %}{% include 'intro' %}{% endwith %}", True),
    ("{% if x %}{% set role = 'x' %}{% endif %}{% include 'intro' %}", True),
    ("{% set role = 'Ada' %}{% include 'intro' %}", False),
    ("{% if x %}{% set role = 'x' %}{% else %}{% set role = 'Ada' %}{% endif %}{% include 'intro' %}", False),
    ("{% for role in ['Ada'] %}{% include 'intro' %}{% endfor %}", False),
    ("{% macro m(role) %}{% include 'intro' %}{% endmacro %}{{ m('Ada') }}", False),
]


@pytest.mark.parametrize(("source", "is_argument"), SETTING, ids=[row[0] for row in SETTING])
async def test_a_variable_of_an_included_prompt_is_an_argument_unless_it_is_set_there(
    client: TestClient, source: str, is_argument: bool
) -> None:
    await create(client, "intro", "You are {{ role }}.")
    await create(client, "letter", source)
    values = {"role": "Ada"} if is_argument else {}
    more = {"x": ""} if "if x" in source else {}
    text = await done(client, "render_prompt", name="letter", arguments=values | more)
    assert "You are Ada." in text


async def test_a_pinned_version_stays_when_the_prompt_changes(client: TestClient) -> None:
    await create(client, "intro", "Be brief.")
    await create(client, "pinned", "{% include 'intro@1' %}")
    await create(client, "loose", "{% include 'intro' %}")
    said = await edit(client, "brief", "kind", "intro")
    assert "Included by loose, pinned." in said
    assert "Be brief." in await done(client, "render_prompt", name="pinned")
    assert "Be kind." in await done(client, "render_prompt", name="loose")
    assert "used_by: loose,pinned" in await done(client, "get_prompt_metadata", name="intro")


async def test_a_template_is_read_raw_or_with_the_text_of_what_it_includes(client: TestClient) -> None:
    await create(client, "name", "{{ name }}{# who #}")
    await create(client, "intro", "You are {% include 'name' %}.\n")
    await edit(client, "You are", "Be", "intro")
    raw, end = "{% raw %}{% include 'x' %}{% endraw %}", "{% if a %}b{% endif %}"
    source = f"{raw}{{% include 'intro' %}}\n {{%- include 'intro@1' -%}}\n {end}"
    await create(client, "letter", source)
    assert await content(client, "letter") == source
    text = await done(client, "get_prompt_template", name="letter", resolved=True)
    shown = f"{raw}Be {{{{ name }}}}{{# who #}}.\nYou are {{{{ name }}}}{{# who #}}.\n{end}"
    assert text.endswith(f"<content>\n{shown}\n</content>")
    line = await done(client, "get_prompt_template", name="letter", resolved=True, start_line=2, end_line=2)
    assert "<content>\nYou are {{ name }}{# who #}.\n</content>" in line


@pytest.mark.parametrize("name", ["'in' 'tro'", r"'in\x74ro'", "('intro')"])
async def test_a_name_that_is_written_in_another_way_is_included_and_resolved(
    client: TestClient, name: str
) -> None:
    await create(client, "in", "Other.")
    await create(client, "intro", "Be brief.")
    await create(client, "letter", f"{{% include {name} %}}")
    assert "Be brief." in await done(client, "render_prompt", name="letter")
    text = await done(client, "get_prompt_template", name="letter", resolved=True)
    assert text.endswith("<content>\nBe brief.\n</content>")


async def test_what_would_be_too_long_or_is_gone_is_not_read_with_what_it_includes(
    client: TestClient, service: Library
) -> None:
    await create(client, "long", "x" * 90_000)
    await create(client, "most", "{% include 'long' %}" * 12)
    for words in ("The text would have more than 1,000,000 characters.", "Line 1: Prompt long not found."):
        told = await refused(client, "get_prompt_template", name="most", resolved=True)
        assert words in told.text
        if "more" in words:
            await service.shelving.trash("long", ME)


async def test_circles_are_refused_with_the_way(client: TestClient) -> None:
    await create(client, "a", "x")
    await create(client, "b", "{% include 'a' %}")
    await create(client, "c", "{% include 'b' %}")
    told = await refused(client, "edit_prompt_template", name="a", old_str="x", new_str="{% include 'c' %}")
    assert "in a circle: a > c > b > a." in told.text
    own = await refused(client, "create_prompt", name="d", content="{% include 'd' %}")
    assert "in a circle: d > d." in own.text


@pytest.mark.parametrize("whole", [False, True])
async def test_a_circle_that_two_edits_would_close_at_once_is_refused(
    service: Library, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    for name in "ab":
        await service.editing.create(name, "x", ME)
    run = Shelf.run

    async def after_another(shelf: Shelf, work: Any) -> Any:
        monkeypatch.undo()
        await service.editing.change("b", PromptChanges(content="{% include 'a' %}"), ME)
        return await run(shelf, work)

    monkeypatch.setattr(Shelf, "run", after_another)
    with pytest.raises(BadArguments, match="in a circle: a > b > a"):
        if whole:
            await service.editing.change("a", PromptChanges(content="{% include 'b' %}"), ME)
        else:
            await service.editing.edit("a", [Edit(old_str="x", new_str="{% include 'b' %}")], ME)
    assert (await service.reading.get("a")).content == "x"


async def test_what_is_not_there_cannot_be_included(client: TestClient) -> None:
    await create(client, "intro", "x")
    told = await refused(client, "create_prompt", name="a", content="\n{% include 'intros' %}")
    assert "Line 2: Prompt intros not found. Did you mean intro?" in told.text


@pytest.mark.parametrize(
    ("state", "advice"),
    [
        ("archived", "It is archived: a person must restore it first (laconic prompts restore intro)."),
        ("deleted", ""),
    ],
)
async def test_an_include_that_is_put_away_later_is_named(
    client: TestClient, service: Library, state: str, advice: str
) -> None:
    await create(client, "intro", "Be brief.")
    await create(client, "letter", "Dear Bo,\n{% include 'intro' %}")
    put = service.shelving.archive if state == "archived" else service.shelving.trash
    await put("intro", ME)
    told = await refused(client, "render_prompt", name="letter")
    with pytest.raises(MCPError) as error:
        await client.client.get_prompt("letter", {})
    assert error.value.error.code == -32602
    for text in (told.text, error.value.error.message):
        assert "Line 2: Prompt intro not found." in text and advice in text


async def test_many_ways_to_one_prompt_are_no_trouble(client: TestClient) -> None:
    await create(client, "p0", "{{ x }}")
    for level in range(1, 9):
        for side in "ab":
            below = "p0" if level == 1 else f"p{level - 1}a"
            other = "p0" if level == 1 else f"p{level - 1}b"
            text = f"{{% include '{below}' %}}{{% include '{other}' %}}"
            await create(client, f"p{level}{side}", text)
    rendered = await done(client, "render_prompt", name="p8a", arguments={"x": "y"})
    assert rendered == f"<prompt>\n{'y' * 256}\n</prompt>"


async def test_a_variable_that_an_included_prompt_gets_later_is_told_with_where_it_is_missing(
    client: TestClient,
) -> None:
    await create(client, "intro", "You are {{ role }}.")
    await create(client, "letter", "{% include 'intro' %} Write.")
    await create(client, "knows", "{{ tone }} {% include 'intro' %}")
    missing = "There is no argument tone yet in letter: any edit there adds it."
    said = await edit(client, "{{ role }}", "{{ role }}, {{ tone }}", "intro")
    assert "Included by knows, letter." in said and missing in said
    told = await refused(client, "render_prompt", name="letter", arguments={"role": "Ada"})
    assert f"Line 1 of intro: 'tone' is undefined. {missing}" in told.text
    assert "arguments: role,tone" in await edit(client, "Write.", "Write!", "letter")
    assert "yet in" not in await edit(client, "You", "Now you", "intro")


async def test_a_fault_of_an_included_prompt_is_told_without_other_advice(client: TestClient) -> None:
    await create(client, "intro", "{{ 1 // x|int }}")
    await create(client, "letter", "{% include 'intro' %}")
    told = await refused(client, "render_prompt", name="letter", arguments={"x": "0"})
    assert "Line 1 of intro: ZeroDivisionError" in told.text and "yet in" not in told.text


async def test_a_new_name_makes_no_circle(client: TestClient) -> None:
    await create(client, "b", "x")
    await create(client, "a", "{% include 'b' %}")
    await create(client, "c", "{% include 'a' %}")
    await done(client, "update_prompt_metadata", name="b", new_name="other")
    told = await refused(client, "update_prompt_metadata", name="c", new_name="b", title="T")
    assert "in a circle: b > a > b." in told.text
    assert "title" not in await done(client, "get_prompt_metadata", name="c")
    await done(client, "update_prompt_metadata", name="c", new_name="d")  # another name is none


async def test_what_comes_back_from_the_trash_makes_no_circle(service: Library) -> None:
    await service.editing.create("a", "x", ME)
    first = await service.editing.create("b", "{% include 'a' %}", ME)
    await service.shelving.trash("b", ME)
    await service.editing.create("b", "x", ME)
    await service.editing.change("a", PromptChanges(content="{% include 'b' %}"), ME)
    await service.shelving.trash("b", ME)
    with pytest.raises(BadArguments, match="in a circle: b > a > b"):
        await service.shelving.untrash(ById(first.id), ME)
    assert (await service.reading.get(ById(first.id))).state == "deleted"


async def test_a_circle_that_came_about_anyway_is_told_when_it_is_rendered(service: Library) -> None:
    first = await service.editing.create("a", "x", ME)
    await service.editing.create("b", "{% include 'a' %}", ME)
    made = CheckedTemplate("{% include 'b' %}", [], ["b"])
    await service.editing._shelf.run(lambda desk: desk.edit(first.id, made.values(), ME))
    with pytest.raises(BadArguments, match="in a circle: a > b > a"):
        await service.templates.render("a", {})
