"""The toolset: its services, the project of each call, and errors in words."""

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Annotated

from laconic.kit import META, Answer, Call, Home, Inner, Memory, Toolset
from laconic.servers.taiga.service import ActiveProject, Taiga
from laconic.servers.taiga.service.failures import telling
from laconic.servers.taiga.service.projects import no_project
from laconic.servers.taiga.service.taiga import opened
from laconic.servers.taiga.settings import TaigaSettings


async def in_words(call: Call, inner: Inner) -> Answer:
    """Tell errors of Taiga in words that a caller can act on."""
    with telling():
        return await inner(call)


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
    sandbox="laconic.sandbox.taiga:practice_taiga",
    instructions=files("laconic.servers.taiga").joinpath("instructions.md").read_text(encoding="utf-8"),
)


@taiga.factory
async def open_taiga(section: TaigaSettings, home: Home) -> AsyncIterator[Taiga]:
    """Open the instance."""
    async with opened(section, home) as service:
        yield service


def active_in(taiga: Taiga) -> str:
    """Return the name under which a caller's project of an instance is remembered."""
    return f"project {taiga.instance}"


@taiga.each_call
async def project_of_call(
    taiga: Taiga,
    memory: Memory,
    project_id: Annotated[int | None, "In place of the active project."] = None,
) -> ActiveProject:
    """Return the project that a call works on: the one it names, or the caller's active one."""
    chosen = project_id or await memory.get(active_in(taiga))
    if chosen is None:
        raise no_project()
    with telling():
        return await taiga.projects.get(chosen)
