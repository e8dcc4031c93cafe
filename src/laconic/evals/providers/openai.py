"""Models behind the chat completions of OpenAI, or of the many servers that speak the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from laconic.evals.model import Asked, ModelFailed, Reply, ToolCard
from laconic.evals.providers.asking import ModelApi, wanted
from laconic.evals.suite import ModelSpec

__all__ = ["OpenAI"]


class OpenAI:
    """Asks a model by chat completions."""

    def __init__(self, spec: ModelSpec, root: str, key: str, timeout: float) -> None:
        self._spec = spec
        headers = {"authorization": f"Bearer {key}"} if key else {}  # a server of one's own needs none
        self._api = ModelApi(root, headers, timeout)

    async def reply(self, asked: Asked, tools: Sequence[ToolCard]) -> Reply:
        """Return the next reply."""
        body: dict[str, Any] = {
            "model": self._spec.name,
            "messages": _messages(asked),
            "tools": [
                {
                    "type": "function",
                    "function": {"name": one.name, "description": one.description, "parameters": one.schema},
                }
                for one in tools
            ],
        }
        if self._spec.temperature is not None:
            body["temperature"] = self._spec.temperature
        return _reply(await self._api.ask("/chat/completions", body))

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()


def _messages(asked: Asked) -> list[dict[str, Any]]:
    system = [{"role": "system", "content": asked.system}] if asked.system else []
    messages: list[dict[str, Any]] = [*system, {"role": "user", "content": asked.question}]
    for reply, results in asked.turns:
        calls = [
            {
                "id": one.id,
                "type": "function",
                "function": {"name": one.tool, "arguments": json.dumps(one.arguments, ensure_ascii=False)},
            }
            for one in reply.calls
        ]
        messages.append({"role": "assistant", "content": reply.text or None, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": one.id, "content": one.text} for one in results]
    return messages


def _reply(data: Mapping[str, Any]) -> Reply:
    choices, usage = data.get("choices"), data.get("usage")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    if not isinstance(message, Mapping):
        raise ModelFailed("malformed", "The reply of the model has no message.")
    if message.get("refusal"):
        raise ModelFailed("refused", "The model refused to answer.")
    counts = usage if isinstance(usage, Mapping) else {}
    return Reply(
        str(message.get("content") or ""),
        tuple(_call(one) for one in message.get("tool_calls") or ()),
        int(counts.get("prompt_tokens") or 0),
        int(counts.get("completion_tokens") or 0),
    )


def _call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        raise ModelFailed("malformed", "The reply of the model has a call without a function.")
    return wanted(call.get("id"), function.get("name"), function.get("arguments"))
