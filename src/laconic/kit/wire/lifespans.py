"""From the start of a web application to its end: what is opened, followed and closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Host, Mount

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.signals import drained_on_signals

__all__ = ["Lifespan"]


@dataclass(frozen=True)
class Lifespan:
    """The lifespan of an endpoint's web application, around the SDK's own."""

    endpoint: Endpoint
    inner: Callable[[Starlette], AbstractAsyncContextManager[Any]]  # the SDK's
    beside: Sequence[BaseRoute]
    opened: Callable[[], None]  # called when the services of all toolsets are open
    last: Callable[[], None]  # called when calls in progress had their time to finish
    grace: float | None  # seconds of that; None: signals are the web server's
    closes: bool  # the endpoint, at the end

    @asynccontextmanager
    async def __call__(self, app: Starlette) -> AsyncIterator[Any]:
        """Open everything; at the end, close it."""
        async with self.inner(app) as state, _mounted(self.beside) as states:
            opening = asyncio.create_task(self.endpoint.open())  # meanwhile clients can connect
            opening.add_done_callback(lambda task: self.opened())
            try:
                self.endpoint.follow()
                with self._drained():
                    yield {**states, **(state or {})} if states else state
            finally:
                opening.cancel()
                await asyncio.wait([opening])
                if self.closes:
                    await self.endpoint.close()

    def _drained(self) -> Any:
        if self.grace is None:
            return nullcontext()
        return drained_on_signals(self.endpoint.stop, self.grace, self.last)


@asynccontextmanager
async def _mounted(routes: Sequence[BaseRoute]) -> AsyncIterator[dict[str, Any]]:
    """Open the applications that are mounted, and return the state that they share with their requests.

    Starlette opens only the outermost one.
    """
    states: dict[str, Any] = {}
    async with AsyncExitStack() as stack:
        for route in routes:
            app = getattr(route, "app", None) if isinstance(route, Mount | Host) else None
            while app is not None and not isinstance(app, Starlette) and hasattr(app, "app"):
                app = app.app  # a middleware around it
            if isinstance(app, Starlette):
                opened: Any = app.router.lifespan_context(app)
                states |= await stack.enter_async_context(opened) or {}
                states |= await stack.enter_async_context(_mounted(app.routes))
        yield states
