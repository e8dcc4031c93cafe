"""A model that is asked: what it sees of a conversation, and what it may reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

__all__ = ["Asked", "Model", "ModelFailed", "Reply", "Result", "ToolCard", "Wanted"]


@dataclass(frozen=True)
class ToolCard:
    """A tool as a model sees it."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A call that a model asks for; `problem` says what is wrong with its arguments."""

    id: str
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True)
class Reply:
    """One reply of a model: words, calls, or both."""

    text: str = ""
    calls: tuple[Wanted, ...] = ()
    tokens_in: int = 0  # as the provider counts them; 0: it does not say
    tokens_out: int = 0


@dataclass(frozen=True)
class Result:
    """The answer of a tool to a call that a model asked for."""

    id: str
    text: str
    failed: bool = False


@dataclass
class Asked:
    """A conversation: the question, then replies and the results of their calls in turn."""

    system: str
    question: str
    turns: list[tuple[Reply, tuple[Result, ...]]] = field(default_factory=list)


class ModelFailed(Exception):
    """A model gave no reply that can be used."""

    def __init__(self, kind: Literal["slow", "malformed", "refused", "unreachable"], words: str) -> None:
        super().__init__(words)
        self.kind = kind


class Model(Protocol):
    """Anything that can be asked."""

    async def reply(self, asked: Asked, tools: Sequence[ToolCard]) -> Reply:
        """Return the next reply.

        Raises:
            ModelFailed: there is none that can be used.
        """
