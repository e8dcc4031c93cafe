"""The floor: what any Python server must do, and nothing else. `python -m benchmarks.loop FILE`.

Reads a line, parses it, answers it from the tools in a file, writes a line. No event loop, hardly any
protocol, one call at a time; `echo` is the only tool that runs, with its argument checked by hand.
"""

import json
import sys


def main(path: str) -> None:
    with open(path, "rb") as file:  # noqa: PTH123  # pathlib would be a third of the imports
        tools = json.loads(file.read())
    reading, writing = sys.stdin.buffer, sys.stdout.buffer
    while line := reading.readline():
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message["params"], tools)
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        writing.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")
        writing.flush()


def answer(method: str, params: dict[str, object], tools: list[object]) -> dict[str, object]:
    if method == "tools/call":
        return called(params["arguments"])
    if method == "tools/list":
        return {"resultType": "complete", "tools": tools}
    about: dict[str, object] = {"capabilities": {"tools": {}}, "serverInfo": {"name": "loop", "version": "1"}}
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], **about}
    return {"resultType": "complete", "supportedVersions": ["2026-07-28"], **about}


def called(given: object) -> dict[str, object]:
    is_sound = isinstance(given, dict) and given.keys() == {"text"} and isinstance(given["text"], str)
    text = given["text"] if is_sound and isinstance(given, dict) else "text: expected a string"
    return {"resultType": "complete", "content": [{"type": "text", "text": text}], "isError": not is_sound}


if __name__ == "__main__":
    main(sys.argv[1])
