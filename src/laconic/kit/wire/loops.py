"""Event loops of a server: tasks that begin at once, and no task of a tool that ends the program."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, Final

from laconic.kit.redaction import redacted_log

__all__ = ["LastingLoop", "run", "started"]

log = redacted_log("laconic.bug")


class LastingLoop(asyncio.SelectorEventLoop):
    """An event loop that goes on after a task raised SystemExit: whoever awaits the task gets it."""

    def run_until_complete(self, future: Any) -> Any:
        """Run until this is done; only its own SystemExit ends the loop."""
        main = asyncio.ensure_future(future, loop=self)
        while True:
            try:
                return super().run_until_complete(main)
            except SystemExit:
                if main.done():
                    raise
                log.exception("a task raised SystemExit, which does not end the server")


_LOOP: Final = None if sys.platform == "win32" else LastingLoop  # its pipes need another kind of loop


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a server to its end."""
    with asyncio.Runner(loop_factory=_LOOP) as runner:
        runner.run(main)


def started(work: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
    """Return a task that has run to its end, or to where it first waits.

    A task usually begins in the next round of the event loop. That round costs as much as a small call.
    """
    if sys.version_info >= (3, 12):
        return asyncio.Task(work, loop=loop, eager_start=True)
    task = loop.create_task(work)
    ready = getattr(loop, "_ready", None)
    if ready and asyncio.current_task(loop) is None:  # a task cannot begin inside another
        ready.pop()._run()  # the first step, which was just added
    return task
