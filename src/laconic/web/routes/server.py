"""The server itself: that it lives, whether it is ready, and one plain page that says what is here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from html import escape
from typing import Final, Literal

from pydantic import BaseModel

from laconic.text import estimate_tokens
from laconic.web.operations import Operation, Visit, WebReply

__all__ = ["DOCUMENT", "ServerRoutes"]

DOCUMENT: Final = "/api/openapi.json"
_PATIENCE: Final = 5.0  # seconds for the library and the state to answer
_HTML: Final = "text/html; charset=utf-8"


class Health(BaseModel):
    """The process lives."""

    status: Literal["healthy"] = "healthy"


class Readiness(BaseModel):
    """Whether requests can be answered, and if not, what is missing."""

    status: Literal["ready", "not ready"]
    database: Literal["up", "down"]
    state: Literal["up", "down"]


class ServerRoutes:
    """The routes that tell about the server; the first two need no token."""

    def __init__(self, toolset: str) -> None:
        self._toolset = toolset

    def operations(self) -> list[Operation]:
        """Return its operations."""
        of = self._toolset
        return [
            Operation("GET", "/health", "health", self.health, of, Health, is_open=True, counted=False),
            Operation(
                *("GET", "/ready", "ready", self.ready, of, Readiness),
                is_open=True,
                counted=False,
                also={503: Readiness},
            ),
            Operation("GET", "/", "home", self.home, of, media=(_HTML,), is_documented=False),
            Operation("GET", DOCUMENT, "document", self.document, of, is_documented=False),
        ]

    async def health(self, visit: Visit) -> WebReply:
        """Say that the process lives, whatever else does not."""
        return WebReply(Health(), headers={"cache-control": "no-store"})

    async def ready(self, visit: Visit) -> WebReply:
        """Say whether the library and the state answer: 503 if one does not, or the server is stopping."""
        opened = visit.opened
        database, state = await asyncio.gather(
            _answers(lambda: opened.shelf.read(lambda desk: desk.revision([]))),
            _answers(lambda: opened.endpoint.state.get("ready")),
        )
        is_ready = database == state == "up"
        found = Readiness(status="ready" if is_ready else "not ready", database=database, state=state)
        headers = {"cache-control": "no-store"}
        return WebReply(found, status=200 if is_ready else 503, headers=headers)

    async def home(self, visit: Visit) -> WebReply:
        """Show what is served here."""
        endpoint = visit.opened.endpoint
        rows = [(str(tool["name"]), _cost(tool)) for tool in endpoint.listing.tools]
        return WebReply(_page(endpoint.name, rows).encode(), media=_HTML)

    async def document(self, visit: Visit) -> WebReply:
        """Describe the API in OpenAPI 3.1."""
        found: dict[str, object] = visit.request.app.openapi()
        return WebReply(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode())


async def _answers(ask: Callable[[], Awaitable[object]]) -> Literal["up", "down"]:
    try:
        async with asyncio.timeout(_PATIENCE):
            await ask()
    except Exception:  # whatever it is: it does not answer
        return "down"
    return "up"


def _cost(tool: dict[str, object]) -> int:
    from laconic.kit.compact import compact

    shown = {name: tool[name] for name in ("name", "description", "inputSchema") if name in tool}
    return estimate_tokens(compact(shown))


def _page(name: str, tools: list[tuple[str, int]]) -> str:
    rows = "\n".join(f"<tr><td><code>{escape(tool)}</code></td><td>~{cost}</td></tr>" for tool, cost in tools)
    total = sum(cost for _, cost in tools)
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(name)}</title>
<meta name="viewport" content="width=device-width"></head>
<body>
<h1>{escape(name)}</h1>
<p>Agents connect to <code>/mcp</code>. Programs use the API below <code>/api</code>, which
<a href="{DOCUMENT}">its document</a> describes.</p>
<table>
<caption>{len(tools)} tools, about {total:,} tokens in a model's context</caption>
<thead><tr><th>Tool</th><th>Tokens</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""
