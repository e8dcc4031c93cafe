"""The equipment of an endpoint: all that its calls need, each made when it is first used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from laconic.kit.listing import Listing, secret_keys
from laconic.kit.loading import Load, Toolsets
from laconic.kit.peer import Changes, Peer
from laconic.kit.pipeline import Answer, Call
from laconic.kit.redaction import Redactor
from laconic.kit.served import Served
from laconic.kit.settings import Settings, hide_secrets_of
from laconic.kit.stopping import Stop
from laconic.kit.ways import Ways
from laconic.stores.keyvalue import KeyValue
from laconic.stores.keyvalue.memory import MemoryStore

if TYPE_CHECKING:
    from laconic.kit.answers.envelope import Envelope
    from laconic.kit.catalogue import Catalogue
    from laconic.kit.cursors import Cursors
    from laconic.kit.declaring.spec import Spec, ToolSpec
    from laconic.kit.journal.calls import CallJournal
    from laconic.kit.journal.relays import Relay
    from laconic.kit.keeping.handles import Handles
    from laconic.kit.supplying.home import HomeFolders
    from laconic.kit.supplying.supply import Supplies
    from laconic.kit.toolset import Toolset

__all__ = ["Equipment"]


class Equipment(ABC):
    """Toolsets with what they are served with: settings, stores, keys and steps."""

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
        presenter = Presenter(self.cursors, self.envelope_of, sizes, can_keep=bool(self.settings.budget))
        return Ways(steps, self.toolsets, self.supplies, presenter)

    def envelope_of(self, spec: Spec) -> Envelope:
        """Return the envelope of a spec's toolset."""
        return self.toolsets[spec.toolset].envelope

    def section_of(self, spec: Spec) -> Any:
        """Return the section of the configuration of a spec's toolset."""
        return self.supplies.section(spec.toolset)

    async def _make(self, call: Call) -> None:
        await self.supplies.make(call)

    @cached_property
    def supplies(self) -> Supplies:
        """What functions are supplied with."""
        from laconic.kit.supplying.supply import Supplies

        known = (self.toolsets, self.settings, self.state, self.changes, self._folders)
        return Supplies(*known, is_http=self.is_http)

    @abstractmethod
    def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None, peer: Peer
    ) -> Coroutine[Any, Any, Answer]:
        """Run a tool: the kit has one that calls others."""

    @abstractmethod
    async def _read_for_tool(
        self, uri: str, peer: Peer, is_whole: bool, chosen: Mapping[str, Any]
    ) -> tuple[Answer, str]:
        """Read a resource: the kit has a tool for that."""
