"""The garden that `Writing a tool` declares keeps the contract that it recommends."""

import linecache
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

from laconic.kit.contract import Cases, Contract
from tests.docs.pages import ROOT, Page

PAGE = Page(ROOT / "docs" / "writing-a-tool.md")


def _garden() -> ModuleType:
    """The declarations of the page, without what it runs, as a module with a file."""
    blocks = [block.text for block in PAGE.blocks("python") if not block.is_marked]
    lines = "\n".join(blocks).splitlines()
    source = "\n".join(line for line in lines if not line.startswith("asyncio.run"))
    path = Path(mkdtemp()) / "page_garden.py"  # the contract reads the source of tools
    path.write_text(source, encoding="utf-8")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    linecache.getlines(str(path))
    shutil.rmtree(path.parent)
    return module


MODULE = _garden()
SAMPLES: dict[str, dict[str, Any]] = {
    "plants_list": {},
    "plant_get": {"id": "P1"},
    "plant_move": {"id": "P1", "bed": "south"},
    "plant_delete": {"id": "P1", "confirm": True},
    "plant_sow": {"name": "Beet"},
    "plant_describe": {"id": "P1", "notes": "Likes sun."},
    "bed_move": {"from_bed": "north", "to_bed": "south"},
    "plants_search": {"by": "name", "name": "a tree that does not grow here"},
    "garden_water": {},
    "diary_read": {},
}
contract = Contract(
    MODULE.garden, samples=SAMPLES, fingerprint=lambda services: repr(services[MODULE.Garden].plants)
)


@contract.per_tool
def test_every_tool_of_the_garden_keeps_the_contract(cases: Cases) -> None:
    cases.run()
