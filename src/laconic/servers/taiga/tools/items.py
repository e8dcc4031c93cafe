"""Tools for work items: the same ones for each kind, declared from one row of data each."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import StringConstraints

from laconic.kit import CamelPart, Guard, Inline, Page, Record, Versioned, Window, at_least_one
from laconic.servers.taiga.models.fields import (
    EpicChanges,
    Filters,
    IssueChanges,
    IssueFilters,
    NewEpic,
    NewIssue,
    NewStory,
    NewTask,
    StoryChanges,
    StoryFilters,
    TaskChanges,
    TaskFilters,
)
from laconic.servers.taiga.models.items import Deleted, Epic, Issue, Story, Task
from laconic.servers.taiga.models.kinds import EPIC, ISSUE, STORY, TASK, Kind
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.tools.toolset import taiga

_VIEW: Final = ["format", "fields"]
_Id = Annotated[str, "Id or #ref."]
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
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
        *(EPIC, Epic, Filters, NewEpic, EpicChanges),
        list="taiga_list_epics",
        get="taiga_get_epic",
        create="taiga_create_epic",
        update="taiga_update_epic",
        delete="taiga_delete_epic",
        search="taiga_search_epics",
    ),
    Tools(
        *(STORY, Story, StoryFilters, NewStory, StoryChanges),
        list="taiga_list_user_stories",
        get="taiga_get_user_story",
        create="taiga_create_user_story",
        update="taiga_update_user_story",
        delete="taiga_delete_user_story",
        search="taiga_search_user_stories",
    ),
    Tools(
        *(TASK, Task, TaskFilters, NewTask, TaskChanges),
        list="taiga_list_tasks",
        get="taiga_get_task",
        create="taiga_create_task",
        update="taiga_update_task",
        delete="taiga_delete_task",
        search="taiga_search_tasks",
    ),
    Tools(
        *(ISSUE, Issue, IssueFilters, NewIssue, IssueChanges),
        list="taiga_list_issues",
        get="taiga_get_issue",
        create="taiga_create_issue",
        update="taiga_update_issue",
        delete="taiga_delete_issue",
        search="taiga_search_issues",
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
    taiga.read(name=of.list, hint=of.list, attempts=1, unlisted=_VIEW)(run)


def _declare_get(of: Tools) -> None:
    Found: Any = of.record  # a type

    async def run(taiga: Taiga, project: ActiveProject, id: _Id) -> Found:
        return await taiga.items(of.kind, project).get(id)

    run.__doc__ = f"Read {of.kind.one}."
    taiga.read(name=of.get, hint=of.list, attempts=1, format="full", unlisted=_VIEW)(run)


def _declare_update(of: Tools) -> None:
    Changes: Any = Annotated[of.changes, Inline()]  # a type
    Found: Any = of.record  # a type
    names = [str(field.alias) for field in of.changes.model_fields.values()]

    async def run(taiga: Taiga, guard: Guard, project: ActiveProject, id: _Id, changes: Changes) -> Found:
        return await taiga.items(of.kind, project).update(id, guard, _given(changes))

    run.__doc__ = f"Change {of.kind.one}; what is left out stays."
    taiga.update(
        name=of.update,
        hint=of.list,
        guard=Versioned("version", int),
        rules=[at_least_one(*names)],
        unlisted=["version"],
    )(run)


def _declare_search(of: Tools) -> None:
    Filters: Any = Annotated[of.filters, Inline()]  # a type
    Found: Any = Page[of.record]  # type: ignore[name-defined]  # a type made at run time

    async def run(
        taiga: Taiga, project: ActiveProject, query: _Words, filters: Filters, window: Window = _PAGE
    ) -> Found:
        return await taiga.items(of.kind, project).find(window, _given(filters), query)

    run.__doc__ = f"Search {of.kind.nouns} by words in subject, description, tags and ref."
    taiga.read(name=of.search, hint=of.list, attempts=1, unlisted=_VIEW)(run)


def _declare_create(of: Tools) -> None:
    New: Any = Annotated[of.new, Inline()]  # a type
    Found: Any = of.record  # a type

    async def run(taiga: Taiga, project: ActiveProject, new: New) -> Found:
        return await taiga.items(of.kind, project).create(_given(new))

    run.__doc__ = f"Create {of.kind.one}."
    taiga.create(name=of.create, hint=of.list, unlisted=["idempotencyKey"])(run)


def _declare_delete(of: Tools) -> None:
    async def run(taiga: Taiga, project: ActiveProject, id: _Id) -> Deleted:
        return await taiga.items(of.kind, project).delete(id)

    run.__doc__ = f"Delete {of.kind.one}{' and its tasks' if of.kind is STORY else ''}."
    taiga.delete(name=of.delete, hint=of.list)(run)


for _tools in TOOLS:
    _declare_list(_tools)
    _declare_get(_tools)
    _declare_create(_tools)
    _declare_update(_tools)
    _declare_delete(_tools)
    _declare_search(_tools)
