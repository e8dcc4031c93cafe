"""A file as an embedded resource, and under the same address as a resource."""

from pathlib import Path

import pytest

from examples.config_file import toolset
from laconic.kit import Settings
from laconic.kit.testing import ERAS, connect

FILES = {
    "app.json": ('{"port": 8321}\n', "application/json"),
    "settings/app.toml": ("port = 8321\n", "application/toml"),
    "settings/app.yml": ("port: 8321\n", "application/yaml"),
    "app.ini": ("[app]\nname = größer\n", "text/plain"),
}


@pytest.fixture
def settings(workspace: Path) -> Settings:
    for name, (text, _) in FILES.items():
        path = workspace / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (workspace / ".hidden.toml").write_text("secret = 1\n", encoding="utf-8")
    (workspace / "notes.md").write_text("No configuration.\n", encoding="utf-8")
    (workspace.parent / "outside.toml").write_text("secret = 1\n", encoding="utf-8")
    return Settings(sections={"config_file": {"workspace": str(workspace)}})


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.requirement("003-4.4")
async def test_a_file_comes_as_a_resource_with_its_address_and_type(
    era: str, name: str, settings: Settings
) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        reply = await client.call("config_get", path=name)

    (block,) = reply.result.content
    assert block.type == "resource"
    assert str(block.resource.uri) == f"config://{name}"
    assert (block.resource.text, block.resource.mime_type) == FILES[name]


@pytest.mark.parametrize("era", ERAS)
async def test_its_address_can_be_read_as_well(era: str, settings: Settings) -> None:
    async with connect(toolset, era=era, settings=settings) as client:
        reply = await client.call("config_get", path="settings/app.toml")
        address = reply.result.content[0].resource.uri
        read = await client.client.read_resource(address)

    assert (read.contents[0].text, read.contents[0].mime_type) == FILES["settings/app.toml"]


async def test_only_configuration_files_that_are_not_hidden_are_listed(settings: Settings) -> None:
    async with connect(toolset, settings=settings) as client:
        reply = await client.call("config_list")

    assert reply.text.split() == sorted(FILES)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../outside.toml", "PATH_TRAVERSAL_DENIED"),
        ("/etc/app.toml", "PATH_TRAVERSAL_DENIED"),
        (".hidden.toml", "PATH_TRAVERSAL_DENIED"),
        ("settings/../app.json", "PATH_TRAVERSAL_DENIED"),
        ("notes.md", "VALIDATION_ERROR"),
        ("other.toml", "RESOURCE_NOT_FOUND"),
    ],
)
@pytest.mark.requirement("003-4.6")
async def test_other_paths_are_refused_without_a_word_of_the_machine(
    path: str, code: str, settings: Settings, workspace: Path
) -> None:
    async with connect(toolset, settings=settings) as client:
        reply = await client.call("config_get", path=path)

    assert reply.error["code"] == code
    assert str(workspace.parent) not in reply.text


async def test_a_missing_file_leads_to_the_list(settings: Settings) -> None:
    async with connect(toolset, settings=settings) as client:
        reply = await client.call("config_get", path="other.toml")

    assert "Use config_list to find it." in reply.text
