"""The endpoint: toolsets served together, as every transport calls them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from laconic.kit.equipment import Equipment
from laconic.kit.peer import Caller, Peer
from laconic.kit.pipeline import Answer, Call, Inner

if TYPE_CHECKING:
    from pathlib import Path

    from laconic.kit.declaring.spec import RouteSpec, Spec, ToolSpec
    from laconic.kit.prompts.requests import PromptRequests
    from laconic.kit.prompts.sources import Place

__all__ = ["Endpoint"]


class Endpoint(Equipment):
    """Everything a client can reach through one connection."""

    @property
    def journal_folder(self) -> Path | None:
        """Where the calls of all processes of the workspace are recorded; None if they are not."""
        return None if self._journal is None else self._journal.store.folder

    async def changes_elsewhere(self) -> AsyncIterator[dict[str, Any] | None]:
        """Yield what calls on other machines changed, as the journal records it; None if some was missed."""
        if self._relay is not None:
            async for record in self._relay.changes_elsewhere():
                yield record

    def follow(self) -> None:
        """Tell clients of changes in other processes from now on, where there are lists that change."""
        if self._relay is not None and self.listing.changing:
            self._relay.follow(self.listing.changing | {"tools"})

    @cached_property
    def _called(self) -> dict[str, tuple[ToolSpec, Inner]]:
        """Tools and their ways, by the names called."""
        return {}

    def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None, peer: Peer
    ) -> Coroutine[Any, Any, Answer]:
        """Run a tool by its present or former name.

        Raises:
            Unknown: no tool has that name.
        """
        known = self._called.get(name)
        if known is None:
            found = self.tool(name)
            known = self._called[name] = (found, self.ways.of(found))
        spec, way = known
        return cast("Coroutine[Any, Any, Answer]", way(self._call(spec, arguments, peer, name)))

    async def read_resource(self, uri: str, peer: Peer) -> Answer:
        """Read a resource: the same path as a tool.

        Raises:
            Unknown: no resource has that address.
        """
        spec, variables = self.catalogue.resource(uri)
        return await self.ways.of(spec)(self._call(spec, variables, peer, uri))

    def route(
        self, spec: RouteSpec
    ) -> Callable[[Mapping[str, Any], Mapping[str, Any], Peer], Awaitable[Answer]]:
        """Return the way of a web route's requests: through the outer steps of a tool, to its function.

        It takes the values for the function, what the caller sent by name, and the peer. The answer has the
        function's value, or the failure.
        """
        from laconic.kit.arguments.checked import Checked

        way = self.ways.of_route(spec)

        async def visit(values: Mapping[str, Any], sent: Mapping[str, Any], peer: Peer) -> Answer:
            call = self._call(spec, sent, peer, spec.name)
            call.checked = Checked(dict(values), dict(sent))
            answer = await way(call)
            answer.counts = call.counts
            return answer

        return visit

    async def _read_for_tool(
        self, uri: str, peer: Peer, is_whole: bool, chosen: Mapping[str, Any]
    ) -> tuple[Answer, str]:
        """Read a resource for a tool, whole or within the budget; return its answer and its type.

        `chosen` are parameters of what the toolset makes for each call.
        """
        from laconic.kit.keeping.reading import refuse_unknown

        spec, variables = self.catalogue.resource(uri)
        refuse_unknown(chosen, [*spec.signature.ambient])
        call = self._call(spec, {**variables, **chosen}, peer, uri)
        call.reader = "slice" if is_whole else "tool"
        return await self.ways.of(spec)(call), spec.mime

    async def get_prompt(self, name: str, arguments: Mapping[str, Any] | None, peer: Peer) -> Answer:
        """Render a prompt: the same path as a tool.

        Raises:
            Unknown: no prompt has that name.
        """
        ends = asyncio.get_running_loop().time() + self.settings.deadline
        spec = await self._prompts.find(peer.caller, name)
        call = self._call(spec, arguments, peer, name)
        call.deadline_at = ends  # finding it and running it have one deadline together
        answer = await self.ways.of(spec)(call)
        answer.description = spec.description
        return answer

    async def list_prompts(
        self, caller: Caller, place: Place | None = None
    ) -> tuple[list[dict[str, Any]], Place | None]:
        """Return a page of a caller's prompts, declared and from sources, and where the next begins."""
        known = self.listing
        if not known.has_prompts:
            return [], None
        return await self._prompts.page(caller, place, known.prompts, known.prompt_lists)

    async def complete(
        self,
        kind: str,
        name: str,
        argument: str,
        typed: str,
        *,
        caller: Caller,
        others: Mapping[str, str],
    ) -> list[str]:
        """Suggest values for an argument of a prompt (`prompt`) or of a resource's address (`resource`)."""
        return await self._prompts.complete(caller, kind, name, argument, typed, others)

    @cached_property
    def _prompts(self) -> PromptRequests:
        from laconic.kit.prompts.requests import PromptRequests

        return PromptRequests(lambda: self.catalogue, self.settings, self.supplies)

    def _call(self, spec: Spec, arguments: Mapping[str, Any] | None, peer: Peer, name: str) -> Call:
        given, output = dict(arguments or {}), self.settings.output
        return Call(spec, given, peer, name=name, output=output, redactor=self.redactor)

    def ahead(self) -> Iterator[None]:
        """Do at each step a part of what the first call needs, as far as it has no effect."""
        _ = self.ways
        for name in self.listing.toolsets:  # without those of the kit, which are rarely called first
            yield
            self._served.part(name)
            load = self.toolsets[name].loads_ahead
            if load is not None:
                yield
                yield from load(self.supplies.section(name))

    async def open(self) -> None:
        """Open the services of all toolsets, which otherwise open when one of their tools is first called.

        A server that runs for long does this at its start, so that jobs which services do by themselves run.
        """
        await self.supplies.open()

    async def close(self) -> None:
        """Close the services and the stores."""
        if "supplies" in self.__dict__:
            await self.supplies.close()
        if self._relay is not None:
            await self._relay.close()
        await self.state.close()
        if self._kept is not self.state:
            await self._kept.close()
