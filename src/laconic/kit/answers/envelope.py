"""Envelopes: the keys under which a toolset's structured content is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.data import dataclass
from laconic.kit.answers.packing import packed

__all__ = [
    "META",
    "NOTES",
    "PAGINATION",
    "TABLE",
    "Envelope",
    "Items",
    "Meta",
    "PageFacts",
    "Pagination",
    "with_notes",
]

NOTES: Final = "_notes"
"""The key of what the kit has to say; no field can be called that."""


@dataclass(frozen=True)
class PageFacts:
    """Everything known about a page, independent of the keys it is sent under."""

    columns: list[str]
    rows: list[list[Any]]
    total: int | None
    start: int | None
    limit: int
    next: str | None
    rest: int | None
    shared: Sequence[str] = ()  # columns whose values may be said once for several rows

    @property
    def items(self) -> list[dict[str, Any]]:
        """The rows with their column names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Envelope:
    """The default envelope: columns and rows, with what many rows have in common said once."""

    def page(self, facts: PageFacts) -> dict[str, Any]:
        """Return a page in its envelope."""
        table = packed(facts.columns, facts.rows, facts.shared)
        return _some(total=facts.total, next=facts.next) | table

    def page_schema(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the schema of a page in its envelope."""
        properties = {
            "total": {"type": "integer"},
            "next": {"type": "string"},
            "columns": {"type": "array", "items": {"type": "string"}},
            "default": {"type": "object"},
            "year": {"type": "object"},
            "rows": {"type": "array", "items": {"type": ["array", "object"]}},
        }
        return _object(properties, required=["columns", "rows"])

    def batch(self, facts: PageFacts, failures: Mapping[str, Any]) -> dict[str, Any]:
        """Return a batch in its envelope: a page, plus what failed."""
        return self.page(facts) | ({"failed": dict(failures)} if failures else {})

    def one(self, values: Any) -> dict[str, Any]:
        """Return a single record or value in its envelope."""
        return values if isinstance(values, dict) and NOTES not in values else {"result": values}

    def one_schema(self, inner: Mapping[str, Any]) -> dict[str, Any]:
        """Return the schema of a record or value in its envelope."""
        if "object" in inner.get("type", ""):  # only that, or null as well, which is sent as a result
            return {**inner, "type": "object"}
        return _object({"result": dict(inner)}, ["result"])

    def failure(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return a failure in its envelope."""
        return {"error": dict(record)}

    def extended(self, inside: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is in its envelope with the further fields of a call, which never replace any."""
        return {**inside, **{name: value for name, value in about.items() if name not in inside}}


class Items(Envelope):
    """Objects under `items`, next to an object of paging facts, which a subclass names and fills."""

    block: str = "page"

    def page(self, facts: PageFacts) -> dict[str, Any]:
        """Return a page in its envelope."""
        return {"items": facts.items, self.block: self.paging(facts)}

    def page_schema(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the schema of a page in its envelope."""
        items = {"type": "array", "items": dict(item)}
        return _object({"items": items, self.block: {"type": "object"}}, ["items", self.block])

    def paging(self, facts: PageFacts) -> dict[str, Any]:
        """Return the paging facts under their names."""
        return _some(total=facts.total, start=facts.start, limit=facts.limit, next=facts.next)


class Meta(Items):
    """`{ok, data | error}` around everything; paging facts as limit, offset, total, hasNext."""

    block = "meta"

    def page(self, facts: PageFacts) -> dict[str, Any]:
        """Return a page in its envelope."""
        return {"ok": True, "data": super().page(facts)}

    def page_schema(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the schema of a page in its envelope."""
        return self._wrapped(super().page_schema(item))

    def one(self, values: Any) -> dict[str, Any]:
        """Return a single record or value in its envelope."""
        return {"ok": True, "data": values}

    def one_schema(self, inner: Mapping[str, Any]) -> dict[str, Any]:
        """Return the schema of a record or value in its envelope."""
        return self._wrapped(inner)

    def failure(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return a failure in its envelope."""
        error = {key: value for key, value in record.items() if key != "trace"}
        wrong = {one["field"]: one["message"] for one in record.get("problems", [record]) if one.get("field")}
        error |= {"details": wrong} if wrong and "details" not in error else {}
        failed = {"ok": False, "error": error | _some(_traceId=record.get("trace"))}
        wait = record.get("retryAfterMs")
        if record.get("category") != "rate_limit" or wait is None:
            return failed
        return failed | {"_rateLimit": {"retryAfterMs": wait}}

    def paging(self, facts: PageFacts) -> dict[str, Any]:
        """Return the paging facts under their names."""
        known = {"limit": facts.limit, **_some(offset=facts.start), "total": facts.total}
        return known | {"hasNext": facts.next is not None} | _some(nextCursor=facts.next)

    def _wrapped(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return _object({"ok": {"type": "boolean"}, "data": dict(data), "error": {"type": "object"}}, ["ok"])


class Pagination(Items):
    """Paging facts as total, count, offset, has_more, next_cursor."""

    block = "pagination"

    def paging(self, facts: PageFacts) -> dict[str, Any]:
        """Return the paging facts under their names."""
        some = _some(total=facts.total, offset=facts.start, next_cursor=facts.next)
        return some | {"count": len(facts.rows), "has_more": facts.next is not None}


TABLE = Envelope()
"""`Envelope`, ready to use."""
META = Meta()
"""`Meta`, ready to use."""
PAGINATION = Pagination()
"""`Pagination`, ready to use."""


def with_notes(structured: Mapping[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    """Return structured content with further notes."""
    return {**structured, NOTES: [*structured.get(NOTES, ()), *notes]} if notes else dict(structured)


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    notes = {NOTES: {"type": "array", "items": {"type": "string"}}}
    return {"type": "object", "properties": properties | notes, "required": required}


def _some(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
