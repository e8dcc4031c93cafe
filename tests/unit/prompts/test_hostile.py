"""Whatever a template is made of, it is refused or rendered within its limits, and the judge goes on."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from laconic.kit import Failure
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.templates.environment import TESTS
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.templates.limits import RenderLimits, TemplateFault
from tests.chance import is_soaking

ATOMS = some.sampled_from(
    [
        *("x", "y", "1", "0", "9**9", "'a'", "[x]", "{'k': x}", "range(99999)", "(x, y)", "none", "loop"),
        *("x.__class__", "x['__init__']", "x.format", "''.join", "cycler(1)", "namespace(a=1)", "joiner()"),
        *("self", "dict", "x|attr('y')", "range", "x[::-1]", "x.mro()", "caller()", "varargs"),
        *("{[1]: x}", "5[1:]", "1.5[::0]", "[1] * 9999", "dict(a=1)", "'%s'", "{}", "10 ** 18"),
        *("'\\ud800'", "'\\x00'", "'\\ufeff'"),
    ]
)
FILTERS = some.sampled_from(
    [
        *("", "|upper", "|join('b' * 99)", "|list", "|tojson", "|replace('a', 'b' * 9999)", "|indent(9999)"),
        *("|map('upper')", "|batch(3)", "|sum", "|sort", "|string", "|length", "|default('d')", "|safe|e"),
        *("|groupby('k')", "|wordwrap(1)", "|xmlattr", "|format(1)", "|center(99999)", "|random", "|int"),
    ]
)
FILTER_NAMES = some.sampled_from(["list", "length", "map('upper')", "join('b')", "tojson", "int", "safe"])
OPERATORS = some.sampled_from([" ", " + ", " * ", " ** ", " % ", " ~ ", " // ", " if x else ", " in "])
EXPRESSIONS = some.builds("{}{}{}{}{}".format, ATOMS, FILTERS, OPERATORS, ATOMS, FILTERS)
PARTS = some.one_of(
    EXPRESSIONS.map("{{{{ {} }}}}".format),
    EXPRESSIONS.map("{{% set y = {} %}}".format),
    EXPRESSIONS.map("{{% for x in {} %}}{{{{ x }}}}{{% endfor %}}".format),
    EXPRESSIONS.map("{{% if {} %}}a{{% endif %}}".format),
    EXPRESSIONS.map("{{% macro m(x) %}}{{{{ m({}) }}}}{{% endmacro %}}{{{{ m(1) }}}}".format),
    EXPRESSIONS.map("{{% set y %}}{{{{ {} }}}}{{% endset %}}".format),
    EXPRESSIONS.map("{{% call(x) m({}) %}}{{% endcall %}}".format),
    some.builds("{{% filter {} %}}{{{{ {} }}}}{{% endfilter %}}".format, FILTER_NAMES, EXPRESSIONS),
    some.builds("{{{{ ({}) is {} }}}}".format, EXPRESSIONS, some.sampled_from(sorted(TESTS))),
    some.builds("{{{{ ({})[{}] }}}}".format, EXPRESSIONS, ATOMS),
    some.sampled_from(["{%", "}}", "{#", "{% raw %}", "{% endfor %}", "{% include 'a' %}", "\0", "\ud800"]),
)
NAMES = some.sampled_from(
    ["x", "Name", "_x", "é", "ﬁ", "loop", "range", "caller", "none", "x" * 101, "async"]
)
NAMED = some.sampled_from(
    [
        *("{{{{ {0} }}}}", "{{% for {0} in {1} %}}{{{{ {0}.{1} }}}}{{% endfor %}}", "{{% set {0} = {1} %}}"),
        *(
            "{{% macro {0}({1}) %}}{{{{ {1} }}}}{{% endmacro %}}",
            "{{{{ dict({0}={1}) }}}}",
            "{{{{ {0}({1}) }}}}",
        ),
        *("{{% with {0} = {1} %}}{{% endwith %}}", "{{% block {0} %}}{{{{ {1} }}}}{{% endblock %}}"),
        *("{{% include '{0}' %}}", "{{% include '{0}@{1}' %}}", "{{{{ {0}|default({1}) }}}}"),
    ]
)
TEMPLATES = some.lists(PARTS, min_size=1, max_size=4).map("".join)


@pytest.fixture(scope="module")
async def strict() -> AsyncIterator[Judge]:
    judge = Judge(RenderLimits(output=10_000, seconds=0.3, megabytes=128))
    yield judge
    await judge.close()


@pytest.mark.slow
@settings(max_examples=5000 if is_soaking() else 80, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=TEMPLATES, value=some.one_of(some.text(max_size=5), some.integers(), some.none()))
async def test_any_template_ends_as_a_text_or_a_fault(strict: Judge, source: str, value: object) -> None:
    try:
        needs = await strict.inspect(source)
        names = [one.name for one in needs.variables]
        text = await strict.render(source, dict.fromkeys(names[:1], value), names[1:])
    except TemplateFault as fault:
        assert "object at 0x" not in str(fault)
        assert "Traceback" not in str(fault)
        assert "nested too deep" not in str(fault)  # of a worker that broke
    else:
        assert len(text) <= 10_000
        text.encode()


@pytest.mark.slow
@settings(max_examples=5000 if is_soaking() else 150, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=some.one_of(TEMPLATES, some.builds(str.format, NAMED, NAMES, NAMES)))
async def test_any_template_is_checked_with_its_arguments_or_refused_with_the_reason(
    service: Library, source: str
) -> None:
    try:
        made = await service.templates.check("a", source)
    except Failure as failure:
        assert failure.message
    else:
        again = await service.templates.check("a", source, given=made.arguments)
        assert again == made
