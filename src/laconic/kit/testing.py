"""Tools for testing toolsets: an in-memory client, a fake clock, an exact token count."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, Literal

from laconic.kit.answers.packing import unpacked as rows_of
from laconic.kit.endpoint import Endpoint
from laconic.kit.listing import model_text
from laconic.kit.settings import Settings
from laconic.kit.toolset import Toolset

__all__ = [
    "ERAS",
    "WIRES",
    "FakeClock",
    "Over",
    "Reply",
    "TestClient",
    "connect",
    "count_tokens",
    "rows_of",
    "tool_tokens",
]

ERAS = ("legacy", "2026-07-28")
"""The eras of the protocol that a client can speak."""
Over = Literal["memory", "sdk", "lean", "http", "http-sdk"]
"""What a client and the endpoint talk over: none in between, or one of our wires or of the SDK's."""
WIRES: tuple[Over, ...] = ("memory", "sdk", "lean", "http", "http-sdk")
"""All of `Over`."""


class FakeClock:
    """A clock that moves only on request."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


@lru_cache(maxsize=1)
def _encoding() -> Any:
    from rs_bpe import openai  # optional

    return openai.o200k_base()


def count_tokens(text: str) -> int:
    """Count the tokens of a text exactly (o200k), offline."""
    return int(_encoding().count(text))


def tool_tokens(tool: Mapping[str, Any]) -> int:
    """Count the tokens of a tool's definition: name, description and input schema."""
    return count_tokens(model_text(tool))


class Reply:
    """The answer of a tool."""

    def __init__(self, result: Any) -> None:
        self.result = result

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(block.text for block in self.result.content if block.type == "text")

    @property
    def failed(self) -> bool:
        """True if it is an error."""
        return bool(self.result.is_error)

    @property
    def structured(self) -> Any:
        """The structured content."""
        return self.result.structured_content

    @property
    def error(self) -> dict[str, Any]:
        """The whole record of the failure."""
        record: dict[str, Any] = (self.result.meta or {})["laconic/error"]
        return record

    @property
    def tokens(self) -> int:
        """How many tokens the text costs."""
        return count_tokens(self.text)

    @property
    def cursor(self) -> str:
        """The cursor the text offers; empty on the last page."""
        _, _, rest = self.text.partition("Pass cursor '")
        return rest.partition("'")[0]


class TestClient:
    """The official SDK's client, connected to an endpoint in this process."""

    __test__ = False  # its name looks like a test to pytest

    def __init__(self, client: Any, endpoint: Endpoint) -> None:
        self.client = client
        self.endpoint = endpoint

    async def call(self, name: str, /, **arguments: Any) -> Reply:
        """Call a tool with keyword arguments."""
        return await self.send(name, arguments)

    async def send(self, name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Reply:
        """Call a tool with a mapping of arguments, unchanged."""
        given = None if arguments is None else dict(arguments)
        return Reply(await self.client.call_tool(name, given, **more))

    async def tools(self) -> list[dict[str, Any]]:
        """Return the tools as they are listed."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = await self.client.list_tools(cursor=cursor) if cursor else await self.client.list_tools()
            found += [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return found


@asynccontextmanager
async def connect(
    *toolsets: Toolset,
    era: str = "2026-07-28",
    settings: Settings | None = None,
    endpoint: Endpoint | None = None,
    answer: Mapping[str, Any] | Callable[..., Awaitable[Any]] | None = None,
    over: Over = "memory",
    **client_options: Any,
) -> AsyncIterator[TestClient]:
    """Connect a client to toolsets, in one era of the protocol.

    The connection is in memory unless `over` names another transport: `lean` and `sdk` are the two kinds of
    stdio, over pipes; `http` and `http-sdk` are the two kinds of HTTP, on a port of this machine. `answer`
    replies to a tool that asks the user: what to fill into its forms, or the client's own callback.
    """
    from laconic.kit.wire.memory import client_of, filling_in

    served = endpoint or Endpoint(toolsets, settings=settings)
    if answer is not None:
        client_options["elicitation_callback"] = filling_in(answer) if isinstance(answer, Mapping) else answer
    raised: BaseException | None = None
    try:
        async with client_of(served, era, over, **client_options) as client:
            try:
                yield TestClient(client, served)
            except (asyncio.CancelledError, GeneratorExit):
                raise
            except BaseException as error:  # the SDK's task groups would wrap a failed assertion, or a skip
                raised = error
    finally:
        if endpoint is None:
            await served.close()
    if raised is not None:
        raise raised
