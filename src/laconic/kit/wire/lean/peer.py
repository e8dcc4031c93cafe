"""The client behind one request, on the lean wire."""

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

_LOCAL = Caller()  # whoever started us


class LeanPeer(Asking):
    """What one request lets the server say and ask."""

    def __init__(
        self, conversation: Conversation, request: Request, seal: Seal, room: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(request.method, request.params, _LOCAL, seal, is_modern=request.is_modern)
        self._conversation = conversation
        self._request = request
        self._room = room

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """What the client declared that it can do."""
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
        except asyncio.CancelledError:  # whoever asked is gone: the client need not trouble anyone
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
        await self._room()  # a tool that says much waits for a client that is behind
        self._conversation.send(message)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the work is, where the client gave a token to say it with."""
        token = (self._params.get("_meta") or {}).get("progressToken")
        if token is None:
            return
        given = {"progressToken": token, "progress": done, "total": total, "message": message}
        await self._tell(
            "notifications/progress", {name: value for name, value in given.items() if value is not None}
        )
