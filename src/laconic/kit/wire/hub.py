"""Change notices on the SDK's wire: a bus for modern clients, open connections for legacy clients."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

_LISTS: dict[str, type[ToolsListChanged] | type[PromptsListChanged] | type[ResourcesListChanged]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}


class Hub:
    """Sends change notices to every connected client."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._legacy: weakref.WeakSet[Connection] = weakref.WeakSet()

    def scratch(self, context: ServerRequestContext[Any, Any]) -> dict[str, Any]:
        """Return the state of a legacy session: its log level, the resources it watches."""
        return _connection(context).state

    def join(self, context: ServerRequestContext[Any, Any]) -> None:
        """Remember a legacy connection while it is open."""
        connection = _connection(context)
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS and connection.has_standalone_channel:
            self._legacy.add(connection)
            connection.exit_stack.callback(self._legacy.discard, connection)

    async def tell(self, kind: str, uri: str | None) -> None:
        """Send one change to every client that it concerns."""
        event: ServerEvent = ResourceUpdated(uri=uri or "") if kind == "resource" else _LISTS[kind]()
        await self.bus.publish(event)
        method = "notifications/resources/updated" if uri else f"notifications/{kind}/list_changed"
        told = [
            self._tell_one(connection, method, {"uri": uri} if uri else None)
            for connection in list(self._legacy)
            if uri is None or uri in connection.state.get("watched", ())
        ]
        await asyncio.gather(*told)

    @staticmethod
    async def _tell_one(connection: Connection, method: str, params: dict[str, Any] | None) -> None:
        try:
            async with asyncio.timeout(1):  # a client that stopped reading must not block the others
                await connection.notify(method, params)
        except TimeoutError:
            pass


def _connection(context: ServerRequestContext[Any, Any]) -> Connection:
    return context.session._connection  # the SDK's context has no public attribute for it in 2.3
