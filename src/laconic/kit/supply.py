"""What toolsets provide to their tools: opened on first use, closed with the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import asynccontextmanager
from typing import Any

from pydantic import ValidationError

from laconic.kit.errors import BadConfiguration, Failure
from laconic.kit.toolset import Toolset
from laconic.text import nearest

__all__ = ["Supplies"]


_COMMON = ("workspace", "cache")  # given to every toolset, wanted or not


class Supplies:
    """The services of every toolset served."""

    def __init__(self, toolsets: Mapping[str, Toolset], sections: Mapping[str, Mapping[str, Any]]) -> None:
        self._supplies = {
            name: _Supply(toolset, sections.get(name, {})) for name, toolset in toolsets.items()
        }

    async def of(self, toolset: str) -> dict[type, Any]:
        """The services of one toolset, by type; opened on first use."""
        return await self._supplies[toolset].things()

    async def close(self) -> None:
        """Let every factory clean up."""
        await asyncio.gather(*(supply.close() for supply in self._supplies.values()))


class _Supply:
    """The services of one toolset, kept open by a task of their own so that any call may use them."""

    def __init__(self, toolset: Toolset, section: Mapping[str, Any]) -> None:
        self._toolset = toolset
        self._section = section
        self._things: dict[type, Any] | None = None
        self._opening: asyncio.Future[dict[type, Any]] | None = None
        self._closing = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def things(self) -> dict[type, Any]:
        """What the factory yields, by type; opens it on the first call."""
        if self._things is not None:
            return self._things
        if not self._toolset.provides:
            self._things = {}
            return self._things
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(self._opening))
        self._things = await asyncio.shield(self._opening)
        return self._things

    async def _keep(self, opened: asyncio.Future[dict[type, Any]]) -> None:
        try:
            if self._toolset.open is None:
                raise BadConfiguration(
                    f"The toolset {self._toolset.name} has no factory for what it provides."
                )
            async with asynccontextmanager(self._toolset.open)(self._checked()) as yielded:
                opened.set_result(self._by_type(yielded))
                await self._closing.wait()
        except Exception as error:
            if opened.done():
                raise
            opened.set_exception(self._said(error))
            opened.exception()  # seen: whoever waits raises it, and nobody may be waiting any more

    def _checked(self) -> Any:
        """The section as it stands, or as the model the toolset declared for it."""
        model = self._toolset.settings
        if model is None:
            return self._section
        given = dict(self._section)
        for name in given:
            if name not in model.model_fields and name not in _COMMON:
                raise _unknown(name, self._toolset.name, list(model.model_fields))
        try:
            return model.model_validate(
                {name: value for name, value in given.items() if name in model.model_fields}
            )
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(step) for step in first["loc"])
            raise BadConfiguration(f"[{self._toolset.name}] {where}: {first['msg']}.") from None

    def _said(self, error: Exception) -> Exception:
        return error if isinstance(error, Failure) else BadConfiguration(f"{self._toolset.name}: {error}")

    def _by_type(self, yielded: Any) -> dict[type, Any]:
        values = yielded if isinstance(yielded, tuple) else (yielded,)
        provides = self._toolset.provides
        if len(values) != len(provides):
            raise BadConfiguration(f"The factory of {self._toolset.name} must yield {len(provides)} things.")
        return dict(zip(provides, values, strict=True))

    async def close(self) -> None:
        """Let the factory clean up."""
        self._closing.set()
        if self._keeper is not None:
            await self._keeper


def _unknown(name: str, section: str, known: list[str]) -> BadConfiguration:
    near = nearest(name, known)
    hint = f"Did you mean '{near[0]}'?" if near else f"Known keys: {', '.join(known) or 'none'}."
    return BadConfiguration(f"Unknown key '{name}' in [{section}]. {hint}")
