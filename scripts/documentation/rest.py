"""The API in the docs: a table of its operations, and its OpenAPI document in a file."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from laconic.web.catalogue import operations
from laconic.web.document import document_text
from laconic.web.operations import Operation

__all__ = ["stale", "table"]

_FILE = "docs/openapi.json"


def stale(root: Path) -> dict[str, str]:
    """The text that the document should have, if it has another; only where there are docs of the API."""
    path, text = root / _FILE, document_text()
    if not (root / "docs" / "rest.md").exists() or (
        path.exists() and path.read_text(encoding="utf-8") == text
    ):
        return {}
    return {_FILE: text}


def table(of: str) -> str:
    """Every operation: what it does, and what it may be answered with besides success."""
    lines = ["| request | does | answers | or |", "| --- | --- | --: | --- |"]
    found = [one for one in operations(["prompts", "notes"]) if one.is_documented]
    for _, group in groupby(sorted(found, key=_place), key=_place):
        lines += [_row(operation) for operation in group]
    return "\n".join(lines)


def _place(operation: Operation) -> tuple[str, ...]:
    return tuple(operation.path.split("/")[:3])


def _row(operation: Operation) -> str:
    query = f" `?{'`, `'.join(operation.query.model_fields)}`" if operation.query else ""
    others = ", ".join(map(str, operation.fails))
    return (
        f"| `{operation.method} {operation.path}`{query} | {operation.says} | {operation.status} | {others} |"
    )
