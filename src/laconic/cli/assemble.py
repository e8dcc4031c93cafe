"""From options to an endpoint: what serve, tools, call and doctor all start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from laconic.cli import secret, toolsets
from laconic.cli.lists import listing_of
from laconic.cli.options import FILE, OPTIONS, Options
from laconic.cli.settings import FILE_NAME, unknown
from laconic.cli.workspace import Places
from laconic.kit.endpoint import Endpoint
from laconic.kit.errors import BadConfiguration
from laconic.kit.settings import Settings
from laconic.stores import StoreError, open_keyvalue

if TYPE_CHECKING:
    from laconic.cli.toolsets import Reference
    from laconic.kit.listing import Listing
    from laconic.kit.toolset import Toolset
    from laconic.stores import KeyValue

__all__ = ["assemble", "listed", "references"]


def assemble(options: Options) -> Endpoint:
    """Make the endpoint; with a kept listing no tool's module is imported before the first call.

    Raises:
        BadConfiguration: the options name something that is not there.
    """
    places, found, listing = Places.of(options), references(options), listed(options)
    common = {"workspace": str(places.workspace), "cache": str(places.cache)}
    sections = {name: {**common, **options.sections.get(name, {})} for name in listing.toolsets}
    return Endpoint(
        lambda: _load(found),
        settings=replace(_settings(options), sections=sections),
        state=_open(places.store),
        kept=_open(places.kept) if places.kept != places.store else None,
        keys=secret.keys(places.state, options.secret, lasting=places.is_lasting),
        listing=listing,
    )


def listed(options: Options) -> Listing:
    """What clients will be told there is; nothing is opened for it, and no secret made.

    Raises:
        BadConfiguration: the options name something that is not there.
    """
    found, folder = references(options), Places.of(options).cache / "lists"
    listing = listing_of(found, _settings(options), folder, lambda: _load(found))
    _check_names(options, listing)
    return listing


def references(options: Options) -> list[Reference]:
    """The toolsets chosen, or the usual ones, each once."""
    return [toolsets.find(name) for name in dict.fromkeys(options.servers or toolsets.DEFAULT)]


def _settings(options: Options) -> Settings:
    return Settings(
        output=options.output,  # type: ignore[arg-type]  # read as one of the three words
        read_only=options.read_only,
        dotted_names=options.dotted_names,
        prefixes=options.prefix,
        deadline=options.deadline,
        rate=options.rate,
        concurrency=options.concurrency,
        budget=options.budget,
        long_list=options.long_list,
        pinned=options.pinned,
        repeats=options.repeats,
    )


def _load(found: Sequence[Reference]) -> list[Toolset]:
    return [toolsets.load(reference) for reference in found]


def _check_names(options: Options, listing: Listing) -> None:
    """Every section and prefix must be of a toolset there is, though perhaps not one served now."""
    named = [*options.sections, *options.prefix]
    if all(name in listing.toolsets or name in toolsets.OWN for name in named):
        return
    known = {*listing.toolsets, *toolsets.OWN, *toolsets.installed()}
    tables = {option.key.partition(".")[0] for option in OPTIONS.values() if FILE in option.sources}
    for name in named:
        if name not in known:
            raise unknown("table", name, sorted(known | tables), where=f" in {FILE_NAME}")


def _open(store: str) -> KeyValue:
    try:
        return open_keyvalue(store)
    except StoreError as error:
        raise BadConfiguration(f"{OPTIONS['state'].variable}: {error}", advice="") from None
