"""The catalogue: every operation of the API, for the toolsets that are served."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from laconic.web.collections.collection import Collection
from laconic.web.collections.notes import BookmarkItems, NoteItems
from laconic.web.collections.prompts import PromptItems
from laconic.web.operations import Operation
from laconic.web.routes.history import HistoryRoutes
from laconic.web.routes.items import ItemRoutes
from laconic.web.routes.lives import LifeRoutes
from laconic.web.routes.relationships import LinkRoutes
from laconic.web.routes.tags import CommonRoutes
from laconic.web.routes.templates import TemplateRoutes

__all__ = ["operations"]

_COLLECTIONS: Final[Sequence[Collection]] = (PromptItems(), NoteItems(), BookmarkItems())


def operations(toolsets: Sequence[str]) -> list[Operation]:
    """Return the operations; where two addresses could mean the same request, the first one gets it."""
    served = [one for one in _COLLECTIONS if one.toolset in toolsets]
    groups: list[Any] = [CommonRoutes(served), LinkRoutes(served), HistoryRoutes(served)]
    if "prompts" in toolsets:
        groups.append(TemplateRoutes())
    for collection in served:
        groups += [ItemRoutes(collection), LifeRoutes(collection)]
    return [operation for group in groups for operation in group.operations()]
