"""Garbage, forged input and clients that disconnect: a real process survives them."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.process.speaking import ERAS, LEGACY, Message, Stdio, listening, meta, serving, wait_for

SLOW = '''
import asyncio
from pathlib import Path
from typing import Annotated
from laconic.kit import Progress, Toolset

slow = Toolset("slow", "Slow.")


@slow.read
async def slow_work(progress: Progress, seconds: Annotated[float, "How long."] = 60) -> str:
    """Work slowly."""
    Path("started").touch()
    try:
        for step in range(int(seconds * 10)):
            await progress(step, seconds * 10)
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        Path("cancelled").touch()
        raise
    return "Done."
'''


def _raw(server: Stdio, line: bytes) -> None:
    assert server.process.stdin is not None
    server.process.stdin.write(line + b"\n")


def _reply(server: Stdio, number: int) -> Message:
    """The answer or error to a request; everything else is skipped."""
    while True:
        message: Message = json.loads(server.line())
        if message.get("id") == number:
            return message


def _lives(server: Stdio) -> None:
    assert "memo" in server.call("memo_list")


MALFORMED = [
    b"this is no JSON",
    b"{",
    b"[]",
    b"42",
    b"null",
    b"\xff\xfe\x00",
    b'{"jsonrpc": "1.0", "id": 77, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
    b'{"id": 5}',
    b"[" * 20_000,
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}}',
]


@pytest.mark.parametrize("era", ERAS)
def test_a_malformed_line_does_not_end_the_session(
    workspace: Path, era: str, subtests: pytest.Subtests
) -> None:
    with serving(folder=workspace, era=era) as server:
        for line in MALFORMED:
            with subtests.test(line=line[:80]):
                _raw(server, line)
                _lives(server)


@pytest.mark.parametrize("era", ERAS)
def test_an_unknown_method_is_an_error_of_the_protocol(workspace: Path, era: str) -> None:
    with serving(folder=workspace, era=era) as server:
        assert _reply(server, server.send("tools/teleport"))["error"]["code"] == -32601
        _lives(server)


@pytest.mark.parametrize("era", ERAS)
def test_an_unknown_tool_is_an_error_with_the_nearest_name(workspace: Path, era: str) -> None:
    with serving(folder=workspace, era=era) as server:
        error = _reply(server, server.send("tools/call", name="memo_lst", arguments={}))["error"]
        assert error["code"] == -32602
        assert "Did you mean memo_list?" in error["message"]
        _lives(server)


WRONG: list[tuple[str, Any, str]] = [
    ("memo_get", {}, "Missing name"),
    ("memo_get", {"name": "a", "colour": "red"}, "Unknown argument 'colour'"),
    ("memo_get", {"name": {"a": 1}}, "Invalid name an object"),
    ("memo_list", {"limit": "many"}, "Invalid limit 'many'"),
    ("memo_list", {"cursor": "AAAAforgedAAAA"}, "This cursor is not valid here"),
    ("memo_get", {"name": "../../etc/passwd"}, "Invalid name '../../etc/passwd'"),
    ("memo_create", {"name": "big", "title": "t", "body": "x" * 2_000_000}, "(2,000,000 characters)"),
]


@pytest.mark.parametrize("era", ERAS)
def test_wrong_arguments_are_answered_in_words(workspace: Path, era: str, subtests: pytest.Subtests) -> None:
    with serving(folder=workspace, era=era) as server:
        for tool, arguments, said in WRONG:
            with subtests.test(tool, arguments=str(arguments)[:80]):
                result = server.ask("tools/call", name=tool, arguments=arguments)
                text = result["content"][0]["text"]
                assert result["isError"] is True
                assert said in text
                assert len(text.encode()) <= 600
                assert "Traceback" not in server.stderr


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_really_stops(workspace: Path, era: str) -> None:
    (workspace / "slowly.py").write_text(SLOW, encoding="utf-8")
    with serving("slowly:slow", "example", folder=workspace, era=era) as server:
        number = server.send("tools/call", name="slow_work", arguments={})
        wait_for(workspace / "started")
        server.tell("notifications/cancelled", requestId=number)
        wait_for(workspace / "cancelled")
        _lives(server)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("003-7.3")
def test_progress_comes_for_the_token_zero(workspace: Path, era: str) -> None:
    (workspace / "slowly.py").write_text(SLOW, encoding="utf-8")
    with serving("slowly:slow", folder=workspace, era=era) as server:
        about = meta(era).get("_meta", {})
        body = {"name": "slow_work", "arguments": {"seconds": 0.3}, "_meta": {**about, "progressToken": 0}}
        _raw(
            server, json.dumps({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": body}).encode()
        )
        seen = []
        while (message := json.loads(server.line())).get("id") != 50:
            seen.append(message)
        assert [note["params"]["progressToken"] for note in seen] == [0] * len(seen)
        assert len(seen) >= 3


def test_a_client_that_vanishes_in_the_middle_of_a_call_leaves_no_process(workspace: Path) -> None:
    (workspace / "slowly.py").write_text(SLOW, encoding="utf-8")
    with serving("slowly:slow", folder=workspace) as server:
        server.send("tools/call", name="slow_work", arguments={})
        wait_for(workspace / "started")
        assert server.hang_up() == 0
    assert (workspace / "cancelled").exists()


def test_a_modern_http_client_that_hangs_up_cancels_its_call(workspace: Path) -> None:
    import httpx2

    (workspace / "slowly.py").write_text(SLOW, encoding="utf-8")
    with listening("slowly:slow", folder=workspace) as server:
        with pytest.raises(httpx2.TimeoutException):
            body = {"name": "slow_work", "arguments": {}, **meta(ERAS[1])}
            headers = {
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": ERAS[1],
                "Mcp-Method": "tools/call",
                "Mcp-Name": "slow_work",
            }
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": body}
            httpx2.post(server.url, json=message, headers=headers, timeout=2)
        wait_for(workspace / "cancelled")


def test_a_call_killed_with_its_server_leaves_whole_files(workspace: Path) -> None:
    with serving(folder=workspace) as server:
        for number in range(20):
            server.send("tools/call", name="memo_create", arguments=_memo(number))
        os.kill(server.process.pid, signal.SIGKILL)
        server.wait()
    for path in (workspace / "memos").glob("*.md"):
        assert path.read_text(encoding="utf-8").endswith("end\n")
    with serving(folder=workspace, era=LEGACY) as server:
        _lives(server)


def _memo(number: int) -> dict[str, str]:
    return {"name": f"m-{number}", "title": "T", "body": "text " * 2000 + "end"}


RUBBISH = {
    "empty": b"",
    "half": b"{",
    "array": b"[]",
    "binary": b"\xff\xfe",
    "no meta": b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    "huge": b"x" * 6_000_000,
}


def test_rubbish_over_http_is_refused_and_the_server_lives_on(
    workspace: Path, subtests: pytest.Subtests
) -> None:
    import httpx2

    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": ERAS[1],
        "Mcp-Method": "tools/list",
    }
    with listening(folder=workspace) as server:
        for name, body in RUBBISH.items():
            with subtests.test(name):
                response = httpx2.post(server.url, content=body, headers=headers, timeout=20)
                assert 400 <= response.status_code < 500
                assert server.call("memo_list") == "There are no memos."
