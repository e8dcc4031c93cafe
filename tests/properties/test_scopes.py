"""For any template: with the names that it is found to need, nothing in it is undefined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some
from jinja2 import UndefinedError

from laconic.servers.prompts.templates.checking import inspect
from laconic.servers.prompts.templates.environment import RestrictedEnvironment
from laconic.servers.prompts.templates.limits import TemplateFault

NAMES = some.sampled_from(["a", "b", "c", "d"])
STRICT = RestrictedEnvironment(100_000)
LEAVES = some.one_of(
    NAMES.map("{{{{ {} }}}}".format),
    some.builds("{{% set {} = {} %}}".format, NAMES, some.one_of(NAMES, some.just("1"))),
    some.builds("{{{{ {} if {} else 1 }}}}".format, NAMES, NAMES),
    some.builds("{{{{ [{}]|join({}|string) }}}}".format, NAMES, NAMES),
)
TEMPLATES = some.recursive(
    LEAVES,
    lambda inner: some.one_of(
        some.lists(inner, min_size=2, max_size=4).map("".join),
        some.builds("{{% if {} %}}{}{{% endif %}}".format, NAMES, inner),
        some.builds("{{% if {} %}}{}{{% else %}}{}{{% endif %}}".format, NAMES, inner, inner),
        some.builds("{{% if {} %}}{}{{% elif {} %}}{}{{% endif %}}".format, NAMES, inner, NAMES, inner),
        some.builds("{{% for {} in [0, 1] %}}{}{{% endfor %}}".format, NAMES, inner),
        some.builds("{{% for {} in [] %}}{}{{% else %}}{}{{% endfor %}}".format, NAMES, inner, inner),
        some.builds("{{% for {} in [0, 1] if {} %}}{}{{% endfor %}}".format, NAMES, NAMES, inner),
        some.builds("{{% with {} = {} %}}{}{{% endwith %}}".format, NAMES, NAMES, inner),
        some.builds("{{% set {} %}}{}{{% endset %}}".format, NAMES, inner),
        some.builds("{{% filter upper %}}{}{{% endfilter %}}".format, inner),
    ),
    max_leaves=8,
)


@given(source=TEMPLATES, number=some.integers(0, 15))
def test_with_the_names_that_a_template_needs_nothing_in_it_is_undefined(source: str, number: int) -> None:
    try:
        names = [name for name, _, _ in inspect(STRICT, source)["variables"]]
    except TemplateFault as fault:
        assert "is used before it is set." in str(fault)
        return
    values = {name: number >> place & 1 for place, name in enumerate(names)}
    try:
        STRICT.from_string(source).render(values)
    except UndefinedError as error:
        raise AssertionError(f"{source}: {error}, though {names} are given") from error
