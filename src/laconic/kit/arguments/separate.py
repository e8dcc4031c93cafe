"""Objects of a list that are checked one by one: an invalid one is told, and the others go on."""

from __future__ import annotations

from typing import Any

from pydantic import PrivateAttr, ValidationError, ValidatorFunctionWrapHandler, model_validator

from laconic.kit.arguments.problems import Schema, expected, problems_of
from laconic.kit.arguments.told import distinct
from laconic.kit.declaring.parts import CamelPart
from laconic.kit.errors.words import show

__all__ = ["SeparatePart"]


class SeparatePart(CamelPart):
    """One of several objects in an argument: if it is invalid, it carries the problem instead of its values.

    An `id` that can be read is kept, so that the problem can be told by it.
    """

    _problem: str = PrivateAttr("")

    @model_validator(mode="wrap")
    @classmethod
    def _or_why_not(cls, given: Any, inner: ValidatorFunctionWrapHandler) -> Any:
        try:
            return inner(given)
        except ValidationError as error:
            id = given.get("id") if isinstance(given, dict) else None
            part = cls.model_construct({"id"}, id=id.strip() if isinstance(id, str) else "")
            part._problem = _words(given, error, cls.model_json_schema())
            return part

    @property
    def problem(self) -> str:
        """What is wrong with it; empty if nothing is."""
        return self._problem


def _words(given: Any, error: ValidationError, schema: Schema) -> str:
    if not isinstance(given, dict):
        return f"Invalid value {show(given)}. Expected: {expected(schema, schema)}."
    return " ".join(problem.message for problem in distinct(problems_of(error, schema)))
