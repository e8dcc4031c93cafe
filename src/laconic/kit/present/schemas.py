"""Output schemas: what the structured form of an answer looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from laconic.kit.answers.content import Block, Verbatim
from laconic.kit.answers.envelope import Envelope
from laconic.kit.answers.records import Record
from laconic.kit.answers.views import View
from laconic.kit.arguments.lean import lean
from laconic.kit.arguments.problems import MOST_TEXT
from laconic.kit.declaring.classes import classes_of
from laconic.kit.declaring.spec import Spec
from laconic.kit.peer import About
from laconic.kit.pipeline import Answer
from laconic.kit.plain import shown_fields

__all__ = ["output_schema", "wraps_texts"]

_NUMBER = ["number", "string"]  # "NaN" and "Infinity" are no JSON numbers
_TEXTS = {str, list, *get_args(Block)}
_SIMPLE: dict[Any, list[str]] = {int: ["integer"], float: _NUMBER, bool: ["boolean"]}


def output_schema(spec: Spec, envelope: Envelope) -> dict[str, Any] | None:
    """Return the schema of the structured form; None for a tool that answers with text or blocks."""
    schema = _success(spec, envelope)
    return None if schema is None else _or_failure(schema, envelope)


def wraps_texts(spec: Spec, envelope: Envelope) -> bool:
    """True if texts and blocks get an envelope: if it is around everything, or the tool adds fields to it."""
    if type(envelope).one is not Envelope.one:
        return True
    if About not in spec.signature.supplied.values():
        return False
    kinds = set(classes_of(spec.signature.returns))
    return bool(kinds) and kinds <= _TEXTS


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
    signature = spec.signature
    if signature.record is None:
        described = _plain_schema(signature.returns)
        if described is None and wraps_texts(spec, envelope):
            described = {}
        return None if described is None else envelope.one_schema(described)
    if signature.is_page or signature.is_batch:
        return envelope.page_schema(_record_schema(signature.record, spec.case))
    return envelope.one_schema(_records_schema(signature.returns, spec.case))


def _records_schema(returns: Any, case: str) -> dict[str, Any]:
    """Return the schema of a record, of one of several kinds, or of a container of records."""
    origin, parts = get_origin(returns), get_args(returns)
    if origin is Annotated:
        return _records_schema(parts[0], case)
    if origin is tuple:  # a record and the blocks beside it
        return _records_schema(parts[0], case)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    if origin not in (None, Union, UnionType):
        return {"type": ["array", "null"]}  # null: too long, and kept
    given = [part for part in parts or (returns,) if part is not NoneType]
    kinds = [get_args(part)[0] if get_origin(part) is tuple else part for part in given]
    if not all(isinstance(kind, type) and issubclass(kind, Record) for kind in kinds):
        return {}
    properties: dict[str, Any] = {}
    for kind in kinds:
        for name, node in _record_schema(kind, case)["properties"].items():
            properties[name] = node if properties.get(name, node) == node else {}
    return {"type": ["object", "null"] if NoneType in parts else "object", "properties": properties}


def _plain_schema(returns: Any) -> dict[str, Any] | None:
    """Return the schema of a number, boolean, mapping or model; a list may be blocks, and text stays text."""
    parts = [part for part in (get_args(returns) or (returns,)) if part is not NoneType]
    if get_origin(returns) is dict or returns is dict:
        return {"type": "object"}
    if isinstance(returns, type) and _is_data(returns):
        return {} if getattr(returns, "__pydantic_root_model__", False) else {"type": "object"}
    if len(parts) == 1 and parts[0] in _SIMPLE:
        kinds = [*_SIMPLE[parts[0]], *([] if returns in _SIMPLE else ["null"])]
        return {"type": kinds if len(kinds) > 1 else kinds[0]}
    return None


def _is_data(kind: type) -> bool:
    """True for a model or a dataclass, other than an answer and its blocks."""
    return issubclass(kind, BaseModel | Verbatim) or (
        is_dataclass(kind) and not issubclass(kind, Block | Answer)
    )


class _Sent(GenerateJsonSchema):
    """Describes what is sent: a serializer that does not say what it returns may return anything."""

    def ser_schema(self, schema: Any) -> dict[str, Any] | None:
        is_silent = schema["type"].startswith("function-") and schema.get("return_schema") is None
        is_for_json = schema.get("when_used", "always").startswith("json")  # not used for answers
        return {} if is_silent or is_for_json else super().ser_schema(schema)


@lru_cache(maxsize=256)
def _record_schema(record: type[Record], case: str) -> dict[str, Any]:
    """Return the schema of a record; no field is required, because `fields` and `format` choose."""
    whole = record.model_json_schema(mode="serialization", by_alias=False, schema_generator=_Sent)
    slim = lean(whole, longest=MOST_TEXT)
    view = View(record, form=None, fields=None, case=case)
    known = slim["properties"]
    properties = {view.wire(name): _loose(known.get(name, {})) for name in shown_fields(record)}
    return {"type": "object", "properties": properties}


def _loose(node: dict[str, Any]) -> dict[str, Any]:
    """Keep only the type: formats and limits matter when writing, not when reading."""
    kind = node.get("type")
    if kind == "number":
        return {"type": [*_NUMBER, "null"]}
    if kind in ("string", "integer", "boolean", "array", "object"):
        return {"type": [kind, "null"]}
    return {}
