"""What a client sends in the differential tests: the same lines go to both wires of stdio."""

from typing import Any

from laconic.kit.wire.protocol import MODERN
from tests.wire.talking import KEY, Message, initialize, meta, modern, notice, request

Line = Any
Script = list[Line]

# What works, and what is refused, once a conversation has started: (method, params), in every revision.
REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ping": ("ping", {}),
    "tools": ("tools/list", {}),
    "tools, a forged cursor": ("tools/list", {"cursor": "forged"}),
    "tools, a cursor of null": ("tools/list", {"cursor": None}),
    "tools, a cursor of a number": ("tools/list", {"cursor": 5}),
    "a call": ("tools/call", {"name": "job_get", "arguments": {"id": "JOB-0001"}}),
    "a call without arguments": ("tools/call", {"name": "odd_say"}),
    "a call with arguments of null": ("tools/call", {"name": "odd_say", "arguments": None}),
    "a call with a list of arguments": ("tools/call", {"name": "odd_say", "arguments": [1]}),
    "a call of nothing": ("tools/call", {}),
    "a call of a number": ("tools/call", {"name": 7}),
    "a call of an unknown tool": ("tools/call", {"name": "odd_syy", "arguments": {}}),
    "a call with a wrong argument": ("tools/call", {"name": "job_get", "arguments": {"id": 5}}),
    "a call that fails": ("tools/call", {"name": "job_get", "arguments": {"id": "JOB-9999"}}),
    "a call with more params": ("tools/call", {"name": "odd_say", "arguments": {}, "colour": "red"}),
    "a picture": ("tools/call", {"name": "job_picture", "arguments": {"id": "JOB-0001"}}),
    "a sound": ("tools/call", {"name": "test_audio_content"}),
    "a resource in an answer": ("tools/call", {"name": "test_multiple_content_types"}),
    "a question nobody can answer": ("tools/call", {"name": "odd_ask"}),
    "resources": ("resources/list", {}),
    "templates": ("resources/templates/list", {}),
    "a resource": ("resources/read", {"uri": "job://JOB-0001"}),
    "a binary resource": ("resources/read", {"uri": "test://static-binary"}),
    "a resource that is not there": ("resources/read", {"uri": "job://JOB-9999"}),
    "an unknown resource": ("resources/read", {"uri": "nothing://there"}),
    "a resource of a number": ("resources/read", {"uri": 5}),
    "watching": ("resources/subscribe", {"uri": "test://watched-resource"}),
    "watching nothing": ("resources/subscribe", {}),
    "watching no more": ("resources/unsubscribe", {"uri": "test://watched-resource"}),
    "prompts": ("prompts/list", {}),
    "a prompt": ("prompts/get", {"name": "plan_job", "arguments": {"id": "JOB-0001"}}),
    "a kept prompt": ("prompts/get", {"name": "greet", "arguments": {"name": "Ann"}}),
    "a prompt that lacks an argument": ("prompts/get", {"name": "plan_job", "arguments": {}}),
    "an unknown prompt": ("prompts/get", {"name": "nothing"}),
    "a prompt with an image": ("prompts/get", {"name": "test_prompt_with_image"}),
    "suggestions for a prompt": (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "plan_job"}, "argument": {"name": "id", "value": "JOB-000"}},
    ),
    "suggestions for a resource": (
        "completion/complete",
        {"ref": {"type": "ref/resource", "uri": "job://{id}"}, "argument": {"name": "id", "value": "9"}},
    ),
    "suggestions for an unknown prompt": (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "none"}, "argument": {"name": "id", "value": ""}},
    ),
    "suggestions for nothing": ("completion/complete", {"argument": {"name": "id", "value": ""}}),
    "suggestions for an odd thing": (
        "completion/complete",
        {"ref": {"type": "ref/tool", "name": "x"}, "argument": {"name": "id", "value": ""}},
    ),
    "a level": ("logging/setLevel", {"level": "error"}),
    "an odd level": ("logging/setLevel", {"level": "loud"}),
    "discovering": ("server/discover", {}),
    "an unknown method": ("tools/teleport", {}),
    "a method of a client": ("sampling/createMessage", {"messages": [], "maxTokens": 5}),
    "a token of null": ("tools/call", {"name": "odd_say", "_meta": {"progressToken": None}}),
    "a token of a list": ("tools/call", {"name": "odd_say", "_meta": {"progressToken": [1]}}),
    "beginning again": (
        "initialize",
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    ),
    "listening to nothing in particular": ("subscriptions/listen", {}),
    "listening to a number": ("subscriptions/listen", {"notifications": 5}),
}

# How a conversation may start: whole scripts, each with its own server.
OPENINGS: dict[str, Script] = {
    "a list before initialize": [request(1, "tools/list"), initialize("2025-06-18", 2), request(3, "ping")],
    "a call before initialize": [request(1, "tools/call", name="odd_say"), initialize("2025-06-18", 2)],
    "an unknown method before initialize": [request(1, "tools/teleport"), request(2, "ping")],
    "a ping before initialize": [request(1, "ping"), initialize("2024-11-05", 2)],
    "a revision nobody knows": [initialize("1999-01-01", 1), request(2, "ping")],
    "a revision that is modern": [initialize("2026-07-28", 1), request(2, "ping")],
    "initialize without a client": [
        request(1, "initialize", protocolVersion="2025-06-18", capabilities={}),
        request(2, "tools/list"),
    ],
    "initialize without params": [{"jsonrpc": "2.0", "id": 1, "method": "initialize"}, request(2, "ping")],
    "initialize with a number for a revision": [
        request(1, "initialize", protocolVersion=5, capabilities={}, clientInfo={"name": "a", "version": "1"})
    ],
    "initialize marked as modern": [
        {**initialize("2025-06-18", 1), "params": {**initialize("2025-06-18")["params"], "_meta": meta()}},
        request(2, "tools/list"),
    ],
    "a modern request after initialize": [initialize("2025-06-18", 1), modern(2, "tools/list")],
    "initialize after a modern request": [
        modern(1, "server/discover"),
        initialize("2025-06-18", 2),
        request(3, "initialize"),
    ],
    "a legacy request after a modern one": [
        modern(1, "tools/list"),
        request(2, "tools/list"),
        request(3, "ping"),
    ],
    "a modern request of a revision nobody knows": [
        request(1, "tools/list", _meta=meta("2099-01-01")),
        modern(2, "tools/list"),
    ],
    "a modern request of a legacy revision": [
        request(1, "tools/list", _meta=meta("2025-06-18")),
        modern(2, "tools/list"),
    ],
    "modern without capabilities": [
        request(1, "tools/list", _meta={KEY + "protocolVersion": MODERN[0]}),
        modern(2, "ping"),
    ],
    "modern with a number for a revision": [
        modern(9, "tools/list"),
        request(1, "tools/list", _meta={KEY + "protocolVersion": 5, KEY + "clientCapabilities": {}}),
    ],
    "modern with a list of capabilities": [
        modern(9, "tools/list"),
        request(1, "tools/list", _meta={KEY + "protocolVersion": MODERN[0], KEY + "clientCapabilities": []}),
    ],
    "modern without a client": [
        request(1, "tools/list", _meta={KEY + "protocolVersion": MODERN[0], KEY + "clientCapabilities": {}}),
    ],
    "modern with _meta of a number": [modern(9, "tools/list"), request(1, "tools/list", _meta=5)],
    "modern without params": [
        modern(9, "tools/list"),
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "server/discover"},
    ],
    "a modern method that is gone": [modern(1, "ping"), modern(2, "logging/setLevel", level="info")],
    "a modern unknown method": [modern(1, "tools/teleport"), request(2, "tools/teleport")],
    "discover unmarked": [request(1, "server/discover"), initialize("2025-06-18", 2)],
    "a notice first": [
        notice("notifications/initialized"),
        initialize("2025-06-18", 1),
        request(2, "tools/list"),
    ],
    "a text for an id": [initialize("2025-06-18", "a"), request("b", "tools/list"), request("", "ping")],
    "a ping before a modern request": [request(1, "ping"), modern(2, "tools/list")],
    "an unknown method before a modern request": [request(1, "tools/teleport"), modern(2, "tools/list")],
    "a big id": [initialize("2025-06-18", 2**70), request(-1, "ping"), request(0, "ping")],
}


def lines_of(revision: str) -> list[tuple[str, Message]]:
    """Every request in the form of one revision."""
    found = []
    for name, (method, params) in REQUESTS.items():
        if revision in MODERN:
            about = {**meta(), **params.get("_meta", {})}
            params = {**params, "_meta": about}
        found.append((name, request(name, method, **params)))
    return found


# Lines that are not messages, and what the lean wire answers: the code of the error and its id.
ODD_LINES: dict[str, tuple[Line, int, Any]] = {
    "no JSON": (b"hello", -32700, None),
    "half a message": (b'{"jsonrpc":"2.0","id":1,', -32700, 1),
    "no UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}', -32700, 1),
    "too deep": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b'{"a":' * 50_000, -32700, 1),
    "a list": (b"[]", -32600, None),
    "a number": (b"42", -32600, None),
    "null": (b"null", -32600, None),
    "an object of nothing": (b"{}", -32600, None),
    "no version": ({"id": 7, "method": "ping"}, -32600, 7),
    "another version": ({"jsonrpc": "1.0", "id": 7, "method": "ping"}, -32600, 7),
    "no method": ({"jsonrpc": "2.0", "id": 7}, -32600, 7),
    "a number for a method": ({"jsonrpc": "2.0", "id": 7, "method": 5}, -32600, 7),
    "a list of params": ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}, -32600, 7),
    "a text of params": ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": "x"}, -32600, 7),
    "an id of null": ({"jsonrpc": "2.0", "id": None, "method": "tools/list"}, -32600, None),
    "an id of truth": ({"jsonrpc": "2.0", "id": True, "method": "tools/list"}, -32600, None),
    "an id with a fraction": ({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}, -32600, None),
    "an id of a list": ({"jsonrpc": "2.0", "id": [1], "method": "tools/list"}, -32600, None),
    "an id of an object": ({"jsonrpc": "2.0", "id": {}, "method": "tools/list"}, -32600, None),
    "not a number": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700, 1),
    "half a character": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}', -32700, 1),
    "a number of 5,000 digits": (
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"tools/list"}',
        -32700,
        None,
    ),
    "a byte order mark": (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700, None),
}
