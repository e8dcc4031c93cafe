"""Whatever a template is made of, it is refused or rendered within its limits, and the judge goes on."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import RenderLimits, TemplateFault

ATOMS = some.sampled_from(
    [
        *("x", "y", "1", "0", "9**9", "'a'", "[x]", "{'k': x}", "range(99999)", "(x, y)", "none", "loop"),
        *("x.__class__", "x['__init__']", "x.format", "''.join", "cycler(1)", "namespace(a=1)", "joiner()"),
        *("self", "dict", "x|attr('y')", "range", "x[::-1]", "x.mro()", "caller()", "varargs"),
    ]
)
FILTERS = some.sampled_from(
    [
        *("", "|upper", "|join('b' * 99)", "|list", "|tojson", "|replace('a', 'b' * 9999)", "|indent(9999)"),
        *("|map('upper')", "|batch(3)", "|sum", "|sort", "|string", "|length", "|default('d')", "|safe|e"),
        *("|groupby('k')", "|wordwrap(1)", "|xmlattr", "|format(1)", "|center(99999)", "|random", "|int"),
    ]
)
OPERATORS = some.sampled_from([" ", " + ", " * ", " ** ", " % ", " ~ ", " // ", " if x else ", " in "])
EXPRESSIONS = some.builds("{}{}{}{}{}".format, ATOMS, FILTERS, OPERATORS, ATOMS, FILTERS)
PARTS = some.one_of(
    EXPRESSIONS.map("{{{{ {} }}}}".format),
    EXPRESSIONS.map("{{% set y = {} %}}".format),
    EXPRESSIONS.map("{{% for x in {} %}}{{{{ x }}}}{{% endfor %}}".format),
    EXPRESSIONS.map("{{% if {} %}}a{{% endif %}}".format),
    EXPRESSIONS.map("{{% macro m(x) %}}{{{{ m({}) }}}}{{% endmacro %}}{{{{ m(1) }}}}".format),
    some.sampled_from(["{%", "}}", "{#", "{% raw %}", "{% endfor %}", "{% include 'a' %}", "\0", "\ud800"]),
)
TEMPLATES = some.lists(PARTS, min_size=1, max_size=4).map("".join)


@pytest.fixture(scope="module")
async def strict() -> AsyncIterator[Judge]:
    judge = Judge(RenderLimits(output=10_000, seconds=0.3, megabytes=128))
    yield judge
    await judge.close()


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=TEMPLATES, value=some.one_of(some.text(max_size=5), some.integers(), some.none()))
async def test_any_template_ends_as_a_text_or_a_fault(strict: Judge, source: str, value: object) -> None:
    try:
        needs = await strict.inspect(source)
        names = [one.name for one in needs.variables]
        text = await strict.render(source, dict.fromkeys(names[:1], value), names[1:])
    except TemplateFault as fault:
        assert "object at 0x" not in str(fault)
        assert "Traceback" not in str(fault)
    else:
        assert len(text) <= 10_000
