"""The methods that run something: from parameters to results as plain data, the same on every wire."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import Failure
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer
from laconic.kit.redaction import redacted_log, strings_in
from laconic.kit.running import is_cancelled
from laconic.kit.wire import render
from laconic.kit.wire.about import ServerCard, cursor_of, place_of
from laconic.kit.wire.asking import Asking
from laconic.kit.wire.protocol import INTERNAL_ERROR, INVALID_PARAMS, MISSING_CAPABILITY, ProtocolError
from laconic.text.halves import without_halves

log = redacted_log("laconic.bug")

Params = Mapping[str, Any]
_MOST_SUGGESTED: Final = 100


class Methods:
    """What an endpoint does for each method."""

    def __init__(self, endpoint: Endpoint, about: ServerCard) -> None:
        self._endpoint = endpoint
        self._about = about
        self._handlers: dict[str, Callable[[Params, Asking], Awaitable[dict[str, Any]]]] = {
            "tools/call": self._call_tool,
            "resources/read": self._read_resource,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
        }

    async def run(self, method: str, params: Params, peer: Callable[[], Asking]) -> dict[str, Any]:
        """Answer one request.

        Raises:
            ProtocolError: the request is answered by an error of the protocol; no other exception escapes.
        """
        try:
            asking = peer()
            try:
                return await self._handlers[method](params, asking)
            except AskLater as later:
                return render.sendable(asking.asked(later))
        except NotSupported as error:
            needed = {"requiredCapabilities": error.needs}
            raise ProtocolError(MISSING_CAPABILITY, str(error), needed) from None
        except Failure as error:
            words = self._endpoint.redactor.for_model(error.message, strings_in(params), safe=error.safe)
            raise _protocol_error(error, words, params) from None
        except ProtocolError:
            raise
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # a tool must not end the server
            if isinstance(error, asyncio.CancelledError) and is_cancelled():
                raise
            log.exception("bug in the handler of %s", method)
            raise ProtocolError(INTERNAL_ERROR, "Internal server error") from None

    async def _call_tool(self, params: Params, peer: Asking) -> dict[str, Any]:
        answer = await self._endpoint.call_tool(params["name"], params.get("arguments"), peer)
        result = render.tool_result(answer)
        if self._endpoint.settings.metadata and answer.structured is not None:
            spec = self._endpoint.tool(params["name"])
            former = self._endpoint.catalogue.toolsets[spec.toolset].former_keys
            data = render.metadata(answer, spec.toolset)
            if former is not None and answer.failure is None:
                data = {**data, **former(spec.name, params.get("arguments") or {}, answer.value)}
            result["metadata"] = render.sendable(data)
        return result

    async def _read_resource(self, params: Params, peer: Asking) -> dict[str, Any]:
        uri = params["uri"]
        spec, _ = self._endpoint.catalogue.resource(uri)
        answer = _succeeded(await self._endpoint.read_resource(uri, peer), params)
        return render.sendable(render.resource_result(answer, uri, spec.mime))

    async def _list_prompts(self, params: Params, peer: Asking) -> dict[str, Any]:
        prompts, after = await self._endpoint.list_prompts(peer.caller, place_of(params.get("cursor")))
        more = {"nextCursor": cursor_of(after)} if after else {}
        return render.sendable({"prompts": prompts, **more, "resultType": "complete"})

    async def _get_prompt(self, params: Params, peer: Asking) -> dict[str, Any]:
        name = params["name"]
        answer = _succeeded(await self._endpoint.get_prompt(name, params.get("arguments"), peer), params)
        return render.sendable(render.prompt_result(answer, answer.description))

    async def _complete(self, params: Params, peer: Asking) -> dict[str, Any]:
        of, argument = params["ref"], params["argument"]
        kind = of["type"].removeprefix("ref/")
        name = of["name"] if kind == "prompt" else of["uri"]
        others = (params.get("context") or {}).get("arguments") or {}
        values = await self._endpoint.complete(
            kind, name, argument["name"], argument["value"], caller=peer.caller, others=others
        )
        shown = values[:_MOST_SUGGESTED]
        found = {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}
        return render.sendable({"completion": found, "resultType": "complete"})


def _succeeded(answer: Answer, params: Params) -> Answer:
    """Raise a failure as an error of the protocol: resources and prompts have no failed results."""
    if answer.failure is not None:
        raise _protocol_error(answer.failure, answer.text, params)
    return answer


def _protocol_error(failure: Failure, words: str, params: Params) -> ProtocolError:
    data = {"uri": without_halves(params["uri"])} if "uri" in params else None
    return ProtocolError(INVALID_PARAMS if failure.callers else INTERNAL_ERROR, words, data)
