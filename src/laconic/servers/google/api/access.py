"""Access: the four APIs as one account."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from laconic.effects import note_change
from laconic.servers.google.accounts.known import KnownAccount
from laconic.servers.google.api.changed import ids_changed
from laconic.servers.google.api.explaining import explained
from laconic.servers.google.api.naming import named
from laconic.servers.google.api.requests import request_of
from laconic.servers.google.catalogue.addresses import FILES
from laconic.servers.google.catalogue.operations import Operation, operation
from laconic.servers.google.kept import Kept
from laconic.upstream import ApiReply, ApiRequest, ApiSession, UpstreamError


@dataclass(frozen=True)
class Access:
    """An account, and the session of each API."""

    account: KnownAccount
    sessions: Mapping[str, ApiSession] = field(repr=False)
    kept: Kept = field(repr=False)  # texts of files that it has read
    profile: str = ""  # the tools that its callers have
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, repr=False)

    @property
    def alias(self) -> str:
        """What the account is called here."""
        return self.account.alias

    @property
    def pins(self) -> Mapping[str, str]:
        """What cursors, keys and cached answers are bound to."""
        return {"account": self.alias}

    def turn(self, file: str) -> asyncio.Lock:
        """Return what calls that change a file wait for, so that they do not hinder each other."""
        return self._turns.setdefault(file, asyncio.Lock())

    def advice(self, words: str) -> str:
        """Return advice in the names of the tools that are served."""
        return named(words, self.profile)

    async def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Carry out an operation of the catalogue, and return its answer."""
        return await self.run(name, arguments)

    async def run(self, name: str, arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """Carry out an operation of the catalogue; `more` is what an ApiRequest takes besides.

        Raises:
            Failure: Google refused it, or cannot be reached.
        """
        found = operation(name)
        reply = await self.send(found, request_of(found, arguments, **more), arguments)
        return reply.data if isinstance(reply.data, dict) else {}

    async def send(self, one: Operation, request: ApiRequest, arguments: Mapping[str, Any]) -> ApiReply:
        """Send a request of an operation.

        Raises:
            Failure: Google refused it, or cannot be reached.
        """
        is_write = one.entry.effect != "read"
        try:
            reply = await self.sessions[one.entry.api].send(request)
        except UpstreamError as error:
            failure = explained(error, self.account, one, arguments)
            failure.advice = self.advice(failure.advice)
            raise failure from error
        finally:
            if is_write:  # also if it is not known whether it was done
                await self._forget(arguments)
        if is_write:
            for id in ids_changed(one.entry.name, arguments, reply.data):
                note_change(id)
        return reply

    async def _forget(self, arguments: Mapping[str, Any]) -> None:
        """Drop what is kept of the files that an operation changes."""
        for name in FILES:
            if name in arguments:
                await self.kept.touch(str(arguments[name]))
