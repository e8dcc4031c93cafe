"""An endpoint behind the SDK's low-level server: one object, every revision of the protocol."""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import mcp_types as t
from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from laconic import __version__
from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import Failure
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer
from laconic.kit.wire import render
from laconic.kit.wire.hub import Hub
from laconic.kit.wire.peer import Context, SdkPeer

log = logging.getLogger("laconic.bug")

_LISTS = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")
_KEPT = 3_600_000  # milliseconds a client may keep a list; a change notice ends it sooner


def build(endpoint: Endpoint) -> Server[Any]:
    """Put an endpoint behind the SDK's server."""
    return _Wire(endpoint).server


class _Server(Server[Any]):
    """Says to legacy clients, too, that lists may change: the HTTP manager asks without options."""

    def create_initialization_options(self, notification_options: Any = None, *args: Any, **kw: Any) -> Any:
        options = notification_options or NotificationOptions(
            prompts_changed=True, resources_changed=True, tools_changed=True
        )
        return super().create_initialization_options(options, *args, **kw)


class _Wire:
    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._hub = Hub()
        endpoint.changes.listeners.append(self._hub.tell)
        self._tools: list[t.Tool] | None = None
        listing = endpoint.listing
        has_resources = bool(listing.resources or listing.templates)
        handlers: dict[str, Any] = {"on_list_tools": self._list_tools, "on_call_tool": self._call_tool}
        if has_resources:
            handlers |= {
                "on_list_resources": self._list_resources,
                "on_list_resource_templates": self._list_templates,
                "on_read_resource": self._read_resource,
                "on_subscribe_resource": self._watch,
                "on_unsubscribe_resource": self._unwatch,
            }
        if listing.has_prompts:
            handlers |= {"on_list_prompts": self._list_prompts, "on_get_prompt": self._get_prompt}
        if has_resources or listing.has_prompts:
            handlers["on_completion"] = self._complete
        schemas = {tool["name"]: tool["inputSchema"] for tool in listing.tools}
        self.server = _Server(
            endpoint.name,
            version=__version__,
            instructions=listing.instructions or None,
            cache_hints={method: CacheHint(ttl_ms=_KEPT, scope="public") for method in _LISTS},  # type: ignore[misc]
            get_tool_input_schema=schemas.get,  # else every modern HTTP call builds the whole list
            on_subscriptions_listen=ListenHandler(self._hub.bus),
            **handlers,
        )
        # not in the constructor, which warns: logging is deprecated, and old clients still ask for it
        self.server.add_request_handler("logging/setLevel", t.SetLevelRequestParams, self._set_level)
        self.server.add_notification_handler(
            "notifications/initialized", t.NotificationParams, self._initialized
        )
        keys = [key.hex() if len(key) >= 16 else key.hex().ljust(32, "0") for key in endpoint.keys]
        security = RequestStateSecurity(keys=keys, audience=endpoint.name)
        self.server.middleware.append(RequestStateBoundary(security, default_audience=endpoint.name))
        self.server.middleware.append(_contained)

    async def _list_tools(self, context: Context, params: Any) -> t.ListToolsResult:
        if self._tools is None:
            self._tools = [
                t.Tool.model_validate(tool, by_name=False) for tool in self._endpoint.listing.tools
            ]
        tools, following = self._page(self._tools, params)
        return t.ListToolsResult(tools=tools, next_cursor=following)

    async def _list_prompts(self, context: Context, params: Any) -> t.ListPromptsResult:
        entries = await self._endpoint.list_prompts()
        found, following = self._page(
            [t.Prompt.model_validate(one, by_name=False) for one in entries], params
        )
        return t.ListPromptsResult(prompts=found, next_cursor=following)

    async def _list_resources(self, context: Context, params: Any) -> t.ListResourcesResult:
        entries = [t.Resource.model_validate(one, by_name=False) for one in self._endpoint.listing.resources]
        found, following = self._page(entries, params)
        return t.ListResourcesResult(resources=found, next_cursor=following)

    async def _list_templates(self, context: Context, params: Any) -> t.ListResourceTemplatesResult:
        entries = [
            t.ResourceTemplate.model_validate(one, by_name=False) for one in self._endpoint.listing.templates
        ]
        found, following = self._page(entries, params)
        return t.ListResourceTemplatesResult(resource_templates=found, next_cursor=following)

    def _page(self, items: Sequence[Any], params: Any) -> tuple[list[Any], str | None]:
        size = self._endpoint.settings.list_page
        begin = _begin(getattr(params, "cursor", None), len(items))
        end = begin + size
        following = base64.urlsafe_b64encode(f"from {end}".encode()).decode() if end < len(items) else None
        return list(items[begin:end]), following

    async def _call_tool(self, context: Context, params: t.CallToolRequestParams) -> Any:
        async def run(peer: SdkPeer) -> dict[str, Any]:
            return render.tool_result(await self._endpoint.call_tool(params.name, params.arguments, peer))

        return await self._answered(context, params, run)

    async def _read_resource(self, context: Context, params: t.ReadResourceRequestParams) -> Any:
        uri = str(params.uri)

        async def run(peer: SdkPeer) -> t.ReadResourceResult:
            spec, _ = self._endpoint.catalogue.resource(uri)
            answer = _succeeded(await self._endpoint.read_resource(uri, peer), {"uri": uri})
            return render.resource_result(answer, uri, spec.mime)

        return await self._answered(context, params, run, {"uri": uri})

    async def _get_prompt(self, context: Context, params: t.GetPromptRequestParams) -> Any:
        async def run(peer: SdkPeer) -> t.GetPromptResult:
            answer = _succeeded(await self._endpoint.get_prompt(params.name, params.arguments, peer))
            declared = self._endpoint.catalogue.prompts.get(params.name)
            return render.prompt_result(answer, declared.description if declared else "")

        return await self._answered(context, params, run)

    async def _answered(
        self,
        context: Context,
        params: Any,
        run: Callable[[SdkPeer], Awaitable[Any]],
        data: dict[str, Any] | None = None,
    ) -> Any:
        """The one road for everything that may ask the client."""
        peer = SdkPeer(self._hub, context, params)
        try:
            return await run(peer)
        except AskLater as later:
            return _asked(later, peer)
        except NotSupported as error:
            needs = {"requiredCapabilities": error.needs}
            raise MCPError(t.MISSING_REQUIRED_CLIENT_CAPABILITY, str(error), needs) from None
        except Failure as error:
            raise _error(error, data) from None
        except ValidationError as error:  # the SDK would take it for the caller's
            raise RuntimeError("What was answered does not fit the protocol.") from error

    async def _complete(self, context: Context, params: t.CompleteRequestParams) -> t.CompleteResult:
        of_prompt = isinstance(params.ref, t.PromptReference)
        name = params.ref.name if isinstance(params.ref, t.PromptReference) else str(params.ref.uri)
        values = await self._endpoint.complete(
            "prompt" if of_prompt else "resource", name, params.argument.name, params.argument.value
        )
        shown = t.Completion(values=values[:100], total=len(values), has_more=len(values) > 100)
        return t.CompleteResult(completion=shown)

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


async def _contained(ctx: Context, call_next: Callable[[Context], Awaitable[Any]]) -> Any:
    """Let no exception out in its own words: the SDK would repeat them to a legacy client."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise  # the protocol's own, which the SDK words
    except Failure as error:
        raise _error(error) from None
    except Exception:
        log.exception("bug in the handler of %s", ctx.method)
        raise MCPError(t.INTERNAL_ERROR, "Internal server error") from None


def _error(failure: Failure, data: dict[str, Any] | None = None) -> MCPError:
    return MCPError(t.INVALID_PARAMS if failure.callers else t.INTERNAL_ERROR, failure.message, data)


def _begin(cursor: str | None, length: int) -> int:
    if not cursor:
        return 0
    try:
        words = base64.urlsafe_b64decode(cursor).decode().split()
        begin = int(words[1]) if len(words) == 2 and words[0] == "from" else -1
    except (binascii.Error, ValueError):
        begin = -1
    if not 0 < begin < length:
        raise MCPError(t.INVALID_PARAMS, "Invalid cursor. List again without one.")
    return begin


def _succeeded(answer: Answer, data: dict[str, Any] | None = None) -> Answer:
    """Resources and prompts have no failed results: a failure is an error of the protocol."""
    if answer.failure is not None:
        code = t.INVALID_PARAMS if answer.failure.callers else t.INTERNAL_ERROR
        raise MCPError(code, answer.text, data)
    return answer


def _asked(later: AskLater, peer: SdkPeer) -> t.InputRequiredResult:
    requests = {key: {"method": method, "params": params} for key, (method, params) in later.requests.items()}
    state = peer.carried(later.state)
    wire = {"resultType": "input_required", "inputRequests": requests, "requestState": state}
    return t.InputRequiredResult.model_validate(
        {key: value for key, value in wire.items() if value is not None}, by_name=False
    )
