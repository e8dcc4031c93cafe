"""An application on a free loopback port, served by uvicorn in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import uvicorn


class Guest(uvicorn.Server):
    """Leaves the signals of the process alone."""

    capture_signals = nullcontext  # type: ignore[assignment]  # a method of no arguments there


@contextmanager
def listening(app: Any) -> Iterator[int]:
    """Serve an application until the block ends; its port."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off", ws="none")
    server = Guest(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.005)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(5)
