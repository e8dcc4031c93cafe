"""Reads declared with `cache=` are answered from the cache for a while, per caller, until the next write."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection

from laconic.kit.cursors import canonical
from laconic.kit.keeping.frozen import frozen, packed, thawed, unpacked
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.stores.keyvalue import KeyValue

_GENERATION_KEPT = 7 * 24 * 3600.0


def cache(state: KeyValue, toolsets: Collection[str]) -> Step:
    """Keep the answers of tools declared with `cache=` until they expire or their toolset writes.

    `toolsets` are those that have such tools.
    """

    async def step(call: Call, inner: Inner) -> Answer:
        spec = call.spec
        if spec.writes and spec.toolset in toolsets:
            return await _write(state, call, inner)
        if spec.writes or not spec.cache:
            return await inner(call)
        name = await _name(state, call)
        raw = await state.get(name)
        if raw is not None:
            return thawed(unpacked(raw))
        answer = await inner(call)
        if answer.failure is None and await _name(state, call) == name:  # no write came in between
            await state.put(name, packed(frozen(answer)), spec.cache)
        return answer

    return step


async def _write(state: KeyValue, call: Call, inner: Inner) -> Answer:
    try:
        return await inner(call)
    finally:  # a write that failed may have done part of its work
        for tool in call.spec.clears or ("",):
            await state.put(_generation(call.spec.toolset, tool), secrets.token_bytes(8), _GENERATION_KEPT)


async def _name(state: KeyValue, call: Call) -> str:
    """Return the key of an answer: caller, tool, arguments, and the last write of the toolset."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(call.scope.encode() + canonical(call.arguments) + call.output.encode())
    for tool in ("", call.spec.name):
        digest.update(b"\0" + (await state.get(_generation(call.spec.toolset, tool)) or b""))
    return f"cache:{digest.hexdigest()}"


def _generation(toolset: str, tool: str) -> str:
    return f"written:{toolset}:{tool}"
