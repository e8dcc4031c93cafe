"""Rendering: answers in the protocol's form, as plain data."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from laconic.kit.answers.content import Audio, Block, Image, Link, Message, Resource, Text, Verbatim
from laconic.kit.answers.packing import unpacked
from laconic.kit.compact import compact
from laconic.kit.pipeline import Answer
from laconic.text.halves import without_halves

_TABLE = ("columns", "default", "year", "rows")
_FORMER = {"total": "totalCount", "next": "nextCursor"}


def tool_result(answer: Answer) -> dict[str, Any]:
    """Return an answer as the result of a tool, ready to be sent."""
    blocks, structured = answer.blocks, answer.structured
    if structured is not None and not any(isinstance(block, Text) for block in blocks):
        blocks = [Text(compact(structured)), *blocks]  # some hosts show only the text
    result: dict[str, Any] = {
        "content": [_sendable_content(block) for block in blocks],
        "isError": answer.failure is not None,
        "resultType": "complete",
    }
    if structured is not None:
        result["structuredContent"] = sendable(structured)
    if answer.meta:
        result["_meta"] = sendable(answer.meta)
    return result


def _sendable_content(block: Block) -> dict[str, Any]:
    if type(block) is Text:  # of most answers, all there is to look at
        return {"type": "text", "text": without_halves(block.text)}
    return sendable(content(block))


def metadata(answer: Answer, rows: str) -> dict[str, Any]:
    """Return data as earlier servers did: rows as objects under a name, and their keys for paging."""
    structured = answer.structured or {}
    if answer.facts is None or answer.facts.page is None:
        return structured
    shown = {_FORMER.get(key, key): value for key, value in structured.items() if key not in _TABLE}
    if "rows" not in structured:  # other envelopes have keys of their own
        return shown
    return {rows: unpacked(structured), **shown}


def content(block: Block) -> dict[str, Any]:
    """Return one block."""
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    if isinstance(block, Image | Audio):
        kind = "image" if isinstance(block, Image) else "audio"
        return {"type": kind, "data": _base64(block.data), "mimeType": block.mime}
    if isinstance(block, Link):
        link = {"type": "resource_link", "uri": block.uri, "name": block.name}
        more = {"mimeType": block.mime, "description": block.description}
        return link | {name: value for name, value in more.items() if value is not None}
    return {"type": "resource", "resource": contents(block)}


def contents(resource: Resource) -> dict[str, Any]:
    """Return the contents of a resource."""
    about = {"uri": resource.uri, "mimeType": resource.mime}
    if isinstance(resource.content, bytes):
        return about | {"blob": _base64(resource.content)}
    return about | {"text": resource.content}


def resource_result(answer: Answer, uri: str, mime: str) -> dict[str, Any]:
    """Return an answer as the contents of the resource that was read."""
    value = answer.value
    parts = value if isinstance(value, list) else [value]
    found = [
        part if isinstance(part, Resource) else Resource(uri, _body(part, answer), mime) for part in parts
    ]
    remarks = [part.remark for part in parts if isinstance(part, Verbatim) and part.remark]
    found += [Resource(uri, "\n".join(remarks))] if remarks else []
    return {
        "contents": [contents(part) for part in found],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }


def _body(part: Any, answer: Answer) -> str | bytes:
    if isinstance(part, Verbatim):
        return part.text
    return part if isinstance(part, str | bytes) else answer.text


def prompt_result(answer: Answer, description: str) -> dict[str, Any]:
    """Return an answer as the messages of a prompt."""
    value = answer.value
    given: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    messages = [one if isinstance(one, Message) else Message(_as_block(one)) for one in given]
    result: dict[str, Any] = {
        "messages": [{"role": message.role, "content": content(message.content)} for message in messages],
        "resultType": "complete",
    }
    return {"description": description, **result} if description else result


def _as_block(value: Any) -> Block:
    if isinstance(value, Verbatim):
        return value.block
    return value if isinstance(value, Block) else Text(str(value))


def sendable(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return data without half surrogate pairs, which no transport can send."""
    return {without_halves(name): _sendable(value) for name, value in data.items()}


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return without_halves(value)
    if isinstance(value, Mapping):
        return {_sendable(name): _sendable(inner) for name, inner in value.items()}
    return [_sendable(inner) for inner in value] if isinstance(value, list | tuple) else value


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
