"""Toolsets that answer badly, or change what they should not."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from laconic.kit import Answer, Call, Endpoint, Inner, Page, Peer, Text, Toolset, Window
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import Mute, Nameless, Shelf, Thing, breaks, count, shelf


@breaks("arguments_left_out_are_none")
def an_endpoint_that_misses_arguments(_: object, patch: pytest.MonkeyPatch) -> Contract:
    toolset = Toolset("bad")
    call_tool = Endpoint.call_tool

    async def strict(self: Endpoint, name: str, arguments: Mapping[str, Any] | None, peer: Peer) -> Answer:
        return await call_tool(self, name, {"missing": 1} if arguments is None else arguments, peer)

    patch.setattr(Endpoint, "call_tool", strict)

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("both_eras_are_answered_alike")
def a_tool_that_looks_at_the_era(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(peer: Peer) -> str:
        """Read a thing."""
        return "new" if getattr(peer, "is_modern", False) else "old"

    return Contract(toolset, samples={"thing_get": {}})


@breaks("text_comes_alone")
def a_tool_that_always_sends_data(*_: object) -> Contract:
    async def add(call: Call, inner: Inner) -> Answer:
        return replace(await inner(call), structured={"id": 1})

    toolset = Toolset("bad", steps=[add])

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset, samples={"thing_get": {}})


@breaks("structured_content_fits_its_schema")
def a_record_of_another_kind(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> Thing:
        """Read a thing."""
        return Thing.model_construct(id="one", name=["thing"])

    return Contract(toolset, samples={"thing_get": {}})


@breaks("structured_content_fits_its_schema")
def data_without_a_schema(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> Answer:
        """Read a thing."""
        return Answer([Text("thing")], {"id": 1})

    return Contract(toolset, samples={"thing_get": {}})


@breaks("each_form_is_enough_by_itself")
def a_text_without_the_key(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> Nameless:
        """Read a thing."""
        return Nameless(id=4711)

    return Contract(toolset, samples={"thing_get": {}})


@breaks("each_form_is_enough_by_itself")
def data_without_a_total(*_: object) -> Contract:
    toolset = shelf(envelope=Mute())

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        return window.cut(shelf.things, key=lambda thing: (thing.id,))

    return Contract(toolset, samples={"thing_list": {}})


@breaks("a_read_changes_nothing")
def a_read_that_takes_away(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_get(shelf: Shelf) -> Thing:
        """Read a thing."""
        return shelf.things.pop()

    return Contract(toolset, samples={"thing_get": {}}, fingerprint=count)


@breaks("an_idempotent_tool_may_be_repeated")
def an_update_that_adds(*_: object) -> Contract:
    toolset = shelf()

    @toolset.update
    async def thing_put(shelf: Shelf) -> str:
        """Put a thing on the shelf."""
        shelf.things.append(Thing(id=9))
        return "done"

    return Contract(toolset, samples={"thing_put": {}}, fingerprint=count)


@breaks("a_retry_with_the_same_key_happens_once")
def a_store_that_forgets_the_key(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.stores.keyvalue.memory.MemoryStore.put_new", always_new)
    toolset = shelf()

    @toolset.create
    async def thing_put(shelf: Shelf) -> str:
        """Put a thing on the shelf."""
        shelf.things.append(Thing(id=9))
        return "done"

    return Contract(toolset, samples={"thing_put": {}}, fingerprint=count)


async def always_new(self: object, name: str, value: bytes, seconds: float) -> bool:
    return True
