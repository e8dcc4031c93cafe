"""The peer of one request, on the SDK's session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import mcp_types as t
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from laconic.kit.errors import Refused
from laconic.kit.peer import Caller
from laconic.kit.wire.asking import Asking
from laconic.kit.wire.hub import Hub
from laconic.kit.wire.sealing import Seal
from laconic.kit.wire.tokens import STATIC

Context = ServerRequestContext[Any, Any]

_SECRET = frozenset({b"authorization", b"cookie", b"proxy-authorization"})  # headers that no tool may see

_TYPES: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    "elicitation/create": (t.ElicitRequest, t.ElicitResult),
    "sampling/createMessage": (
        t.CreateMessageRequest,
        t.CreateMessageResultWithTools,
    ),  # one block or several
    "roots/list": (t.ListRootsRequest, t.ListRootsResult),
}


class SdkPeer(Asking):
    """What one request may ask and tell its client, on the SDK's session."""

    def __init__(self, hub: Hub, context: Context, seal: Seal) -> None:
        is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        super().__init__(context.method, context.params or {}, caller(context), seal, is_modern=is_modern)
        self._hub = hub
        self._context = context

    @property
    def client(self) -> str:
        """The name that the client gave to itself, in this request or at its start."""
        params = self._context.session.client_params
        return super().client or (params.client_info.name if params else "")

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """The capabilities that the client declared."""
        declared = self._context.session.client_capabilities
        return None if declared is None else declared.model_dump(by_alias=True, exclude_none=True)

    @property
    def _level(self) -> str:
        return str(self._hub.scratch(self._context).get("level", "info"))

    async def _send(self, method: str, params: dict[str, Any]) -> Any:
        # without it the question goes to a stream that may not exist, and waits forever
        about = ServerMessageMetadata(related_request_id=self._context.request_id)
        question, answer = _TYPES[method]
        request: Any = question.model_validate({"method": method, "params": params}, by_name=False)
        try:
            result = await self._context.session.send_request(request, answer, metadata=about)
        except MCPError as error:
            raise Refused(f"The client did not answer: {error.message}") from None
        except ValidationError:
            return None  # fits no question
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def _tell(self, method: str, params: dict[str, Any]) -> None:
        note = t.LoggingMessageNotification.model_validate(
            {"method": method, "params": params}, by_name=False
        )
        await self._context.session.send_notification(note, related_request_id=self._context.request_id)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress; the SDK sends nothing without a token, and 0 is a token."""
        await self._context.session.report_progress(done, total, message)

    async def close_stream(self) -> None:
        """End this stream; a legacy client comes back for the rest."""
        if self._context.close_sse_stream is not None:
            await self._context.close_sse_stream()


def caller(context: Context | None = None) -> Caller:
    """Return whose token the present request has."""
    headers = getattr(getattr(context, "request", None), "headers", None)
    return caller_from(get_access_token(), () if headers is None else headers.raw)


def caller_from(token: AccessToken | None, headers: Iterable[tuple[bytes, bytes]]) -> Caller:
    """Return whose token a request has, with the headers that a tool may see."""
    seen = {
        name.decode("latin-1"): value.decode("latin-1")
        for given, value in headers
        if (name := given.lower()) not in _SECRET
    }
    if token is None:
        return Caller(headers=seen)
    claims = token.claims or {}
    who = f"{claims.get('iss', STATIC)}|{token.subject or token.client_id}"
    return Caller(who, frozenset(token.scopes), claims, seen)
