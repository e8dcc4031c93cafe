"""Toolsets that are no longer what their snapshots say."""

from pathlib import Path

from laconic.kit import Toolset
from laconic.kit.contract import CHECKS, Contract
from tests.unit.kit.offences.shelf import breaks, found


@breaks("the_listing_is_the_snapshot")
def a_description_that_changed(folder: Path, *_: object) -> Contract:
    contract = kept(folder)
    path = folder / "stored" / "thing_get.json"
    path.write_text(path.read_text(encoding="utf-8").replace("Read a thing.", "Reads."), encoding="utf-8")
    return contract


@breaks("the_size_is_the_snapshot")
def a_list_that_grew(folder: Path, *_: object) -> Contract:
    contract = kept(folder)
    (folder / "stored" / "_size.json").write_text('{"characters": 1, "tokens": 1}\n', encoding="utf-8")
    return contract


@breaks("no_snapshot_is_left_over")
def a_snapshot_of_a_tool_that_is_gone(folder: Path, *_: object) -> Contract:
    contract = kept(folder)
    (folder / "stored" / "thing_put.json").write_text("{}", encoding="utf-8")
    return contract


def kept(folder: Path) -> Contract:
    """A contract with snapshots that are all right."""
    toolset = Toolset("stored")

    @toolset.read
    async def thing_get() -> str:
        """Read a thing."""
        return "thing"

    contract = Contract(toolset, snapshots=folder)
    assert not [said for check in CHECKS for said in found(contract, check.name)]
    return contract
