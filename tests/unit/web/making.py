"""Items made through the API, for tests."""

from typing import Any

import pytest
from httpx2 import AsyncClient

# For rules that are no matter of the database.
on_one_database = pytest.mark.parametrize("library", ["sqlite"], indirect=True, scope="session")

KINDS = ["prompts", "notes", "bookmarks"]
_COUNT = iter(range(1, 10**6))


def body(kind: str, **given: Any) -> dict[str, Any]:
    """Return a body for a new item, with names that nobody has."""
    number = next(_COUNT)
    usual: dict[str, dict[str, Any]] = {
        "prompts": {"name": f"prompt-{number}", "content": "Hello {{ name }}."},
        "notes": {"title": f"Note {number}", "content": "Some text."},
        "bookmarks": {"url": f"https://example.com/{number}", "content": "Some text."},
    }
    return usual[kind] | given


async def make(api: AsyncClient, kind: str, **given: Any) -> dict[str, Any]:
    """Create an item and return it."""
    made = await api.post(f"/api/{kind}/", json=body(kind, **given))
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def path_of(kind: str, item: dict[str, Any], end: str = "") -> str:
    """Return the address of an item."""
    return f"/api/{kind}/{item['id']}{end}"
