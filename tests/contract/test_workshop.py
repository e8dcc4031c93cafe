"""A toolset that uses every option of a declaration keeps the contract, too."""

from pathlib import Path

import pytest

from laconic.kit import Settings
from laconic.kit.contract import Cases, Contract
from tests.toolsets.workshop import Jobs, workshop

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"

contract = Contract(
    workshop,
    settings=Settings(sections={"workshop": {"count": 30}}),
    samples={
        "jobs_list": {"labels": ["oak"]},
        "job_get": {"id": "JOB-0001"},
        "job_create": {"title": "Sharpen the planes", "due": "2026-03-01"},
        "job_update": {"id": "JOB-0001", "status": "done", "version": 1},
        "job_delete": {"id": "JOB-0001", "confirm": True},
        "jobs_search": {"type": "text", "query": "board"},
        "jobs_filter": {"rule": {"field": "status", "equals": "open"}},
        "jobs_report": {"from": "2026-01-01", "to": "2026-01-03"},
        "job_assign": {"id": "JOB-0001", "userName": "bob"},
        "jobs_import": {"drafts": [{"title": "Sweep"}, {"title": "Oil the vice"}]},
        "job_wait": {"seconds": 0},
        "job_picture": {"id": "JOB-0001"},
        "fibonacci": {"n": 10},
        "whoami": {},
        "prompt_keep": {"name": "thank", "text": "Thank you, {name}."},
    },
    failing={
        "jobs_list": [{"cursor": "forged"}, {"status": ["lost"]}],
        "job_get": {"id": "JOB-0099"},
        "job_create": {"title": "Plane board 1"},
        "job_update": [
            {"id": "JOB-0099", "status": "done"},
            {"id": "JOB-0001", "status": "done", "version": 7},
        ],
        "job_delete": {"id": "JOB-0001"},
        "jobs_search": [{"type": "regex", "pattern": "["}, {"type": "fuzzy", "query": "x"}, {"query": "x"}],
        "jobs_report": {"from": "2026-01-03", "to": "2026-01-01"},
        "job_assign": [{"id": "JOB-0001"}, {"id": "JOB-0001", "userId": 1, "userName": "bob"}],
        "jobs_import": {"drafts": [{"title": "x", "minutes": 0}]},
        "job_wait": {"seconds": 30},
        "job_break": {},
    },
    fingerprint=lambda things: things[Jobs].fingerprint(),
    snapshots=SNAPSHOTS,
    excused={
        "parameters_are_described:jobs_search": "its flags and threshold are bare, as a stranger's may be",
        "parameters_are_described:job_wait": "its seconds are bare, as a stranger's may be",
    },
)


@contract.per_tool
@pytest.mark.requirement("003-1.2", "003-1.4")
def test_every_tool_of_the_workshop_keeps_the_contract(cases: Cases) -> None:
    cases.run()
