"""Tools for work items: the same ones for each kind, declared from one row of data each."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from laconic.kit import CamelPart, Guard, Inline, Page, Record, Versioned, Window, at_least_one
from laconic.servers.taiga.models.fields import NewStory, StoryChanges, StoryFilters
from laconic.servers.taiga.models.items import Story
from laconic.servers.taiga.models.kinds import STORY, Kind
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.tools.toolset import taiga

_VIEW: Final = ["format", "fields"]
_Id = Annotated[str, "Id or #ref."]
_PAGE: Final = Window(size=50, most=200, offset="listed")


@dataclass(frozen=True)
class Tools:
    """The tools of one kind: their names, and what they take and return."""

    kind: Kind
    record: type[Record]
    filters: type[CamelPart]
    new: type[CamelPart]
    changes: type[CamelPart]
    list: str
    get: str
    create: str
    update: str
    delete: str
    search: str


TOOLS: Final = (
    Tools(
        *(STORY, Story, StoryFilters, NewStory, StoryChanges),
        list="taiga_list_user_stories",
        get="taiga_get_user_story",
        create="taiga_create_user_story",
        update="taiga_update_user_story",
        delete="taiga_delete_user_story",
        search="taiga_search_user_stories",
    ),
)


def _given(part: CamelPart) -> dict[str, Any]:
    """Return the fields that a caller named, by our names."""
    return {name: getattr(part, name) for name in part.model_fields_set}


def _declare_list(of: Tools) -> None:
    Filters: Any = Annotated[of.filters, Inline()]  # a type
    Found: Any = Page[of.record]  # type: ignore[name-defined]  # a type made at run time

    async def run(taiga: Taiga, project: ActiveProject, filters: Filters, window: Window = _PAGE) -> Found:
        return await taiga.items(of.kind, project).find(window, _given(filters))

    run.__doc__ = f"List {of.kind.nouns}."
    taiga.read(name=of.list, hint=of.list, unlisted=_VIEW)(run)


def _declare_get(of: Tools) -> None:
    Found: Any = of.record  # a type

    async def run(taiga: Taiga, project: ActiveProject, id: _Id) -> Found:
        return await taiga.items(of.kind, project).get(id)

    run.__doc__ = f"Read {_one(of.kind)}."
    taiga.read(name=of.get, hint=of.list, format="full", unlisted=_VIEW)(run)


def _declare_update(of: Tools) -> None:
    Changes: Any = Annotated[of.changes, Inline()]  # a type
    Found: Any = of.record  # a type
    names = [str(field.alias) for field in of.changes.model_fields.values()]

    async def run(taiga: Taiga, guard: Guard, project: ActiveProject, id: _Id, changes: Changes) -> Found:
        return await taiga.items(of.kind, project).update(id, guard, _given(changes))

    run.__doc__ = f"Change {_one(of.kind)}; what is left out stays."
    taiga.update(
        name=of.update,
        hint=of.list,
        guard=Versioned("version", int),
        rules=[at_least_one(*names)],
        unlisted=["version"],
    )(run)


def _one(kind: Kind) -> str:
    return f"{'an' if kind.noun[0] in 'ei' else 'a'} {kind.noun}"


for _tools in TOOLS:
    _declare_list(_tools)
    _declare_get(_tools)
    _declare_update(_tools)
