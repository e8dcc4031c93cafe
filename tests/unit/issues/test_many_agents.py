"""Many agents in the work trees of one clone, with real git and real processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.issues.claiming import AGENTS
from tests.unit.issues.clones import Clone
from tests.unit.issues.trees import Tree, make_trees, serving

ROOT = Path(__file__).resolve().parents[3]
KILLED = -9


def claim_and_kill(folder: Path, claims: int, kills: int, seed: int) -> None:
    trees = make_trees(folder, "one", "two", "three")
    words = [sys.executable, "-m", "tests.unit.issues.claiming", str(claims), str(kills), str(seed)]
    done = subprocess.run([*words, *map(str, trees)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made, killed, *ends = map(int, done.stdout.split())

    assert (made >= claims, killed >= kills, ends) == (True, True, [KILLED]), (
        "another end: two held one issue"
    )
    left = Clone(trees[0]).store.claims.held()
    assert len(left) <= AGENTS
    for id, held in left.items():
        holders = [
            entry.assignee
            for tree in trees
            if (entry := Clone(tree).store.find(id)).assignee and f"held by {entry.assignee}" in held.words
        ]
        assert len(holders) <= 1, "written into one work tree only"
    assert [Clone(tree).doctor().examine().findings for tree in trees] == [[]] * 4


@pytest.mark.timeout(300)  # it waits for the disk at every step
@pytest.mark.skipif(sys.platform == "win32", reason="os.fork")
def test_never_two_hold_an_issue_whoever_is_killed(tmp_path: Path) -> None:
    claim_and_kill(tmp_path, claims=40, kills=5, seed=14)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform == "win32", reason="os.fork")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_400_claims_and_releases_with_kills_never_have_two_holders(tmp_path: Path, seed: int) -> None:
    claim_and_kill(tmp_path, claims=400, kills=60, seed=seed)


async def hour(agent: Tree, name: str, number: int) -> list[str]:
    """Creates two issues, takes the first that is ready, works on it and closes it."""
    made = []
    for part in ("a", "b"):
        title = f"{name} found {number}{part}"
        reply = await agent.call("issues_create", title=title, description=f"About {title}.\n\nTo do.")
        made.append(reply.text.rpartition(" ")[2])
    ready = await agent.call("issues_list", ready=True, format="minimal", limit=1)
    id = ready.text.splitlines()[1].split()[0]
    taken = await agent.claim(id, name)
    assert "RESOURCE_LOCKED" not in taken.text, "what is ready can be taken"
    await agent.call("issues_labels", operation="add", issueId=id, labels=[name])
    done = await agent.call("issues_mark_complete", id=id, note=f"Done by {name} in hour {number}.")
    assert not done.failed, done.text
    return made


async def test_a_day_of_four_agents_loses_nothing_and_leaves_no_claim(tmp_path: Path) -> None:
    names = ["ann", "bob", "cyd", "dan"]
    main_at, *places = make_trees(tmp_path, *names)
    Clone(main_at).register()
    made: list[str] = ["ISS-000001", "ISS-000002"]
    async with serving(main_at, *places) as (main, *agents):
        for number in range(3):
            for name, agent in zip(names, agents, strict=True):
                made += await hour(agent, name, number)
                agent.commit(f"{name}, hour {number}")
            for name in names[number % 2 :]:  # some are merged later
                main.git("merge", "--quiet", "--no-edit", name)
            for agent in agents[number % 3 :]:
                agent.git("merge", "--quiet", "--no-edit", "main")
        for name in names:
            main.git("merge", "--quiet", "--no-edit", name)
        listed = await main.call("issues_list", format="minimal", limit=100)
        closed = await main.call("issues_stats", groupBy="status")

    assert len({*made}) == len(made) == 26, "no number was given twice"
    kept = [entry.id for entry in Clone(main_at).store.entries()]
    assert sorted(kept) == sorted(made), "nothing is lost or doubled"
    assert "closed: 12" in closed.text, "nobody did another's work again"
    assert "held by" not in listed.text and Clone(main_at).store.claims.held() == {}
    assert Clone(main_at).doctor().examine().findings == []
