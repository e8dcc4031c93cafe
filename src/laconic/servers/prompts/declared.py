"""The arguments of a prompt: given, merged or taken from the template, and whether they fit it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments, Problem
from laconic.servers.prompts.models import Argument
from laconic.servers.prompts.models.names import VARIABLE, is_variable
from laconic.servers.prompts.templates.limits import RESERVED, Variable
from laconic.text import did_you_mean, nearest

__all__ = ["checked", "derived", "filled", "merged"]

_MOST: Final = 20  # unknown arguments that are told


def derived(variables: Sequence[Variable], known: Sequence[Argument] = ()) -> list[Argument]:
    """Return the arguments that a template needs: those known that it uses, then the new ones.

    A variable that cannot be an argument is left out; `checked` refuses it.
    """
    used = {variable.name for variable in variables}
    kept = [argument for argument in known if argument.name in used]
    names = {argument.name for argument in kept}
    new = [one for one in variables if one.name not in names and is_variable(one.name)]
    return [*kept, *(Argument(name=one.name, required=not one.is_optional) for one in new)]


def merged(
    variables: Sequence[Variable], known: Sequence[Argument], given: Sequence[Argument]
) -> list[Argument]:
    """Return the arguments that a template needs, those given in place of the known ones, by name.

    One that is given stays even if the template does not use it, so that it is refused.
    """
    by_name = {argument.name: argument for argument in [*known, *given]}
    needed = derived(variables, [*by_name.values()])
    names = {argument.name for argument in needed}
    return [*needed, *(argument for argument in given if argument.name not in names)]


def checked(arguments: Sequence[Argument], variables: Sequence[Variable]) -> list[Argument]:
    """Return arguments that fit a template.

    Raises:
        BadArguments: they do not; each problem is named.
    """
    problems = [*_odd(arguments, variables), *_unfit(arguments, variables)]
    if problems:
        raise BadArguments([Problem(field, message) for field, message in problems])
    return list(arguments)


def _odd(arguments: Sequence[Argument], variables: Sequence[Variable]) -> Iterable[tuple[str, str]]:
    lines = {one.name: f" (line {one.line})" for one in variables}
    for name in sorted(name for name in lines if not is_variable(name)):
        yield "content", f"{name[:80]!r}{lines[name]} cannot be an argument. Expected: {VARIABLE}."
    counts = Counter(argument.name for argument in arguments)
    if twice := sorted(name for name, count in counts.items() if count > 1):
        yield "arguments", f"Duplicate arguments: {', '.join(twice)}."
    for argument in arguments:
        if argument.name in RESERVED:
            where = lines.get(argument.name, "")
            yield "arguments", f"'{argument.name}'{where} has a meaning in templates; choose another name."
        if argument.choices and argument.default is not None and argument.default not in argument.choices:
            yield "arguments", f"The default of {argument.name} is none of its choices."


def _unfit(arguments: Sequence[Argument], variables: Sequence[Variable]) -> Iterable[tuple[str, str]]:
    names = {argument.name for argument in arguments}
    lacking = [one for one in variables if one.name not in names and is_variable(one.name)]
    if missing := sorted((one.name, one.line) for one in lacking):
        listed = ", ".join(f"{name} (line {line})" for name, line in missing)
        yield "arguments", f"The template uses undefined variables: {listed}."
    used = {one.name for one in variables}
    if unused := sorted(names - used - RESERVED):
        yield "arguments", f"Unused arguments, which the template does not have: {', '.join(unused)}."


def filled(arguments: Sequence[Argument], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the values to render with, and the optional arguments that have none.

    Raises:
        BadArguments: some are unknown, missing or no valid choice.
    """
    known = {argument.name: argument for argument in arguments}
    problems = [_unknown(name, known) for name in sorted(set(given) - set(known))[:_MOST]]
    lacking = [one.name for one in arguments if one.is_required and one.name not in given]
    if lacking:
        problems.append(f"Missing required arguments: {', '.join(sorted(lacking))}.")
    for name, argument in known.items():
        if argument.choices and name in given and given[name] not in argument.choices:
            near = did_you_mean(nearest(str(given[name]), argument.choices), quote="'")
            problems.append(f"Invalid {name}. Valid values: {', '.join(argument.choices)}.{near}")
    if problems:
        raise BadArguments([Problem("arguments", problem) for problem in problems], allowed=sorted(known))
    values = {name: given.get(name, one.default) for name, one in known.items()}
    missing = [name for name in known if name not in given and values[name] is None]
    return {name: value for name, value in values.items() if name not in missing}, missing


def _unknown(name: str, known: Mapping[str, Argument]) -> str:
    hint = did_you_mean(nearest(name, known), quote="'")
    return f"Unknown argument '{name[:80]}'. Known: {', '.join(sorted(known)) or 'none'}.{hint}"
