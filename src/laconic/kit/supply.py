"""What the server supplies to a function: a toolset's services, and what the kit knows about the call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

from laconic.kit.asking import Ask
from laconic.kit.errors import BadConfiguration, Failure
from laconic.kit.peer import About, Caller, Changes, Guard, Peer, Progress, Shown
from laconic.kit.pipeline import Call, PatientPeer
from laconic.kit.present.forms import view_of
from laconic.kit.running import answerable
from laconic.kit.settings import read_section
from laconic.kit.toolset import Toolset

__all__ = ["Supplies"]


def _shown(call: Call) -> Shown:
    record = call.spec.signature.record
    return Shown(view_of(call, record).columns if record else ())


def _guard(call: Call) -> Guard:
    return Guard(call.spec.guard or "version", call.checked.guard if call.checked else None)


_OF_CALL: dict[type, Callable[[Call], Any]] = {
    About: lambda call: call.about,
    Progress: lambda call: Progress(call.peer),
    Caller: lambda call: call.peer.caller,
    Shown: _shown,
    Guard: _guard,
    Ask: lambda call: Ask(PatientPeer(call)),
    Peer: PatientPeer,
}


class Supplies:
    """Everything that functions are supplied with."""

    def __init__(
        self,
        toolsets: Mapping[str, Toolset],
        sections: Mapping[str, Mapping[str, Any]],
        changes: Changes | None = None,
    ) -> None:
        self._toolsets = toolsets
        self._sections = sections
        self._opened: dict[str, _Supply] = {}
        self._changes = changes or Changes()

    async def arguments(self, call: Call) -> Mapping[str, Any]:
        """Return the arguments of a call's function: what the caller sent, and what is supplied."""
        signature, checked = call.spec.signature, call.checked
        assert checked is not None
        if signature.window is None and not signature.supplied:
            return checked.values
        values = dict(checked.values)
        if signature.window is not None:
            name, window = signature.window
            within = call.within  # a page that was too long is asked for again as it was
            values[name] = window.at(
                position=call.position,
                limit=within.limit if within else checked.limit,
                start=within.start if within else checked.offset,
                form=checked.format,
                tool=call.spec.name,
            )
        if signature.supplied:
            services = await self.of(call.spec.toolset)
            for name, kind in signature.supplied.items():
                values[name] = services[kind] if kind in services else self._from_kit(kind, call)
        return values

    def _from_kit(self, kind: type, call: Call) -> Any:
        return self._changes if kind is Changes else _OF_CALL[kind](call)

    async def of(self, toolset: str) -> dict[type, Any]:
        """Return the services of a toolset by type; opens them on first use."""
        return await self._supply(toolset).things()

    def section(self, toolset: str) -> Any:
        """Return a toolset's section of the configuration, as the model that the toolset declared for it."""
        return self._supply(toolset).section

    def _supply(self, toolset: str) -> _Supply:
        """Return the services that a toolset uses, which may be those of another."""
        root = self._toolsets[toolset].root
        if root.name not in self._opened:
            self._opened[root.name] = _Supply(root, self._sections.get(root.name, {}))
        return self._opened[root.name]

    async def close(self) -> None:
        """Let every factory clean up."""
        await asyncio.gather(*(supply.close() for supply in self._opened.values()))


class _Supply:
    """The services of one toolset; a separate task keeps them open, so any call may use them."""

    def __init__(self, toolset: Toolset, section: Mapping[str, Any]) -> None:
        self._toolset = toolset
        self._given = section
        self._things: dict[type, Any] | None = None
        self._opening: asyncio.Future[dict[type, Any]] | None = None
        self._closing = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def things(self) -> dict[type, Any]:
        """Return what the factory yields, by type; opens it on the first call."""
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
                    f"The toolset {self._toolset.name} has no factory for what it provides.",
                    advice="Its author must declare one: @toolset.factory.",
                )
            async with asynccontextmanager(self._toolset.open)(self.section) as yielded:
                opened.set_result(self._by_type(yielded))
                await self._closing.wait()
        except BaseException as error:
            found = answerable(error)
            if opened.done() or not isinstance(found, Exception):
                raise found from found.__cause__
            opened.set_exception(self._failure(found))
            opened.exception()  # mark as retrieved: perhaps nobody waits for it any more

    @cached_property
    def section(self) -> Any:
        """The section as it is, or as the model that the toolset declared for it."""
        toolset = self._toolset
        if toolset.settings is None:
            return self._given
        return read_section(toolset.name, self._given, toolset.settings)

    def _failure(self, error: Exception) -> Exception:
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
