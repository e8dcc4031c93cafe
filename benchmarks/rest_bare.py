"""A bare FastAPI route that returns the same bytes: `python -m benchmarks.rest_bare PORT FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response

app = FastAPI(openapi_url=None)
_BODY: list[bytes] = []


@app.get("/item/{id}")
async def item(id: str, request: Request) -> Response:
    known = request.headers.get("if-none-match") == '"same"'
    return Response(status_code=304) if known else Response(_BODY[0], media_type="application/json")


@app.post("/mcp")
async def ready() -> dict[str, int]:
    return {"result": 1}


if __name__ == "__main__":
    _BODY.append(Path(sys.argv[2]).read_bytes())
    uvicorn.run(app, port=int(sys.argv[1]), http="httptools", log_config=None, access_log=False)
