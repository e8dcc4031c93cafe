"""Every tool of the issues server keeps the contract."""

from pathlib import Path

from laconic.kit import Settings
from laconic.kit.contract import Case, Contract
from laconic.servers.issues.settings import IssuesSettings
from laconic.servers.issues.tools import issues


def workspace(folder: Path) -> Settings:
    """A folder with a few issues and a specification."""
    store = IssuesSettings(workspace=folder).store()
    for number in range(1, 6):
        store.create({"title": f"Issue {number}", "labels": ["bug"], "priority": "high"}, f"Text {number}.")
    store.create({"title": "A plan", "type": "specification"}, "# Plan\n\nSteps.")
    return Settings(sections={"issues": {"workspace": str(folder)}})


NAMES = (spec.name for spec in issues.tools if spec.name != "init_workspace")

contract = Contract(
    issues,
    settings=workspace,
    samples={
        "issues_create": {"title": "New", "description": "Text."},
        "issues_list": {},
        "issues_search": {"query": "text"},
        "issues_get": {"id": "ISS-000001"},
        "issues_get_batch": {"ids": ["ISS-000001", "ISS-000002"]},
        "issues_update": {"id": "ISS-000001", "priority": "low"},
        "issues_update_batch": {"updates": [{"id": "ISS-000002", "status": "in_progress"}]},
        "issues_delete": {"id": "ISS-000003", "confirm": True},
        "issues_labels": {"operation": "list"},
        "issues_metadata": {"operation": "get", "issueId": "ISS-000001"},
        "issues_projects": {"operation": "list"},
        "issues_all_complete": {},
        "issues_mark_complete": {"id": "ISS-000004", "note": "Done."},
        "issues_stats": {"groupBy": "status"},
        "init_workspace": {},
    },
    failing={"issues_get": {"id": "ISS-000099"}, "issues_update": {"id": "ISS-000099", "status": "open"}},
    snapshots=Path(__file__).parents[1] / "snapshots",
    budget=2600,
    excused={
        "each_form_is_enough_by_itself:init_workspace": "the text says the status in words of its own",
    }
    | {
        f"parameters_are_described:{name}": "the name says all, and the budget counts words" for name in NAMES
    },
)


@contract.parametrize
def test_every_tool_of_the_issues_server_keeps_the_contract(case: Case) -> None:
    case.run()
