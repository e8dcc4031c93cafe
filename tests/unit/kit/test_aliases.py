"""Names that models give their fields in what they write, and dataclasses, in every form of an answer."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pydantic import BaseModel, Field

from laconic.kit import Page, Record, Settings, Toolset, Window
from laconic.kit.testing import connect


class Size(BaseModel):
    in_grams: int = Field(alias="inGrams")


class Parcel(Record, formats={"lean": ("owner_name",), "full": ("owner_name", "size")}):
    id: str
    owner_name: str = Field(serialization_alias="owner")
    size: Size


@dataclass
class Weight:
    grams: int
    of: Parcel


PARCEL = Parcel(id="P1", owner_name="Ann", size=Size(inGrams=3))
post = Toolset("post")


@post.read
async def parcel_get() -> Parcel:
    """Read a parcel."""
    return PARCEL


@post.read
async def parcel_list(window: Window = Window()) -> Page[Parcel]:
    """List parcels."""
    return window.cut([PARCEL], key=lambda parcel: (parcel.id,))


@post.read
async def parcel_weight() -> Weight:
    """Weigh a parcel."""
    return Weight(3, PARCEL)


@pytest.mark.parametrize("output", ["text", "structured", "both"])
async def test_a_field_is_called_by_its_alias(output: str) -> None:
    async with connect(post, settings=Settings(output=output)) as client:  # type: ignore[arg-type]  # one of the three
        one = await client.call("parcel_get", format="full")
        some = await client.call("parcel_get", fields=["owner"])
        many = await client.call("parcel_list", format="full")

    if output != "structured":
        assert one.text == 'id: P1\nowner: Ann\nsize: {"inGrams":3}'
        assert some.text == "id: P1\nowner: Ann"
        assert many.text == '1 parcel:\nid\towner\tsize\nP1\tAnn\t{"inGrams":3}'
    if output != "text":
        assert one.structured == {"id": "P1", "owner": "Ann", "size": {"inGrams": 3}}
        assert many.structured is not None and many.structured["columns"] == ["id", "owner", "size"]


async def test_the_output_schema_has_the_aliases() -> None:
    async with connect(post, settings=Settings(output="structured")) as client:
        (schema,) = [tool["outputSchema"] for tool in await client.tools() if tool["name"] == "parcel_get"]

    assert schema["properties"]["owner"] == {"type": ["string", "null"]}


async def test_a_dataclass_is_shown_as_its_fields() -> None:
    async with connect(post, settings=Settings(output="both")) as client:
        reply = await client.call("parcel_weight")

    assert reply.structured == {"grams": 3, "of": {"id": "P1", "owner": "Ann", "size": {"inGrams": 3}}}
    assert reply.text == '{"grams":3,"of":{"id":"P1","owner":"Ann","size":{"inGrams":3}}}'
