"""Listening for HTTP until the server is stopped, in one process or in several."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.applications import Starlette

from laconic.kit.wire.connections import LOOP, Connection
from laconic.kit.wire.signals import handled

__all__ = ["serve_http"]


def _nothing() -> None:
    pass


def serve_http(
    app: Starlette | str,
    host: str = "127.0.0.1",
    port: int = 8321,
    *,
    workers: int = 1,
    ready: Callable[[], None] = _nothing,
) -> None:
    """Serve a web application until a signal comes; slow requests and too many connections end.

    Several workers need the app by name, `module:function`, which is called in each. `ready` is called once,
    when clients can connect or, with several workers, just before.
    """
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "workers": workers,
        "factory": isinstance(app, str),
        "http": Connection,
        "ws": "none",
        "loop": LOOP,
        "log_config": None,
        "access_log": False,
        "timeout_graceful_shutdown": 5,
        "timeout_worker_healthcheck": 30,  # a busy machine takes longer than the default of 5 s to start one
    }
    if workers > 1:
        ready()
        uvicorn.run(app, **options)
        return
    config = uvicorn.Config(app, **options)
    listening = config.bind_socket()
    listening.listen(config.backlog)
    server = uvicorn.Server(config)
    with handled(server.handle_exit):  # before clients hear of it: an exception would not end the loop
        ready()
        server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)  # the log has the reason
