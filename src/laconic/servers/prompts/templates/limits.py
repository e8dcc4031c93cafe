"""Limits: what one template may cost, and how a template that cannot be used is described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

__all__ = ["RESERVED", "Inspected", "RenderLimits", "TemplateFault", "Variable"]

FaultKind = Literal["invalid", "failed", "too large"]
_RESERVED: Final = """
    and else if in is not or true false none True False None
    caller cycler dict joiner kwargs lipsum loop namespace range self super varargs
"""
RESERVED: Final = frozenset(_RESERVED.split())  # what cannot be an argument: it has a meaning in templates


@dataclass(frozen=True)
class RenderLimits:
    """What one check or one rendering may use."""

    template: int = 100_000  # characters
    output: int = 1_000_000  # characters
    seconds: float = 2.0  # of computing
    megabytes: int = 512


class TemplateFault(Exception):
    """A template that cannot be saved or rendered, and in which line the reason is, if that is known."""

    def __init__(
        self, kind: FaultKind, message: str, line: int | None = None, prompt: str = "", advice: str = ""
    ) -> None:
        where = f"Line {line}{f' of {prompt}' if prompt else ''}: " if line else ""
        super().__init__(f"{where}{message}")
        self.kind, self.message, self.line, self.prompt = kind, message, line, prompt
        self.advice = advice  # what to do about it, where that is not the template's matter


@dataclass(frozen=True)
class Variable:
    """A name that a template expects to be given."""

    name: str
    line: int
    is_optional: bool  # the template says what to do without it


@dataclass(frozen=True)
class Inspected:
    """What a valid template needs."""

    variables: tuple[Variable, ...] = ()
    includes: Mapping[str, int] = field(default_factory=dict)  # names of prompts, and the first line of each
    bound: Mapping[str, frozenset[str]] = field(default_factory=dict)  # what it sets for each of these

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Inspected:
        """Read the answer of a worker."""
        variables = tuple(Variable(*one) for one in answer["variables"])
        bound = {name: frozenset(names) for name, names in answer["bound"].items()}
        return cls(variables, dict(answer["includes"]), bound)
