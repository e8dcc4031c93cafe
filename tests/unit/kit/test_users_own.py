"""What only the user may set is found wherever an author's annotation has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NewType

import pytest
from pydantic import BaseModel, SecretStr, create_model
from typing_extensions import TypeAliasType, TypedDict

from laconic.cli.assemble import Prepared
from laconic.cli.configuration.options import ServerOptions
from laconic.kit import Endpoint, InWorkspace, Toolset, UserOnly
from laconic.kit.errors import BadConfiguration
from laconic.kit.redaction import secret_fields, without_secrets
from laconic.kit.settings import Settings, section_of

Address = TypeAliasType("Address", Annotated[str, UserOnly()])
Password = TypeAliasType("Password", SecretStr)
Key = NewType("Key", SecretStr)


@dataclass
class Login:
    password: SecretStr
    name: str = ""


class Entry(TypedDict):
    password: SecretStr


class Pair(NamedTuple):
    name: str
    password: SecretStr


@dataclass
class Place:
    address: Annotated[str, UserOnly()] = ""


class Section(BaseModel):
    plain: Annotated[str, UserOnly()] = ""
    optional: Annotated[str, UserOnly()] | None = None
    many: list[Annotated[str, UserOnly()]] = []
    by_name: dict[str, Annotated[str | None, UserOnly()]] = {}
    unmade: Annotated[str, UserOnly] = ""
    alias: Address = ""
    aliases: list[Address] = []
    place: Place | None = None
    password: Password = SecretStr("")
    key: Key | None = None
    login: Login | None = None
    logins: dict[str, Login] = {}
    entry: Entry | None = None
    pair: Pair | None = None
    later: Later | None = None
    inner: Section | None = None
    colour: str = ""
    tags: list[str] = []
    size: Size | None = None


class Later(BaseModel):
    password: SecretStr


@dataclass
class Size:
    width: int = 0
    inner: Size | None = None


TEXT = "tell-nobody-of-it"
SECRETS: dict[str, Any] = {
    "password": TEXT,
    "key": TEXT,
    "login": {"password": TEXT},
    "logins": {"ann": {"password": TEXT}},
    "entry": {"password": TEXT},
    "pair": ["ann", TEXT],
    "later": {"password": TEXT},
    "inner": {"password": TEXT},
}
PLACES: dict[str, Any] = {
    "plain": TEXT,
    "optional": TEXT,
    "many": [TEXT],
    "by_name": {"ann": TEXT},
    "unmade": TEXT,
    "alias": TEXT,
    "aliases": [TEXT],
    "place": {"address": TEXT},
}


def read(given: Mapping[str, Any], **more: Any) -> Any:
    return section_of("shop", Section, Settings(sections={"shop": given}, **more))


@pytest.mark.parametrize("key", [*SECRETS, *PLACES])
def test_a_workspace_cannot_set_what_is_the_users_alone(key: str) -> None:
    given = {key: (SECRETS | PLACES)[key]}

    with pytest.raises(BadConfiguration, match=f"{key} is (a secret|for you alone).* is not read from") as no:
        read(given, from_workspace={"shop": (key,)})
    assert ("is a secret" in no.value.message) is (key in SECRETS)
    assert read(given) != read({})  # the user may


@pytest.mark.parametrize("key", [*SECRETS, *PLACES])
def test_practice_data_is_without_what_is_the_users_alone(key: str) -> None:
    assert read({key: (SECRETS | PLACES)[key]}, sandbox=True) == read({})


@pytest.mark.parametrize("key", SECRETS)
def test_a_secret_is_hidden_however_deep_it_is(key: str) -> None:
    secret = f"tell-nobody-of-{key}"

    read({key: _with(SECRETS[key], secret)})

    assert without_secrets(f"It is {secret}.") == "It is [hidden]."


def _with(value: Any, secret: str) -> Any:
    if isinstance(value, dict):
        return {name: _with(inner, secret) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with(inner, secret) for inner in value]
    return secret if value == TEXT else value


def test_a_type_that_cannot_be_looked_up_counts_as_a_secret() -> None:
    class Colour(str):
        pass

    @dataclass
    class Paint:
        colour: Colour

    model = create_model("Painted", paint=(Paint | None, None))

    assert secret_fields(model) == ["paint"]


def test_a_workspace_sets_everything_else() -> None:
    given = {"colour": "red", "tags": ["a"], "size": {"width": 2, "inner": {"width": 3}}}

    section = read(given, from_workspace={"shop": tuple(given)})

    assert (section.colour, section.tags, section.size) == ("red", ["a"], Size(2, Size(3)))


class Door(BaseModel):
    code: SecretStr = SecretStr("")
    bell: str = ""


def test_a_secret_is_hidden_as_soon_as_an_endpoint_has_its_configuration() -> None:
    section = {"code": "open-sesame-one", "bell": "ding-dong-ding"}

    Endpoint([Toolset("door", settings=Door)], settings=Settings(sections={"door": section}))

    assert without_secrets("open-sesame-one ding-dong-ding") == "[hidden] ding-dong-ding"


def test_a_secret_is_hidden_before_the_toolset_with_a_known_listing_is_loaded(tmp_path: Path) -> None:
    def prepare(code: str) -> None:
        Prepared(
            ServerOptions(
                servers=("tests.toolsets.orchard:orchard",),
                workspace=tmp_path,
                state="memory:",
                cache=tmp_path / "cache",
                sections={"orchard": {"password": code}},
            )
        )

    prepare("open-sesame-two")
    prepare("open-sesame-three")  # its listing comes from the cache

    assert without_secrets("open-sesame-two open-sesame-three") == "[hidden] [hidden]"


class Paths(BaseModel):
    folder: Annotated[str, InWorkspace()] = ""
    folders: dict[str, Annotated[Path, InWorkspace]] = {}


@pytest.mark.parametrize(
    "path", ["..", "/etc", "a/../..", "link", "link/x", "~", "~/x", "~nobody-here/x", "a\0b"]
)
def test_a_workspace_leads_no_path_out_of_itself(tmp_path: Path, path: str) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to(tmp_path)
    for key, value in {"folder": path, "folders": {"a": "b", "c": path}}.items():
        sections = {"shop": {"workspace": str(workspace), key: value}}
        with pytest.raises(BadConfiguration, match=f"{key} leads out of the workspace"):
            section_of("shop", Paths, Settings(sections=sections, from_workspace={"shop": (key,)}))
        assert section_of("shop", Paths, Settings(sections=sections)) != Paths()  # the user may
        sections["shop"][key] = "a/../b" if key == "folder" else {"a": str(workspace / "c")}
        section_of("shop", Paths, Settings(sections=sections, from_workspace={"shop": (key,)}))
