"""Frozen answers: an answer as JSON and as bytes, for a step that stores it."""

from __future__ import annotations

import base64
import json
from dataclasses import fields
from typing import Any, get_args

from laconic.kit.answers.content import Block
from laconic.kit.answers.facts import Facts
from laconic.kit.compact import compact
from laconic.kit.pipeline import Answer

__all__ = ["frozen", "thawed"]

_KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Block)}


def frozen(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON."""
    return {
        "blocks": [_frozen_block(block) for block in answer.blocks],
        "structured": answer.structured,
        "meta": answer.meta,
        "tail": answer.tail,
        "cursor": answer.cursor,
        "facts": answer.facts.as_json() if answer.facts else None,
    }


def thawed(stored: dict[str, Any]) -> Answer:
    """Return the answer that `frozen` turned into JSON."""
    facts = stored.get("facts")  # 0.1.0 stored only the first three
    return Answer(
        [_thawed_block(one) for one in stored["blocks"]],
        stored["structured"],
        meta=stored["meta"],
        tail=stored.get("tail", ""),
        cursor=stored.get("cursor"),
        facts=Facts.from_json(facts) if facts else None,
    )


def _frozen_block(block: Block) -> dict[str, Any]:
    values = {field.name: getattr(block, field.name) for field in fields(block)}
    return {"kind": type(block).__name__} | {name: _frozen_value(value) for name, value in values.items()}


def _frozen_value(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _thawed_block(stored: dict[str, Any]) -> Block:
    values = {name: _thawed_value(value) for name, value in stored.items() if name != "kind"}
    block: Block = _KINDS[stored["kind"]](**values)
    return block


def _thawed_value(value: Any) -> Any:
    if isinstance(value, list):  # the spans of bodies
        return tuple(map(tuple, value))
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def packed(value: dict[str, Any]) -> bytes:
    """Return a JSON object as compact bytes."""
    return compact(value).encode("utf-8", "surrogatepass")


def unpacked(raw: bytes) -> dict[str, Any]:
    """Return the JSON object that `packed` wrote."""
    value: dict[str, Any] = json.loads(raw.decode("utf-8", "surrogatepass"))
    return value
