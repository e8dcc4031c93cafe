"""The client behind one request, in either era of the protocol."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

import mcp_types as t
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from laconic.kit.errors import Refused
from laconic.kit.peer import AskLater, Caller, NotSupported
from laconic.kit.wire.hub import Hub

Context = ServerRequestContext[Any, Any]
_MOST_TIMES = 10  # a read that is tried again asks again; a tool that waits for another reply would not end
_LEVELS: tuple[str, ...] = get_args(t.LoggingLevel)  # from debug up

_ASKABLE: dict[str, tuple[type[BaseModel], type[BaseModel]]] = {
    "elicitation/create": (t.ElicitRequest, t.ElicitResult),
    "sampling/createMessage": (
        t.CreateMessageRequest,
        t.CreateMessageResultWithTools,
    ),  # one block or several
    "roots/list": (t.ListRootsRequest, t.ListRootsResult),
}


class SdkPeer:
    """What one request lets the server say and ask, on the SDK's session."""

    def __init__(self, hub: Hub, context: Context, params: Any) -> None:
        self._hub = hub
        self._context = context
        self.is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        self.caller = _caller()
        self.state: str | None = None
        self._questions: dict[str, tuple[str, dict[str, Any]]] = {}
        self._times: Counter[str] = Counter()
        self._earlier: dict[str, Any] = {}  # replies so far, and of former rounds
        sealed = getattr(params, "request_state", None)  # plain text: the SDK's boundary has verified it
        self._is_verified = self.is_modern and sealed is not None
        if self._is_verified:
            self._earlier, self.state = _opened(str(sealed))

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether the client declared that it answers this question."""
        return _declares(self._context.session.client_capabilities, _needs(method, params))

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Put questions to the client.

        Raises:
            NotSupported: the client cannot be asked this.
            Refused: legacy era; the client gave an error instead of a reply.
            AskLater: modern era; the replies come with the next call.
        """
        for key, question in requests.items():
            self._note(key, question)
        for method, params in requests.values():
            if not self.supports(method, params):
                raise NotSupported(_needs(method, params))
        typed = {key: _request(method, params) for key, (method, params) in requests.items()}
        if self.is_modern:
            return self._replies(requests, state)
        for key, (method, _) in requests.items():
            if key not in self._earlier:
                self._earlier[key] = await self._send(method, typed[key])
        return {key: self._earlier[key] for key in requests}

    def _note(self, key: str, question: tuple[str, dict[str, Any]]) -> None:
        """Hold a tool to one question a key: its reply stands for the whole call."""
        if self._questions.setdefault(key, question) != question:
            raise ValueError(f"Two questions of one call have the key '{key}'.")
        self._times[key] += 1
        if self._times[key] > _MOST_TIMES:
            raise ValueError(f"The question '{key}' was asked over and over; another try needs another key.")

    async def _send(self, method: str, request: Any) -> dict[str, Any]:
        # without it the question goes to a stream that may not exist, and waits for ever
        about = ServerMessageMetadata(related_request_id=self._context.request_id)
        try:
            result = await self._context.session.send_request(request, _ASKABLE[method][1], metadata=about)
        except MCPError as error:
            raise Refused(f"The client did not answer: {error.message}") from None
        except ValidationError:
            raise Refused("The client's answer does not fit the question.") from None
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)

    def _replies(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None
    ) -> Mapping[str, Any]:
        fresh = (self._context.params or {}).get("inputResponses") or {}
        if state is not None and not self._is_verified:
            fresh = {}  # a reply to a question with a state counts only together with that state
        replies: dict[str, Any] = {}
        for key, (method, _) in requests.items():
            raw = fresh.get(key, self._earlier.get(key))
            if raw is not None and _fits(method, raw):
                replies[key] = self._earlier[key] = raw
        if len(replies) == len(requests):
            return replies
        missing = {key: question for key, question in requests.items() if key not in replies}
        raise AskLater(missing, state)

    def carried(self, state: str | None) -> str | None:
        """What the client brings back with its replies: a tool's state, and the replies so far."""
        if state is None and not self._earlier:
            return None
        return json.dumps({"state": state, "replies": self._earlier}, separators=(",", ":"))

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress; the SDK says nothing without a token, and takes 0 for one."""
        await self._context.session.report_progress(done, total, message)

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line at or above the level the client asked for."""
        floor = self._floor()
        if floor is None or _LEVELS.index(level) < _LEVELS.index(floor):
            return
        params = t.LoggingMessageNotificationParams.model_validate(
            {"level": level, "data": data, "logger": logger}
        )
        note = t.LoggingMessageNotification(params=params)
        await self._context.session.send_notification(note, related_request_id=self._context.request_id)

    def _floor(self) -> str | None:
        if not self.is_modern:
            return str(self._hub.scratch(self._context).get("level", "info"))
        floor = (self._context.params or {}).get("_meta", {}).get(t.LOG_LEVEL_META_KEY)
        return floor if floor in _LEVELS else None  # modern: silence unless this request asked

    async def close_stream(self) -> None:
        """End this stream; a legacy client comes back for the rest."""
        if self._context.close_sse_stream is not None:
            await self._context.close_sse_stream()


def _caller() -> Caller:
    token = get_access_token()
    if token is None:
        return Caller()
    issuer = (token.claims or {}).get("iss", "token")
    return Caller(f"{issuer}|{token.subject or token.client_id}", frozenset(token.scopes))


def _opened(sealed: str) -> tuple[dict[str, Any], str | None]:
    try:
        kept = json.loads(sealed)
        return dict(kept["replies"]), kept["state"]
    except (ValueError, TypeError, KeyError):
        raise MCPError(t.INVALID_PARAMS, "Invalid or expired requestState") from None


def _needs(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The capability one question needs, as the client would declare it."""
    if method == "elicitation/create":
        return {"elicitation": {"url": {}} if params.get("mode") == "url" else {}}
    if method == "sampling/createMessage":
        return {"sampling": {"tools": {}} if params.get("tools") or params.get("toolChoice") else {}}
    return {"roots": {}}


def _declares(capabilities: t.ClientCapabilities | None, needs: Mapping[str, Any]) -> bool:
    if capabilities is None:
        return False
    declared = capabilities.model_dump(by_alias=True, exclude_none=True)
    for name, parts in needs.items():
        if name not in declared or any(part not in declared[name] for part in parts):
            return False
        if name == "elicitation" and not parts and "url" in declared[name] and "form" not in declared[name]:
            return False  # only addresses can be shown; a bare {} means forms
    return True


def _request(method: str, params: Mapping[str, Any]) -> BaseModel:
    return _ASKABLE[method][0].model_validate({"method": method, "params": params}, by_name=False)


def _fits(method: str, raw: Any) -> bool:
    try:
        _ASKABLE[method][1].model_validate(raw, by_name=False)
    except ValidationError:
        return False
    return True
