"""Toolsets whose lists cannot be trusted."""

from laconic.kit import Page, Toolset, Window
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
