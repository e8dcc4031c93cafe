"""Toolsets whose source is bad."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from laconic.kit import Toolset
from laconic.kit.contract import Contract
from tests.unit.kit.offences.shelf import breaks


@breaks("tools_only_call_the_service")
def a_tool_that_catches(*_: object) -> Contract:
    toolset = Toolset("bad")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        try:
            return "thing"
        except ValueError:
            return "none"

    return Contract(toolset)


@breaks("tools_only_call_the_service")
def a_tools_module_that_imports_json(folder: Path, *_: object) -> Contract:
    return Contract(toolset_from(folder, "import json"))


@breaks("tools_only_call_the_service")
def a_tools_module_that_imports_the_sdk(folder: Path, *_: object) -> Contract:
    return Contract(toolset_from(folder, "from mcp.types import Tool"))


def toolset_from(folder: Path, first: str) -> Toolset:
    """Import a module called tools that begins with a line."""
    path = folder / "tools.py"
    path.write_text(
        f"if False:\n    {first}\n"
        "from laconic.kit import Toolset\n"
        "toolset = Toolset('written')\n\n\n"
        "@toolset.read\n"
        "async def thing_get() -> str:\n"
        '    """Read a thing."""\n'
        "    return 'thing'\n",
        encoding="utf-8",
    )
    spec = spec_from_file_location("written_tools", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Toolset = module.toolset
    return found
