"""Change notices over HTTP: each subscription is a stream that stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from laconic.kit.peer import Changes
from laconic.kit.wire.lean.notices import MOST, acknowledgement, change_notice, honoured_in, is_wanted
from laconic.kit.wire.posts.bodies import Post
from laconic.kit.wire.posts.replies import PostReply
from laconic.kit.wire.protocol import INTERNAL_ERROR, SUBSCRIPTION_KEY, ProtocolError

__all__ = ["Subscriptions"]


class _Subscription:
    """One subscription, and the notices that it has not sent yet."""

    def __init__(self, post: Post) -> None:
        self.id = post.id
        self.honoured = honoured_in(post.params["notifications"])
        self.is_over = False
        self.owed: dict[str, Any] = {}  # one of each kind: a notice has no count
        self.woken = asyncio.Event()

    async def run(self, reply: PostReply) -> None:
        """Send notices until the server ends the subscription."""
        await reply.event(acknowledgement(self.honoured, self.id))
        while True:
            await self.woken.wait()
            self.woken.clear()
            owed, self.owed = self.owed, {}
            for notice in owed.values():
                await reply.event(notice)
            if self.is_over:
                return


class Subscriptions:
    """The open subscriptions of all clients."""

    def __init__(self, changes: Changes) -> None:
        self._open: set[_Subscription] = set()
        changes.listeners.append(self._changed)

    async def serve(self, post: Post, reply: PostReply) -> Mapping[str, Any]:
        """Keep a subscription open, and return its result when the server ends it.

        Raises:
            ProtocolError: too many are open.
        """
        if len(self._open) >= MOST:
            raise ProtocolError(INTERNAL_ERROR, "Subscription limit reached")
        subscription = _Subscription(post)
        self._open.add(subscription)
        try:
            await subscription.run(reply)
        finally:
            self._open.discard(subscription)
        return {"_meta": {SUBSCRIPTION_KEY: post.id}}

    def end(self) -> None:
        """End all subscriptions, each with its result."""
        for subscription in self._open:
            subscription.is_over = True
            subscription.woken.set()

    async def _changed(self, kind: str, uri: str | None) -> None:
        for one in self._open:
            if is_wanted(one.honoured, kind, uri):
                one.owed[uri or kind] = change_notice(kind, uri, one.id)
                one.woken.set()
