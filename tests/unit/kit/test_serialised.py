"""What a model says about its own serialisation is what callers get, in every form."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,  # noqa: TID251  # authors of other servers may use it
    computed_field,
)
from pydantic.dataclasses import dataclass

from laconic.kit import BadConfiguration, Page, Record, Settings, Toolset, Window
from laconic.kit.testing import connect

Form = Literal["text", "structured", "both"]
FORMS: tuple[Form, ...] = ("text", "structured", "both")


class Login(BaseModel):
    """A part of a record."""

    name: str = "ann"
    password: str = Field(default="hunter2", exclude=True)


class Account(Record, formats={"short": ("name",)}, groups={"people": ("login",)}):
    """A record with a field that is never shown."""

    id: str
    name: str = "Main"
    password: str = Field(default="hunter2", exclude=True)
    login: Login = Login()


@dataclass
class Card:
    """A dataclass of pydantic."""

    name: str = "ann"
    password: str = Field(default="hunter2", exclude=True)


class Hidden(Record):
    """A record whose key is never shown."""

    id: str = Field(default="hunter2", exclude=True)
    name: str = "Main"

    def list_remarks(self) -> list[str]:
        return ["It is new."]


bank = Toolset("bank", "Accounts.")


@bank.read
async def bank_get() -> Account:
    """Read an account."""
    return Account(id="1")


@bank.read
async def bank_list(window: Window = Window()) -> Page[Account]:
    """List accounts."""
    return window.cut([Account(id="1")], key=lambda account: (account.id,))


@bank.read
async def bank_hidden(window: Window = Window()) -> Page[Hidden]:
    """List records without a key."""
    return window.cut([Hidden()], key=lambda one: (one.name,))


@bank.read
async def bank_login() -> Login:
    """Read a model that is no record."""
    return Login()


@bank.read
async def bank_card() -> Card:
    """Read a dataclass."""
    return Card()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("bank_get", {}),
        ("bank_get", {"fields": ["name", "people"]}),
        ("bank_list", {}),
        ("bank_list", {"fields": ["login"]}),
        ("bank_hidden", {}),
        ("bank_login", {}),
        ("bank_card", {}),
    ],
)
async def test_an_excluded_field_is_never_shown(form: Form, tool: str, arguments: dict[str, Any]) -> None:
    async with connect(bank, settings=Settings(output=form)) as client:
        reply = await client.call(tool, **arguments)
        shown = f"{reply.text} {reply.structured}"
        assert not reply.failed and "hunter2" not in shown and "password" not in shown
        assert "Main" in shown or "ann" in shown


async def test_an_excluded_field_is_not_offered_and_in_no_schema() -> None:
    async with connect(bank, settings=Settings(output="both")) as client:
        assert "password" not in str(await client.tools())
        assert (await client.call("bank_get", fields=["password"])).failed


def test_no_format_can_name_an_excluded_field() -> None:
    with pytest.raises(BadConfiguration, match="Open: its class names 'password', a field that is excluded"):

        class Open(Record, formats={"full": ("password",)}):
            id: str
            password: str = Field(exclude=True)


class Box(BaseModel):
    """A part with everything that a model can say about itself."""

    model_config = ConfigDict(extra="allow")
    inner_width: int = Field(default=5, alias="innerWidth")

    @computed_field  # type: ignore[prop-decorator]  # mypy does not know it
    @property
    def area(self) -> int:
        return 25


class Tags(RootModel[list[str]]):
    """A list with a name."""


Length = Annotated[int, PlainSerializer(lambda value: f"{value} cm", return_type=str)]


class Parcel(Record, formats={"short": ("double", "length"), "full": ("box", "tags", "double", "length")}):
    """A record whose fields are not shown as they are kept."""

    id: str
    box: Box = Box(colour="red")  # type: ignore[call-arg]  # extra on purpose
    tags: Tags = Tags(["x", "y"])
    length: Length = 3

    @computed_field  # type: ignore[prop-decorator]  # mypy does not know it
    @property
    def double(self) -> int:
        return self.box.inner_width * 2


post = Toolset("post", "Parcels.")


@post.read
async def post_get() -> Parcel:
    """Read a parcel."""
    return Parcel(id="1")


@post.read
async def post_list(window: Window = Window()) -> Page[Parcel]:
    """List parcels."""
    return window.cut([Parcel(id="1")], key=lambda parcel: (parcel.id,))


@post.read
async def post_box() -> dict[str, Box]:
    """Read boxes by name."""
    return {"one": Box()}


@post.read
async def post_keys() -> dict[Any, str]:
    """Read values by keys that look the same."""
    return {1: "a", "1": "b"}


BOX = {"innerWidth": 5, "colour": "red", "area": 25}


async def test_a_record_is_shown_as_its_model_serialises_it() -> None:
    async with connect(post, settings=Settings(output="both")) as client:
        reply = await client.call("post_get", format="full")
        assert reply.structured == {
            "id": "1",
            "box": BOX,
            "tags": ["x", "y"],
            "double": 10,
            "length": "3 cm",
        }
        assert reply.text.splitlines() == [
            "id: 1",
            'box: {"innerWidth":5,"colour":"red","area":25}',
            'tags: ["x","y"]',
            "double: 10",
            "length: 3 cm",
        ]
        listed = await client.call("post_list", format="short")
        assert listed.text.splitlines()[1:] == ["id\tdouble\tlength", "1\t10\t3 cm"]
        assert listed.structured["rows"] == [["1", 10, "3 cm"]]
        assert (await client.call("post_get", fields=["double"])).structured == {"id": "1", "double": 10}


async def test_models_in_a_mapping_say_everything_they_have() -> None:
    async with connect(post, settings=Settings(output="both")) as client:
        reply = await client.call("post_box")
        assert reply.structured == {"one": {"innerWidth": 5, "area": 25}}


async def test_keys_that_look_the_same_are_both_shown() -> None:
    async with connect(post, settings=Settings(output="both")) as client:
        assert (await client.call("post_keys")).structured == {"1": "a", '"1"': "b"}
