"""Toolsets whose lists cannot be trusted."""

from dataclasses import replace
from typing import Any

from laconic.kit import Envelope, Items, Page, Toolset, Window
from laconic.kit.answers.envelope import PageFacts
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import Nameless, Shelf, Thing, breaks, shelf


@breaks("a_page_says_shown_of_total")
def a_page_with_another_heading(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_list(window: Window = Window()) -> Page[Nameless]:
        """List things."""
        return window.cut([Nameless(id=1), Nameless(id=2)], key=lambda thing: (thing.id,))

    return Contract(toolset, samples={"thing_list": {}})


@breaks("the_cursor_reaches_every_item_once")
def a_page_that_begins_again(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        shown = shelf.things[: window.count]
        return Page(shown, total=3, next=(1,) if window.count < 3 else None)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("the_cursor_reaches_every_item_once")
def a_page_that_skips(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        begin = int(str(window.position[0])) + 1 if window.position else 0
        shown = shelf.things[begin : begin + window.count]
        end = begin + len(shown)
        return Page(shown, total=3, next=(end,) if end < 3 else None)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("pages_are_true_in_every_form")
def data_without_the_last_row(*_: object) -> Contract:
    class Short(Envelope):
        def page(self, facts: PageFacts) -> dict[str, Any]:
            return super().page(replace(facts, rows=facts.rows[:-1]))

    toolset = shelf(envelope=Short())

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        return window.cut(shelf.things, key=lambda thing: (thing.id,))

    return Contract(toolset, samples={"thing_list": {}})


@breaks("pages_are_true_in_every_form")
def a_page_that_cannot_be_asked_for_again(*_: object) -> Contract:
    toolset = shelf()
    asked: list[None] = []

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things, long ones and others each time."""
        asked.append(None)
        begin = 0 if len(asked) == 1 else 100 * len(asked)
        things = [Thing(id=begin + number, name="long name " * 20) for number in range(5)]
        return Page(things, total=5, start=0)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("a_page_keeps_its_limit")
def a_page_that_ignores_its_limit(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        return Page(shelf.things, total=3, start=0)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("a_page_keeps_its_limit")
def data_that_calls_its_count_a_limit(*_: object) -> Contract:
    class Miscalled(Items):
        def paging(self, facts: PageFacts) -> dict[str, Any]:
            return super().paging(facts) | {"limit": len(facts.rows)}

    toolset = shelf(envelope=Miscalled())

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        return window.cut(shelf.things, key=lambda thing: (thing.id,))

    return Contract(toolset, samples={"thing_list": {}})


@breaks("an_offset_skips_items")
def a_list_that_ignores_its_offset(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window(offset=True)) -> Page[Thing]:
        """List things."""
        return window.page(shelf.things[: window.count], total=3)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("an_offset_skips_items")
def a_list_that_miscounts_what_it_skipped(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window(offset=True)) -> Page[Thing]:
        """List things."""
        return Page(shelf.things[window.start :][: window.count], total=3, start=2)

    return Contract(toolset, samples={"thing_list": {}})


@breaks("the_second_page_looks_like_the_first")
def a_second_page_with_all_the_rest(*_: object) -> Contract:
    toolset = shelf()

    @toolset.read
    async def thing_list(shelf: Shelf, window: Window = Window()) -> Page[Thing]:
        """List things."""
        if window.position:
            return Page(shelf.things[1:], total=3, start=1)
        return Page(shelf.things[:1], total=3, start=0, next=(1,))

    return Contract(toolset, samples={"thing_list": {}})
