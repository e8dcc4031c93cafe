"""The endpoint: toolsets served together, as every transport calls them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from laconic.kit.listing import Listing, secret_keys
from laconic.kit.loading import Load, Toolsets
from laconic.kit.peer import Caller, Changes, Peer
from laconic.kit.pipeline import Answer, Call, Inner
from laconic.kit.redaction import Redactor
from laconic.kit.served import Served
from laconic.kit.settings import Settings, hide_secrets_of
from laconic.kit.stopping import Stop
from laconic.kit.ways import Ways
from laconic.stores.keyvalue import KeyValue
from laconic.stores.keyvalue.memory import MemoryStore

if TYPE_CHECKING:
    from pathlib import Path

    from laconic.kit.answers.envelope import Envelope
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.cursors import Cursors
    from laconic.kit.declaring.spec import RouteSpec, Spec, ToolSpec
    from laconic.kit.journal.calls import CallJournal
    from laconic.kit.journal.relays import Relay
    from laconic.kit.keeping.handles import Handles
    from laconic.kit.prompts.requests import PromptRequests
    from laconic.kit.prompts.sources import Place
    from laconic.kit.supplying.home import HomeFolders
    from laconic.kit.supplying.supply import Supplies
    from laconic.kit.toolset import Toolset

__all__ = ["Endpoint"]


class Endpoint:
    """Everything a client can reach through one connection."""

    def __init__(
        self,
        toolsets: Sequence[Toolset] | Mapping[str, Load],
        *,
        name: str | None = None,
        settings: Settings | None = None,
        state: KeyValue | None = None,
        kept: KeyValue | None = None,
        keys: Sequence[bytes] = (b"not a secret: nothing is kept",),
        listing: Listing | None = None,
        caches: bool = True,
        folders: HomeFolders | None = None,
        journal: CallJournal | None = None,
    ) -> None:
        """Take toolsets, or by name functions that load them, with the listing that was saved of them."""
        self._name = name
        self.settings = settings or Settings()
        self.state: KeyValue = state or MemoryStore()
        # a separate store, so that long and cached answers do not push out keys
        self._kept: KeyValue = kept or (MemoryStore() if state is None else self.state)
        self.changes = Changes()
        self.stop = Stop()
        self.keys = list(keys)
        self._served = Served(toolsets, self.settings, listing, self._reading, self._finding)
        self._called: dict[str, tuple[ToolSpec, Inner]] = {}  # tools and their ways, by the names called
        if self.settings.sections and not isinstance(toolsets, Mapping):
            hide_secrets_of(self.settings.sections, secret_keys(toolsets))
        self._folders = folders  # None: temporary ones
        self.is_http = False  # a transport says so before the first call
        self._journal = journal
        self._relay = self._relay_of(journal)
        self._caches = caches  # the contract does without: a cached answer lacks what the tool returned

    def _relay_of(self, journal: CallJournal | None) -> Relay | None:
        """Return what passes change notices to other processes; None where there is no way to."""
        can_send = hasattr(self.state, "publish")
        if journal is None and not can_send:
            return None
        from laconic.kit.journal.relays import Broadcast, Relay

        return Relay(self.changes, journal, self.state if isinstance(self.state, Broadcast) else None)

    @property
    def journal_folder(self) -> Path | None:
        """Where the calls of all processes of the workspace are recorded; None if they are not."""
        return None if self._journal is None else self._journal.store.folder

    def follow(self) -> None:
        """Tell clients of changes in other processes from now on, where there are lists that change."""
        if self._relay is not None and self.listing.changing:
            self._relay.follow(self.listing.changing | {"tools"})

    def _reading(self, has_resources: bool) -> Toolset:
        from laconic.kit.keeping.reading import reading

        return reading(self.handles, self.settings.budget, self._read_for_tool, has_resources=has_resources)

    def _finding(self, is_open: bool) -> Toolset:
        from laconic.kit.longlist.longlist import long_list

        return long_list(lambda: self.catalogue, self.call_tool, open_world=is_open)

    @property
    def toolsets(self) -> Toolsets:
        """What is served, with the kit's own; a toolset is loaded when it is first asked for."""
        return self._served.toolsets

    @property
    def catalogue(self) -> Catalogue:
        """Everything that is served; loads every toolset."""
        return self._served.catalogue

    @property
    def listing(self) -> Listing:
        """The lists that clients see."""
        return self._served.listing

    def tool(self, name: str) -> ToolSpec:
        """Find a tool by any of its names; loads only its toolset, where the listing knows which that is.

        Raises:
            Unknown: with the nearest name.
        """
        return self._served.tool(name)

    @property
    def name(self) -> str:
        """The name that it gives to clients; its toolsets' unless another was given."""
        return self._name or self.listing.name

    @cached_property
    def cursors(self) -> Cursors:
        """Seals and opens cursors."""
        from laconic.kit.cursors import Cursors

        return Cursors(self.keys, self.state)

    @cached_property
    def handles(self) -> Handles:
        """Keeps long answers aside."""
        from laconic.kit.keeping.handles import Handles

        return Handles(self._kept, seconds=self.settings.kept_for)

    @cached_property
    def redactor(self) -> Redactor:
        """Hides secrets and the places of this machine from models."""
        sections = self.settings.sections.values()
        return Redactor({str(section["workspace"]) for section in sections if section.get("workspace")})

    @cached_property
    def ways(self) -> Ways:
        """Composes the way of each call."""
        from laconic.kit.answers.sizes import Sizes
        from laconic.kit.present.presenter import Presenter
        from laconic.kit.steps import standard

        known = (self._kept, self.envelope_of, self._served.cached if self._caches else {}, self.section_of)
        more = (self.stop, self._make, self._journal, lambda spec: self.toolsets[spec.toolset].log_line)
        steps = standard(self.settings, self.state, self.cursors, self.handles, *known, *more)
        sizes = Sizes(self.settings.image_bytes, self.settings.block_bytes, self.settings.answer_bytes)
        presenter = Presenter(self.cursors, self.envelope_of, sizes)
        return Ways(steps, self.toolsets, self.supplies, presenter)

    def envelope_of(self, spec: Spec) -> Envelope:
        """Return the envelope of a spec's toolset."""
        return self.toolsets[spec.toolset].envelope

    def section_of(self, spec: Spec) -> Any:
        """Return the section of the configuration of a spec's toolset."""
        return self.supplies.section(spec.toolset)

    async def _make(self, call: Call) -> None:
        await self.supplies.make(call)

    async def call_tool(self, name: str, arguments: Mapping[str, Any] | None, peer: Peer) -> Answer:
        """Run a tool by its present or former name.

        Raises:
            Unknown: no tool has that name.
        """
        known = self._called.get(name)
        if known is None:
            found = self.tool(name)
            known = self._called[name] = (found, self.ways.of(found))
        spec, way = known
        return await way(self._call(spec, arguments, peer, name))

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
        from laconic.kit.arguments.schema import Checked

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
        call.is_tools = not is_whole
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

    @cached_property
    def supplies(self) -> Supplies:
        """What functions are supplied with."""
        from laconic.kit.supplying.supply import Supplies

        known = (self.toolsets, self.settings, self.state, self.changes, self._folders)
        return Supplies(*known, is_http=self.is_http)

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
