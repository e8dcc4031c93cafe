"""Templates, one rule after the other: which are kept, and what each renders to."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import body, make, on_one_database, path_of

pytestmark = on_one_database

# A template, the arguments that it is saved with, and a word of the refusal; nothing if it is kept.
KEPT: list[tuple[str, list[str], str]] = [
    ("{% set y = x %}{{ y }}", ["x"], ""),
    ("{% for i in items %}{{ loop.index }}{{ i }}{% endfor %}", ["items"], ""),
    ("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(x) }}", ["x"], ""),
    ("{% raw %}{{ not_var }}{% endraw %}", [], ""),
    ("{# {{ c }} #}hi", [], ""),
    ("{# {{ c }} #}hi", ["c"], "unused"),
    ("{% if False %}{{ zz }}{% endif %}", [], "undefined"),
    ("{% if False %}{{ zz }}{% endif %}", ["zz"], ""),
    ("{{ x }", ["x"], "line 1"),
    ("{{ }}", ["x"], "line 1"),
    ("{% if x %}a", ["x"], "line 1"),
    ("{% debug %}", [], "debug"),
    ("{% do x %}", [], "do"),
    ("{{ loop }}", [], "undefined"),
    ("{{ debug() }}", [], "undefined"),
    ("{{ range(3)|join(',') }}", [], ""),
    ("{{ x | nosuchfilter }}", ["x"], "nosuchfilter"),
    ("{{ x is nosuchtest }}", ["x"], "nosuchtest"),
    ("{% extends 'a' %}", [], "extends"),
    ("{% import 'a' as b %}", [], "import"),
    ("{% if 1 %}" * 300 + "{% endif %}" * 300, [], "inside each other"),
    ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", [], "inside each other"),
    ("{{ b }}{{ a }}", [], "undefined variables: a (line 1), b (line 1)"),
    ("x", ["b", "a"], "unused arguments, which the template does not have: a, b"),
]


@pytest.mark.parametrize(("content", "arguments", "refused"), KEPT, ids=[f"{k[0][:40]} {k[1]}" for k in KEPT])
async def test_a_template_is_kept_if_it_fits_its_arguments(
    served: AsyncClient, content: str, arguments: list[str], refused: str
) -> None:
    named = [{"name": name} for name in arguments]
    made = await served.post("/api/prompts/", json=body("prompts", content=content, arguments=named))
    if not refused:
        assert made.status_code == 201, made.text
        return
    assert made.status_code == 400, made.text
    assert refused in made.json()["error"]["message"].lower() and isinstance(made.json()["detail"], str)


async def test_what_is_undefined_is_told_before_what_is_unused(served: AsyncClient) -> None:
    given = body("prompts", content="{{ zoo }}", arguments=[{"name": "ant"}])
    refused = (await served.post("/api/prompts/", json=given)).json()
    undefined, unused = [one["message"] for one in refused["error"]["problems"]]
    assert "undefined variables: zoo" in undefined and "Unused arguments" in unused
    assert refused["detail"] == f"{undefined} {unused}"


async def test_an_include_needs_the_prompt_that_it_names(served: AsyncClient) -> None:
    part = await make(served, "prompts", content="Be {{ how }}.")
    whole = body("prompts", content=f"{{% include '{part['name']}' %}}", arguments=[{"name": "how"}])
    assert (await served.post("/api/prompts/", json=whole)).status_code == 201
    lost = await served.post("/api/prompts/", json=body("prompts", content="{% include 'nowhere' %}"))
    assert lost.status_code in (400, 404) and "nowhere" in lost.json()["error"]["message"]


async def test_an_archived_include_is_told_with_the_route_that_brings_it_back(served: AsyncClient) -> None:
    part = await make(served, "prompts", content="Be brief.")
    whole = await make(served, "prompts", content=f"{{% include '{part['name']}' %}}")
    await served.post(path_of("prompts", part, "/archive"))
    path = path_of("prompts", whole)
    assert (await served.patch(path, json={"title": "Only a title"})).status_code == 200
    for method, address, sent in (
        ("POST", f"{path}/render", {}),
        ("PATCH", path, {"content": f"{whole['content']} Please."}),
    ):
        refused = await served.request(method, address, json=sent)
        error = refused.json()["error"]
        assert (refused.status_code, error["message"]) == (400, f"Line 1: Prompt {part['name']} not found.")
        assert "POST /api/prompts/{id}/unarchive" in error["next"] and "person" not in error["next"]


@pytest.mark.parametrize("blank", ["", " \n"])
async def test_a_template_does_not_become_blank(served: AsyncClient, blank: str) -> None:
    prompt = await make(served, "prompts", content="{{ x }}")
    path = path_of("prompts", prompt)
    replaced = {"old_str": "{{ x }}", "new_str": blank}
    for address, sent, prefix in (
        (path, {"content": blank}, "Invalid content."),
        (f"{path}/str-replace", replaced, "This would make the template invalid. Invalid content."),
    ):
        refused = await served.patch(address, json=sent)
        assert refused.status_code == 400 and refused.json()["detail"].startswith(prefix)
        assert (await served.get(path)).json() == prompt


# A template, values for its arguments, and what comes out; a status if it is refused.
RENDERED: list[tuple[str, dict[str, Any], str | int]] = [
    ("{% set y = x %}{{ y }}", {"x": "v"}, "v"),
    ("{% for i in items %}{{ loop.index }}{{ i }}{% endfor %}", {"items": ["a", "b"]}, "1a2b"),
    ("{% for i in items %}{{ loop.index }}{{ i }}{% endfor %}", {"items": "ab"}, "1a2b"),
    ("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(x) }}", {"x": "v"}, "v"),
    ("{% raw %}{{ not_var }}{% endraw %}", {}, "{{ not_var }}"),
    ("{# {{ c }} #}hi", {}, "hi"),
    ("{{ range(3)|join(',') }}", {}, "0,1,2"),
    ("{{ x }}\n", {"x": "v"}, "v\n"),
    ("{% if 1 %}\n  a\n  {% endif %}\nb", {}, "\n  a\n  \nb"),
    ("{{ x }}", {"x": ""}, ""),
    ("{{ x }}", {"x": None}, "None"),
    ("{{ x }}", {"x": 7}, "7"),
    ("{{ x }}", {"x": "{{ y }}"}, "{{ y }}"),
    ("{{ x|safe }}", {"x": "<b>"}, "<b>"),
    ("{{ x|e }}", {"x": "<b>"}, "&lt;b&gt;"),
    ("{{ x }}", {"x": "<b>"}, "<b>"),
    ("{{ x|tojson }}", {"x": {"a": 1}}, '{"a": 1}'),
    ("{{ 9**9**9 }}", {}, str((9**9) ** 9)),
    ("{{ 1/0 }}", {}, 400),
    ("{{ x + 1 }}", {"x": "text"}, 400),
    ("{{ x.y.z }}", {"x": "text"}, 400),
    ("{{ range(1000000)|list|length }}", {}, 400),
    ("{{ ''.__class__.__mro__ }}", {}, 400),
    ("{{ [1,2].append(3) }}", {}, 400),
    ("{{ 'a' * 300000000 }}", {}, 400),
    ("{{ 9**(9**9) }}", {}, 400),
    ("{{ '\\ud800' }}", {}, 400),
    (r'{{ "\ud83d\ude00" }}', {}, "\U0001f600"),
    (r'{{ "\U0001f600" }}', {}, "\U0001f600"),
    (r'{{ "\ud800"|length }}', {}, "1"),
    ("{{ x }}", {}, 400),
    ("{{ x }}", {"x": "v", "more": 1}, 400),
]


@pytest.mark.parametrize(("content", "values", "text"), RENDERED, ids=[f"{r[0]} {r[1]}" for r in RENDERED])
async def test_a_template_renders_or_is_refused(
    served: AsyncClient, content: str, values: dict[str, Any], text: str | int
) -> None:
    done = await served.post("/api/prompts/render", json={"content": content, "arguments": values})
    if isinstance(text, int):
        assert done.status_code == text, done.text
    else:
        assert done.json() == {"rendered_content": text}


async def test_values_are_checked_by_name_before_anything_is_rendered(served: AsyncClient) -> None:
    arguments = [{"name": "must", "required": True}, {"name": "may"}, {"name": "also", "required": True}]
    content = "{{ must }}{{ may }}{{ also }}"
    prompt = await make(served, "prompts", content=content, arguments=arguments)
    path = path_of("prompts", prompt, "/render")

    async def said(**values: Any) -> str:
        refused = await served.post(path, json={"arguments": values})
        assert refused.status_code == 400
        return str(refused.json()["detail"])

    unknown = await said(zoo=1, ant=2)
    assert unknown.index("'ant'. Known: also, may, must.") < unknown.index("'zoo'. Known")
    assert "also, must" in await said(may="x")
    both = await said(zoo=1)
    assert both.index("'zoo'") < both.index("Missing required arguments: also, must.")
    done = await served.post(path, json={"arguments": {"must": "", "also": "a"}})
    assert done.json() == {"rendered_content": "a"}  # an empty text is given, and what is optional is empty


async def test_a_value_is_rendered_or_refused_however_deep_it_is(served: AsyncClient) -> None:
    statuses = set()
    for depth in range(100, 1_100, 10):  # from some depth on it is read and not sent on, then not even read
        for opened, closed in (("[", "]"), ('{"a":', "}")):
            value = opened * depth + "1" + closed * depth
            sent = f'{{"content": "{{{{ x|length }}}}", "arguments": {{"x": {value}}}}}'
            done = await served.post(
                "/api/prompts/render", content=sent, headers={"Content-Type": "application/json"}
            )
            statuses.add(done.status_code)
            told = done.json()
            assert told.get("rendered_content") == "1" or "nested too deeply" in told["error"]["message"]
    assert statuses <= {200, 400, 422} and {200, 422} <= statuses


async def test_a_prompt_without_arguments_knows_none(served: AsyncClient) -> None:
    prompt = await make(served, "prompts", content="Hello.")
    refused = await served.post(path_of("prompts", prompt, "/render"), json={"arguments": {"zoo": 1}})
    assert (refused.status_code, refused.json()["detail"]) == (400, "Unknown argument 'zoo'. Known: none.")


async def test_a_draft_without_content_is_refused_like_a_prompt_without_it(served: AsyncClient) -> None:
    refused = await served.post("/api/prompts/render", json={"content": "", "arguments": {}})
    assert (refused.status_code, refused.json()["error"]["field"]) == (400, "content")
    assert refused.json()["detail"] == "Invalid content. Expected: a template that is not blank."


async def test_an_optional_argument_that_is_not_given_has_no_attributes(served: AsyncClient) -> None:
    prompt = await make(served, "prompts", content="{{ x.y }}", arguments=[{"name": "x"}])
    refused = await served.post(path_of("prompts", prompt, "/render"), json={})
    assert refused.status_code == 400 and refused.json()["detail"].startswith("Line 1: ")


async def test_an_optional_argument_that_is_not_given_takes_the_default_of_the_template(
    served: AsyncClient,
) -> None:
    content, arguments = "{{ x|default('d') }}", [{"name": "x"}]
    prompt = await make(served, "prompts", content=content, arguments=arguments)
    done = await served.post(path_of("prompts", prompt, "/render"), json={})
    assert done.json()["rendered_content"] == "d"


async def test_a_template_that_reaches_too_far_is_refused_without_being_repeated(served: AsyncClient) -> None:
    sent = {"content": "{{ ''.__class__.__subclasses__() }}", "arguments": {}}
    refused = await served.post("/api/prompts/render", json=sent)
    assert refused.status_code == 400 and "''.__class__" not in refused.text


async def test_what_is_blocked_is_refused_in_words_that_tell_nothing_and_at_the_content(
    served: AsyncClient,
) -> None:
    sent = {"content": "{{ x['__class__'] }}", "arguments": {"x": "v"}}
    refused = (await served.post("/api/prompts/render", json=sent)).json()
    assert refused["detail"] == "Line 1: It uses something that templates may not use."
    assert refused["error"]["field"] == "content"


# A template that is saved and cannot be rendered, and the kind of its fault.
LOGGED: list[tuple[str, str]] = [
    ("{{ x['__class__'] }}", "failed"),
    ("{{ 1 // x|int }}", "failed"),
    ("{{ x * 300000000 }}", "too large"),
]


@pytest.mark.parametrize(("content", "kind"), LOGGED, ids=[row[0] for row in LOGGED])
async def test_a_template_that_fails_is_one_line_of_the_log_without_its_texts(
    served: AsyncClient, caplog: pytest.LogCaptureFixture, content: str, kind: str
) -> None:
    prompt = await make(served, "prompts", content=content)
    for path, sent, of in (
        (path_of("prompts", prompt, "/render"), {}, prompt["name"]),
        ("/api/prompts/render", {"content": content}, "a draft"),
    ):
        caplog.clear()
        await served.post(path, json={**sent, "arguments": {"x": "private"}})
        warned = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
        assert warned == [f"The template of {of} was not rendered: {kind}."]
