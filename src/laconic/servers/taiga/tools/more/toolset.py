"""The toolset for what goes on around work items, on the same session as `taiga`."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from laconic.kit import Toolset, Window
from laconic.servers.taiga.tools.toolset import in_words, taiga

taiga_more = Toolset(
    "taiga_more",
    "Comments, history, sprints, epic links, bulk work and your own work in Taiga.",
    of=taiga,
    dotted=True,
    steps=[in_words],
)

Kind = Literal["epic", "user_story", "task", "issue"]
Id = Annotated[str, "Id or #ref."]
Ids = Annotated[list[str], Field(min_length=1, max_length=50), "Ids or #refs."]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
VIEW: Final = ["format", "fields"]
PART: Final = ["limit", "offset", *VIEW]


def part(size: int = 20) -> Window:
    """Return how a list is paged."""
    return Window(size=size, most=200, offset="listed")
