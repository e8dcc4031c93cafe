"""A tool declared with `confirm=` needs a yes: an argument, or a person's if the client can ask one."""

from __future__ import annotations

from typing import Any

from laconic.kit.errors import NeedsConfirm, Refused
from laconic.kit.pipeline import Answer, Call, Inner, Step

_KEY = "laconic.confirm"  # not `confirm`, which a tool may use for a question of its own
_FORM = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Yes, do it"}},
    "required": ["confirm"],
}


def confirm() -> Step:
    """Run a call after `confirm: true` or a person's yes."""

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
    """Ask the person."""
    params = {"mode": "form", "message": question, "requestedSchema": _FORM}
    with call.waiting():
        replies = await call.peer.ask({_KEY: ("elicitation/create", params)})
    reply = replies.get(_KEY) or {}
    if reply.get("action") != "accept" or not (reply.get("content") or {}).get("confirm"):
        raise Refused(
            "The user said no; nothing was changed.", advice="Do not try again unless the user asks for it."
        )


class _Named(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "it"
