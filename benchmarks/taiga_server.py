"""The practice Taiga as a process: `python -m benchmarks.taiga_server` prints its port and serves."""

from __future__ import annotations

import asyncio

import uvicorn

from laconic.sandbox.taiga import practice_taiga


async def main() -> None:
    """Serve until the process is ended."""
    config = uvicorn.Config(
        practice_taiga(), host="127.0.0.1", port=0, log_config=None, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await serving


if __name__ == "__main__":
    asyncio.run(main())
