"""Resolving: a template as one text, with what it includes in the place of each include."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from laconic.servers.prompts.templates.checking import includes_of
from laconic.servers.prompts.templates.environment import RestrictedEnvironment
from laconic.servers.prompts.templates.limits import TemplateFault

__all__ = ["resolved"]

_DEEPEST = 20  # of templates that can be rendered; beyond that they include each other in a circle


def resolved(
    environment: RestrictedEnvironment, source: str, sources: Mapping[str, str], most: int, depth: int = 0
) -> str:
    """Return a template without includes; white space that a `-` takes away when it is rendered is gone.

    Raises:
        TemplateFault: it would be too long, or includes are too deep.
    """
    if depth > _DEEPEST:
        raise TemplateFault("invalid", "Prompts include each other too deep.")
    parts: list[str] = []
    length = 0
    for text, included in _parts(environment, source):
        part = resolved(environment, sources[included], sources, most, depth + 1) if included else text
        parts.append(part)
        length += len(part)
        if length > most:
            raise TemplateFault("too large", f"The text would have more than {most:,} characters.")
    return "".join(parts)


def _parts(environment: RestrictedEnvironment, source: str) -> Iterator[tuple[str, str]]:
    """Yield each token of a template, a block as a whole, and the name of what it includes."""
    block: list[tuple[str, str]] = []
    for _, kind, value in environment.lex(source):
        if kind == "block_begin" or block:
            block.append((kind, value))
        else:
            yield value, ""
        if kind == "block_end":
            yield _whole(environment, block)
            block = []


def _whole(environment: RestrictedEnvironment, block: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the text of a block and the name that it includes; empty if it does something else."""
    text = "".join(value for _, value in block)
    word = next((value for kind, value in block if kind == "name"), "")
    name = "".join(includes_of(environment.parse(text))) if word == "include" else ""
    return text, name
