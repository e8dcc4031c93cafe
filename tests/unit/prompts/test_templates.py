"""Templates are checked when they are saved, and rendered within limits, however hostile they are."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.prompts.templates.environment import FILTERS, TESTS
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import RenderLimits, TemplateFault
from laconic.servers.prompts.templates.worker import TemplateWorker

DEEP = "Too many blocks or brackets are inside each other."
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
GROWING = "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}"


async def rendered(judge: Judge, source: str, **values: Any) -> str:
    needs = await judge.inspect(source)
    names = [variable.name for variable in needs.variables]
    return await judge.render(source, values, [name for name in names if name not in values])


async def fault(judge: Judge, source: str, **values: Any) -> TemplateFault:
    with pytest.raises(TemplateFault) as caught:
        await rendered(judge, source, **values)
    return caught.value


@pytest.mark.parametrize(
    ("source", "values", "text"),
    [
        ("{% set y = x %}{{ y }}", {"x": "v"}, "v"),
        ("{% for i in items %}{{ loop.index }}{{ i }}{% endfor %}", {"items": ["a", "b"]}, "1a2b"),
        ("{% for i in items %}{{ loop.index }}{{ i }}{% endfor %}", {"items": "ab"}, "1a2b"),
        ("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(x) }}", {"x": "v"}, "v"),
        ("{% raw %}{{ not_var }}{% endraw %}", {}, "{{ not_var }}"),
        ("{# {{ c }} #}hi", {}, "hi"),
        ("{{ range(3)|join(',') }}", {}, "0,1,2"),
        ("{{ x|default('d') }}", {}, "d"),
        ("{{ x }}{{ x + 'a' }}{% if x %}b{% endif %}{{ x is defined }}{{ x == '' }}", {}, "aFalseTrue"),
        ("{{ x.strip() }}{{ x[:5] }}{{ x * 3 }}{{ x in 'abc' }}{{ x|tojson }}", {}, 'True""'),
        ("{{ [x, 'b']|sort }}{{ {'': 1}[x] }}{{ x < 'b' }}{{ x is undefined }}", {}, "['', 'b']1TrueTrue"),
        ("{% for k, v in x|items %}a{% endfor %}{{ x|d('d') }}{{ ''|d('d', true) }}{{ 0|d(1) }}", {}, "dd0"),
        ("{{ x }}\n", {"x": "v"}, "v\n"),
        ("{% if 1 %}\n  a\n  {% endif %}\nb", {}, "\n  a\n  \nb"),
        ("{{ x|e }}{{ x|safe }}", {"x": "<"}, "&lt;<"),
        ("{{ x|tojson }}", {"x": {"a": 1}}, '{"a": 1}'),
        ("{{ x }}", {"x": "{{ y }}"}, "{{ y }}"),
        ("{{ x }}", {"x": None}, "None"),
        ("{{ x.upper().split('A')|length }}{{ x.replace('a', 'b') }}", {"x": "banana"}, "4bbnbnb"),
        ("{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}", {}, "ab"),
        ("{% filter length %}abc{% endfilter %}{% filter list %}ab{% endfilter %}", {}, "3['a', 'b']"),
        ("{{ 1.5[::0] is defined }}", {}, "False"),
        ("{% set größe = x %}{{ größe }}{{ '\\N{BULLET}' }}", {"x": 1}, "1\u2022"),
        ("{{ '\\ud83d\\ude00' }}{{ '\\ufeff' }}", {}, "\U0001f600\ufeff"),
        ("{{ x|striptags }}|{{ 'a b'|wordwrap(1) }}", {"x": "<b>a &amp; b</b>"}, "a & b|a\nb"),
        ("{{ d.key }}{% for k, v in d.items() %}{{ k }}{{ v }}{% endfor %}", {"d": {"key": 1}}, "1key1"),
    ],
)
async def test_what_templates_can_do(judge: Judge, source: str, values: dict[str, Any], text: str) -> None:
    assert await rendered(judge, source, **values) == text


# A template, and the names that it needs from outside, with their lines.
NEEDED: list[tuple[str, dict[str, int]]] = [
    ("{% if x %}{% set n = 1 %}{% else %}{% set n = 2 %}{% endif %}\n{{ n }}", {"x": 1}),
    ("{% if x %}{% set n = 1 %}{{ n }}{% endif %}", {"x": 1}),
    ("{% if x %}{% set n = 1 %}{% endif %}\n{{ n }}", {"x": 1, "n": 2}),
    ("{% if x %}{% set n = 1 %}{% elif y %}{% set n = 2 %}{% endif %}\n{{ n }}", {"x": 1, "y": 1, "n": 2}),
    ("{% if x %}{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}{% endif %}", {"x": 1}),
    ("{% macro m() %}{{ n }}{% endmacro %}{% set n = 1 %}{{ m() }}", {}),
    ("{{ n }}{% set n = 1 %}{{ n }}", {"n": 1}),
    ("{% for i in x %}{% set n = i %}{% endfor %}\n{{ n }}{{ i }}", {"x": 1, "n": 2, "i": 2}),
    ("{% for i in x if i > y %}{{ loop.index }}{% endfor %}", {"x": 1, "y": 1}),
    ("{% with a = b, b = 2 %}{{ a }}{{ b }}{% endwith %}\n{{ a }}", {"b": 1, "a": 2}),
    ("{% set n %}{{ x }}{% endset %}{{ n }}{% filter upper %}{{ y }}{% endfilter %}", {"x": 1, "y": 1}),
    ("{% set a = 1 %}{% block b %}{{ a }}{% endblock %}", {}),
    ("{% for i in x %}{% block b %}{{ i }}{% endblock %}{% endfor %}", {"x": 1, "i": 1}),
    ("{% for i in x %}{% block b scoped %}{{ i }}{% endblock %}{% endfor %}", {"x": 1}),
    ("{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ q }}{% endcall %}", {"q": 1}),
]


@pytest.mark.parametrize(("source", "needed"), NEEDED, ids=[row[0] for row in NEEDED])
async def test_a_template_needs_what_it_does_not_set_itself(
    judge: Judge, source: str, needed: dict[str, int]
) -> None:
    found = (await judge.inspect(source)).variables
    assert {one.name: one.line for one in found} == needed


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in [1] %}\n{{ n }}{% endfor %}{% set n = 1 %}",
        "\n{% set n %}{{ n }}{% endset %}",
    ],
)
async def test_what_is_used_before_it_is_set_is_refused_since_it_would_always_be_undefined(
    judge: Judge, source: str
) -> None:
    with pytest.raises(TemplateFault, match="Line 2: 'n' is used before it is set"):
        await judge.inspect(source)
    with_default = await judge.inspect(source.replace("{{ n }}", "{{ n|default(1) }}"))
    assert with_default.variables == ()


async def test_no_filter_and_no_test_needs_a_file_that_its_worker_cannot_open() -> None:
    judge = Judge()
    sources = [f"{{{{ {value}|{name} }}}}" for name in sorted(FILTERS) for value in ("'a'", "[1]", "{1: 2}")]
    names = [name for name in sorted(TESTS) if name.isidentifier()]  # the others are operators
    sources += [f"{{{{ 'a' is {name}{given} }}}}" for name in names for given in ("", "('a')")]
    for source in sources:
        try:
            await judge.render(source, {})
        except TemplateFault as found:
            assert "templates do not have" not in str(found), source
            assert "cannot be used" not in str(found), source
    await judge.close()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a\n{{ x }", "Line 2: Unexpected '}'."),
        ("{{ }}", "Line 1: Expected an expression, got 'end of print statement'."),
        ("{% if x %}a", "Line 1: Unexpected end of template."),
        ("{% debug %}", "Line 1: Encountered unknown tag 'debug'."),
        ("{% do x %}", "Line 1: Encountered unknown tag 'do'."),
        ("\n{{ x | nosuchfilter }}", "Line 2: There is no filter 'nosuchfilter'."),
        ("{{ x|map('upper')|center }}", "Line 1: There is no filter 'center'."),
        ("{{ x is nosuchtest }}", "Line 1: There is no test 'nosuchtest'."),
        ("{% extends 'a' %}", "Line 1: {% extends %} is not available."),
        ("{% import 'a' as b %}", "Line 1: {% import %} is not available."),
        ("{% from 'a' import b %}", "Line 1: {% from … import %} is not available."),
        ("{% autoescape true %}{% endautoescape %}", "Line 1: {% autoescape %} is not available."),
        ("{% include x %}", "Line 1: {% include %} needs the name of a prompt in quotes."),
        ("{% include 'a' without context %}", "Line 1: 'without context' is not available."),
        ("{{ self }}", "Line 1: 'self' is not available."),
        ("{{ lipsum(n=2000) }}", "Line 1: 'lipsum' is not available."),
        ("{{ [1, 2].append(3) }}", "Line 1: There is no method 'append'."),
        ("{{ x.zfill(1000000000) }}", "Line 1: There is no method 'zfill'."),
        ("{{ ''.__class__ }}", "Line 1: The attribute '__class__' is not available."),
        ("\n{% if a %}" * 70 + "{% endif %}" * 70, f"Line 71: {DEEP}"),
        ("a\n" + "{% if a %}" * 300 + "{% endif %}" * 300, f"Line 2: {DEEP}"),
        ("\n{% for a in b %}" * 25 + "{% endfor %}" * 25, f"Line 26: {DEEP}"),
        ("\n{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", f"Line 2: {DEEP}"),
        ("\n\n{{ " + "-" * 30000 + "1 }}", f"Line 3: {DEEP}"),
        ("\n{% set y|default(x) %}a{% endset %}", "Line 2: A filter of {% set %} uses a name"),
        ("x" * 100_001, "The template has 100,001 characters; at most 100,000 are allowed."),
    ],
)
async def test_what_is_wrong_is_told_with_its_line_when_it_is_saved(
    judge: Judge, source: str, words: str
) -> None:
    with pytest.raises(TemplateFault) as caught:
        await judge.inspect(source)

    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("{{ 'a' * 300000000 }}", "too large"),
        ("{{ 300000000 * [1] }}", "too large"),
        ("{{ 9 ** (9 ** 9) }}", "too large"),
        ("{% for i in range(99999) %}{{ 'a' * 100 }}{% endfor %}", "too large"),
        ("{{ ('a' * 900000).replace('a', 'b' * 900000)|length }}", "too large"),
        ("{{ ('a' * 900000)|replace('a', 'b' * 900000)|length }}", "too large"),
        ("{{ range(99999)|join('b' * 900000)|length }}", "too large"),
        ("{{ ('b' * 900000).join(range(99999)|map('string'))|length }}", "too large"),
        ("{{ 'a'|indent(1000000000) }}", "too large"),
        ("{{ [1]|tojson(indent=1000000000) }}", "too large"),
        ("{{ 'a b'|wordwrap(1, wrapstring='c' * 900000) }}", "too large"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "too large"),
        ("{{ range(1000000)|list|length }}", "failed"),
        ("{{ 1 / 0 }}", "failed"),
        ("{{ {[1]: 2} }}", "failed"),
        ("{{ ''.join[''.join] }}", "failed"),
        ("{{ 5[1:] }}", "failed"),
        ("{% filter map('upper') %}abc{% endfilter %}", "failed"),
        ("{{ x + 1 }}", "failed"),
        ("{{ '%1000000000d' % 1 }}", "failed"),
        ("{{ x['center'](1000000000) }}", "failed"),
        ("{{ x['format'](1) }}", "failed"),
        ("a{{ '\\ud800' }}b", "failed"),
        ("{{ x['__class__']['__mro__'] }}", "failed"),
        ("{{ [x]|map(attribute='__class__')|first }}", "failed"),
        ("{{ dict.mro() }}", "invalid"),
        ("{{ dict['mro']() }}", "failed"),
        ("{{ range['__globals__'] }}", "failed"),
        ("{{ cycler['next'](1) }}", "failed"),
        ("{% set n = namespace() %}{{ n['__init__'] }}", "failed"),
    ],
)
async def test_a_template_that_asks_for_too_much_is_a_fault(judge: Judge, source: str, kind: str) -> None:
    found = await fault(judge, source, **({"x": "text"} if "x" in source else {}))

    assert found.kind == kind and "object at" not in str(found)


@pytest.mark.parametrize(
    "source",
    [
        *("range", "dict", "cycler(1)", "joiner()", "namespace(a=1)", "'a'.upper", "[1]|map('string')"),
        *("[1]|reverse", "{1: 2}|items", "['a']|select"),
    ],
)
async def test_what_has_no_text_is_not_printed(judge: Judge, source: str) -> None:
    found = await fault(judge, f"{{{{ {source} }}}}")

    assert "a function or an object cannot be printed" in str(found)


async def test_what_an_argument_that_was_not_given_does_not_have_is_told_with_its_name(judge: Judge) -> None:
    assert str(await fault(judge, "{{ x.y }}")) == "Line 1: 'x' is not given and has no 'y'."


async def test_what_a_worker_did_not_expect_is_a_fault_too_and_it_goes_on() -> None:
    worker = TemplateWorker(RenderLimits())
    unknown = worker.answer({"do": "inspect"})
    assert unknown["fault"][:2] == ["failed", "It cannot be used: KeyError."]
    assert worker.answer({"do": "inspect", "source": "{{ x }}"})["variables"] == [("x", 1, False)]


BRIEF = RenderLimits(seconds=0.5)
SMALL = RenderLimits(seconds=60, megabytes=128)  # on a busy machine memory, too, takes its time


@pytest.mark.parametrize(
    ("limits", "source", "words"),
    [
        (
            BRIEF,
            ENDLESS,
            "more than 0.5 s",
        ),
        (BRIEF, "{{ 1|round(1000000000, 'ceil') }}", "more than 0.5 s"),
        (SMALL, GROWING, "more than 128 MB"),
    ],
)
async def test_a_worker_that_runs_away_is_ended(limits: RenderLimits, source: str, words: str) -> None:
    judge = Judge(limits)

    found = await fault(judge, source)

    assert found.kind == "too large" and words in str(found)
    assert await rendered(judge, "{{ x }}", x="still here") == "still here"
    await judge.close()


async def test_one_that_runs_away_delays_no_other(judge: Judge) -> None:
    await rendered(judge, "warm")

    stuck = asyncio.create_task(rendered(judge, ENDLESS))
    texts = [await rendered(judge, "{{ x }}", x=str(number)) for number in range(3)]

    assert texts == ["0", "1", "2"] and not stuck.done()
    stuck.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stuck


async def test_a_worker_that_somebody_killed_is_replaced(judge: Judge) -> None:
    await rendered(judge, "warm")
    for worker in judge._idle:
        os.kill(worker._process.pid, signal.SIGKILL)
        await worker._process.wait()

    assert await rendered(judge, "{{ x }}", x="v") == "v"


async def test_a_worker_that_does_not_answer_is_ended_and_replaced() -> None:
    judge = Judge(BRIEF)
    assert await judge.render("warm", {}) == "warm"
    os.kill(judge._idle[0]._process.pid, signal.SIGSTOP)
    with pytest.raises(TemplateFault, match="It takes more than"):
        await judge.render("never", {})
    assert await judge.render("again", {}) == "again"
    await judge.close()


async def test_many_empty_parts_do_not_end_a_text(judge: Judge) -> None:
    source = "{% for i in range(500) %}{{ '' }}{% endfor %}end"
    assert await judge.render(source, {}) == "end"


async def test_a_worker_sees_no_secret_and_no_file_of_the_workspace(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "jinja2.py").write_text("raise SystemExit('the repository ran')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LACONIC_TOKEN", "secret")
    judge = Judge()

    assert await rendered(judge, "{{ x }}", x="v") == "v"
    seen = Path(f"/proc/{judge._idle[0]._process.pid}/environ").read_bytes()  # noqa: ASYNC240
    assert b"secret" not in seen
    await judge.close()
