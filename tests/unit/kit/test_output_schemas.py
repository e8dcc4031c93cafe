"""What a tool returns fits the schema that it declares, whatever its return type."""

from math import inf, nan
from typing import Annotated, Any

import pytest
from pydantic import PlainSerializer, computed_field

from laconic.kit import META, PAGINATION, TABLE, Envelope, Record, Settings, Toolset
from laconic.kit.testing import connect
from tests.unit.kit.test_serialised import Length, Tags


class Plant(Record):
    """One kind of record."""

    id: str
    size: int = 1


class Tree(Record):
    """Another kind, with a field that has another type."""

    id: str
    size: str = "tall"


class Odd(Record):
    """A record whose fields are not sent as they are kept."""

    id: str
    tags: Tags = Tags(["x"])
    length: Length = 3
    width: Annotated[int, PlainSerializer(lambda value: f"{value} cm")] = 3
    depth: Annotated[int, PlainSerializer(str, return_type=str, when_used="json")] = 3

    @computed_field  # type: ignore[prop-decorator]  # mypy does not know it
    @property
    def double(self) -> int:
        return 6


class Measured(Record):
    """A record with numbers that JSON does not have."""

    id: str
    width: float
    depths: list[float]


RETURNED: list[tuple[Any, Any]] = [
    (Odd, Odd(id="1")),
    (Tags, Tags(["x"])),
    (Plant | Tree, Tree(id="1")),
    (Plant | Tree, Plant(id="1")),
    (Plant | None, None),
    (Plant | None, Plant(id="1")),
    (Plant | Tree | None, None),
    (Annotated[Plant, "A plant."], Plant(id="1")),
    (dict[str, Plant], {"id": Plant(id="1")}),
    (list[Plant], [Plant(id="1")]),
    (Plant | int, 5),
    (float, 1.5),
    (float, nan),
    (float, -inf),
    (float | None, inf),
    (float | None, None),
    (dict[str, float], {"a": nan}),
    (Measured, Measured(id="1", width=nan, depths=[inf, 1.5])),
    (Plant | list[Plant], [Plant(id="1")]),
]


@pytest.mark.parametrize("envelope", [TABLE, META, PAGINATION], ids=["table", "meta", "pagination"])
@pytest.mark.parametrize(("returns", "value"), RETURNED, ids=[str(one) for one, _ in RETURNED])
async def test_an_answer_fits_its_schema(envelope: Envelope, returns: Any, value: Any) -> None:
    toolset = Toolset("garden", "Plants.", envelope=envelope)

    async def garden_get() -> Any:
        """Read it."""
        return value

    garden_get.__annotations__["return"] = returns
    toolset.read(garden_get)
    async with connect(toolset, settings=Settings(output="both")) as client:
        await client.tools()
        reply = await client.call("garden_get")  # the client checks it against the schema
        assert not reply.failed and reply.structured is not None


@pytest.mark.parametrize(("value", "said"), [(nan, "NaN"), (inf, "Infinity"), (-inf, "-Infinity")])
async def test_a_number_that_json_does_not_have_is_a_word_in_both_forms(value: float, said: str) -> None:
    toolset = Toolset("garden", "Plants.")

    @toolset.read
    async def garden_size() -> float:
        """Read its size."""
        return value

    async with connect(toolset, settings=Settings(output="both")) as client:
        reply = await client.call("garden_size")
    assert (reply.text, reply.structured) == (said, {"result": said})
