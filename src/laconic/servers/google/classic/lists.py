"""Lists of classic tools: the items with a block that says whether there are more; as data or as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.kit import Answer, Text
from laconic.servers.google.api.access import Access
from laconic.servers.google.classic.building import built
from laconic.servers.google.classic.tools import classic_tools

ITEMS: Final = {  # by tool: what its API calls the items
    "drive_listFiles": "files",
    "drive_listComments": "comments",
    "drive_listReplies": "replies",
    "drive_listPermissions": "permissions",
}


async def run_list(name: str, access: Access, arguments: Mapping[str, Any]) -> dict[str, Any] | Answer:
    """List one page; a page may be empty though more follow."""
    tool = classic_tools()[name]
    answer = await access.run(tool.entry.name, built(tool, arguments))
    items = answer.get(ITEMS[name], [])
    block: dict[str, Any] = {"count": len(items), "has_more": "nextPageToken" in answer}
    if block["has_more"]:
        block["next_cursor"] = answer["nextPageToken"]
    elif "pageToken" not in arguments and not answer.get("incompleteSearch"):
        block["total"] = len(items)
    found = {"items": items, "pagination": block}
    if answer.get("incompleteSearch"):
        found["incompleteSearch"] = True
    if arguments.get("response_format") != "markdown":
        return found
    return Answer([Text(_table(items, block))], structured=found)


def _table(items: Sequence[Mapping[str, Any]], block: Mapping[str, Any]) -> str:
    rows = [dict(_cells(item)) for item in items]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [_line(columns), _line(["---"] * len(columns))] if columns else ["Nothing."]
    lines += [_line([row.get(name, "") for name in columns]) for row in rows]
    if block["has_more"]:
        lines += ["", f"There are more: pass pageToken '{block['next_cursor']}'."]
    return "\n".join(lines)


def _cells(item: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Return the values of an item, those inside of objects under their whole names."""
    cells: list[tuple[str, str]] = []
    for name, value in item.items():
        if isinstance(value, Mapping):
            cells += _cells(value, f"{before}{name}.")
        elif isinstance(value, list):
            inner = [
                " ".join(cell for _, cell in _cells(one)) if isinstance(one, Mapping) else str(one)
                for one in value
            ]
            cells.append((f"{before}{name}", "; ".join(inner)))
        elif name != "kind":
            cells.append((f"{before}{name}", str(value)))
    return cells


def _line(cells: Sequence[str]) -> str:
    safe = (cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>") for cell in cells)
    return f"| {' | '.join(safe)} |"
