"""The peer of one request, on the lean wire."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from laconic.kit.errors import Refused
from laconic.kit.peer import Caller
from laconic.kit.wire.asking import Asking
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.requests import Request
from laconic.kit.wire.sealing import Seal

_LOCAL = Caller()  # the user who started the server


class LeanPeer(Asking):
    """What one request may ask and tell its client."""

    def __init__(
        self, conversation: Conversation, request: Request, seal: Seal, room: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(request.method, request.params, _LOCAL, seal, is_modern=request.is_modern)
        self._conversation = conversation
        self._request = request
        self._room = room

    @property
    def client(self) -> str:
        """The name that the client gave to itself, in this request or at its start."""
        return super().client or self._conversation.client

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """The capabilities that the client declared."""
        return self._request.capabilities

    @property
    def _level(self) -> str:
        return self._conversation.level

    async def _send(self, method: str, params: dict[str, Any]) -> Any:
        asked = self._conversation.asked
        id = next(self._conversation.question_ids)
        asked[id] = asyncio.get_running_loop().create_future()
        try:
            await self._say({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
            reply = await asked[id]
        except asyncio.CancelledError:  # the call was cancelled: the client need not ask anyone
            self._conversation.send(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
            )
            raise
        finally:
            del asked[id]
        if "error" in reply:
            words = reply["error"].get("message") if isinstance(reply["error"], dict) else ""
            raise Refused(f"The client did not answer: {words}")
        return reply["result"]

    async def _tell(self, method: str, params: dict[str, Any]) -> None:
        await self._say({"jsonrpc": "2.0", "method": method, "params": params})

    async def _say(self, message: Mapping[str, Any]) -> None:
        await self._room()  # a tool that sends a lot waits for a slow client
        self._conversation.send(message)
