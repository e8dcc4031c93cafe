"""The notes server keeps the contract: every tool, in every output mode, for old and new clients."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, update

from laconic.kit.contract import Body, Cases, Contract
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import Notes
from laconic.servers.notes.store import KINDS
from laconic.servers.notes.tools import notes
from laconic.stores import By, Database, Shelf
from laconic.stores.shelf.tables import ITEMS
from tests.library import Prepared

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ME = By("ada", "test")
NOTE, OTHER, PAGE = (f"0197a6c0-0000-7000-8000-00000000000{number}" for number in (1, 2, 5))


async def fill(file: Path) -> None:
    database = Database(file, [Shelf.schema])
    service = Notes(Shelf(database, KINDS), Pages(None))
    for number in range(1, 5):
        await service.create_note(
            f"Note {number}",
            ME,
            content=f"Line one of {number}.\nLine two.\n",
            description="Several lines\nof words.",
            tags=["even"] * (number % 2 == 0),
        )
    await service.create_bookmark("https://example.com/page", ME, title="A page", tags=["web"])
    await database.run(name_ids)
    await service.close()
    await database.close()


def name_ids(connection: Connection) -> None:
    """Give the items ids that samples can name."""
    for number in range(1, 6):
        named = update(ITEMS).where(ITEMS.c.n == number)
        connection.execute(named.values(id=f"{NOTE[:-1]}{number}"))


async def fingerprint(things: Mapping[type, Any]) -> Any:
    """Everything but when items were used."""
    return await things[Notes].revision()


contract = Contract(
    notes,
    settings=Prepared(fill),
    samples={
        "search_items": {},
        "get_item": {"id": NOTE},
        "search_in_content": {"id": NOTE, "query": "line"},
        "create_note": {"title": "Note 6", "content": "Words."},
        "create_bookmark": {"url": "https://example.com/other"},
        "edit_content": {"id": NOTE, "old_str": "Line two", "new_str": "Line 2"},
        "update_item": {"id": NOTE, "title": "First"},
        "create_relationship": {"source_id": NOTE, "target_id": OTHER},
        "list_content_tags": {},
    },
    failing={
        "search_items": [{"cursor": "forged"}, {"tags": ["No Tag!"]}],
        "get_item": [{"id": "nobody"}, {"id": NOTE, "start_line": 17}],
        "search_in_content": [{"id": "nobody", "query": "x"}, {"id": NOTE, "query": ""}],
        "create_note": [{"title": " "}, {"title": "x", "tags": ["No Tag!"]}],
        "create_bookmark": [{"url": "https://example.com/page"}, {"url": "example"}],
        "edit_content": [
            {"id": "nobody", "old_str": "a", "new_str": "b"},
            {"id": NOTE, "old_str": "nowhere", "new_str": "b"},
            {"id": NOTE, "old_str": "Line two", "new_str": "b", "version": 7},
            {"id": PAGE, "old_str": "a", "new_str": "b"},
        ],
        "update_item": [{"id": "nobody", "title": "x"}, {"id": NOTE, "url": "https://example.com/"}],
        "create_relationship": [
            {"source_id": NOTE, "target_id": NOTE},
            {"source_id": NOTE, "target_id": "nobody"},
        ],
        "list_content_tags": {"cursor": "forged"},
    },
    snapshots=SNAPSHOTS,
    fingerprint=fingerprint,
    budget=1200,
    obvious={
        "get_item": ["id"],
        "search_in_content": ["id"],
        "create_note": ["title", "description"],
        "create_bookmark": ["url", "title", "description"],
        "edit_content": ["id"],
        "update_item": ["id", "remove_tags"],
        "create_relationship": ["source_id", "description"],
    },
    bodies={"create_note": Body("content", read="get_item")},
)


@contract.per_tool
def test_every_tool_of_notes_keeps_the_contract(cases: Cases) -> None:
    cases.run()
