"""Sessions of all work trees of a clone, with real git: found from each, and what a new worktree lacks."""

import json
import shutil
from pathlib import Path
from typing import Any

from laconic.kit.testing import Reply
from tests.unit.issues.clones import Clone
from tests.unit.issues.trees import Tree, make_trees, serving

SPEC = "SPEC-000001"


def id_of(reply: Reply) -> str:
    assert not reply.failed, reply.text
    return reply.text.splitlines()[0].removeprefix("Session started: ")


def spec_in(tree: Path) -> Path:
    return tree / ".wrangler/specifications/SPEC-000001-login.md"


async def start(tree: Tree, **more: Any) -> Reply:
    return await tree.call("session_start", specFile=SPEC, **more)


async def test_a_session_is_found_from_every_work_tree_with_its_worktree_and_branch(tmp_path: Path) -> None:
    main_at, side_at = make_trees(tmp_path, "side")
    Clone(main_at).create("Login", type="specification")
    Clone(main_at).commit()
    async with serving(main_at, side_at) as (main, side):
        id = id_of(await start(main))
        async with serving(main_at / ".worktrees/login") as (inside,):
            for tree, path in ((main, ".worktrees/login"), (side, "../main/.worktrees/login"), (inside, ".")):
                found = await tree.call("session_get")
                rows = (await tree.call("session_status", list="all")).text.splitlines()
                assert f"Session: {id}\n" in found.text
                assert f"Worktree: {path}\nBranch: wrangler/login/{id}\n" in found.text
                assert rows[-1].split("\t")[5:] == [path, f"wrangler/login/{id}"]
                assert str(tmp_path) not in found.text + "".join(rows)


async def test_a_session_goes_on_from_inside_its_worktree(tmp_path: Path) -> None:
    (main_at,) = make_trees(tmp_path)
    Clone(main_at).create("Login", type="specification")
    Clone(main_at).commit()
    async with serving(main_at) as (main,):
        id = id_of(await start(main))
        other = id_of(await start(main))
        async with serving(main_at / ".worktrees/login") as (inside,):
            mine = await inside.call("session_get")
            await inside.call("session_phase", sessionId=id, phase="plan", status="complete")
            await inside.call("session_complete", sessionId=id, status="completed")
        seen = await main.call("session_status", sessionId=id)

    assert mine.text.startswith(f"Session: {id}\n"), "the newest session works elsewhere"
    assert f"Other active sessions: {other}" in mine.text
    assert "Status: completed" in seen.text and "Phases Done: plan" in seen.text
    assert not (main_at / ".worktrees/login/.wrangler/sessions").exists()


async def test_an_agent_that_comes_back_finds_its_own_session_before_those_of_others(tmp_path: Path) -> None:
    main_at, side_at = make_trees(tmp_path, "side")
    Clone(main_at).create("Login", type="specification")
    Clone(side_at).create("Logout", type="specification")
    async with serving(main_at, side_at) as (main, side):
        mine = id_of(await start(main))
        absent = await main.call("session_start", specFile="SPEC-000002")
        assert "Spec file not found: SPEC-000002. It is in worktree side: merge its branch" in absent.text
        theirs = id_of(await side.call("session_start", specFile="SPEC-000002"))
        assert (await main.call("session_get")).text.startswith(f"Session: {mine}\n")
        assert (await side.call("session_get")).text.startswith(f"Session: {theirs}\n")
        assert (await main.call("session_status")).text.startswith(f"Session: {mine}\n")
        await main.call("session_complete", sessionId=mine, status="completed")
        assert (await main.call("session_get")).text.startswith(f"Session: {theirs}\n"), "none of its own"
        assert (await main.call("session_status")).text.startswith(f"Session: {theirs}\n")


async def test_a_start_names_the_sessions_that_work_on_the_same_specification(tmp_path: Path) -> None:
    main_at, side_at = make_trees(tmp_path, "side")
    for title in ("Login", "Logout"):
        Clone(main_at).create(title, type="specification")
    Clone(main_at).commit()
    Clone(side_at).git("merge", "--quiet", "main")
    async with serving(main_at, side_at) as (main, side):
        first = await start(main)
        other = await side.call("session_start", specFile="SPEC-000002")
        second = await start(side)
        await main.call("session_complete", sessionId=id_of(first), status="completed")
        await side.call("session_complete", sessionId=id_of(second), status="failed")
        third = await start(side)

    said = f"Session {id_of(first)} works on the same specification in ../main/.worktrees/login."
    assert said in second.text.splitlines()
    for reply in (first, other, third):
        assert "same specification" not in reply.text


async def test_of_two_copies_of_a_session_the_last_changed_counts(tmp_path: Path) -> None:
    main_at, side_at = make_trees(tmp_path, "side")
    Clone(main_at).create("Login", type="specification")
    async with serving(main_at, side_at) as (main, side):
        id = id_of(await start(main))
        shutil.copytree(main_at / ".wrangler/sessions", side_at / ".wrangler/sessions")
        await main.call("session_phase", sessionId=id, phase="verify", status="started")
        await side.call("session_phase", sessionId=id, phase="verify", status="complete")
        listed = (await side.call("session_status", list="all")).text
        seen = await side.call("session_get", sessionId=id)

    assert listed.count(id + "\t") == 1 and "Phase: verify" in seen.text
    kept = json.loads((main_at / f".wrangler/sessions/{id}/context.json").read_text(encoding="utf-8"))
    assert kept["phasesCompleted"] == ["init", "verify"], "the older copy was left alone"


async def test_a_start_says_what_the_worktree_lacks_and_brings_the_specification(tmp_path: Path) -> None:
    (main_at,) = make_trees(tmp_path)
    Clone(main_at).create("Login", type="specification")
    Clone(main_at).create("Third")
    (main_at / "notes.txt").write_text("new", encoding="utf-8")
    tree_at = main_at / ".worktrees/login"
    async with serving(main_at) as (main,):
        started = await start(main)
        id = id_of(started)
        async with serving(tree_at) as (inside,):
            absent = await inside.call("issues_get", id=SPEC)
        brought = await start(main, sessionId=id, bringSpec=True)
        again = await start(main, sessionId=id, bringSpec=True)
        everyone = await main.call("session_status", list="all")

    lines = started.text.splitlines()
    assert lines[4] == (
        "Not committed, so the worktree lacks what is new in: "
        ".wrangler/specifications/SPEC-000001-login.md, .wrangler/issues/ISS-000003-third.md, notes.txt."
    )
    assert lines[5].startswith("Repeat session_start with this sessionId and bringSpec: true to copy")
    assert "It is in the main worktree" in absent.text
    assert "The specification was copied into the worktree" in brought.text
    assert "Repeat" not in brought.text and "ISS-000003" in brought.text
    assert "copied" not in again.text
    assert spec_in(tree_at).read_bytes() == spec_in(main_at).read_bytes()
    assert everyone.text.startswith("1 session:"), "no second one was started"


async def test_a_specification_is_brought_from_the_start_and_never_over_a_change(tmp_path: Path) -> None:
    (main_at,) = make_trees(tmp_path)
    main_clone = Clone(main_at)
    main_clone.create("Login", type="specification")
    main_clone.commit()
    main_clone.set(SPEC, body="Another text.\n")
    tree_at = main_at / ".worktrees/login"
    async with serving(main_at) as (main,):
        started = await start(main, bringSpec=True)
        spec_in(tree_at).write_text("Changed there.\n", encoding="utf-8")
        refused = await start(main, sessionId=id_of(started), bringSpec=True)
        alone = await start(main, sessionId=id_of(started))

    assert "copied into the worktree" in started.text and "lacks" not in started.text
    assert refused.failed and "was changed in the worktree as well" in refused.text
    assert spec_in(tree_at).read_text(encoding="utf-8") == "Changed there.\n"
    assert "sessionId goes with bringSpec: true." in alone.text


async def test_a_clean_start_says_nothing_more_than_before(tmp_path: Path) -> None:
    (main_at,) = make_trees(tmp_path)
    Clone(main_at).create("Login", type="specification")
    Clone(main_at).commit()
    async with serving(main_at) as (main,):
        assert len((await start(main)).text.splitlines()) == 4


async def test_a_specification_that_git_ignores_is_brought_as_well(tmp_path: Path) -> None:
    (main_at,) = make_trees(tmp_path)
    (main_at / ".gitignore").write_text("/.wrangler/specifications/\n", encoding="utf-8")
    Clone(main_at).commit()
    Clone(main_at).create("Login", type="specification")
    async with serving(main_at) as (main,):
        started = await start(main)
        await start(main, sessionId=id_of(started), bringSpec=True)

    assert "lacks what is new in: .wrangler/specifications/SPEC-000001-login.md." in started.text
    assert spec_in(main_at / ".worktrees/login").is_file()


async def test_a_work_tree_whose_sessions_cannot_be_read_hides_no_others(tmp_path: Path) -> None:
    main_at, side_at = make_trees(tmp_path, "side")
    Clone(main_at).create("Login", type="specification")
    (side_at / ".wrangler/sessions").symlink_to(tmp_path)
    async with serving(main_at) as (main,):
        id = id_of(await start(main))
        assert id in (await main.call("session_status", list="all")).text
