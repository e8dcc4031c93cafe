"""A tracker on another system, declared as its author would: an active project, an envelope, two toolsets."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr, StringConstraints

from laconic.kit import (
    META,
    UNSET,
    About,
    BadArguments,
    Guard,
    Home,
    Memory,
    Page,
    Record,
    Settings,
    Toolset,
    Unset,
    UserOnly,
    Window,
    at_least_one,
    exactly_one,
)
from laconic.kit.testing import connect


class TrackerSettings(BaseModel):
    url: Annotated[str, UserOnly()] = "https://tracker.example.org"
    password: SecretStr = SecretStr("")


class Story(
    Record, formats={"summary": ("subject", "version"), "full": ("subject", "version", "assigned_to_id")}
):
    id: int
    subject: str
    version: int = 1
    assigned_to_id: int | None = None


class Tracker:
    """Stories by project, in memory."""

    opened = 0

    def __init__(self) -> None:
        Tracker.opened += 1
        self.stories = {p: [Story(id=p * 100 + n, subject=f"story {n}") for n in range(12)] for p in (1, 2)}


@dataclass
class Project:
    id: int
    stories: list[Story]

    @property
    def pins(self) -> dict[str, int]:
        return {"projectId": self.id}


tracker = Toolset(
    "tracker",
    "Stories.",
    provides=(Tracker,),
    settings=TrackerSettings,
    case="camel",
    envelope=META,
    dotted=True,
    open_world=True,
)
more = Toolset("tracker_more", "Counts.", of=tracker)
Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


@tracker.factory
async def opened(settings: TrackerSettings, home: Home) -> AsyncIterator[Tracker]:
    assert home.credentials.is_dir()
    yield Tracker()


@tracker.each_call
async def project(
    tracker: Tracker,
    memory: Memory,
    project_id: Annotated[int | None, "In place of the active project."] = None,
) -> Project:
    chosen = project_id or await memory.get("project")
    if chosen is None:
        raise BadArguments(
            "Active project not set", advice="Call tracker_set_active_project, or pass projectId."
        )
    return Project(chosen, tracker.stories[chosen])


@tracker.update(rules=[exactly_one("projectId", "projectSlug")])
async def tracker_set_active_project(
    memory: Memory,
    project_id: Annotated[int | None, "Its id."] = None,
    project_slug: Annotated[str | None, "Its slug."] = None,
) -> str:
    """Choose the project that later calls work on."""
    await memory.put("project", project_id or int(str(project_slug)[-1]))
    return "Chosen."


@tracker.read(unlisted=["fields", "format"])
async def tracker_list_stories(
    project: Project, about: About, window: Window = Window(size=5, most=200, offset="listed")
) -> Page[Story]:
    """List stories."""
    about["_rateLimit"] = {"remaining": 7}
    return window.cut(project.stories, key=lambda story: (story.id,))


@tracker.update(guard="version", rules=[at_least_one("subject", "assignedToId", "priority")])
async def tracker_update_story(
    project: Project,
    guard: Guard,
    id: Annotated[int, "Its id."],
    subject: Subject | None = None,
    assigned_to_id: Annotated[int | Unset | None, "null: nobody."] = UNSET,
    priority: Literal["low", "high"] | None = None,
) -> Story:
    """Change a story."""
    place = next(n for n, story in enumerate(project.stories) if story.id == id)
    guard.check(f"Story {id}", project.stories[place].version)
    changed = {"subject": subject} if subject else {}
    project.stories[place] = project.stories[place].model_copy(update=changed)
    return project.stories[place]


@more.read
async def tracker_count(
    project: Project, tags: Annotated[list[str] | None, Field(max_length=32)] = None
) -> int:
    """Count stories."""
    return len(project.stories)


async def test_calls_work_on_the_chosen_project_or_the_one_they_name_through_one_service() -> None:
    Tracker.opened = 0
    async with connect(tracker, more) as client:
        unset = await client.call("tracker.list_stories")
        await client.call("tracker_set_active_project", projectId=1)
        first = await client.call("tracker_list_stories", limit=2)
        await client.call("tracker_set_active_project", projectSlug="p2")
        second = await client.call("tracker_list_stories", limit=2)
        rest = await client.call("tracker_list_stories", offset=2, projectId=1, limit=2)
        counted = await client.call("tracker_count")

    assert "Active project not set. Call tracker_set_active_project" in unset.text
    assert "100" in first.text and "200" in second.text and "102" in rest.text and counted.text == "12"
    assert Tracker.opened == 1  # one service for both toolsets


async def test_pages_have_the_envelope_with_offset_and_further_fields() -> None:
    async with connect(tracker, more, settings=Settings(output="structured")) as client:
        page = await client.call("tracker_list_stories", projectId=1, offset=10)
        wrong = await client.call("tracker_update_story", projectId=1, id=100, version=9, subject="x")
        listed = {tool["name"]: tool["inputSchema"]["properties"] for tool in await client.tools()}

    assert page.structured["ok"] is True and page.structured["_rateLimit"] == {"remaining": 7}
    meta = page.structured["data"]["meta"]
    assert meta == {"limit": 5, "offset": 10, "total": 12, "hasNext": False}
    assert wrong.structured["ok"] is False and len(wrong.structured["error"]["_traceId"]) == 36
    assert "projectId" not in listed["tracker_list_stories"] and "offset" in listed["tracker_list_stories"]


async def test_every_mistake_in_a_change_is_told_at_once() -> None:
    async with connect(tracker, more, settings=Settings(output="both")) as client:
        wrong = await client.call(
            "tracker_update_story", projectId=1, id=1.5, subject="  ", priority="urgent", subjct="x"
        )
        empty = await client.call("tracker_update_story", projectId=1, id=100)

    problems = {one["field"] for one in wrong.structured["error"]["problems"]}
    assert problems >= {"id", "subject", "priority", "subjct"}
    assert "subject" in empty.text and "assignedToId" in empty.text
