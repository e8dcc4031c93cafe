"""A tool declared so needs a yes: the argument, or the person, where the client can ask one."""

from __future__ import annotations

import asyncio
from typing import Any

from laconic.kit.errors import NeedsConfirm, Refused
from laconic.kit.pipeline import Answer, Call, Inner, Step, ends

_FORM = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Yes, do it"}},
    "required": ["confirm"],
}


def confirm() -> Step:
    """Let a call through after `confirm: true` or a person's yes."""

    async def step(call: Call, inner: Inner) -> Answer:
        spec = call.spec
        if spec.confirm and call.checked and not call.checked.confirm:
            question = spec.confirm.format_map(_Named(call.checked.wire))
            if not call.peer.supports("elicitation/create", {}):
                raise NeedsConfirm(
                    f"{question} This needs a yes.", field="confirm", advice="Pass confirm: true to do it."
                )
            await _ask(call, question)
        return await inner(call)

    return step


async def _ask(call: Call, question: str) -> None:
    """Ask the person; the deadline waits meanwhile."""
    params = {"mode": "form", "message": question, "requestedSchema": _FORM}
    waiting = _Paused(call)
    try:
        replies = await call.peer.ask({"confirm": ("elicitation/create", params)})
    finally:
        waiting.resume()
    reply = replies.get("confirm") or {}
    if reply.get("action") != "accept" or not (reply.get("content") or {}).get("confirm"):
        raise Refused(
            "The user said no; nothing was changed.", advice="Do not try again unless the user asks for it."
        )


class _Paused:
    def __init__(self, call: Call) -> None:
        self._timer = call.timer
        self._left: float | None = None
        when = self._timer.when() if self._timer else None
        if self._timer and when is not None:
            self._left = when - asyncio.get_running_loop().time()
            self._timer.reschedule(None)

    def resume(self) -> None:
        if self._timer and self._left is not None:
            end = asyncio.get_running_loop().time() + self._left
            self._timer.reschedule(end)
            ends.set(end)


class _Named(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "it"
