"""The examples keep the contract of every toolset: each check of each of their tools."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from examples.outbox import Outbox
from laconic.kit import Settings
from laconic.kit.contract import CHECKS, Cases, Contract
from tests.examples.conftest import make_repository

SAMPLES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "branch": {"branch_review": {"branch": "my-change"}},
    "config_file": {"config_list": {}, "config_get": {"path": "app.toml"}},
    "counter_step": {"tide_get": {"harbour": "Brest"}, "call_counts": {}},
    "document": {"manual_read": {}},
    "fibonacci": {
        "calculate_fibonacci": {"n": 10},
        "branch_list": {},
        "branch_delete": {"branch": "try-sqlite", "confirm": True},
    },
    "folder": {"folder_measure": {"most": 2}},
    "live_list": {
        "ticket_list": {"status": "open"},
        "ticket_open": {"topic": "How?"},
        "ticket_close": {"id": 7},
    },
    "outbox": {"message_send": {"to": "ann", "text": "Hello"}, "message_list": {}},
    "renamed": {"project_search": {"query": "s"}},
    "repo_summary": {"repo_summary": {}},
    "screenshot": {},
    "search": {"book_search": {"type": "text", "query": "the"}},
}
FAILING: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "branch": {"branch_review": {"branch": "gone"}},
    "config_file": {"config_get": {"path": "gone.toml"}},
    "counter_step": {"tide_get": {"harbour": "Dover"}},
    "fibonacci": {"branch_delete": {"branch": "main", "confirm": True}},
    "live_list": {"ticket_list": {"cursor": "forged"}, "ticket_close": {"id": 99}},
    "screenshot": {"capture_screenshot": {"page": "gone.html"}},
    "search": {"book_search": {"type": "regex", "pattern": "["}},
}
# without a picture: that takes a browser a second, and has its own tests
WITHOUT_CALLING = {check.name for check in CHECKS if check.of != "call"} | {"a_failure_says_what_to_do"}
# ids and times, which differ from run to run
VOLATILE = r"[0-9a-f]{8}\b|\d\d:\d\d:\d\d\.\d+|handle='\w+'"


def furnish(example: str, folder: Path) -> Settings:
    """Give an example the workspace it works on."""
    (folder / "app.toml").write_text("port = 8321\n", encoding="utf-8")
    if example in ("branch", "repo_summary"):
        make_repository(folder)
    for number in range(3 if example == "outbox" else 0):
        Outbox(folder / "outbox.jsonl").send("crew", f"Watch {number}")
    return Settings(sections={example: {"workspace": str(folder)}}, attempts=1)


def contract(example: str) -> Contract:
    return Contract(
        import_module(f"examples.{example}").toolset,
        settings=lambda folder: furnish(example, folder),
        samples=SAMPLES[example],
        failing=FAILING.get(example),
        volatile=VOLATILE,
    )


def tools() -> Iterator[object]:
    for example in SAMPLES:
        cases = contract(example).cases()
        made = [case for case in cases if example != "screenshot" or case.check.name in WITHOUT_CALLING]
        for of_tool in Cases.by_tool(made):
            yield pytest.param(of_tool, id=f"{example}-{of_tool.id}")


@pytest.mark.parametrize("cases", list(tools()))
def test_every_example_keeps_the_contract(cases: Cases) -> None:
    cases.run()
