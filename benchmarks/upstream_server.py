"""An API that always answers the same: `python -m benchmarks.upstream_server` prints its port and serves."""

from __future__ import annotations

import asyncio
import json

_RECORD = {"id": 1, "subject": "The pump of hall 1 loses pressure overnight", "version": 3, "tags": ["pump"]}
_BODIES = {"/one": json.dumps(_RECORD).encode(), "/many": json.dumps([_RECORD] * 1_000).encode()}


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            body = _BODIES[head.split(b" ", 2)[1].decode()]
            start = (
                f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            writer.write(start.encode() + body)
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the client is done
    finally:
        writer.close()


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
