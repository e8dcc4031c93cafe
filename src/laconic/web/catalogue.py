"""The catalogue: every operation of the API, for the toolsets that are served."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from laconic.kit import Effect
from laconic.web.collections.collection import Collection
from laconic.web.collections.notes import BookmarkItems, NoteItems
from laconic.web.collections.prompts import PromptItems
from laconic.web.operations import Operation
from laconic.web.routes.files import FileRoutes
from laconic.web.routes.history import HistoryRoutes
from laconic.web.routes.items import ItemRoutes
from laconic.web.routes.live import LiveRoutes
from laconic.web.routes.lives import LifeRoutes
from laconic.web.routes.pages import PageRoutes
from laconic.web.routes.relationships import LinkRoutes
from laconic.web.routes.server import ServerRoutes
from laconic.web.routes.tags import CommonRoutes
from laconic.web.routes.templates import TemplateRoutes
from laconic.web.routes.tokens import TokenRoutes

__all__ = ["open_paths", "operations", "reading_paths"]

_COLLECTIONS: Final[Sequence[Collection]] = (PromptItems(), NoteItems(), BookmarkItems())


def operations(toolsets: Sequence[str]) -> list[Operation]:
    """Return the operations; where two addresses could mean the same request, the first one gets it."""
    served = [one for one in _COLLECTIONS if one.toolset in toolsets]
    groups: list[Any] = []  # what is asked for most comes first: a request looks at one address after another
    if "prompts" in toolsets:
        groups += [FileRoutes(), TemplateRoutes()]
    if "notes" in toolsets:
        groups.append(PageRoutes())
    for collection in served:
        groups += [ItemRoutes(collection), LifeRoutes(collection)]
    groups += [CommonRoutes(served), LinkRoutes(served), HistoryRoutes(served)]
    groups += [one(served[0].toolset) for one in (TokenRoutes, LiveRoutes, ServerRoutes)]
    return [operation for group in groups for operation in group.operations()]


def open_paths() -> list[str]:
    """Return the paths that need no token."""
    return [one.path for one in _all() if one.is_open]


def reading_paths() -> list[str]:
    """Return the paths where no method changes anything, though one is not `GET`."""
    writing = {one.path for one in _all() if one.effect is not Effect.READ}
    return [one.path for one in _all() if one.method != "GET" and one.path not in writing]


def _all() -> list[Operation]:
    return operations([of.toolset for of in _COLLECTIONS])
