"""Toolsets whose declarations are bad."""

from typing import Annotated

from laconic.kit import Page, Toolset, Window
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import Thing, breaks


@breaks("no_two_tools_share_a_name")
def a_name_twice(*_: object) -> Contract:
    toolset = Toolset("twice")
    for _again in range(2):

        @toolset.read
        async def thing_get() -> str:
            """Read a thing."""
            return "thing"

    return Contract(toolset)


@breaks("no_two_tools_share_a_name")
def a_former_name_that_is_taken(*_: object) -> Contract:
    toolset = Toolset("twice")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    @toolset.read(was="thing_get")
    async def thing_read() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("no_two_tools_share_a_name")
def a_second_name_that_is_taken(*_: object) -> Contract:
    toolset = Toolset("twice")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    @toolset.read(also="thing_get")
    async def thing_read() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("hints_name_tools_that_exist")
def a_hint_to_nowhere(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read(hint="thing_lits")
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("hints_name_tools_that_exist")
def a_resource_with_a_hint_to_nowhere(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.resource("thing://{name}", hint="thing_lits")
    async def thing(name: str) -> str:
        """One thing."""
        return name

    return Contract(toolset)


@breaks("the_name_fits_every_host")
def a_name_with_a_dot(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read(name="thing.get")
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("the_name_fits_every_host")
def a_listed_former_name_that_is_too_long(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read(was="read_a_thing_from_the_shelf_that_is_in_the_kitchen", listed=True)
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("the_name_fits_every_host")
def a_second_name_that_is_too_long(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read(also="read_a_thing_from_the_shelf_that_is_in_the_kitchen")
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset)


@breaks("the_description_is_short")
def no_docstring(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        return "thing"

    return Contract(toolset)


@breaks("the_description_is_short")
def four_sentences(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing. It is on the shelf, e.g. the lower one. It may be dusty! Shall we clean it?"""
        return "thing"

    return Contract(toolset)


@breaks("parameters_are_described")
def a_parameter_without_a_word(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(shelf: str) -> str:
        """Read a thing."""
        return shelf

    return Contract(toolset)


@breaks("the_schema_is_an_object")
def a_combinator_at_the_top(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read(extra_schema={"anyOf": [{"required": ["id"]}, {"required": ["name"]}]})
    async def thing_get(
        id: Annotated[int | None, "Its number."] = None, name: Annotated[str | None, "Its name."] = None
    ) -> str:
        """Read a thing."""
        return f"{id}{name}"

    return Contract(toolset)


@breaks("a_page_has_a_window")
def a_page_without_a_window(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_list() -> Page[Thing]:
        """List things."""
        return Page([])

    return Contract(toolset)


@breaks("a_page_has_a_window")
def a_window_without_a_page(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_list(window: Window = Window()) -> str:
        """List things."""
        return f"{window.count} things"

    return Contract(toolset)


@breaks("the_list_is_within_its_budget")
def a_list_that_is_too_dear(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset, budget=5)
