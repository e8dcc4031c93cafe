"""Over HTTP, the lean wire and the SDK's answer the same to the same requests of the modern revision."""

import base64
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import jwt
import pytest

from laconic.kit import Settings, Tokens
from laconic.kit.wire.http import LONGEST
from laconic.kit.wire.protocol import CLIENT_KEY, MODERN
from tests.wire.posting import Answer, Site, posting, raw
from tests.wire.scripts import ODD_LINES, lines_of
from tests.wire.talking import Message, meta, modern, notice, request
from tests.wire.test_same import WORDS

# Where we differ on purpose: what was asked, and why.
OTHERWISE = {
    "a token of null": "null counts as left out, here as in arguments and on stdio; the SDK refuses it",
}
KEPT = ("content-type", "cache-control", "www-authenticate", "allow", "x-accel-buffering")
LONG = "x" * LONGEST
NAME = "odd_say"
SAY = modern(1, "tools/call", name=NAME, arguments={"text": "hello"})
HERE = modern(1, "tools/call", name="test_header_param", arguments={"region": "eu"})


def outcome(answer: Answer) -> Any:
    """What must be the same: status, headers, notices and results to the letter; of an error its code."""
    headers = {name: value for name, value in answer.headers.items() if name in KEPT}
    if not answer.headers.get("content-type", "").startswith(("application/json", "text/event-stream")):
        return answer.status, headers, answer.body
    return answer.status, headers, [_plain(message) for message in answer.messages]


def _plain(message: Message) -> Any:
    if isinstance(message.get("error"), dict):
        return message["id"], message["error"]["code"]
    return json.loads(WORDS.sub('"x": "…"', json.dumps(message, sort_keys=True)))


async def both(ask: Callable[[Site], Awaitable[Any]], **options: Any) -> list[Any]:
    found = []
    for wire in ("lean", "sdk"):
        async with posting(wire, **options) as site:
            said = json.dumps(await ask(site), default=str)
            found.append(said.replace(site.host, "HOST"))
    return found


async def test_every_request_is_answered_alike() -> None:
    async def ask(site: Site) -> dict[str, Any]:
        lines = [(name, line) for name, line in lines_of(MODERN[0]) if name not in OTHERWISE]
        return {name: outcome(await site.post(line)) for name, line in lines}

    lean, sdk = await both(ask)

    assert json.loads(lean) == json.loads(sdk)


@pytest.mark.parametrize("name", OTHERWISE)
async def test_we_differ_on_purpose_for(name: str) -> None:
    async def ask(site: Site) -> Any:
        return outcome(await site.post(dict(lines_of(MODERN[0]))[name]))

    lean, sdk = await both(ask)

    assert lean != sdk


async def test_a_number_that_json_does_not_have_is_an_error_here_and_null_from_the_sdk() -> None:
    async def ask(site: Site) -> Any:
        return (await site.call("odd_answer")).body.decode()

    lean, sdk = (json.loads(said) for said in await both(ask, settings=Settings(output="both")))

    assert json.loads(lean)["error"]["code"] == -32603
    assert '"value":null' in sdk


HEADERS: dict[str, dict[str, str | None]] = {
    "as usual": {},
    "no method": {"Mcp-Method": None},
    "another method": {"Mcp-Method": "tools/list"},
    "no name": {"Mcp-Name": None},
    "another name": {"Mcp-Name": "odd_nap"},
    "a name in base64": {"Mcp-Name": f"=?base64?{base64.b64encode(NAME.encode()).decode()}?="},
    "a name in bad base64": {"Mcp-Name": "=?base64?%%?="},
    "spaces around a name": {"Mcp-Name": f"  {NAME} \t "},
    "an unknown revision": {"MCP-Protocol-Version": "2099-01-01"},
    "another revision": {"MCP-Protocol-Version": "2025-11-25"},
    "no revision": {"MCP-Protocol-Version": None},
    "only JSON accepted": {"Accept": "application/json"},
    "only events accepted": {"Accept": "text/event-stream"},
    "anything accepted": {"Accept": "*/*"},
    "kinds accepted": {"Accept": "text/*;q=0.1, Application/*"},
    "nothing accepted": {"Accept": None},
    "no type": {"Content-Type": None},
    "a form": {"Content-Type": "application/x-www-form-urlencoded"},
    "a type with a character set": {"Content-Type": "Application/JSON; charset=utf-8"},
    "another host": {"Host": "evil.example"},
    "another host at our port": {"Host": "127.0.0.1.evil.example:80"},
    "a host without a port": {"Host": "127.0.0.1"},
    "no host": {"Host": None},
    "another name of ours": {"Host": "localhost:1"},
    "a host in capitals": {"Host": "LOCALHOST:1"},
    "another site": {"Origin": "https://evil.example"},
    "our site": {"Origin": "http://localhost:8000"},
    "no site in particular": {"Origin": "null"},
    "too long": {"Content-Length": str(LONGEST + 1)},
    "a session": {"Mcp-Session-Id": "abc"},
}


async def test_headers_are_judged_alike() -> None:
    async def ask(site: Site) -> dict[str, Any]:
        return {name: outcome(await site.post(SAY, changed)) for name, changed in HEADERS.items()}

    lean, sdk = (json.loads(found) for found in await both(ask))

    assert lean == sdk
    served = {name for name, (status, *_) in lean.items() if status == 200}
    assert {
        "as usual",
        "a name in base64",
        "spaces around a name",
        "our site",
        "kinds accepted",
        "a session",
    } <= served
    assert not served & {"another host", "another site", "no method", "another name", "too long"}


async def test_a_header_that_comes_twice_is_refused_alike() -> None:
    async def ask(site: Site) -> dict[str, Any]:
        found, body = {}, json.dumps(SAY).encode()
        for name, value in site.usual(SAY).items():
            twice = [*site.usual(SAY).items(), (name.lower(), value)]
            found[name] = outcome(await (await site.send(raw("POST", twice, body))).answer())
        return found

    lean, sdk = (json.loads(found) for found in await both(ask))

    assert lean == sdk
    assert [lean[name][0] for name in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")] == [400] * 3


async def test_arguments_that_headers_repeat_are_compared_alike() -> None:
    given = {
        "repeated": {"Mcp-Param-Region": "eu"},
        "in base64": {"Mcp-Param-Region": "=?base64?ZXU=?="},
        "left out": {},
        "another": {"Mcp-Param-Region": "us"},
        "more than needed": {"Mcp-Param-Region": "eu", "Mcp-Param-Colour": "red"},
    }

    async def ask(site: Site) -> dict[str, Any]:
        return {name: outcome(await site.post(HERE, changed)) for name, changed in given.items()}

    lean, sdk = (json.loads(found) for found in await both(ask))

    assert lean == sdk
    assert [status for status, *_ in lean.values()] == [200, 200, 400, 400, 200]


BODIES: dict[str, Any] = {
    **{name: line for name, (line, _, _) in ODD_LINES.items()},
    "nothing": b"",
    "a notice": notice("notifications/cancelled", requestId=1),
    "a notice without a version": {"method": "notifications/cancelled"},
    "a reply": {"jsonrpc": "2.0", "id": 1, "result": {}},
    "more members": {**SAY, "colour": "red"},
    "no params": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    "no metadata": request(1, "tools/list"),
    "metadata of a number": request(1, "tools/list", _meta=5),
    "another revision": request(1, "tools/list", _meta=meta("2099-01-01")),
    "a list of capabilities": request(1, "tools/list", _meta=meta(capabilities=[1])),
    "odd capabilities": modern(1, "tools/list", {"elicitation": 5}),
    "no client": request(1, "tools/list", _meta={**meta(), CLIENT_KEY: None}),
    "an odd client": request(1, "tools/list", _meta={**meta(), CLIENT_KEY: 5}),
    "an empty id": modern("", "tools/list"),
    "a negative id": modern(-1, "tools/list"),
    "a big id": modern(2**70, "tools/list"),
    "too long": modern(1, "tools/call", name=NAME, arguments={"text": LONG}),
    "long": modern(1, "tools/call", name="odd_nap", arguments={"seconds": LONG[:2_000_000]}),
}


@pytest.mark.parametrize("name", BODIES)
async def test_bodies_are_judged_alike(name: str) -> None:
    async def ask(site: Site) -> Any:
        said = outcome(await site.post(BODIES[name], {"Mcp-Method": _method(BODIES[name])}))
        return said, outcome(await site.post(SAY))

    lean, sdk = await both(ask)

    assert json.loads(lean) == json.loads(sdk)


def _method(body: Any) -> str | None:
    method = body.get("method") if isinstance(body, dict) else None
    return method if isinstance(method, str) else None


@pytest.mark.parametrize("verb", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
async def test_other_verbs_are_answered_alike(verb: str) -> None:
    async def ask(site: Site) -> Any:
        line = await site.send(raw(verb, site.usual(SAY).items()))
        answer = await line.head()
        return answer.status, {name: value for name, value in answer.headers.items() if name in KEPT}

    lean, sdk = await both(ask)

    assert lean == sdk


async def test_a_body_in_pieces_is_taken_alike() -> None:
    async def ask(site: Site) -> Any:
        body, found = json.dumps(SAY).encode(), []
        for sizes in ([len(body)], [1] * len(body), [LONGEST, LONGEST]):
            whole = body if sum(sizes) == len(body) else body + b" " * (sum(sizes) - len(body))
            headers = [*site.usual(SAY).items(), ("Transfer-Encoding", "chunked")]
            line = await site.send(raw("POST", headers))
            for size in sizes:
                line.writer.write(b"%x\r\n%s\r\n" % (size, whole[:size]))
                whole = whole[size:]
            line.writer.write(b"0\r\n\r\n")
            found.append(outcome(await line.answer()))
        return found

    lean, sdk = (json.loads(found) for found in await both(ask))

    assert lean == sdk
    assert [status for status, *_ in lean] == [200, 200, 413]


async def test_notices_come_before_the_answer_alike() -> None:
    key = "io.modelcontextprotocol/"

    async def ask(site: Site) -> list[Any]:
        asked: list[tuple[str, Message]] = [
            ("test_tool_with_progress", {}),
            ("test_tool_with_progress", {"progressToken": "t"}),
            ("test_tool_with_progress", {"progressToken": 0}),
            ("test_tool_with_logging", {}),
            ("test_tool_with_logging", {key + "logLevel": "debug"}),
            ("test_tool_with_logging", {key + "logLevel": "error"}),
            ("odd_question", {}),
        ]
        found = []
        for tool, about in asked:
            found.append(outcome(await site.post(modern(1, "tools/call", None, about, name=tool))))
        return found

    lean, sdk = (json.loads(found) for found in await both(ask))

    assert lean == sdk
    assert [len(messages) for _, _, messages in lean][:3] == [1, 4, 4]


async def test_a_question_is_asked_and_answered_alike() -> None:
    async def ask(site: Site) -> list[Any]:
        capabilities: Message = {"elicitation": {}}
        first = await site.call("odd_ask", capabilities, who="Ann")
        state = first.messages[0]["result"].get("requestState")
        replies = {"name": {"action": "accept", "content": {"name": "Bo"}}}
        params: Message = {"name": "odd_ask", "arguments": {"who": "Ann"}, "inputResponses": replies}
        more = {} if state is None else {"requestState": state}
        again = await site.post(modern(2, "tools/call", capabilities, **params, **more))
        forged = await site.post(modern(3, "tools/call", capabilities, **params, requestState="forged"))
        return [outcome(answer) for answer in (first, again, forged)]

    lean, sdk = await both(ask)

    assert json.loads(lean) == json.loads(sdk)
    assert "Ann: Bo" in lean


KEY = "a shared key that is long enough to sign"
ISSUER = "https://issuer.example"
RESOURCE = "http://127.0.0.1:8321/mcp"


def tokens() -> Tokens:
    static = {"owner": "an-owner-s-token", "reader": "a-reader-s-token"}
    return Tokens(resource=RESOURCE, static=static, read_only=["reader"], issuer=ISSUER, key=KEY)


def signed(**claims: Any) -> str:
    usual = {"iss": ISSUER, "sub": "ada", "scope": "read write", "aud": RESOURCE, "exp": time.time() + 600}
    return jwt.encode({**usual, **claims}, KEY, "HS256")


async def test_tokens_are_judged_alike() -> None:
    given = {
        "owner": "Bearer an-owner-s-token",
        "small letters": "bearer an-owner-s-token",
        "reader": "Bearer a-reader-s-token",
        "signed": f"Bearer {signed()}",
        "signed to read": f"Bearer {signed(scope='read')}",
        "no token": None,
        "wrong": "Bearer another",
        "empty": "Bearer ",
        "two spaces": "Bearer  an-owner-s-token",
        "no bearer": "Basic an-owner-s-token",
        "for another server": f"Bearer {signed(aud='https://another.example')}",
        "too old": f"Bearer {signed(exp=time.time() - 60)}",
        "no scope": f"Bearer {signed(scope='other')}",
    }

    async def ask(site: Site) -> dict[str, Any]:
        asked = [modern(1, "tools/list"), modern(2, "tools/call", name="odd_change"), SAY]
        return {
            name: [outcome(await site.post(one, {"Authorization": header})) for one in asked]
            for name, header in given.items()
        }

    lean, sdk = (json.loads(found) for found in await both(ask, tokens=tokens()))

    assert lean == sdk
    admitted = [name for name, answers in lean.items() if answers[0][0] == 200]
    assert admitted == ["owner", "small letters", "reader", "signed", "signed to read"]
