"""Lists and tables of a toolset's section that a variable gives as text."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, SecretStr

from laconic.kit import BadConfiguration, InWorkspace, Settings
from laconic.kit.redaction import without_secrets
from laconic.kit.settings import section_of


class Login(BaseModel):
    user: str = ""
    key: SecretStr = SecretStr("")


class Section(BaseModel):
    logins: dict[str, Login] = {}
    login: Login | None = None
    scopes: list[str] = []
    sizes: tuple[int, ...] = ()
    folders: Annotated[list[str], InWorkspace()] = []
    note: str = ""


def read(given: Mapping[str, Any], **more: Any) -> Section:
    section: Section = section_of("shop", Section, Settings(sections={"shop": given}, **more))
    return section


def test_a_table_is_json_and_a_list_is_json_or_words_with_commas() -> None:
    found = read(
        {
            "logins": '{"ann": {"user": "ann"}, "bob": {}}',
            "login": ' {"user": "cleo"}',
            "scopes": "read, write,",
            "sizes": "[1, 2]",
            "note": "[not, a list]",
        }
    )

    assert [*found.logins] == ["ann", "bob"] and found.login is not None and found.login.user == "cleo"
    assert found.scopes == ["read", "write"] and found.sizes == (1, 2)
    assert found.note == "[not, a list]"


@pytest.mark.parametrize("text", ["ann", '{"ann": ', '{"ann": ' * 100_000])
def test_a_text_that_is_no_table_is_refused_with_the_form_that_is_one(text: str) -> None:
    with pytest.raises(BadConfiguration, match=r"logins: .* In a variable, write it as JSON"):
        read({"logins": text})


def test_what_is_wrong_inside_is_named_with_its_place() -> None:
    with pytest.raises(BadConfiguration, match=r"\[shop\] logins\.ann\.user: Input should be a valid string"):
        read({"logins": '{"ann": {"user": 3}}'})


def test_secrets_inside_are_hidden() -> None:
    read({"logins": '{"ann": {"key": "nobody-may-read-this"}}'})

    assert without_secrets("It said nobody-may-read-this.") == "It said [hidden]."


def test_a_workspace_cannot_lead_out_by_a_list_that_is_a_text(tmp_path: Path) -> None:
    given = {"workspace": str(tmp_path), "folders": "inside,/etc"}

    with pytest.raises(BadConfiguration, match="folders leads out of the workspace"):
        read(given, from_workspace={"shop": ("folders",)})
    assert read(given).folders == ["inside", "/etc"]  # the user may
