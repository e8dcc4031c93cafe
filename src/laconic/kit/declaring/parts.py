"""Parts: objects inside arguments, with their names in the toolset's case."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from laconic.text import to_camel

__all__ = ["COMMAS", "UNLISTED", "CamelPart", "Part"]

UNLISTED: Final[Any] = Field(json_schema_extra={"x-unlisted": True})
"""Marks a field that is accepted and not listed, to save tokens: `Annotated[str | None, UNLISTED]`."""

COMMAS: Final[Any] = Field(json_schema_extra={"x-commas": True})
"""Marks a list that callers also send as one text, `a, b`: `Annotated[list[str], COMMAS]`.

Only a whole list is split, never an item of one, and the answer says so.
"""


class Part(BaseModel):
    """An object inside the arguments; unknown members are refused, each with the nearest known one."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)

    def wire(self) -> dict[str, Any]:
        """Return the members with the caller's names: defaults too, and none that is None."""
        return self.model_dump(by_alias=True, exclude_none=True)


class CamelPart(Part):
    """An object inside the arguments of a toolset in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)
