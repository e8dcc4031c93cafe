"""Named: ranges of a document by their name; Google does nothing, and says nothing, if there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from laconic.kit import NotFound
from laconic.servers.google.api.access import Access

_BY: Final = {"docs_deleteNamedRange": "name", "docs_replaceNamedRangeContent": "namedRangeName"}
_TAB: Final = "tabProperties/tabId,documentTab/namedRanges"
_TABS: Final = f"tabs({_TAB},childTabs({_TAB},childTabs({_TAB})))"  # tabs have three levels
_MOST: Final = 20  # names that an error shows


async def check_name(access: Access, tool: str, given: Mapping[str, Any]) -> None:
    """Refuse the name of a range that is not there.

    Raises:
        NotFound: with the names that there are.
    """
    name = given.get(_BY.get(tool, ""))
    if name is None:
        return
    found = await access.call(
        "docs_get", documentId=given["documentId"], includeTabsContent=True, fields=_TABS
    )
    known = sorted({one for one in _names(found.get("tabs", []), given.get("tabId"))})
    if name not in known:
        more = f" and {len(known) - _MOST} more" if len(known) > _MOST else ""
        shown = f"{', '.join(known[:_MOST])}{more}" if known else "none"
        raise NotFound("Named range", str(name), advice=f"Named ranges: {shown}.")


def _names(tabs: Sequence[Mapping[str, Any]], wanted: str | None) -> Iterator[str]:
    for tab in tabs:
        if wanted in (None, tab.get("tabProperties", {}).get("tabId")):
            yield from tab.get("documentTab", {}).get("namedRanges", {})
        yield from _names(tab.get("childTabs", []), wanted)
