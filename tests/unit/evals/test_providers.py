"""Models over HTTP: what is sent, what is understood, and that a key is nowhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from laconic.cli.eval.stages import stages_of
from laconic.evals.conversation import BadSuite
from laconic.evals.providers.choosing import Chosen, spec_of
from laconic.evals.running import run
from laconic.upstream import retrying
from tests.unit.evals.pads import case, suite_of
from tests.unit.upstream.servers import RawServer, answering, raw, reply

KEY = "sk-test-0123456789abcdef"
PROVIDERS = ("anthropic", "openai")


def said(provider: str, text: str = "", call: Any = None, refused: bool = False) -> bytes:
    """Return a reply as the provider writes it; the arguments of a call may be anything."""
    if provider == "anthropic":
        blocks = [{"type": "text", "text": text}] if text else []
        calls = (
            [{"type": "tool_use", "id": "c1", "name": "line_add", "input": call}] if call is not None else []
        )
        reason = "refusal" if refused else "end_turn"
        usage = {"input_tokens": 100, "output_tokens": 7}
        return reply(200, {"content": [*blocks, *calls], "stop_reason": reason, "usage": usage})
    given = call if isinstance(call, str) else json.dumps(call)
    calls = [{"id": "c1", "type": "function", "function": {"name": "line_add", "arguments": given}}]
    message = {"content": text or None, "refusal": "No." if refused else None}
    choices = [{"message": message | ({"tool_calls": calls} if call is not None else {})}]
    return reply(200, {"choices": choices, "usage": {"prompt_tokens": 100, "completion_tokens": 7}})


async def ask(folder: Path, provider: str, url: str) -> dict[str, Any]:
    suite = suite_of(folder, case(), eval={"samples": 1, "timeout": 30})
    chosen = Chosen(suite, spec_of(f"{provider}/some-model", 0.5), url, {"LACONIC_EVAL_KEY": KEY})
    try:
        with stages_of(suite) as stages:
            (record,) = await run(suite, stages, chosen, count=len)
    finally:
        await chosen.close()
    return record


def bodies(server: RawServer) -> list[dict[str, Any]]:
    return [json.loads(request.body) for request in server.seen]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_model_sees_the_tools_and_the_real_answer_and_its_call_is_made(
    tmp_path: Path, provider: str
) -> None:
    replies = [said(provider, call={"text": "two"}), said(provider, "Done.")]
    async with raw(answering(*replies)) as server:
        record = await ask(tmp_path, provider, server.url)

    first, second = bodies(server)
    assert (record["outcome"], record["answer"]) == ("pass", "Done.")
    assert record["tokens"]["in"] == 200 and record["tokens"]["out"] == 14
    assert first["model"] == "some-model" and first["temperature"] == 0.5
    whole = json.dumps(first)
    assert "line_add" in whole and "Lines are kept in order." in whole and "Answer of pad_read" in whole
    assert "Added." in json.dumps(second["messages"][-1])
    head = server.seen[0].headers
    assert KEY in (head.get("x-api-key", "") or head.get("authorization", ""))
    assert server.seen[0].path == ("/v1/messages" if provider == "anthropic" else "/chat/completions")
    assert KEY not in json.dumps(record) and KEY not in whole


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("answer", "outcome", "words"),
    [
        ("refused", "fail", "refused: The model refused to answer."),
        (reply(200, {"odd": True}), "fail", "malformed: The reply of the model has no"),
        (reply(200, [1]), "fail", "malformed: The reply of the model is not an object."),
        (reply(200, content=b"<html>Sign in</html>", content_type="text/html"), "fail", "malformed: "),
        (reply(401, {"error": {"message": f"bad key {KEY}"}}), "error", "unreachable: "),
    ],
    ids=["refused", "odd", "list", "html", "wrong-key"],
)
async def test_a_reply_that_cannot_be_used_is_told_and_shows_no_key(
    tmp_path: Path, provider: str, answer: Any, outcome: str, words: str
) -> None:
    content = said(provider, refused=True) if answer == "refused" else answer
    async with raw(answering(content)) as server:
        record = await ask(tmp_path, provider, server.url)

    assert record["outcome"] == outcome
    assert words in record["reason"]
    assert KEY not in json.dumps(record)


async def test_arguments_that_are_no_json_are_told_to_the_model(tmp_path: Path) -> None:
    replies = [
        said("openai", call='{"text": '),
        said("openai", call='{"text": "two"}'),
        said("openai", "Done."),
    ]
    async with raw(answering(*replies)) as server:
        record = await ask(tmp_path, "openai", server.url)

    assert record["outcome"] == "pass"
    assert [call["failed"] for call in record["calls"]] == [True, False]
    assert "The arguments are not JSON" in json.dumps(bodies(server)[1])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_busy_provider_is_asked_again(tmp_path: Path, provider: str) -> None:
    busy = reply(429, {"error": "busy"}, retry_after="0")
    replies = [busy, said(provider, call={"text": "two"}), said(provider, "Done.")]
    async with raw(answering(*replies)) as server:
        record = await ask(tmp_path, provider, server.url)

    assert record["outcome"] == "pass" and len(server.seen) == 3


async def test_a_closed_port_is_an_error_and_not_a_failure_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrying, "_LONGEST", 0.01)
    async with raw(answering(reply(200))) as server:
        url = server.url
    record = await ask(tmp_path, "openai", url)

    assert record["outcome"] == "error" and "unreachable" in record["reason"]


@pytest.mark.parametrize(
    ("model", "url", "words"),
    [
        ("anthropic/x", "", "no key for anthropic/x. Set ANTHROPIC_API_KEY or LACONIC_EVAL_KEY"),
        ("anthropic/x", "not an address", "--url: "),
        ("scripted/nobody", "", "add has no script 'nobody'. Scripts of every case: other, right."),
        ("other/x", "", "'other/x' is not a model. Expected: anthropic/NAME"),
        ("openai", "", "'openai' is not a model"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_before_anything_runs(
    tmp_path: Path, model: str, url: str, words: str
) -> None:
    with pytest.raises(BadSuite, match=words):
        Chosen(suite_of(tmp_path, case()), spec_of(model), url, {})
