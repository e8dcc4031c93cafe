"""The example server keeps the contract: every tool, in every output mode, for old and new clients."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from laconic.kit import Settings
from laconic.kit.contract import BODIES, Body, Cases, Contract
from laconic.servers.example.service import Memos
from laconic.servers.example.store import MemoStore
from laconic.servers.example.tools import example
from laconic.stores import Folder

# a memo is a file: the line breaks at its ends belong to the file, not to the memo
TEXTS = tuple(text for text in BODIES if text == text.strip("\n"))
SNAPSHOTS = Path(__file__).parents[1] / "snapshots"


@cache
def memos() -> dict[str, str]:
    """A few memos as the service writes them, once: it waits for the disk each time."""
    with TemporaryDirectory() as folder:
        service = Memos(MemoStore(Folder(Path(folder))))
        for number in range(1, 6):
            service.add(f"memo-{number}", f"Memo {number}", f"Text {number}.", ["even"] * (number % 2 == 0))
        return {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir()}


def workspace(folder: Path) -> Settings:
    (folder / "memos").mkdir()
    for name, text in memos().items():
        (folder / "memos" / name).write_text(text, encoding="utf-8")
    return Settings(sections={"example": {"workspace": str(folder)}})


contract = Contract(
    example,
    settings=workspace,
    samples={
        "memo_list": {},
        "memo_get": {"name": "memo-1"},
        "memo_create": {"name": "memo-6", "title": "Memo 6", "body": "Text."},
        "memo_update": {"name": "memo-1", "title": "Another title"},
        "memo_delete": {"name": "memo-1", "confirm": True},
    },
    failing={
        "memo_list": {"cursor": "forged"},
        "memo_get": {"name": "memo-17"},
        "memo_create": {"name": "memo-1", "title": "Memo 1", "body": "Text."},
        "memo_update": [
            {"name": "memo-17", "title": "x"},
            {"name": "memo-1", "title": "x", "version": "old"},
        ],
        "memo_delete": [{"name": "memo-1"}, {"name": "memo-17", "confirm": True}],
    },
    snapshots=SNAPSHOTS,
    budget=800,
    bodies={
        "memo_create": Body("body", read="memo_get", by="name", texts=TEXTS),
        "memo_update": Body("body", read="memo_get", by="name", texts=TEXTS),
    },
)


@contract.per_tool
def test_every_tool_of_the_example_keeps_the_contract(cases: Cases) -> None:
    cases.run()
