"""Toolsets whose texts lose something, or let others write as the kit does."""

from pydantic import BaseModel

from laconic.kit import Page, Record, Toolset, Window, one_line
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import breaks


class Forgetful(Record, bodies=("story",)):
    """Its own text has the first line only."""

    id: int
    story: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: {self.story.splitlines()[0]}"


class Careless(Record):
    """Its own text begins a line with words of others."""

    id: int
    title: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: {self.title}"


@breaks("text_is_lossless")
def a_text_without_the_whole_body(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def story_get() -> Forgetful:
        """Read a story."""
        return Forgetful(id=1, story="Once.\nTwice.")

    return Contract(toolset, samples={"story_get": {}})


@breaks("other_peoples_words_stay_apart")
def a_title_of_several_lines(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def title_get() -> Careless:
        """Read a title."""
        return Careless(id=1, title="Once")

    return Contract(toolset, samples={"title_get": {}})


@breaks("other_peoples_words_stay_apart")
def a_list_of_titles(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def title_list(window: Window = Window()) -> Page[Careless]:
        """List titles."""
        return window.cut([Careless(id=1, title="Once")], key=lambda one: (one.id,))

    return Contract(toolset, samples={"title_list": {}})


class Keyed(Record):
    """Its own text begins with its key, which is a text of others."""

    id: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: there"


class Author(BaseModel):
    """A part of a record."""

    name: str


class Nested(Record):
    """Its own text begins a line with words of a part of it."""

    id: int
    author: Author

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id} by\n{self.author.name}"


class Second(Record):
    """Its own text is careful only with the first record."""

    id: int
    title: str

    def write_text(self, format: str | None) -> str | None:
        return f"{self.id}: {one_line(self.title) if self.id == 1 else self.title}"


@breaks("other_peoples_words_stay_apart")
def a_key_that_begins_a_line(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def key_get() -> Keyed:
        """Read a key."""
        return Keyed(id="one")

    return Contract(toolset, samples={"key_get": {}})


@breaks("other_peoples_words_stay_apart")
def a_part_that_begins_a_line(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def part_get() -> Nested:
        """Read a part."""
        return Nested(id=1, author=Author(name="Ann"))

    return Contract(toolset, samples={"part_get": {}})


@breaks("other_peoples_words_stay_apart")
def a_second_record_of_several_lines(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def second_list(window: Window = Window()) -> Page[Second]:
        """List titles."""
        found = [Second(id=1, title="Once"), Second(id=2, title="Twice")]
        return window.cut(found, key=lambda one: (one.id,))

    return Contract(toolset, samples={"second_list": {}})
