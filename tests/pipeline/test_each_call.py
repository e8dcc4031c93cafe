"""What is made for each call: parameters of every tool, and cursors that stay with what was pinned."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from laconic.kit import (
    BadArguments,
    BadConfiguration,
    Caller,
    Described,
    Endpoint,
    Memory,
    Page,
    Record,
    Settings,
    Toolset,
    Window,
)
from laconic.kit.catalogue import Catalogue
from laconic.kit.declaring.spec import ToolSpec
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import Reply, TestClient, connect, tool_tokens
from laconic.stores import open_keyvalue

EPICS = {1: ["oak", "elm", "ash"], 2: ["rose", "tulip", "lily"]}
ID = Annotated[int | None, "In place of the active project."]


class Epic(Record, key="name"):
    """An epic of a project."""

    name: str
    project: int


class Tracker:
    """Knows the epics of every project."""

    def __init__(self) -> None:
        self.reads = 0
        self.created: list[tuple[int, str]] = []


@dataclass(frozen=True)
class Project:
    """The project that a call works on."""

    id: int

    @property
    def pins(self) -> Mapping[str, Any]:
        return {"projectId": self.id}


def tracker(*, listed: Any = False) -> Toolset:
    toolset = Toolset("garden", provides=(Tracker,), case="camel")

    @toolset.factory
    async def opened(section: Any) -> AsyncIterator[Tracker]:
        yield Tracker()

    @toolset.each_call(listed=listed)
    async def project(tracker: Tracker, memory: Memory, project_id: ID = None) -> Project:
        chosen = project_id or await memory.get("project")
        if chosen is None:
            raise BadArguments("Active project not set", advice="Call choose, or pass projectId.")
        return Project(chosen)

    @toolset.update(clears=["nothing"])
    async def choose(memory: Memory, project_id: Annotated[int, "Its id."]) -> str:
        """Choose the project that later calls work on."""
        await memory.put("project", project_id)
        return f"Project {project_id}."

    @toolset.read
    async def epics(project: Project, window: Window = Window(size=2)) -> Page[Epic]:
        """List epics."""
        found = [Epic(name=name, project=project.id) for name in EPICS[project.id]]
        return window.cut(found, key=lambda epic: (epic.name,))

    @toolset.resource("garden://epics/{place}", name="epic")
    async def epic(project: Project, place: Annotated[int, "From 1."]) -> str:
        """One epic."""
        return EPICS[project.id][place - 1]

    @toolset.read(cache=60)
    async def first_epic(tracker: Tracker, project: Project) -> str:
        """Show the first epic."""
        tracker.reads += 1
        return EPICS[project.id][0]

    @toolset.delete(confirm="Remove {name} from project {projectId}?", subject="epic:{projectId}/{name}")
    async def remove_epic(project: Project, name: str) -> str:
        """Remove an epic."""
        return f"{name} of {project.id}"

    @toolset.create
    async def add_epic(tracker: Tracker, project: Project, name: str) -> str:
        """Add an epic."""
        tracker.created.append((project.id, name))
        return f"{name} in {project.id}"

    return toolset


async def _tools(toolset: Toolset) -> dict[str, Any]:
    async with connect(toolset) as client:
        return {tool["name"]: tool for tool in await client.tools()}


async def test_every_tool_accepts_the_parameter_and_lists_none() -> None:
    listed = await _tools(tracker())
    assert "projectId" not in listed["epics"]["inputSchema"]["properties"]
    assert "projectId" not in listed["add_epic"]["inputSchema"]["properties"]

    plain = Toolset("garden", provides=(Project,), case="camel")

    @plain.create
    async def add_epic(project: Project, name: str) -> str:
        """Add an epic."""
        return name

    assert tool_tokens(listed["add_epic"]) == tool_tokens((await _tools(plain))["add_epic"])
    async with connect(tracker()) as client:
        assert (await client.call("first_epic", projectId=2)).text == "rose"
        assert (await client.call("first_epic", projectId="2")).text == "rose"  # as careless as the others
        assert (await client.call("add_epic", name="fir", projectId=1)).text == "fir in 1"
        wrong = await client.call("first_epic", projectId="two")
        assert "Invalid projectId 'two'. Expected: integer" in wrong.text


async def test_the_parameter_is_listed_if_the_toolset_says_so() -> None:
    listed = await _tools(tracker(listed=True))
    assert listed["epics"]["inputSchema"]["properties"]["projectId"] == {
        "type": "integer",
        "description": "In place of the active project.",
    }


async def test_the_configuration_can_decide_whether_it_is_listed() -> None:
    toolset = tracker(listed=lambda section: len(section["accounts"]) > 1)
    for accounts, is_listed in ((["a"], False), (["a", "b"], True), (["a"], False)):
        settings = Settings(sections={"garden": {"accounts": accounts}})
        async with connect(toolset, settings=settings) as client:
            tools = {tool["name"]: tool for tool in await client.tools()}
            assert ("projectId" in tools["epics"]["inputSchema"]["properties"]) is is_listed
            assert (await client.call("first_epic", projectId=2)).text == "rose"


def test_a_tool_is_made_once_for_each_decision() -> None:
    toolset = tracker(listed=lambda section: len(section["accounts"]) > 1)

    def epics(*accounts: str) -> ToolSpec:
        return Catalogue([toolset], Settings(sections={"garden": {"accounts": accounts}})).tool("epics")

    assert epics("a") is epics("b")
    assert epics("a", "b") is epics("b", "c")
    assert epics("a") is not epics("a", "b")


async def test_without_a_choice_the_call_is_refused_and_nothing_changed() -> None:
    async with connect(tracker()) as client:
        reply = await client.call("add_epic", name="fir")
    assert reply.failed
    assert "Active project not set. Call choose, or pass projectId." in reply.text
    assert reply.error["changed"] is False


async def _first_page(client: TestClient) -> Reply:
    await client.call("choose", projectId=1)
    page = await client.call("epics")
    assert "ash" in page.text
    assert page.cursor
    return page


async def test_a_cursor_goes_on_in_its_project_after_a_switch() -> None:
    async with connect(tracker()) as client:
        page = await _first_page(client)
        await client.call("choose", projectId=2)
        assert "oak" in (await client.call("epics", cursor=page.cursor)).text
        assert "oak" in (await client.call("epics", cursor=page.cursor, projectId=1)).text
        assert "lily" in (await client.call("epics")).text


async def test_a_cursor_with_another_project_is_refused_by_name() -> None:
    async with connect(tracker()) as client:
        page = await _first_page(client)
        refused = await client.call("epics", cursor=page.cursor, projectId=2)
    assert "This cursor was made for other filters: projectId differs." in refused.text


async def test_a_cursor_and_a_choice_survive_a_restart(tmp_path: Path) -> None:
    path = f"sqlite:{tmp_path / 'state.db'}"
    endpoint = Endpoint([tracker()], state=open_keyvalue(path))
    async with connect(endpoint=endpoint) as client:
        page = await _first_page(client)
    await endpoint.close()
    endpoint = Endpoint([tracker()], state=open_keyvalue(path))
    async with connect(endpoint=endpoint) as client:
        assert "ash" in (await client.call("epics")).text
        assert "oak" in (await client.call("epics", cursor=page.cursor)).text
    await endpoint.close()


async def test_another_caller_has_no_active_project() -> None:
    endpoint = Endpoint([tracker()])
    await endpoint.call_tool("choose", {"projectId": 1}, SilentPeer(Caller("ann")))
    found = await endpoint.call_tool("first_epic", {}, SilentPeer(Caller("ann")))
    missing = await endpoint.call_tool("first_epic", {}, SilentPeer(Caller("ben")))
    assert found.text == "oak"
    assert missing.failure is not None
    await endpoint.close()


async def test_a_cached_answer_belongs_to_its_project() -> None:
    async with connect(tracker()) as client:
        await client.call("choose", projectId=1)
        assert (await client.call("first_epic")).text == "oak"
        await client.call("choose", projectId=2)  # does not clear the cache
        assert (await client.call("first_epic")).text == "rose"
        assert (await client.call("first_epic")).text == "rose"
        services = await client.endpoint.supplies.of("garden")
        assert services[Tracker].reads == 2


async def test_a_question_and_a_subject_can_name_what_was_pinned() -> None:
    async with connect(tracker()) as client:
        await client.call("choose", projectId=1)
        assert "Remove oak from project 1?" in (await client.call("remove_epic", name="oak")).text
        assert (await client.call("remove_epic", name="oak", confirm=True)).text == "oak of 1"


async def test_a_key_belongs_to_its_project() -> None:
    async with connect(tracker()) as client:
        await client.call("choose", projectId=1)
        await client.call("add_epic", name="fir", idempotencyKey="k")
        assert "Already done" in (await client.call("add_epic", name="fir", idempotencyKey="k")).text
        await client.call("choose", projectId=2)
        refused = await client.call("add_epic", name="fir", idempotencyKey="k")
        assert refused.failed
        assert "projectId" in refused.text


async def test_what_is_made_can_be_made_from_what_was_made_before() -> None:
    class Board:
        def __init__(self, project: Project, name: str) -> None:
            self.project, self.name = project, name

    Board.__module__ = __name__
    globals()["Board"] = Board
    toolset = tracker()

    @toolset.each_call
    def board(project: Project, board: str = "main") -> Board:
        return Board(project, board)

    @toolset.read
    async def cards(board: Board, project: Project) -> str:
        """Show the board."""
        return f"{board.name} of {board.project.id} {board.project is project}"

    async with connect(toolset) as client:
        assert (await client.call("cards", projectId=2, board="side")).text == "side of 2 True"
        assert (await client.call("cards", projectId=2)).text == "main of 2 True"


async def test_resources_are_made_for_the_caller_too() -> None:
    toolset = tracker()

    @toolset.resource("epics://first")
    async def first(project: Project) -> str:
        """The first epic."""
        return EPICS[project.id][0]

    endpoint = Endpoint([toolset], settings=Settings())
    await endpoint.call_tool("choose", {"projectId": 2}, SilentPeer())
    assert (await endpoint.read_resource("epics://first", SilentPeer())).text == "rose"
    await endpoint.close()


def test_mistakes_are_found_when_it_is_declared() -> None:
    toolset = Toolset("garden")
    with pytest.raises(BadConfiguration, match="project_id needs a default"):

        @toolset.each_call
        async def project(project_id: int) -> Project:
            return Project(project_id)

    with pytest.raises(BadConfiguration, match="declare a class of yours that it returns"):

        @toolset.each_call
        async def text(project_id: int = 1) -> str:
            return ""


async def test_a_tool_made_from_data_takes_what_is_made_too() -> None:
    toolset = tracker()

    async def run(arguments: Mapping[str, Any], project: Project) -> str:
        return f"{arguments['name']} in {project.id}"

    for name in ("rename", "remove"):
        takes = Described({"name": {"type": "string"}}, ["name"])
        toolset.add("update", f"epic_{name}", "Do it.", takes, run)

    async with connect(toolset) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
        assert list(listed["epic_rename"]["inputSchema"]["properties"]) == ["name"]
        for tool in ("epic_rename", "epic_remove"):
            assert (await client.call(tool, name="oak", projectId=2)).text == "oak in 2"
        assert "Active project not set" in (await client.call("epic_rename", name="oak")).text
        await client.call("choose", projectId=1)
        assert (await client.call("epic_rename", name="oak")).text == "oak in 1"
        wrong = await client.call("epic_rename", projectId="two")
        assert "Missing name" in wrong.text
        assert "Invalid projectId 'two'" in wrong.text


async def test_a_toolset_of_another_shares_what_is_made_and_what_was_chosen() -> None:
    toolset = tracker()
    more = Toolset("garden_more", case="camel", of=toolset)

    @more.read
    async def last_epic(project: Project) -> str:
        """Show the last epic."""
        return EPICS[project.id][-1]

    async with connect(toolset, more) as client:
        await client.call("choose", projectId=2)
        assert (await client.call("last_epic")).text == "lily"
        assert (await client.call("last_epic", projectId=1)).text == "ash"


async def test_a_resource_is_read_for_the_project_that_is_named_beside_it_or_in_its_address() -> None:
    async with connect(tracker()) as client:
        await client.call("choose", projectId=1)
        own = await client.call("read_on", uri="garden://epics/2")
        beside = await client.call("read_on", uri="garden://epics/2", projectId=2)
        inside = await client.call("read_on", uri="garden://epics/2?projectId=2", find="tul")
        read = await client.client.read_resource("garden://epics/2?projectId=2")
        chosen = await client.call("read_on", uri="garden://epics/2?projectId=1", projectId=2)
    assert [one.text for one in (own, beside, chosen)] == [
        f"<part>\n{name}\n</part>" for name in ("elm", "tulip", "tulip")
    ]
    assert "line 1: tulip" in inside.text and read.contents[0].text == "tulip"


async def test_what_neither_read_on_nor_the_resource_takes_is_refused_by_name() -> None:
    async with connect(tracker()) as client:
        listed = next(tool for tool in await client.tools() if tool["name"] == "read_on")
        near = await client.call("read_on", uri="garden://epics/2", projectid=2, sectoin="x")
        kept = await client.call("read_on", handle="x", lines="1", projectId=2)
        other = await client.call("read_on", uri="garden://epics/2?page=2")
    assert "projectId" not in str(listed) and "chosen" not in str(listed)
    assert near.text.splitlines() == [
        "Error [VALIDATION_ERROR]: Unknown argument 'projectid'. Did you mean 'projectId'?",
        "Unknown argument 'sectoin'. Did you mean 'section'?",
    ]
    assert "Unknown argument 'projectId'" in kept.text
    assert "Invalid place '2?page=2'" in other.text


def test_what_is_made_too_late_for_a_tool_is_refused_when_it_is_declared() -> None:
    toolset = Toolset("garden")

    @toolset.read
    async def epics_list(project: Project) -> str:
        """List epics."""
        return ""

    with pytest.raises(BadConfiguration, match=r"project makes a Project .* declare it before epics_list"):

        @toolset.each_call
        async def project(id: int = 1) -> Project:
            return Project(id)
