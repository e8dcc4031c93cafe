"""Faults on the way become network or server errors in plain words; creates are never sent twice."""

import socket
from typing import Any

import pytest

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import error_of, serving, until

READ: tuple[str, dict[str, Any]] = ("taiga_list_user_stories", {})
CREATE = ("taiga_create_issue", {"subject": "x"})
UNSURE = "It is not known whether anything was changed: check before you try again."


@pytest.mark.requirement("001-16")
async def test_a_closed_port_is_a_network_that_cannot_be_reached(site: TaigaServer) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        async with serving(site, project=None, url=url, output="both", patience=0) as client:
            reply = await client.call("taiga_list_projects")
    error = error_of(reply)
    assert error["category"] == "network" and error["message"].startswith("Network unreachable")
    assert "the connection was refused" in reply.text


@pytest.mark.requirement("001-16", "001-10")
@pytest.mark.parametrize(
    ("fault", "category", "words"),
    [
        ("bad_gateway", "server", "failed (status 502)"),
        ("unavailable", "server", "failed (status 503)"),
        ("hang", "network", "Network unreachable: 127.0.0.1"),
        ("cut", "network", "broke off the connection"),
        ("html", "server", "an HTML page, such as one to sign in"),
        ("empty", "server", "no"),
    ],
)
@pytest.mark.parametrize(("tool", "arguments"), [READ, CREATE])
async def test_a_fault_on_the_way_is_told_in_plain_words(
    site: TaigaServer, fault: Any, category: str, words: str, tool: str, arguments: dict[str, Any]
) -> None:
    async with serving(site, output="both", patience=0, timeout=0.5) as client:
        path = "userstories" if tool == READ[0] else "issues"
        site.app.faults.add(fault, path=path, seconds=2.0 if fault == "hang" else 0.0)
        reply = await client.send(tool, arguments)
    error = error_of(reply)
    assert error["category"] == category and words in reply.text, reply.text
    assert (UNSURE in reply.text) is (tool == CREATE[0]), reply.text
    assert site.app.faults.coming == []  # it was sent once
    if fault == "hang":  # the other side goes on alone
        await until(lambda: site.asked != [])


@pytest.mark.parametrize("fault", ["bad_gateway", "unavailable", "cut"])
async def test_a_read_is_tried_again_where_a_fault_may_pass(site: TaigaServer, fault: Any) -> None:
    async with serving(site) as client:
        site.app.faults.add(fault, path="userstories")
        reply = await client.call("taiga_list_user_stories", limit=1)
    assert not reply.failed and site.asked == ["GET userstories"]


@pytest.mark.requirement("001-10")
async def test_a_create_whose_answer_is_lost_is_not_sent_again_and_its_key_says_so(site: TaigaServer) -> None:
    new = {"subject": "Once", "idempotencyKey": "key-1"}
    async with serving(site) as client:
        site.app.faults.add("cut", method="POST", path="issues", after=True)
        lost = await client.send("taiga_create_issue", new)
        again = await client.send("taiga_create_issue", new)
    assert lost.failed and UNSURE in lost.text
    assert again.failed, again.text
    assert site.asked == ["POST issues"]
    assert len(site.app.state.where("issues", subject="Once")) == 1


async def test_a_delete_whose_answer_is_lost_is_not_repeated_into_an_error(site: TaigaServer) -> None:
    async with serving(site) as client:
        site.app.faults.add("cut", method="DELETE", path="issues", after=True)
        reply = await client.call("taiga_delete_issue", id=1)
    assert 1 not in site.app.state.rows("issues")
    assert not reply.failed, reply.text


async def test_an_answer_that_is_too_long_is_refused(site: TaigaServer) -> None:
    site.app.state.rows("userstories")[1]["description"] = "x" * 6_000_000
    async with serving(site, output="both") as client:
        reply = await client.call("taiga_get_user_story", id=1)
    assert error_of(reply)["category"] == "server" and "longer than 5,000,000 bytes" in reply.text
