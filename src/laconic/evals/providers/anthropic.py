"""Models behind the Messages API of Anthropic, or one like it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.evals.model import Asked, ModelFailed, Reply, ToolCard
from laconic.evals.providers.asking import ModelApi, wanted
from laconic.evals.suite import ModelSpec

__all__ = ["Anthropic"]

_VERSION: Final = "2023-06-01"
_LONGEST: Final = 4096  # tokens of a reply


class Anthropic:
    """Asks a model by the Messages API."""

    def __init__(self, spec: ModelSpec, root: str, key: str, timeout: float) -> None:
        self._spec = spec
        self._api = ModelApi(root, {"x-api-key": key, "anthropic-version": _VERSION}, timeout)

    async def reply(self, asked: Asked, tools: Sequence[ToolCard]) -> Reply:
        """Return the next reply."""
        body: dict[str, Any] = {
            "model": self._spec.name,
            "max_tokens": _LONGEST,
            "messages": _messages(asked),
            "tools": [
                {"name": one.name, "description": one.description, "input_schema": one.schema}
                for one in tools
            ],
        }
        if asked.system:
            body["system"] = asked.system
        if self._spec.temperature is not None:
            body["temperature"] = self._spec.temperature
        return _reply(await self._api.ask("/v1/messages", body))

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()


def _messages(asked: Asked) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": asked.question}]
    for reply, results in asked.turns:
        said = [{"type": "text", "text": reply.text}] if reply.text else []
        calls = [
            {"type": "tool_use", "id": one.id, "name": one.tool, "input": one.arguments}
            for one in reply.calls
        ]
        told = [
            {"type": "tool_result", "tool_use_id": one.id, "content": one.text, "is_error": one.failed}
            for one in results
        ]
        messages += [{"role": "assistant", "content": [*said, *calls]}, {"role": "user", "content": told}]
    return messages


def _reply(data: Mapping[str, Any]) -> Reply:
    if data.get("stop_reason") == "refusal":
        raise ModelFailed("refused", "The model refused to answer.")
    content, usage = data.get("content"), data.get("usage")
    if not isinstance(content, list) or not all(isinstance(block, Mapping) for block in content):
        raise ModelFailed("malformed", "The reply of the model has no content.")
    counts = usage if isinstance(usage, Mapping) else {}
    return Reply(
        "\n".join(str(block.get("text", "")) for block in content if block.get("type") == "text"),
        tuple(
            wanted(block.get("id"), block.get("name"), block.get("input"))
            for block in content
            if block.get("type") == "tool_use"
        ),
        int(counts.get("input_tokens") or 0),
        int(counts.get("output_tokens") or 0),
    )
