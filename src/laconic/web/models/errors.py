"""Errors as they are answered: one envelope for every failure, with the keys that older clients read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["ErrorBody", "ErrorProblem", "ErrorRecord"]


class ErrorProblem(BaseModel):
    """One of several problems of a request."""

    field: str = ""
    message: str
    given: str | None = None
    allowed: list[str] = Field(default_factory=list)


class ErrorRecord(BaseModel):
    """A failure: what is wrong, what was given, what would be right, and what to do next."""

    model_config = ConfigDict(extra="allow")

    code: str
    category: str
    message: str
    field: str | None = None
    given: str | None = None
    allowed: list[str] = Field(default_factory=list)
    next: str | None = None
    problems: list[ErrorProblem] = Field(default_factory=list)
    details: dict[str, Any] = Field(default_factory=dict)
    changed: bool | None = None
    retryAfterMs: int | None = None  # as on the wire of the tools
    trace: str | None = None


class ErrorBody(BaseModel):
    """The body of every answer that is a failure."""

    error: ErrorRecord
    detail: Any = Field(description="For older clients: the message, a list of problems, or an object.")
    error_code: str = Field(description="For older clients: such as NAME_CONFLICT; else the code.")
