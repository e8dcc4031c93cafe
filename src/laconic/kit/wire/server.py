"""An endpoint behind the SDK's low-level server, for every revision of the protocol."""

from __future__ import annotations

from typing import Any

import mcp_types as t
from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.about import LISTS, ServerCard
from laconic.kit.wire.hub import Hub
from laconic.kit.wire.methods import Methods
from laconic.kit.wire.peer import Context, SdkPeer, caller
from laconic.kit.wire.protocol import ProtocolError
from laconic.kit.wire.sealing import Seal


def build(endpoint: Endpoint, *, has_tokens: bool = False) -> Server[Any]:
    """Put an endpoint behind the SDK's server; with tokens, the list of tools depends on the caller."""
    return _Wire(endpoint, has_tokens).server


class _Server(Server[Any]):
    """Tells legacy clients, too, that lists may change: the HTTP manager asks without options."""

    def create_initialization_options(self, notification_options: Any = None, *args: Any, **kw: Any) -> Any:
        options = notification_options or NotificationOptions(
            prompts_changed=True, resources_changed=True, tools_changed=True
        )
        return super().create_initialization_options(options, *args, **kw)


class _Wire:
    def __init__(self, endpoint: Endpoint, has_tokens: bool) -> None:
        self._about = about = ServerCard.of(endpoint, has_tokens=has_tokens)
        self._methods = Methods(endpoint, about)
        self._seal = Seal(endpoint.keys, endpoint.name)
        self._hub = Hub()
        endpoint.changes.listeners.append(self._hub.tell)
        handlers: dict[str, Any] = {
            "on_list_tools": self._told,
            "on_call_tool": self._run,
        }
        if about.has_resources:
            handlers |= {
                "on_list_resources": self._told,
                "on_list_resource_templates": self._told,
                "on_read_resource": self._run,
                "on_subscribe_resource": self._watch,
                "on_unsubscribe_resource": self._unwatch,
            }
        if about.listing.has_prompts:
            handlers |= {"on_list_prompts": self._run, "on_get_prompt": self._run}
        if about.serves("completion/complete"):
            handlers["on_completion"] = self._run
        schemas = {tool["name"]: tool["inputSchema"] for tool in about.listing.tools}
        self.server = _Server(
            about.name,
            version=about.version,
            instructions=about.listing.instructions or None,
            cache_hints=_cache_hints(about),
            get_tool_input_schema=schemas.get,  # else every modern HTTP call builds the whole list
            on_subscriptions_listen=ListenHandler(self._hub.bus),
            **handlers,
        )
        # not in the constructor, which warns: logging is deprecated, but old clients still ask for it
        self.server.add_request_handler("logging/setLevel", t.SetLevelRequestParams, self._set_level)
        self.server.add_notification_handler(
            "notifications/initialized", t.NotificationParams, self._initialized
        )

    async def _told(self, context: Context, params: Any) -> dict[str, Any]:
        """Answer a request for a list that is known before anything runs."""
        try:
            told = self._about.told(context.method, context.params or {}, may_write=caller().may_write)
        except ProtocolError as error:
            raise _error(error) from None
        return {**(told or {}), "resultType": "complete"}

    async def _run(self, context: Context, params: Any) -> dict[str, Any]:
        """Answer every request that runs something."""
        given = context.params or {}
        try:
            return await self._methods.run(
                context.method, given, lambda: SdkPeer(self._hub, context, self._seal)
            )
        except ProtocolError as error:
            raise _error(error) from None

    async def _watch(self, context: Context, params: t.SubscribeRequestParams) -> t.EmptyResult:
        self._hub.scratch(context).setdefault("watched", set()).add(str(params.uri))
        return t.EmptyResult()

    async def _unwatch(self, context: Context, params: t.UnsubscribeRequestParams) -> t.EmptyResult:
        self._hub.scratch(context).setdefault("watched", set()).discard(str(params.uri))
        return t.EmptyResult()

    async def _set_level(self, context: Context, params: t.SetLevelRequestParams) -> t.EmptyResult:
        self._hub.scratch(context)["level"] = params.level
        return t.EmptyResult()

    async def _initialized(self, context: Context, params: Any) -> None:
        self._hub.join(context)


def _cache_hints(about: ServerCard) -> dict[Any, CacheHint]:
    kept = {method: about.kept(method) for method in LISTS}
    return {method: CacheHint(ttl_ms=one["ttlMs"], scope=one["cacheScope"]) for method, one in kept.items()}


def _error(error: ProtocolError) -> MCPError:
    return MCPError(error.code, error.message, error.data)
