"""Output schemas: what the structured form of an answer looks like."""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from laconic.kit.answers.content import Block, Verbatim
from laconic.kit.answers.envelope import Envelope
from laconic.kit.answers.records import Record
from laconic.kit.answers.views import View
from laconic.kit.arguments.lean import lean
from laconic.kit.arguments.problems import MOST_TEXT
from laconic.kit.declaring.spec import Spec
from laconic.kit.pipeline import Answer
from laconic.kit.plain import shown_fields

__all__ = ["output_schema"]

_SIMPLE: dict[Any, str] = {int: "integer", float: "number", bool: "boolean"}


def output_schema(spec: Spec, envelope: Envelope) -> dict[str, Any] | None:
    """Return the schema of the structured form; None for a tool that answers with text or blocks."""
    schema = _success(spec, envelope)
    return None if schema is None else _or_failure(schema, envelope)


def _or_failure(schema: dict[str, Any], envelope: Envelope) -> dict[str, Any]:
    """Admit a failure, since clients check it against the same schema: require only what it has, too."""
    failure = envelope.failure({"code": ""})
    own = schema.get("properties", {})
    clashing: dict[str, Any] = {
        name: {} for name in failure if own.get(name, {}).get("type") not in (None, *_kinds(failure[name]))
    }
    required = [name for name in schema.get("required", ()) if name in failure]
    rest = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    return rest | {"properties": {**own, **clashing}} | ({"required": required} if required else {})


def _kinds(value: Any) -> tuple[str, ...]:
    return ("object",) if isinstance(value, dict) else ("boolean",) if isinstance(value, bool) else ()


def _success(spec: Spec, envelope: Envelope) -> dict[str, Any] | None:
    record = spec.signature.record
    if record is not None:
        item = _record_schema(record, spec.case)
        many = spec.signature.is_page or spec.signature.is_batch
        return envelope.page_schema(item) if many else envelope.one_schema(item)
    described = _plain_schema(spec.signature.returns)
    return None if described is None else envelope.one_schema(described)


def _plain_schema(returns: Any) -> dict[str, Any] | None:
    """Return the schema of a number, boolean, mapping or model; a list may be blocks, and text stays text."""
    parts = [part for part in (get_args(returns) or (returns,)) if part is not NoneType]
    if get_origin(returns) is dict or returns is dict:
        return {"type": "object"}
    if isinstance(returns, type) and _is_data(returns):
        return {"type": "object"}
    if len(parts) == 1 and parts[0] in _SIMPLE:
        kind = _SIMPLE[parts[0]]
        return {"type": kind if returns in _SIMPLE else [kind, "null"]}
    return None


def _is_data(kind: type) -> bool:
    """True for a model or a dataclass, other than an answer and its blocks."""
    return issubclass(kind, BaseModel | Verbatim) or (
        is_dataclass(kind) and not issubclass(kind, Block | Answer)
    )


@lru_cache(maxsize=256)
def _record_schema(record: type[Record], case: str) -> dict[str, Any]:
    """Return the schema of a record; no field is required, because `fields` and `format` choose."""
    whole = record.model_json_schema(mode="serialization", by_alias=False)
    slim = lean(whole, longest=MOST_TEXT)
    view = View(record, form=None, fields=None, case=case)
    known = slim["properties"]
    properties = {view.wire(name): _loose(known.get(name, {})) for name in shown_fields(record)}
    return {"type": "object", "properties": properties}


def _loose(node: dict[str, Any]) -> dict[str, Any]:
    """Keep only the type: formats and limits matter when writing, not when reading."""
    kind = node.get("type")
    if kind == "number":
        return {"type": [kind, "string", "null"]}  # "NaN" and "Infinity" are no JSON numbers
    if kind in ("string", "integer", "boolean", "array", "object"):
        return {"type": [kind, "null"]}
    return {}
