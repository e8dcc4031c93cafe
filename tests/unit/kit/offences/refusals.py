"""Toolsets that fail badly."""

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from laconic.kit import Conflict, Failure, NotFound, Page, Toolset, Window
from laconic.kit.arguments.checked import Checked
from laconic.kit.arguments.schema import Arguments
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import Mute, Thing, breaks


class Lenient(Arguments):
    """Drops what it does not know."""

    def check(self, raw: Mapping[str, Any]) -> Checked:
        return super().check({name: value for name, value in raw.items() if name in self.names})


@breaks("an_unknown_argument_is_refused")
def a_tool_that_takes_anything(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(name: Annotated[str, "Its name."] = "") -> str:
        """Read a thing."""
        return name

    toolset.tools[0].__dict__["_arguments"] = Lenient(toolset.tools[0])
    return Contract(toolset)


@breaks("an_unknown_argument_is_refused")
def a_kit_that_does_not_name_the_nearest(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.kit.arguments.problems.nearest", lambda *words, **options: [])
    patch.setattr("laconic.kit.arguments.problems.listing", lambda values: "some")
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(name: Annotated[str, "Its name."] = "") -> str:
        """Read a thing."""
        return name

    return Contract(toolset)


@breaks("a_failure_says_what_to_do")
def a_not_found_that_leads_nowhere(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(name: Annotated[str, "Its name."]) -> str:
        """Read a thing."""
        raise NotFound("Thing", name)

    return Contract(toolset, failing={"thing_get": {"name": "x"}})


@breaks("a_failure_says_what_to_do")
def a_mistake_that_becomes_a_bug(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get(number: Annotated[str, "Its number."]) -> str:
        """Read a thing."""
        return f"thing {int(number)}"

    return Contract(toolset, samples={"thing_get": {"number": "1"}})


@breaks("a_failure_says_what_to_do")
def a_failure_with_a_stack_trace(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        raise Conflict("Traceback (most recent call last): line 1", advice="Try again.")

    return Contract(toolset, failing={"thing_get": {}})


@breaks("a_failure_says_what_to_do")
def a_failure_that_does_not_fail(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    return Contract(toolset, failing={"thing_get": {}})


@breaks("a_failure_says_what_to_do")
def a_failure_without_data(*_: object) -> Contract:
    toolset = Toolset("bad", envelope=Mute())

    @toolset.read
    async def thing_get(name: Annotated[str, "Its name."]) -> str:
        """Read a thing."""
        return name

    return Contract(toolset)


@breaks("a_failure_says_what_to_do")
def a_failure_that_is_too_long(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.kit.errors.notices.MOST_BYTES", 6000)
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        raise Conflict("No. " * 200, advice="Give up.")

    return Contract(toolset, failing={"thing_get": {}})


@breaks("a_failure_says_what_to_do")
def a_failure_that_shows_a_password(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        raise Conflict("Refused with password=hunter2", advice="Try again.", safe=True)

    return Contract(toolset, failing={"thing_get": {}})


@breaks("every_mistake_is_reported")
def a_kit_whose_data_has_only_the_first_mistake(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.kit.errors.BadArguments.record", Failure.record)
    return _named()


@breaks("every_mistake_is_reported")
def a_kit_that_drops_mistakes_without_room(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.kit.errors.notices.Notice._rest", lambda *_: "")
    return _named()


@breaks("every_mistake_is_reported")
def an_envelope_that_drops_mistakes(*_: object) -> Contract:
    return _named(envelope=Mute())


def _named(**options: Any) -> Contract:
    toolset = Toolset("bad", **options)

    @toolset.read
    async def thing_get(name: Annotated[str, "Its name."] = "") -> str:
        """Read a thing."""
        return name

    return Contract(toolset)


@breaks("a_failure_fits_its_schema")
def a_list_whose_schema_admits_no_failure(_: object, patch: pytest.MonkeyPatch) -> Contract:
    patch.setattr("laconic.kit.present.schemas._or_failure", lambda schema, envelope: schema)
    toolset = Toolset("bad")

    @toolset.read
    async def thing_list(window: Window = Window()) -> Page[Thing]:
        """List things."""
        return window.cut([], key=lambda thing: (thing.id,))

    return Contract(toolset)
