"""Questions of agents to people: asked with a pause, shown until answered, closed when the session ends."""

import json
from pathlib import Path

import pytest

from laconic.kit import Conflict
from laconic.kit.testing import TestClient
from laconic.servers.issues.sessions.service import Sessions
from tests.unit.issues.test_sessions import SPEC, Clock, audit_of, begin, connected, workspace

__all__ = ["workspace"]  # a fixture
ASKED = "Postgres or SQLite?"


async def ask(client: TestClient, id: str, question: str = ASKED) -> None:
    reply = await client.call("session_phase", sessionId=id, phase="plan", status="paused", question=question)
    assert not reply.failed, reply.text


async def test_an_open_question_and_its_answer_are_shown_wherever_the_session_is(workspace: Path) -> None:
    sessions, id = await begin(workspace)
    async with connected(workspace) as client:
        await ask(client, id)
        asked = [await client.call(tool) for tool in ("session_get", "session_status")]
        listed = await client.call("session_status", list="active")
        sessions.answer(id, "SQLite.\nIt is enough.")
        answered = [await client.call(tool) for tool in ("session_get", "session_status")]
        quiet = await client.call("session_status", list="active")

    for reply in asked:
        assert "Status: paused" in reply.text and f"Open question: {ASKED}" in reply.text
    assert f"\n  Open question: {ASKED}" in listed.text
    for reply in answered:
        assert "Status: running" in reply.text
        assert f"Question: {ASKED}\n<answer>\nSQLite.\nIt is enough.\n</answer>" in reply.text
        assert "Open question" not in reply.text
    assert "question" not in quiet.text
    last = audit_of(workspace, id)[-1]
    assert (last["phase"], last["status"], last["answer"]) == ("plan", "resumed", "SQLite.\nIt is enough.")


async def test_the_data_has_the_question_too(workspace: Path) -> None:
    sessions, id = await begin(workspace)
    async with connected(workspace, output="structured") as client:
        await ask(client, id)
        asked = (await client.call("session_get")).structured["question"]
        row = (await client.call("session_status", list="all")).structured["sessions"][0]
        sessions.answer(id, "SQLite.")
        answered = (await client.call("session_status")).structured["question"]
    assert (asked["text"], asked["state"], row["question"]) == (ASKED, "open", ASKED)
    assert (answered["state"], answered["answer"]) == ("answered", "SQLite.")


async def test_ending_a_session_closes_its_question(workspace: Path) -> None:
    sessions, id = await begin(workspace)
    sessions.phase(id, "plan", "paused", None, ASKED)
    assert list(sessions.questions()) == [id]
    sessions.complete(id, "failed")
    assert sessions.questions() == {}
    assert f"Closed question: {ASKED}" in sessions.get(id).write_text(None)
    with pytest.raises(Conflict, match="no open question"):
        sessions.answer(id, "Too late.")
    assert audit_of(workspace, id)[-1]["phase"] == "complete"


async def test_an_agent_that_goes_on_closes_its_question_and_may_ask_another(workspace: Path) -> None:
    sessions, id = await begin(workspace)
    sessions.phase(id, "plan", "paused", None, ASKED)
    sessions.phase(id, "plan", "resumed")
    assert f"Closed question: {ASKED}" in sessions.status(id).write_text(None)
    sessions.phase(id, "execute", "paused", None, "And which port?")
    sessions.phase(id, "execute", "paused", None, "And which port?")
    sessions.checkpoint(id, [], [], "x", "y")
    assert [one.text for one in sessions.questions().values()] == ["And which port?"]
    assert len(audit_of(workspace, id)) == 5, "asking again changes nothing"
    sessions.answer(id, "8321.")
    with pytest.raises(Conflict):
        sessions.answer(id, "9000.")


async def test_a_question_needs_a_pause_and_words(workspace: Path) -> None:
    _, id = await begin(workspace)
    async with connected(workspace) as client:
        odd = await client.call("session_phase", sessionId=id, phase="x", status="started", question="?")
        empty = await client.call("session_phase", sessionId=id, phase="x", status="paused", question="")
    assert "A question goes with status: paused." in odd.text
    assert empty.failed and len(audit_of(workspace, id)) == 1


async def test_a_question_survives_a_damaged_context(workspace: Path) -> None:
    sessions, id = await begin(workspace)
    sessions.phase(id, "plan", "paused", None, ASKED)
    (workspace / f".wrangler/sessions/{id}/context.json").write_text("{", encoding="utf-8")
    assert list(sessions.questions()) == [id]
    sessions.answer(id, "SQLite.")
    context = json.loads((workspace / f".wrangler/sessions/{id}/context.json").read_text(encoding="utf-8"))
    assert context["status"] == "running"


async def test_whoever_waits_longest_comes_first(workspace: Path) -> None:
    sessions, first = await begin(workspace, Clock())
    second = (await Sessions(workspace, now=Clock()).start(SPEC)).session_id
    sessions.phase(first, "plan", "paused", None, "One?")
    sessions.phase(second, "plan", "paused", None, "Two?")
    assert list(sessions.questions()) == [first, second]
