"""A suite: questions for a model, the state they start from, and what must be true in the end."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Case", "CheckSpec", "ModelSpec", "Planned", "Suite", "Turn"]

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Planned(_Strict):
    """One call of a tool; a text that starts with `$.` names a value of an earlier answer."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Turn(_Strict):
    """What a scripted model does when it is its turn."""

    calls: list[Planned] = Field(default_factory=list)
    says: str = ""
    does: Literal["reply", "refuse", "stall", "babble", "repeat"] = "reply"


class Input(_Strict):
    """What a case starts with, what it asks, and what is read in the end."""

    given: list[Planned] = Field(default_factory=list)  # makes the starting state
    reads: list[Planned] = Field(default_factory=list)  # what the model has read already
    ask: str = Field(min_length=1)
    after: dict[str, Planned] = Field(default_factory=dict)  # the final state, by names of the suite


class CheckSpec(_Strict):
    """What must be true of a case in the end; its arguments may refer to the output and to the case."""

    type: Literal["exact_match", "contains", "equals"]
    arguments: dict[str, Any]
    metadata: dict[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a report calls it."""
        return self.metadata.get("name", self.type)


class Case(_Strict):
    """One question."""

    id: Word
    input: Input
    expected: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)
    scripts: dict[str, list[Turn]] = Field(default_factory=dict)  # by the name of the scripted model
    checks: list[CheckSpec] = Field(default_factory=list)  # besides those of the suite


class ModelSpec(_Strict):
    """A model to ask; where it is and its key never come from a suite."""

    provider: Literal["anthropic", "openai", "scripted"]
    name: str = Field(min_length=1)
    temperature: float | None = None

    @property
    def title(self) -> str:
        """How a report and a flag write it."""
        return f"{self.provider}/{self.name}"


class Limits(_Strict):
    """How a suite is run, and when it passes."""

    samples: int = Field(default=10, ge=1, le=1000)
    pass_threshold: float = Field(default=0.8, ge=0, le=1)
    max_concurrency: int = Field(default=8, ge=1, le=64)
    max_calls: int = Field(default=10, ge=1, le=100)  # of one case, before it counts as endless
    timeout: float = Field(default=120, gt=0, le=3600)  # seconds for one reply of the model


class Suite(_Strict):
    """Cases that belong together, on the same servers."""

    name: Word
    description: str = ""
    servers: list[str] = Field(min_length=1)  # as `laconic serve` takes them
    profiles: dict[str, str] = Field(default_factory=dict)  # as --tools takes them
    sandbox: bool = False  # servers of another system work on their practice data
    models: list[ModelSpec] = Field(default_factory=list)
    eval: Limits = Limits()
    test_cases: list[Case] = Field(min_length=1)
    checks: list[CheckSpec] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_clear(self) -> Self:
        ids = [case.id for case in self.test_cases]
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            raise ValueError(f"two cases are called {', '.join(twice)}")
        bare = [case.id for case in self.test_cases if not (case.checks or self.checks)]
        if bare:
            raise ValueError(f"nothing is checked of {', '.join(bare)}")
        return self

    @property
    def digest(self) -> str:
        """Changes with everything that a result depends on, except how often it is run."""
        data = self.model_dump(mode="json", exclude={"eval": {"samples", "max_concurrency"}, "models": True})
        return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest()

    def scripts(self) -> list[str]:
        """Return the scripted models that have a script for every case."""
        names = [set(case.scripts) for case in self.test_cases]
        return sorted(set.intersection(*names))
