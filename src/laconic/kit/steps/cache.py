"""Reads that were declared so are answered from memory for a while, per caller; a write ends it."""

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
    """Keep the answers of tools declared with `cache=`, until time or a write of their toolset ends them.

    `toolsets` are those that have such tools: a write of another has nothing to end.
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
    finally:  # also when it failed: it may have done part of its work
        for tool in call.spec.clears or ("",):
            await state.put(_generation(call.spec.toolset, tool), secrets.token_bytes(8), _GENERATION_KEPT)


async def _name(state: KeyValue, call: Call) -> str:
    """Caller, tool, arguments, and how often the toolset was written to: any of them makes another answer."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(call.scope.encode() + canonical(call.arguments) + call.output.encode())
    for tool in ("", call.spec.name):
        digest.update(b"\0" + (await state.get(_generation(call.spec.toolset, tool)) or b""))
    return f"cache:{digest.hexdigest()}"


def _generation(toolset: str, tool: str) -> str:
    return f"written:{toolset}:{tool}"
