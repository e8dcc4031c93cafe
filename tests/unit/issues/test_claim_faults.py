"""Claims when something goes wrong: work trees that vanish or move, disks that are full, clocks."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.unit.issues.clones import Clone, git
from tests.unit.issues.trees import make_trees, serving

ROOT = Path(__file__).resolve().parents[3]


def shift(main: Path, **times: timedelta) -> None:
    """Changes times of all claims, as if the clock had moved the other way."""
    path = main / ".git/laconic/issue-claims.json"
    claims = json.loads(path.read_text(encoding="utf-8"))
    for claim in (one for found in claims.values() for one in found.values()):
        for name, by in times.items():
            claim[name] = (datetime.fromisoformat(claim[name]) + by).isoformat()
    path.write_text(json.dumps(claims), encoding="utf-8")


async def test_the_claim_of_a_work_tree_that_is_gone_is_free(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login", "other")) as (main, login, other):
        await login.claim("1", "agent-1")
        await login.claim("2", "agent-1")
        login.commit()
        main.git("merge", "--quiet", "login")
        held = await main.claim("1", "agent-2")
        shutil.rmtree(login.root)
        deleted = await main.claim("1", "agent-2")
        main.git("worktree", "prune")
        main.git("worktree", "add", "--quiet", str(login.root), "login")
        pruned = await other.claim("2", "agent-3")

        assert "held by agent-1 in worktree login" in held.text
        assert "assignee was agent-1" in deleted.text
        assert "assignee was none" in pruned.text, "another work tree of that name holds nothing"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("issues_list", {}),
        ("issues_get", {"id": "1"}),
        ("issues_create", {"title": "New", "description": "Text."}),
        ("issues_update", {"id": "1", "claim": True, "assignee": "agent-1"}),
        ("issues_mark_complete", {"id": "1"}),
        ("session_start", {"specFile": "1"}),
        ("session_get", {}),
        ("session_status", {"list": "all"}),
        ("session_phase", {"sessionId": "one", "phase": "plan", "status": "started"}),
        ("init_workspace", {"fix": True}),
        ("init_workspace", {"doctor": True}),
    ],
)
async def test_a_server_whose_work_tree_is_deleted_says_so_and_makes_nothing(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (_, login):
        await login.call("issues_list")
        shutil.rmtree(login.root)
        reply = await login.call(tool, **arguments)

    assert reply.failed and "The workspace is gone" in reply.text
    assert "A person must start the server again" in reply.text
    assert "not known whether" not in reply.text
    assert not login.root.exists()


async def test_a_claim_follows_its_work_tree_when_git_moves_it(tmp_path: Path) -> None:
    main_at, login_at = make_trees(tmp_path, "login")
    async with serving(main_at, login_at) as (main, login):
        await login.claim("1", "agent-1")
        main.git("worktree", "move", str(login_at), str(tmp_path / "sign-in"))
        by_git = await main.call("issues_get", id="1")
        (tmp_path / "sign-in").rename(tmp_path / "by-hand")
        by_hand = await main.call("issues_get", id="1")
        git(tmp_path / "by-hand", "worktree", "repair")
        repaired = await main.claim("1", "agent-2")

        assert "held by agent-1 in worktree sign-in" in by_git.text
        assert "held by" not in by_hand.text, "for git it is gone as well"
        assert "held by agent-1 in worktree by-hand" in repaired.text


async def test_work_trees_of_a_bare_repository_share_their_claims(tmp_path: Path) -> None:
    make_trees(tmp_path)
    git(tmp_path, "clone", "--quiet", "--bare", "main", "bare.git")
    for name in ("one", "two"):
        git(tmp_path / "bare.git", "worktree", "add", "--quiet", "-b", name, str(tmp_path / name))
    async with serving(tmp_path / "one", tmp_path / "two") as (one, two):
        await one.claim("1", "agent-1")

        assert "held by agent-1 in worktree one" in (await two.claim("1", "agent-2")).text


async def test_work_trees_of_a_submodule_share_their_claims(tmp_path: Path) -> None:
    make_trees(tmp_path)
    git(tmp_path, "init", "--quiet", "super")
    add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "main"), "sub"]
    git(tmp_path / "super", *add)
    git(tmp_path / "super/sub", "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    async with serving(tmp_path / "super/sub", tmp_path / "side") as (sub, side):
        await sub.claim("1", "agent-1")
        await side.claim("2", "agent-2")

        assert "held by agent-1 in the main worktree" in (await side.claim("1", "agent-2")).text
        assert "held by agent-2 in worktree side" in (await sub.claim("2", "agent-1")).text


async def test_without_git_the_file_tells_who_holds_an_issue(tmp_path: Path) -> None:
    Clone(tmp_path).create("First")
    async with serving(tmp_path, tmp_path) as (one, two):
        await one.claim("1", "agent-1")
        refused = await two.claim("1", "agent-2")
        taken = await two.claim("1", "agent-2", takeOver=True)

        assert "Issue ISS-000001 is held by agent-1. Take another" in refused.text
        assert "assignee was agent-1" in taken.text


async def test_a_lease_lapses_only_when_its_holder_is_silent(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login"), lease=30) as (main, login):
        await login.claim("1", "agent-1")
        await login.claim("2", "agent-1")
        shift(main.root, at=timedelta(minutes=-31), seen=timedelta(minutes=-31))
        await login.call("issues_update", id="1", priority="high")

        assert "held by agent-1 in worktree login, 31 min" in (await main.claim("1", "agent-2")).text
        assert "assignee was none" in (await main.claim("2", "agent-2")).text
        assert "held by agent-2 in the main worktree" in (await login.claim("2", "agent-1")).text


async def test_a_clock_that_was_set_back_ends_no_claim(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login"), lease=30) as (main, login):
        await login.claim("1", "agent-1")
        shift(main.root, at=timedelta(days=2), seen=timedelta(days=2))

        assert "Issue ISS-000001 is held by agent-1 in worktree login. " in (await main.claim("1", "b")).text
        await login.call("issues_mark_complete", id="1")
        assert "held by" not in (await main.call("issues_list")).text


async def test_a_damaged_record_of_claims_refuses_claims_and_nothing_else(tmp_path: Path) -> None:
    async with serving(*make_trees(tmp_path, "login")) as (main, login):
        await login.claim("1", "agent-1")
        (main.root / ".git/laconic/issue-claims.json").write_text('{"torn": ', encoding="utf-8")
        refused = await main.claim("1", "agent-2")
        edited = await main.call("issues_update", id="2", priority="high")
        checked = await main.call("init_workspace", doctor=True)

        assert "Error [" in refused.text and "issue-claims.json" in refused.text
        assert "assignee" not in main.file("1")
        assert "priority was medium" in edited.text
        assert "Found 2 issue(s)" in (await main.call("issues_list")).text
        assert "issue-claims.json in git's folder laconic is damaged" in checked.text


_CHILD = """
import asyncio, os, resource, sys
from pathlib import Path
from typing import Any
from tests.unit.issues.trees import serving

def limit(size):
    sys.dont_write_bytecode = True  # Python would keep half a file of a module that is imported now
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def take_rights(main):
    for folder in (main / ".git/laconic", main / ".git"):
        folder.chmod(0o555)
    for path in (main / ".wrangler").rglob("*"):
        path.chmod(0o777)
    if os.geteuid() == 0:
        os.seteuid(65534)

async def run(main, login):
    async with serving(main, login) as (one, two):
        await two.claim("1", "agent-1")
        for begin in (lambda: limit(20), lambda: limit(2000), lambda: take_rights(main)):
            begin()
            print((await one.claim("2", "agent-2")).text)
            limit(resource.RLIM_INFINITY)
            print((await one.call("issues_list")).text)
        print((await one.call("issues_update", id="2", priority="low")).text)

asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2])))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_claim_that_cannot_be_recorded_is_refused_and_changes_nothing() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        main, login = make_trees(folder, "login")
        Clone(main).set("2", body="A long text. " * 300)
        words = [sys.executable, "-c", _CHILD, str(main), str(login)]
        done = subprocess.run(words, cwd=ROOT, env=os.environ, capture_output=True, text=True)

        said = [line for line in done.stdout.splitlines() if line.startswith("Error")]
        assert [words in line for words, line in zip(_REASONS, said, strict=True)] == [True] * 3, done.stderr
        assert done.stdout.count("held by agent-1 in worktree login") == 3
        assert "agent-2" not in done.stdout, "the claim was undone"
        assert "priority was medium" in done.stdout, "other changes are possible"
        assert "agent-2" not in (main / ".git/laconic/issue-claims.json").read_text(encoding="utf-8")


_REASONS = (
    "issue-claims.json cannot be written: File too large.",
    "ISS-000002-second.md cannot be written: File too large.",
    "issue-claims.json cannot be written: Permission denied.",
)
