"""Build an endpoint from options; serve, tools, call and doctor all start here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic import __version__
from laconic.cli import toolsets
from laconic.cli.configuration import secret_file
from laconic.cli.configuration.files import FILE_NAME, unknown
from laconic.cli.configuration.options import FILE, OPTIONS, ServerOptions
from laconic.cli.configuration.settings import sections_of
from laconic.cli.configuration.workspace import Places
from laconic.cli.listing_cache import is_own, listing_of
from laconic.kit.errors import BadConfiguration
from laconic.kit.settings import Settings, hide_secrets_of
from laconic.kit.wire.about import ServerCard
from laconic.stores.errors import StoreError
from laconic.stores.keyvalue.opening import check_address

if TYPE_CHECKING:
    from laconic.cli.toolsets import Reference
    from laconic.kit.endpoint import Endpoint
    from laconic.kit.journal.calls import CallJournal
    from laconic.kit.listing import Listing
    from laconic.kit.supplying.home import HomeFolders
    from laconic.kit.toolset import Toolset

__all__ = ["Prepared", "assemble", "listed", "references"]

NAME: Final = "laconic"  # what clients see where our own toolsets are served
_GOOGLE: Final = "laconic.servers.google"


class Prepared:
    """Everything an endpoint needs, checked; with a cached listing, no tool module is imported."""

    def __init__(self, options: ServerOptions) -> None:
        """Find and check everything.

        Raises:
            BadConfiguration: the options name something that does not exist.
        """
        self._places = places = Places.of(options)
        self._journal = options.journal if places.is_lasting else "off"
        self._found, self.listing = references(options), listed(options)
        options = _with_logins(options, self._found, places)
        common = {"workspace": str(places.workspace), "cache": str(places.cache)}
        names = _sections(self.listing)
        given = sections_of(options, names)
        sections = {name: {**common, **given.get(name, {})} for name in names}
        hide_secrets_of(sections, self.listing.secrets)
        name, version = (NAME, __version__) if self._is_ours else (self.listing.name, self.listing.version)
        self._name = options.name or name
        self._settings = replace(
            _settings(options),
            sections=sections,
            from_workspace=options.from_workspace,
            version=options.version or version,
        )
        self._stores = [places.store] if places.store.startswith("redis") else [places.store, places.kept]
        _check_stores(self._stores)
        self._keys = secret_file.keys(places.state, options.secret, lasting=places.is_lasting)

    @property
    def _is_ours(self) -> bool:
        """True if one of the toolsets comes with Laconic; otherwise the server is its author's."""
        return any(is_own(one.module) for one in self._found)

    @property
    def about(self) -> ServerCard:
        """What clients learn before any tool runs."""
        version = self._settings.version or ""
        return ServerCard(self._name, version, self.listing, self._settings.list_page)

    @cached_property
    def endpoint(self) -> Endpoint:
        """The endpoint; its tools are imported at the first call, unless they are loaded ahead."""
        from laconic.kit.endpoint import Endpoint
        from laconic.stores.keyvalue.opening import open_keyvalue

        state, *kept = map(open_keyvalue, self._stores)
        return Endpoint(
            dict(zip(self.listing.toolsets, (partial(_load, one) for one in self._found), strict=True)),
            name=self._name,
            settings=self._settings,
            state=state,
            kept=kept[0] if kept else None,
            keys=self._keys,
            listing=self.listing,
            folders=self._folders(),
            journal=self._calls(),
        )

    def _folders(self) -> HomeFolders | None:
        """Return the folders of factories; None are temporary ones."""
        from laconic.kit.supplying.home import HomeFolders

        sandbox, places = self._settings.sandbox, self._places
        if sandbox is True:
            return None
        cache = sandbox / "cache" if isinstance(sandbox, Path) else places.cache
        return HomeFolders(places.state, cache, places.data)

    def _calls(self) -> CallJournal | None:
        if self._journal == "off" or self._settings.sandbox:
            return None
        from laconic.kit.journal.calls import CallJournal
        from laconic.stores import Journal

        places = self._places
        return CallJournal(Journal(places.journal), places.workspace, reads=self._journal == "all")


def assemble(options: ServerOptions) -> Endpoint:
    """Build the endpoint; its tools are imported at the first call.

    Raises:
        BadConfiguration: the options name something that does not exist.
    """
    return Prepared(options).endpoint


def listed(options: ServerOptions) -> Listing:
    """Return the listing that clients will see, without opening a store or creating a secret.

    Raises:
        BadConfiguration: the options name something that does not exist.
    """
    found, places = references(options), Places.of(options)
    options, folder = _with_logins(options, found, places), places.cache / "lists"
    # a list may depend on a variable whose toolset is known only once it is loaded
    settings = replace(_settings(options), sections={**options.sections, "": options.variables})

    def configured(loaded: Sequence[Toolset]) -> Settings:
        return replace(settings, sections=sections_of(options, [one.root.name for one in loaded]))

    listing = listing_of(found, settings, folder, lambda: [_load(one) for one in found], configured)
    _check_names(options, listing)
    return listing


def _with_logins(options: ServerOptions, found: Sequence[Reference], places: Places) -> ServerOptions:
    """Return the options with the aliases of those who signed in, if the Google server is served."""
    if options.sandbox or not any(one.module.startswith(_GOOGLE) for one in found):
        return options
    from laconic.cli.configuration.google_logins import with_logins

    return with_logins(options, places)


def references(options: ServerOptions) -> list[Reference]:
    """Return the chosen toolsets, or the default ones, without repeats."""
    return [toolsets.find(name) for name in dict.fromkeys(options.servers or toolsets.DEFAULT)]


def _settings(options: ServerOptions) -> Settings:
    output = "both" if options.metadata and options.output == "text" else options.output
    return Settings(
        output=output,  # type: ignore[arg-type]  # validated as one of the three words
        metadata=options.metadata,
        read_only=options.read_only,
        dotted_names=options.dotted_names,
        prefixes=options.prefix,
        deadline=options.deadline,
        rate=options.rate,
        read_rate=options.read_rate,
        write_rate=options.write_rate,
        read_day=options.read_day,
        write_day=options.write_day,
        concurrency=options.concurrency,
        budget=options.budget,
        long_list=options.long_list,
        pinned=options.pinned,
        allow=options.allow,
        deny=options.deny,
        tools=options.tools,
        repeats=options.repeats,
        database=options.database or "",
        database_copies=options.database_copies,
        sandbox=options.sandbox,
    )


def _load(found: Reference) -> Toolset:
    toolset = toolsets.load(found)
    if not (toolset.tools or toolset.resources or toolset.prompts or toolset.prompt_source):
        raise BadConfiguration(
            f"The server '{toolset.name}' has no tools, resources or prompts yet.", advice="Leave it out."
        )
    return toolset


def _sections(listing: Listing) -> list[str]:
    """Return the toolsets whose sections of the configuration are used."""
    return [*dict.fromkeys(listing.roots.get(name, name) for name in listing.toolsets)]


def _check_names(options: ServerOptions, listing: Listing) -> None:
    """Check that every section, prefix, profile and variable names an existing toolset, served now or not."""
    served = {*listing.toolsets, *listing.roots.values()}
    for name in listing.toolsets:
        root = listing.roots.get(name, name)
        if root != name and name in options.sections:
            raise BadConfiguration(
                f"Nothing reads [{name}]: the toolset {name} has the configuration of {root}.",
                advice=f"Write it under [{root}].",
            )
    named = [*sections_of(options, _sections(listing)), *options.prefix, *options.tools]
    if all(name in served or name in toolsets.OWN for name in named):
        return
    known = {*served, *toolsets.OWN, *toolsets.installed()}
    for name in options.tools:
        if name not in known:
            raise unknown("server", name, sorted(known), where=f" in {OPTIONS['tools'].flag}")
    tables = {option.key.partition(".")[0] for option in OPTIONS.values() if FILE in option.sources}
    for name in named:
        if name not in known:
            raise unknown("table", name, sorted(known | tables), where=f" in {FILE_NAME}")


def _check_stores(addresses: Iterable[str]) -> None:
    try:
        for address in addresses:
            check_address(address)
    except StoreError as error:
        raise BadConfiguration(f"{OPTIONS['state'].variable}: {error}", advice="") from None
