"""A bare FastAPI route that returns the same bytes: `python -m benchmarks.rest_bare PORT FILE WORKERS`."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from uvicorn.supervisors.multiprocess import Multiprocess

app = FastAPI(openapi_url=None)
_FILE = "LACONIC_BENCH_BODY"  # names the file to every worker
_BODY = Path(os.environ[_FILE]).read_bytes() if _FILE in os.environ else b""


@app.get("/item/{id}")
async def item(id: str, request: Request) -> Response:
    known = request.headers.get("if-none-match") == '"same"'
    return Response(status_code=304) if known else Response(_BODY, media_type="application/json")


@app.post("/mcp")
async def ready() -> dict[str, int]:
    return {"result": 1}


def _listening(port: int) -> socket.socket:
    """Return a socket that says that it is TCP: only then answers in two parts are sent without a delay."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    return listening


if __name__ == "__main__":
    os.environ[_FILE] = sys.argv[2]
    config = uvicorn.Config(
        "benchmarks.rest_bare:app",
        workers=int(sys.argv[3]),
        http="httptools",
        log_config=None,
        access_log=False,
    )
    sockets = [_listening(int(sys.argv[1]))]
    if config.workers > 1:
        Multiprocess(config, sockets).run()
    else:
        uvicorn.Server(config).run(sockets=sockets)
