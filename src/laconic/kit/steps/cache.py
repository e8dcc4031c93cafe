"""Reads declared with `cache=` are answered from the cache for a while, per caller, until the next write."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from laconic.kit.cursors import canonical
from laconic.kit.effects import changed_by, recorded
from laconic.kit.keeping.frozen import frozen, packed, thawed, unpacked
from laconic.kit.keeping.generations import Generation
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for
from laconic.stores.errors import StoreDown, StoreError
from laconic.stores.keyvalue import KeyValue

_GENERATION_KEPT: Final = 7 * 24 * 3600.0
_ATTEMPTS: Final = 50  # to change a generation that other writes change at the same time
_MOMENT: Final = 0.1  # seconds that a read waits for a store which failed before
_NOT_CLEARED: Final = "Cached reads may show the state before this call for a while."


def cache(state: KeyValue, answers: KeyValue, toolsets: Mapping[str, float]) -> Step:
    """Keep the answers of tools declared with `cache=` until they expire or their toolset writes.

    `answers` is the store for long values. `toolsets` are those that have such tools, each with the longest
    time that an answer is kept.
    """
    kept = _Cache(state, answers, toolsets)

    @only_for(lambda spec: spec.service in toolsets and (spec.writes or bool(spec.cache)))
    async def step(call: Call, inner: Inner) -> Answer:
        if call.spec.writes:
            return await kept.write(call, inner)
        return await kept.read(call, inner, call.spec.cache or 0.0)

    return step


class _Cache:
    """Answers in the state store. The name of each contains generations: tokens that a write renews.

    While writes run, their generations name them, and nobody uses the cache: so a write that is killed leaves
    no old answers behind. Generations that could not be renewed are remembered by this process.
    """

    def __init__(self, state: KeyValue, answers: KeyValue, toolsets: Mapping[str, float]) -> None:
        self._state = state
        self._answers = answers
        self._longest = toolsets
        self._unwritten: set[str] = set()

    async def read(self, call: Call, inner: Inner, seconds: float) -> Answer:
        """Answer a read; a store that fails only makes it slower."""
        name, raw = None, None
        with suppress(StoreError):
            name = await self._name(call)
            raw = await self._answers.get(name) if name else None
        if raw is not None:
            return thawed(unpacked(raw))
        answer = await inner(call)
        with suppress(StoreError):
            if name and answer.failure is None and await self._name(call) == name:  # no write came in between
                await self._answers.put(name, packed(frozen(answer)), seconds)
        return answer

    async def write(self, call: Call, inner: Inner) -> Answer:
        """Run a write, and end what it made out of date."""
        toolset, write = call.spec.service, secrets.token_hex(4)
        names = [_generation(toolset, tool) for tool in call.spec.clears or ("",)]
        with suppress(StoreError):
            for name in names:
                await self._change(name, toolset, lambda old: old.started(write, time.time()))
        try:
            answer = await inner(call)
        except BaseException as error:  # a write that failed may have done part of its work
            note = "" if changed_by(call, error) is False else _NOT_CLEARED
            await recorded(call, self._renew(names, toolset, write), note)
            raise
        await recorded(call, self._renew(names, toolset, write), _NOT_CLEARED)
        return answer

    async def _renew(self, names: Sequence[str], toolset: str, write: str = "") -> None:
        try:
            for name in names:
                await self._change(name, toolset, lambda old: old.ended(write, time.time()))
        except BaseException:
            self._unwritten.update(names)
            raise
        self._unwritten.difference_update(names)

    async def _change(self, name: str, toolset: str, change: Callable[[Generation], Generation]) -> None:
        """Change a generation, however many other writes do so at the same time."""
        kept = _GENERATION_KEPT + self._longest[toolset]
        for _ in range(_ATTEMPTS):
            old = await self._state.get(name)
            new = change(Generation.read(old)).bytes()
            if old is None:
                is_done = await self._state.put_new(name, new, kept)
            else:
                is_done = await self._state.replace(name, old, new, kept)
            if is_done:
                return
        raise StoreDown("Too many writes at once.")

    async def _name(self, call: Call) -> str | None:
        """Return the key of an answer: caller, tool, arguments, and the last writes; None while one runs."""
        toolset = call.spec.service
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
            generation = Generation.read(await self._state.get(name))
            if generation.is_written(time.time()):
                return None
            digest.update(b"\0" + generation.token.encode())
        return f"cache:{digest.hexdigest()}"


def _generation(toolset: str, tool: str) -> str:
    return f"written:{toolset}:{tool}"
