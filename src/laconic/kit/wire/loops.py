"""Event loops of a server: a task of a tool that wants to end the program does not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, Final

from laconic.kit.redaction import redacted_log

__all__ = ["LastingLoop", "run"]

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
