"""What people do from the terminal: find, reopen and delete issues, and see what waits for what."""

from itertools import pairwise
from pathlib import Path

import pytest

from laconic.servers.issues.dependencies import Dependencies
from tests.unit.cli.test_issues_commands import Command, laconic, workspace, write

__all__ = ["laconic", "workspace"]


def test_search_finds_finished_issues_too_and_nothing_else(laconic: Command) -> None:
    status, out, err = laconic("search", "the", "text", "of", "gone")
    assert (status, out.split("\t")[:2]) == (0, ["ISS-000003", "closed"])
    assert err == "1 issue.\n"
    assert laconic("search", "nowhere") == (0, "", "No issues.\n")


def test_a_piped_list_gives_all_issues(laconic: Command, workspace: Path) -> None:
    for number in range(4, 60):
        write(workspace, number, f"More {number}")
    _, out, err = laconic("list")
    assert len(out.splitlines()) == 58 and err == "58 issues. 1 more closed or cancelled: --status all.\n"
    assert len(laconic("list", "--limit", "7")[1].splitlines()) == 7
    assert laconic("list", "--json")[1].count('"id"') == 58


def test_reopening_puts_an_issue_back_and_says_if_it_was_open(laconic: Command, workspace: Path) -> None:
    assert laconic("reopen", "3", "1", "99")[:2] == (
        1,
        "ISS-000003 is open: Gone\nISS-000001 is already open: Login fails\n",
    )
    assert (workspace / ".wrangler/issues/ISS-000003-gon.md").is_file()
    assert not (workspace / ".wrangler/issues/archived/ISS-000003-gon.md").exists()


def test_deleting_needs_a_yes_and_removes_all_or_nothing(laconic: Command, workspace: Path) -> None:
    file = workspace / ".wrangler/issues/ISS-000001-log.md"
    status, out, err = laconic("delete", "1")
    assert (status, out) == (1, "") and "Login fails" in err and "Add --yes" in err
    assert laconic("delete", "1", "99", "--yes")[0] == 1 and file.is_file()
    assert laconic("delete", "1", "--yes") == (0, "ISS-000001 is deleted: Login fails\n", "")
    assert not file.exists()


@pytest.fixture
def chain(laconic: Command, workspace: Path) -> Command:
    """Issue 4 waits for 1 and 2, issue 5 for 4 and for one that is finished."""
    write(workspace, 4, "'Say \"hi\" <b>'")
    write(workspace, 5, "Last")
    laconic("edit", "4", "--blocked-by", "1,2")
    laconic("edit", "5", "--blocked-by", "4,3")
    return laconic


def test_the_graph_shows_each_issue_below_those_that_block_it(chain: Command) -> None:
    assert chain("graph")[1].splitlines() == [
        "ISS-000001 Login fails",
        '  ISS-000004 Say "hi" <b>',
        "    ISS-000005 Last",
        "ISS-000002 [red]brackets[/red]",
        '  ISS-000004 Say "hi" <b> …',
    ]
    assert chain("graph", "5")[1] == chain("graph")[1]
    assert chain("graph", "3") == (0, "", "No unfinished issue waits for another.\n")


def test_a_chain_may_be_longer_than_the_stack_is_deep() -> None:
    ids = [f"ISS-{number:06d}" for number in range(5_000)]
    after = {one: [other] for one, other in pairwise(ids)}
    found = Dependencies(dict.fromkeys(ids, "Step"), {other: [one] for one, other in pairwise(ids)}, after)

    assert list(found.tree()) == [(depth, id, False) for depth, id in enumerate(ids)]


def test_a_circle_in_the_files_is_drawn_once(chain: Command, workspace: Path) -> None:
    path = workspace / ".wrangler/issues/ISS-000001-log.md"
    path.write_text(path.read_text().replace("dueDate", "blockedBy: [ISS-000005]\ndueDate"), encoding="utf-8")
    lines = chain("graph")[1].splitlines()
    assert lines[0] == "ISS-000002 [red]brackets[/red]"
    assert sum(line.strip().startswith("ISS-000004") for line in lines) == 2


def test_the_diagram_quotes_titles(chain: Command) -> None:
    assert chain("graph", "--mermaid")[1].splitlines() == [
        "graph TD",
        '  i0["ISS-000001: Login fails"]',
        '  i1["ISS-000002: [red]brackets[/red]"]',
        '  i2["ISS-000004: Say #quot;hi#quot; #lt;b#gt;"]',
        '  i3["ISS-000005: Last"]',
        "  i0 --> i2",
        "  i1 --> i2",
        "  i2 --> i3",
    ]


def test_data_says_what_an_issue_blocks(chain: Command) -> None:
    assert '"blocks": [\n    "ISS-000005"\n  ]' in chain("show", "4", "--json")[1]
    assert '"blocks": [\n        "ISS-000004"\n      ]' in chain("list", "--json")[1]


def test_watching_needs_a_terminal(laconic: Command) -> None:
    status, _, err = laconic("board", "--watch")
    assert status == 2 and "--watch draws on a terminal." in err
