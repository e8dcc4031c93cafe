"""A call whose server was killed: the same call under the same key is answered at once, and truthfully."""

import signal
import sys
from pathlib import Path

import pytest

from tests.process.speaking import ERAS, serving, wait_for

POST = '''
import asyncio
from pathlib import Path
from laconic.kit import Toolset

post = Toolset("post", "Letters.")


@post.create(hint="post_list")
async def post_send() -> str:
    """Send a letter."""
    with Path("sent").open("a") as sent:
        sent.write("a letter\\n")
    await asyncio.sleep(60)
    return "Sent."


@post.read
async def post_list() -> str:
    """List the letters."""
    return Path("sent").read_text()
'''


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whether a process was replaced")
@pytest.mark.parametrize("era", ERAS)
def test_a_retry_after_a_kill_learns_at_once_that_the_outcome_is_not_known(workspace: Path, era: str) -> None:
    (workspace / "letters.py").write_text(POST, encoding="utf-8")
    arguments = {"idempotency_key": "k"}
    with serving("letters:post", folder=workspace, era=era) as server:
        server.send("tools/call", name="post_send", arguments=arguments)
        wait_for(workspace / "sent", written=True)
        server.signal(signal.SIGKILL)
        server.wait()
    with serving("letters:post", folder=workspace, era=era) as server:
        retried = server.call("post_send", **arguments)  # not "in progress", as after half of the deadline

        assert "was interrupted; it is not known whether it took effect. Check with post_list" in retried
        assert server.call("post_list") == "a letter\n"


@pytest.mark.parametrize("wire", ["lean", "sdk"])
@pytest.mark.parametrize("era", ERAS)
def test_a_tool_that_raises_cancelled_error_is_answered_on_stdio(
    workspace: Path, era: str, wire: str
) -> None:
    source = POST.replace("await asyncio.sleep(60)", "raise asyncio.CancelledError")
    (workspace / "letters.py").write_text(source, encoding="utf-8")
    with serving("letters:post", folder=workspace, era=era, LACONIC_WIRE=wire) as server:
        answer = server.call("post_send")

        assert answer.startswith("Error [INTERNAL_ERROR]")
        assert "It is not known whether anything was changed" in answer
        assert server.call("post_list") == "a letter\n"
