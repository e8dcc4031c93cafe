"""Answers as the protocol spells them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import mcp_types as t

from laconic.kit.content import Audio, Block, Image, Link, Message, Resource, Text
from laconic.kit.pipeline import Answer


def tool_result(answer: Answer) -> dict[str, Any]:
    """Spell an answer as the result of a tool, in plain data: the SDK checks it for the revision spoken."""
    blocks = list(answer.blocks)
    if not blocks and answer.structured is not None:  # some hosts show only the text
        blocks = [Text(json.dumps(answer.structured, ensure_ascii=False, separators=(",", ":")))]
    result: dict[str, Any] = {
        "content": [_spelled(block) for block in blocks],
        "isError": answer.failure is not None,
        "resultType": "complete",
    }
    if answer.structured is not None:
        result["structuredContent"] = answer.structured
    if answer.meta:
        result["_meta"] = answer.meta
    return result


def _spelled(block: Block) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    spelled: dict[str, Any] = content(block).model_dump(by_alias=True, mode="json", exclude_none=True)
    return spelled


def content(block: Block) -> Any:
    """Spell one block."""
    if isinstance(block, Text):
        return t.TextContent(type="text", text=block.text)
    if isinstance(block, Image):
        return t.ImageContent(type="image", data=_base64(block.data), mime_type=block.mime)
    if isinstance(block, Audio):
        return t.AudioContent(type="audio", data=_base64(block.data), mime_type=block.mime)
    if isinstance(block, Link):
        return t.ResourceLink(
            type="resource_link",
            uri=block.uri,
            name=block.name,
            mime_type=block.mime,
            description=block.description,
        )
    return t.EmbeddedResource(type="resource", resource=contents(block))


def contents(resource: Resource) -> t.TextResourceContents | t.BlobResourceContents:
    """Spell the contents of a resource."""
    if isinstance(resource.content, bytes):
        blob = _base64(resource.content)
        return t.BlobResourceContents(uri=resource.uri, mime_type=resource.mime, blob=blob)
    return t.TextResourceContents(uri=resource.uri, mime_type=resource.mime, text=resource.content)


def resource_result(answer: Answer, uri: str, mime: str) -> t.ReadResourceResult:
    """Spell an answer as the contents of the resource that was read."""
    value = answer.value
    parts = value if isinstance(value, list) else [value]
    found = [
        part if isinstance(part, Resource) else Resource(uri, _body(part, answer), mime) for part in parts
    ]
    return t.ReadResourceResult(contents=[contents(part) for part in found])


def _body(part: Any, answer: Answer) -> str | bytes:
    return part if isinstance(part, str | bytes) else answer.text


def prompt_result(answer: Answer, description: str) -> t.GetPromptResult:
    """Spell an answer as the messages of a prompt."""
    value = answer.value
    given: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    messages = [one if isinstance(one, Message) else Message(_as_block(one)) for one in given]
    return t.GetPromptResult(
        description=description or None,
        messages=[
            t.PromptMessage.model_validate({"role": message.role, "content": content(message.content)})
            for message in messages
        ],
    )


def _as_block(value: Any) -> Block:
    return value if isinstance(value, Text | Image | Audio | Resource | Link) else Text(str(value))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
