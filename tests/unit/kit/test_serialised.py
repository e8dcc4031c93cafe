"""What a model says about its own serialisation is what callers get, in every form."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

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
