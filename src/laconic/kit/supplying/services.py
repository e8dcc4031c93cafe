"""Services: what a toolset's factory yields, opened on first use, once or for each caller."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.errors import BadConfiguration, Failure, Refused
from laconic.kit.running import answerable

if TYPE_CHECKING:
    from laconic.kit.peer import Caller
    from laconic.kit.supplying.home import Home
    from laconic.kit.toolset import Toolset

__all__ = ["Services"]

_IDLE: Final = 30 * 60.0  # seconds after which the services of a caller are closed

Section = Callable[[], Any]
HomeOf = Callable[["Caller | None"], "Home"]


class Services:
    """The services of one toolset, shared by all callers unless its factory is opened for each."""

    def __init__(
        self, toolset: Toolset, section: Section, home_of: HomeOf, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._toolset = toolset
        self._section = section
        self._home_of = home_of
        self._now = now
        self._shared = _Opened(toolset, section, lambda: home_of(None))
        self._of_caller: dict[str, tuple[_Opened, float]] = {}  # with the time of the last use; oldest first
        self._closings: set[asyncio.Task[None]] = set()

    async def of(self, caller: Caller | None) -> dict[type, Any]:
        """Return the services by type for a caller; opens them on first use.

        Raises:
            Refused: each caller has its own, and no caller is known.
        """
        if not self._toolset.is_per_caller:
            return await self._shared.things()
        if caller is None:
            raise Refused(f"The services of {self._toolset.name} are opened for a caller, and there is none.")
        self._close_idle()
        known = self._of_caller.pop(caller.name, None)
        opened = known[0] if known else self._new(caller)
        self._of_caller[caller.name] = (opened, self._now())
        return await opened.things()

    def _new(self, caller: Caller) -> _Opened:
        return _Opened(self._toolset, self._section, lambda: self._home_of(caller))

    def _close_idle(self) -> None:
        """Close what no call can be using any more: the longest unused come first."""
        for name, (opened, used) in list(self._of_caller.items()):
            if self._now() - used < _IDLE:
                return
            del self._of_caller[name]
            closing = asyncio.create_task(opened.close())
            self._closings.add(closing)
            closing.add_done_callback(self._closings.discard)

    async def close(self) -> None:
        """Let the factories clean up."""
        every = [self._shared, *(opened for opened, _ in self._of_caller.values())]
        await asyncio.gather(*(opened.close() for opened in every), *self._closings)


class _Opened:
    """What one run of a factory yields; a separate task keeps it open, so any call may use it."""

    def __init__(self, toolset: Toolset, section: Section, home: Callable[[], Home]) -> None:
        self._toolset = toolset
        self._section = section
        self._home = home
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
            opening = self._toolset.opening
            if opening is None:
                raise BadConfiguration(
                    f"The toolset {self._toolset.name} has no factory for what it provides.",
                    advice="Its author must declare one: @toolset.factory.",
                )
            told = (self._section(), self._home()) if opening.takes_home else (self._section(),)
            async with asynccontextmanager(opening.function)(*told) as yielded:
                opened.set_result(self._by_type(yielded))
                await self._closing.wait()
        except BaseException as error:
            found = answerable(error)
            if opened.done() or not isinstance(found, Exception):
                raise found from found.__cause__
            opened.set_exception(self._failure(found))
            opened.exception()  # mark as retrieved: perhaps nobody waits for it any more

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
