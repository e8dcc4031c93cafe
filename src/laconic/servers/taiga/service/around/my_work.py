"""My work: everything open that is assigned to the account, in all of its projects."""

import asyncio
from collections.abc import Mapping
from typing import Any

from laconic.kit import Page, Window
from laconic.servers.taiga.api.client import Client
from laconic.servers.taiga.models.kinds import KINDS, STORY
from laconic.servers.taiga.models.more import AnyItem
from laconic.servers.taiga.service.items.records import common_of
from laconic.servers.taiga.service.parts import part_of


async def find_my_work(client: Client, me: int, window: Window) -> Page[AnyItem]:
    """List open items that are assigned to a user: what is due first comes first, then by project."""
    found = await asyncio.gather(*(_rows(client, kind, me) for kind in KINDS))
    work = [_item(kind, row) for kind, rows in zip(KINDS, found, strict=True) for row in rows]
    work.sort(
        key=lambda one: (one.due_date is None, one.due_date or "", one.project or "", one.ref, one.kind)
    )
    return part_of(work, window)


async def _rows(client: Client, kind: str, me: int) -> list[dict[str, Any]]:
    table = KINDS[kind].path
    who = "assigned_users" if KINDS[kind] is STORY else "assigned_to"
    return await client.every(table, {who: me, "status__is_closed": "false"})


def _item(kind: str, row: Mapping[str, Any]) -> AnyItem:
    tags = [str(pair[0]) for pair in row["tags"]]
    project = (row.get("project_extra_info") or {}).get("name")
    return AnyItem(kind=kind, project=project, due_date=row.get("due_date"), **common_of(row, tags))
