"""The toolset: its services, the project of each call, and errors in words."""

import time
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated, Final

from laconic.kit import META, About, Answer, Call, Diagnosis, Home, Inner, Memory, Page, Profile, Toolset
from laconic.servers.taiga.api.waits import Waits, watch
from laconic.servers.taiga.models.items import WorkItem
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.access.checking import examined
from laconic.servers.taiga.service.access.opening import opened
from laconic.servers.taiga.service.failures import telling
from laconic.servers.taiga.service.projects import no_project
from laconic.servers.taiga.settings import TaigaSettings


async def in_words(call: Call, inner: Inner) -> Answer:
    """Tell errors of Taiga in words that a caller can act on, and how long a call had to wait."""
    waits = Waits(call.about, call.notes)
    watch(waits)
    with telling():
        answer = await inner(call)
    waits.tell()
    if _lacks_descriptions(call, answer.value):
        call.notes.append("Lists of Taiga have no descriptions: read an item by itself to see its own.")
    return answer


def _lacks_descriptions(call: Call, value: object) -> bool:
    """True if descriptions were asked for that no list has; an item without one would look the same."""
    checked = call.checked
    is_wanted = checked is not None and (checked.format == "full" or "description" in (checked.fields or ()))
    items = value.items if is_wanted and isinstance(value, Page) else ()
    return any(isinstance(one, WorkItem) for one in items)


LEAN: Final = (  # what most work needs; the rest is found
    *("taiga_list_projects", "taiga_set_active_project", "taiga_list_user_stories", "taiga_get_user_story"),
    *("taiga_create_user_story", "taiga_update_user_story"),
)

taiga = Toolset(
    "taiga",
    "Projects, epics, user stories, tasks and issues of a Taiga instance.",
    provides=(Taiga,),
    case="camel",
    envelope=META,
    dotted=True,
    open_world=True,
    settings=TaigaSettings,
    steps=[in_words],
    log_line="[MCP] {tool} ({success}) {ms}",
    profiles={"lean": Profile(LEAN, lambda spec: True)},
    sandbox="laconic.sandbox.taiga:practice_taiga",
    instructions=files("laconic.servers.taiga").joinpath("instructions.md").read_text(encoding="utf-8"),
)


@taiga.factory(per_caller=True)
async def open_taiga(section: TaigaSettings, home: Home) -> AsyncIterator[Taiga]:
    """Open the instance for a caller."""
    async with opened(section, home) as service:
        yield service


@taiga.checkup
async def instance(taiga: Taiga) -> list[Diagnosis]:
    """Check the address, the sign-in and the clock."""
    return await examined(taiga, time.time)


def active_in(taiga: Taiga) -> str:
    """Return the name under which a caller's project of an instance is remembered."""
    return f"project {taiga.instance}"


@taiga.each_call
async def project_of_call(
    taiga: Taiga,
    memory: Memory,
    about: About,
    project_id: Annotated[int | None, "In place of the active project."] = None,
) -> ActiveProject:
    """Return the project that a call works on: the one it names, or the caller's active one."""
    chosen = project_id or await memory.get(active_in(taiga))
    if chosen is None:
        raise no_project()
    watch(Waits(about))
    with telling():
        return await taiga.projects.get(chosen)
