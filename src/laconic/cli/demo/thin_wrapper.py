"""What a thin wrapper around the same functions would answer: all objects, whole, as indented JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, Field, ValidationError, create_model

from laconic.kit.answers.pages import Page, Window
from laconic.kit.catalogue import Catalogue
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.listing import model_text
from laconic.kit.settings import Settings
from laconic.kit.supplying.supply import Supplies
from laconic.kit.toolset import Toolset
from laconic.stores.keyvalue.memory import MemoryStore

__all__ = ["ThinWrapper", "pretty"]

_ALL: Final = 1_000_000
_COMMIT: Final = {
    "sha": "%H",
    "parents": "%P",
    "author": "%an",
    "email": "%ae",
    "date": "%aI",
    "message": "%B",
}


def pretty(value: Any) -> str:
    """Return a value as a thin wrapper does: every field, as indented JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(_plain(value), ensure_ascii=False, indent=2)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return [_plain(item) for item in value.items] if isinstance(value, Page) else value


class ThinWrapper:
    """Calls the declared functions directly, on its own services, with nothing in between."""

    def __init__(self, toolsets: list[Toolset], sections: Mapping[str, Mapping[str, Any]]) -> None:
        self._catalogue = Catalogue(toolsets)
        self._supplies = Supplies(self._catalogue.toolsets, Settings(sections=sections), MemoryStore())

    def tools(self) -> str:
        """Return the tool list with the schemas that pydantic makes of the functions' own parameters."""
        return "\n".join(
            model_text(
                {
                    "name": spec.name,
                    "description": spec.description,
                    "inputSchema": _arguments(spec).model_json_schema(),
                }
            )
            for spec in self._catalogue.tools.values()
        )

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Return the answer of a tool; wrong arguments get the text of pydantic's error."""
        spec = self._catalogue.tools[tool]
        try:
            checked = _arguments(spec).model_validate(arguments)
        except ValidationError as error:
            return str(error)
        signature, things = spec.signature, await self._supplies.of(spec.toolset)
        values = {parameter.name: getattr(checked, parameter.name) for parameter in signature.parameters}
        values |= {name: things[kind] for name, kind in signature.supplied.items()}
        if signature.window is not None:
            values[signature.window[0]] = Window(size=_ALL, most=_ALL)
        return pretty(await spec.function(**values))

    async def repository(self, tool: str) -> str:
        """Return everything from git that the summary of a repository is made from."""
        (git,) = (await self._supplies.of(self._catalogue.tools[tool].toolset)).values()
        log = await git("log", f"--format={'%x1f'.join(_COMMIT.values())}%x1e", "--date-order")
        commits = [
            dict(zip(_COMMIT, record.strip("\n").split("\x1f"), strict=True))
            for record in log.split("\x1e")
            if record.strip("\n")
        ]
        heads = await git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
        branches = [dict(zip(("name", "sha"), line.split(), strict=True)) for line in heads.splitlines()]
        counted = await git("shortlog", "--summary", "--email", "HEAD")
        authors = [
            dict(zip(("commits", "author"), line.strip().split("\t"), strict=True))
            for line in counted.splitlines()
        ]
        return pretty({"branches": branches, "commits": commits, "authors": authors, "release": None})

    async def close(self) -> None:
        """Close the services."""
        await self._supplies.close()


def _arguments(spec: ToolSpec) -> type[BaseModel]:
    fields: dict[str, Any] = {
        parameter.name: (
            parameter.annotation,
            Field(
                default=... if parameter.is_required else parameter.default,
                description=parameter.description or None,
            ),
        )
        for parameter in spec.signature.parameters
    }
    return create_model(f"{spec.name}Arguments", **fields)
