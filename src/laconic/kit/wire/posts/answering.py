"""Answering modern requests by the methods that all wires share."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS

from laconic.kit.endpoint import Endpoint
from laconic.kit.peer import Caller
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.methods import Methods
from laconic.kit.wire.posts.bodies import Post
from laconic.kit.wire.posts.peer import PostPeer
from laconic.kit.wire.posts.replies import PostReply
from laconic.kit.wire.posts.subscriptions import Subscriptions
from laconic.kit.wire.protocol import ProtocolError
from laconic.kit.wire.sealing import Seal

__all__ = ["Answering"]


class Answering:
    """Answers the modern requests of all clients of an endpoint."""

    def __init__(self, endpoint: Endpoint, *, has_tokens: bool) -> None:
        self._about = ServerCard.of(endpoint, has_tokens=has_tokens)
        self._methods = Methods(endpoint, self._about)
        self._seal = Seal(endpoint.keys, endpoint.name)
        self.subscriptions = Subscriptions(endpoint.changes)

    async def answer(self, post: Post, caller: Caller, reply: PostReply) -> None:
        """Answer one request; if its client disconnects, its work ends."""
        reply.watch()
        try:
            try:
                result = await self._result(post, caller, reply)
            except ProtocolError as error:
                status = ERROR_CODE_HTTP_STATUS.get(error.code, 200)
                await reply.finish({"jsonrpc": "2.0", "id": post.id, "error": error.wire()}, status)
            else:
                done = self._about.completed(post.method, result)
                await reply.finish({"jsonrpc": "2.0", "id": post.id, "result": done})
        except asyncio.CancelledError:
            if not reply.is_abandoned:
                raise
        finally:
            reply.end()

    async def _result(self, post: Post, caller: Caller, reply: PostReply) -> Mapping[str, Any]:
        method, params = post.method, post.params
        self._about.check(method, params, is_modern=True)
        if method == "subscriptions/listen":
            return await self.subscriptions.serve(post, reply)
        told = self._about.told(method, params, may_write=caller.may_write)
        if told is not None:
            return told
        return await self._methods.run(method, params, lambda: PostPeer(post, caller, self._seal, reply))
