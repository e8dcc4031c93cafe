"""Answers as bytes: how a step keeps one for later."""

from __future__ import annotations

import base64
import json
from dataclasses import fields
from typing import Any

from laconic.kit.answers.content import Audio, Block, Image, Link, Resource, Text
from laconic.kit.keeping.shrink import compact
from laconic.kit.pipeline import Answer

__all__ = ["frozen", "thawed"]

_KINDS: dict[str, type] = {kind.__name__: kind for kind in (Text, Image, Audio, Resource, Link)}


def frozen(answer: Answer) -> dict[str, Any]:
    """Turn an answer into JSON."""
    return {
        "blocks": [_block(block) for block in answer.blocks],
        "structured": answer.structured,
        "meta": answer.meta,
    }


def thawed(kept: dict[str, Any]) -> Answer:
    """Turn it back."""
    return Answer([_unblock(one) for one in kept["blocks"]], kept["structured"], meta=kept["meta"])


def _block(block: Block) -> dict[str, Any]:
    values = {field.name: getattr(block, field.name) for field in fields(block)}
    return {"kind": type(block).__name__} | {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unblock(kept: dict[str, Any]) -> Block:
    values = {name: _whole(value) for name, value in kept.items() if name != "kind"}
    block: Block = _KINDS[kept["kind"]](**values)
    return block


def _whole(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def packed(value: dict[str, Any]) -> bytes:
    """Write JSON in few bytes."""
    return compact(value).encode("utf-8", "surrogatepass")


def unpacked(raw: bytes) -> dict[str, Any]:
    """Read it again."""
    value: dict[str, Any] = json.loads(raw.decode("utf-8", "surrogatepass"))
    return value
