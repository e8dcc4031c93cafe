"""A file as an embedded resource: a document with its own address and type, inside the answer.

The same address can be read as a resource. Only names inside the workspace are accepted, and no hidden files.

    laconic call --server examples.config_file:toolset config_get path=pyproject.toml
    laconic serve examples.config_file:toolset
"""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import StringConstraints

from laconic.kit import Resource, Toolset
from laconic.stores import Folder

MIME = {
    ".ini": "text/plain",
    ".json": "application/json",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
Name = Annotated[str, StringConstraints(pattern=r"\.(ini|json|toml|ya?ml)$")]

toolset = Toolset("config_file", "Configuration files of the workspace.", provides=(Folder,))


@toolset.factory
async def open_workspace(section: Mapping[str, Any]) -> AsyncIterator[Folder]:
    """Open the files of the workspace and its first level of folders."""
    yield Folder(Path(section.get("workspace", ".")), "*", depth=1)


@toolset.read
async def config_list(folder: Folder) -> str:
    """List the configuration files."""
    names = [name for name in folder.names() if PurePosixPath(name).suffix in MIME]
    return "\n".join(names) or "There are none."


@toolset.read(hint="config_list")
async def config_get(folder: Folder, path: Annotated[Name, "Such as pyproject.toml."]) -> Resource:
    """Read a configuration file."""
    return Resource(f"config://{path}", folder.read(path), MIME[PurePosixPath(path).suffix])


@toolset.resource("config://{+path}", hint="config_list")
async def config(folder: Folder, path: Annotated[Name, "Such as pyproject.toml."]) -> Resource:
    """One configuration file."""
    return await config_get(folder, path)
