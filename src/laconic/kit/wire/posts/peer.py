"""The peer of one request over HTTP: notices go ahead of the answer, questions are the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.kit.peer import Caller
from laconic.kit.wire.asking import Asking
from laconic.kit.wire.posts.bodies import Post
from laconic.kit.wire.posts.replies import PostReply
from laconic.kit.wire.sealing import Seal


class PostPeer(Asking):
    """What one request may ask and tell its client."""

    def __init__(self, post: Post, caller: Caller, seal: Seal, reply: PostReply) -> None:
        super().__init__(post.method, post.params, caller, seal, is_modern=True)
        self._capabilities = post.capabilities
        self._reply = reply

    @property
    def capabilities(self) -> Mapping[str, Any] | None:
        """The capabilities that the client declared."""
        return self._capabilities

    async def _tell(self, method: str, params: dict[str, Any]) -> None:
        await self._reply.event({"jsonrpc": "2.0", "method": method, "params": params})
