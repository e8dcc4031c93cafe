"""Text is replaced as the measured cases say, without what was wrong with them."""

import re
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from tests.unit.prompts.calls import content, create, edit, refused


@pytest.mark.parametrize(
    ("text", "old", "new", "result", "match", "line"),
    [
        ("Hello world", "world", "universe", "Hello universe", "exact", 1),
        ("alpha  \nbeta\ngamma", "alpha\nbeta", "A", "A\ngamma", "whitespace_normalized", 1),
        ("alpha\r\nbeta\r\n", "alpha\nbeta", "A", "A\r\n", "whitespace_normalized", 1),
        ("one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n", "exact", 2),
        ("keep\nremove me\nkeep2", "remove me\n", "", "keep\nkeep2", "exact", 2),
        ("aab", "ab", "c", "ac", "exact", 1),
    ],
)
@pytest.mark.requirement("002-3")
async def test_text_that_occurs_once_is_replaced(
    client: TestClient, text: str, old: str, new: str, result: str, match: str, line: int
) -> None:
    await create(client, content=text)
    said = await edit(client, old, new)
    assert f"match_type: {match}\nline: {line}\n" in said
    assert await content(client) == result


@pytest.mark.parametrize(
    ("text", "old", "words"),
    [
        ("a\nb\nfoo\nc\nd\nfoo\ne", "foo", "occurs 2 times, in lines 3, 6"),
        ("alpha \nbeta\nalpha  \nbeta", "alpha\nbeta", "occurs 2 times, in lines 1, 3"),
        ("aaa", "aa", "occurs 2 times, in line 1"),
        ("Hello World", "hello", "does not occur"),
        ("tab\there", "tab here", "does not occur"),
        ("category dog", "cat ", "does not occur"),
        ("hello", "\t", "does not occur"),
        ("hello", "", "is empty"),
    ],
)
@pytest.mark.requirement("002-3.1")
async def test_other_text_is_refused_and_nothing_changes(
    client: TestClient, text: str, old: str, words: str
) -> None:
    await create(client, content=text)
    told = await refused(client, "edit_prompt_template", name="code-review", old_str=old, new_str="X")
    assert words in told.text
    assert await content(client) == text


async def test_what_is_nearly_there_is_told_with_what_differs(client: TestClient) -> None:
    await create(client, content="First.\nReview this Code.\nLast.")
    told = await refused(
        client, "edit_prompt_template", name="code-review", old_str="review this code.", new_str="X"
    )
    near = told.error["details"]["nearest"][0]
    assert (near["line"], near["text"], near["differs"]) == (2, "Review this Code.", ["case"])


async def test_every_place_of_forty_can_be_read(client: TestClient) -> None:
    await create(client, content="".join(f"line {number} foo\n" for number in range(1, 41)))
    told = await refused(client, "edit_prompt_template", name="code-review", old_str="foo", new_str="X")
    assert "occurs 40 times" in told.text
    handle = re.search(r"more places: read_on with handle='(\w+)' and lines='(\d+)-'", told.text)
    assert handle
    rest = await client.call("read_on", handle=handle[1], lines=f"{handle[2]}-")
    listed = [int(line) for line in re.findall(r'"line":(\d+)', told.text + rest.text)]
    assert listed == [*range(1, 41)]


@pytest.mark.parametrize("more", [{}, {"arguments": None}], ids=["left out", "null"])
async def test_arguments_that_are_not_given_follow_the_template(
    client: TestClient, more: dict[str, Any]
) -> None:
    await create(client, content="{{ a }}{{ b }}", arguments=[{"name": "a"}, {"name": "b"}])
    said = await edit(client, "{{ a }}", "{{ c }}", **more)
    assert "arguments: b,c" in said


@pytest.mark.parametrize(
    ("arguments", "merge", "words"),
    [
        ([{"name": "a"}, {"name": "b"}], False, "b"),
        ([{"name": "b", "description": "New."}], True, "b"),
        (None, False, "b"),
    ],
)
async def test_arguments_are_saved_with_the_edit(
    client: TestClient, arguments: list[dict[str, str]] | None, merge: bool, words: str
) -> None:
    await create(client, content="{{ a }}", arguments=[{"name": "a", "description": "First."}])
    more: dict[str, Any] = {"arguments": arguments, "merge_arguments": merge} if arguments else {}
    said = await edit(client, "{{ a }}", "{{ a }} {{ b }}", **more)
    assert "arguments: a,b" in said
    assert f'"name":"{words}"' in await _facts(client)


async def test_merged_arguments_follow_the_template(client: TestClient) -> None:
    await create(client, content="{{ a }} {{ b }}")
    given = [{"name": "c", "description": "Third."}]
    said = await edit(client, "{{ b }}", "{{ c }}", arguments=given, merge_arguments=True)
    assert "arguments: a,c" in said
    unused = await refused(
        client,
        "edit_prompt_template",
        name="code-review",
        old_str="{{ c }}",
        new_str="x",
        arguments=given,
        merge_arguments=True,
    )
    assert "Unused arguments, which the template does not have: c." in unused.text


async def test_a_variable_that_has_a_meaning_in_templates_is_told_with_its_line(client: TestClient) -> None:
    told = await refused(client, "create_prompt", name="a", content="x\n{{ loop }}")
    assert "'loop' (line 2) has a meaning in templates; choose another name." in told.text


@pytest.mark.parametrize("name", ["Name", "myVar", "_x", "é", "x" * 101])
async def test_a_variable_that_cannot_be_an_argument_is_told_with_its_line(
    client: TestClient, name: str
) -> None:
    await create(client, content="{{ a }}")
    words = "(line 2) cannot be an argument. Expected: a lower-case letter, then such letters, digits and _"
    for tool, given in (
        ("create_prompt", {"name": "other", "content": f"x\n{{{{ {name} }}}}"}),
        ("create_prompt", {"name": "other", "content": f"x\n{{{{ {name} }}}}", "arguments": []}),
        ("edit_prompt_template", {"name": "code-review", "new_str": f"}}}}\n{{{{ {name} }}}}"}),
        (
            "edit_prompt_template",
            {"name": "code-review", "new_str": f"}}}}\n{{{{ {name} }}}}", "merge_arguments": True},
        ),
    ):
        old = {"old_str": "}}"} if tool == "edit_prompt_template" else {}
        told = await refused(client, tool, **given, **old)
        assert f"'{name[:80]}' {words}" in told.text
        assert "undefined" not in told.text
    assert await content(client) == "{{ a }}"


async def test_another_order_of_the_arguments_is_kept_and_told_and_no_version(client: TestClient) -> None:
    await create(client, content="{{ a }} {{ b }}")
    given = [{"name": "b", "required": True}, {"name": "a", "required": True}]
    said = await edit(client, "}} {{", "}} {{", arguments=given)
    assert "Only the order of the arguments changed, which is no new version." in said
    assert "version: 1\n" in said and "arguments: b,a" in said
    page = await client.client.list_prompts(cache_mode="bypass")
    listed = page.prompts[0].arguments or []
    assert [argument.name for argument in listed] == ["b", "a"]
    again = await edit(client, "}} {{", "}} {{", arguments=given)
    assert "No changes." in again and "arguments:" not in again


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "The template uses undefined variables: a (line 1), b (line 2)."),
        (
            [{"name": "a"}, {"name": "b"}, {"name": "z"}],
            "Unused arguments, which the template does not",
        ),
        ([{"name": "a"}, {"name": "a"}, {"name": "b"}], "Duplicate arguments: a."),
        ([{"name": "a"}, {"name": "b"}, {"name": "range"}], "'range' has a meaning in templates"),
        ([{"name": "A"}, {"name": "b"}], "Expected: a lower-case letter"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused(
    client: TestClient, arguments: list[dict[str, str]], words: str
) -> None:
    told = await refused(
        client, "create_prompt", name="code-review", content="{{ a }}\n{{ b }}", arguments=arguments
    )
    assert words in told.text


async def _facts(client: TestClient) -> str:
    return str((await client.call("get_prompt_template", name="code-review")).text)
