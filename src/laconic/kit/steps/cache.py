"""Reads declared with `cache=` are answered from the cache for a while, per caller, until the next write."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from laconic.kit.cursors import canonical
from laconic.kit.effects import changed_by, recorded
from laconic.kit.keeping.frozen import frozen, packed, thawed, unpacked
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.stores.errors import StoreError
from laconic.stores.keyvalue import KeyValue

_GENERATION_KEPT: Final = 7 * 24 * 3600.0
_WRITING_KEPT: Final = (
    3600.0  # and the longest time that an answer is kept: after a crash no old one is shown
)
_WRITING: Final = b"writing"
_MOMENT: Final = 0.1  # seconds that a read waits for a store which failed before
_NOT_CLEARED: Final = "Cached reads may show the state before this call for a while."


def cache(state: KeyValue, toolsets: Mapping[str, float]) -> Step:
    """Keep the answers of tools declared with `cache=` until they expire or their toolset writes.

    `toolsets` are those that have such tools, each with the longest time that an answer is kept.
    """
    kept = _Cache(state, toolsets)

    async def step(call: Call, inner: Inner) -> Answer:
        spec = call.spec
        if spec.writes and spec.toolset in toolsets:
            return await kept.write(call, inner)
        if spec.writes or not spec.cache:
            return await inner(call)
        return await kept.read(call, inner, spec.cache)

    return step


class _Cache:
    """Answers in the state store. The name of each contains generations: tokens that a write renews.

    While a write runs, its generations say so, and nobody uses the cache: so a write that is killed leaves
    no old answers behind. Generations that could not be renewed are remembered by this process.
    """

    def __init__(self, state: KeyValue, toolsets: Mapping[str, float]) -> None:
        self._state = state
        self._longest = toolsets
        self._unwritten: set[str] = set()

    async def read(self, call: Call, inner: Inner, seconds: float) -> Answer:
        """Answer a read; a store that fails only makes it slower."""
        name, raw = None, None
        with suppress(StoreError):
            name = await self._name(call)
            raw = await self._state.get(name) if name else None
        if raw is not None:
            return thawed(unpacked(raw))
        answer = await inner(call)
        with suppress(StoreError):
            if name and answer.failure is None and await self._name(call) == name:  # no write came in between
                await self._state.put(name, packed(frozen(answer)), seconds)
        return answer

    async def write(self, call: Call, inner: Inner) -> Answer:
        """Run a write, and end what it made out of date."""
        toolset = call.spec.toolset
        names = [_generation(toolset, tool) for tool in call.spec.clears or ("",)]
        kept = _WRITING_KEPT + self._longest[toolset]
        with suppress(StoreError):
            for name in names:
                await self._state.put(name, _WRITING + secrets.token_bytes(8), kept)
        try:
            answer = await inner(call)
        except BaseException as error:  # a write that failed may have done part of its work
            note = "" if changed_by(call, error) is False else _NOT_CLEARED
            await recorded(call, self._renew(names, toolset), note)
            raise
        await recorded(call, self._renew(names, toolset), _NOT_CLEARED)
        return answer

    async def _renew(self, names: Sequence[str], toolset: str) -> None:
        try:
            for name in names:
                await self._state.put(name, secrets.token_bytes(8), _GENERATION_KEPT + self._longest[toolset])
        except BaseException:
            self._unwritten.update(names)
            raise
        self._unwritten.difference_update(names)

    async def _name(self, call: Call) -> str | None:
        """Return the key of an answer: caller, tool, arguments, and the last writes; None while one runs."""
        toolset = call.spec.toolset
        names = [_generation(toolset, tool) for tool in ("", call.spec.name)]
        unwritten = [name for name in names if name in self._unwritten]
        if unwritten:
            with suppress(TimeoutError):
                async with asyncio.timeout(_MOMENT):
                    await self._renew(unwritten, toolset)
            if not self._unwritten.isdisjoint(names):
                return None
        digest = hashlib.blake2b(digest_size=16)
        digest.update(call.scope.encode() + canonical(call.arguments) + call.output.encode())
        for name in names:
            generation = await self._state.get(name) or b""
            if generation.startswith(_WRITING):
                return None
            digest.update(b"\0" + generation)
        return f"cache:{digest.hexdigest()}"


def _generation(toolset: str, tool: str) -> str:
    return f"written:{toolset}:{tool}"
