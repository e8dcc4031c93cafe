"""Random requests from the OpenAPI document: nothing breaks, and no status comes that it does not name."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings

from laconic.kit import Endpoint
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts
from laconic.web.document import whole_application
from tests.library import KINDS, address_of
from tests.process.speaking import PATIENCE, Web, listening

SKIPPED = {"/live", "/api/bookmarks/fetch-metadata"}  # one never ends, the other asks strangers
NAMES = ["name", "content", "title", "tags", "arguments", "url", "old_str", "new_str", "x"]
TOOLS = {str(tool["name"]) for tool in Endpoint([prompts, notes]).listing.tools}
JSON = {"Content-Type": "application/json"}
MANGLED: list[Callable[[bytes], bytes]] = [
    *[lambda sent: sent] * 6,
    lambda sent: sent[:-1],
    lambda sent: b"\xff" + sent,
    lambda sent: sent.replace(b"0", b"9" * 5_000),
    lambda sent: b"[" * 5_000 + sent,
    lambda sent: sent.replace(b'"x', b'"\xed\xa0\x80'),
    lambda sent: sent.replace(b"null", b"[" * 900 + b"]" * 900),
    lambda sent: sent.decode().encode("utf-16"),
]
CHECKS = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


def _document() -> dict[str, Any]:
    found = whole_application().openapi()
    found["paths"] = {path: node for path, node in found["paths"].items() if path not in SKIPPED}
    return found


def _statuses(document: dict[str, Any], path: str, method: str) -> set[int]:
    return {int(status) for status in document["paths"][path][method.lower()]["responses"]}


def _try_all(server: Web, most: int, number: int) -> int:
    """Send random requests of every operation, and return how many operations there are."""
    document = _document()
    schema: Any = schemathesis.openapi.from_dict(document)
    found = [result.ok() for result in schema.get_all_operations()]
    for operation in found:
        documented = _statuses(document, operation.path, operation.method)
        _try(server.url.removesuffix("/mcp"), operation, documented, most, number)
    return len(found)


def _try(base: str, operation: Any, documented: set[int], most: int, number: int) -> None:
    @seed(number)
    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=CHECKS,
    )
    @given(case=operation.as_strategy())
    def attempt(case: Any) -> None:
        answer = case.call(base_url=base, timeout=PATIENCE)
        told = (case.as_curl_command(), answer.status_code, answer.content[:4000])
        assert answer.status_code in documented, told
        assert answer.status_code < 500, told
        assert answer.status_code < 400 or _advice(answer.json()).isdisjoint(TOOLS), told

    attempt()


def _advice(body: dict[str, Any]) -> set[str]:
    """The words of what a caller should do next."""
    return set(re.findall(r"[a-z_]+", body["error"].get("next", "")))


def _random(numbers: random.Random, depth: int = 3) -> Any:
    kinds: list[Any] = [None, True, 0, -1, 2**70, 1.5, "", "a\0b", "\ud800", "{{ x", "x" * 3000, "2100-01-01"]
    kinds += ["{{ x }}", r"{{ '\ud800' }}"]
    if depth and numbers.random() < 0.5:
        if numbers.random() < 0.5:
            return [_random(numbers, depth - 1) for _ in range(numbers.randrange(4))]
        return {numbers.choice(NAMES): _random(numbers, depth - 1) for _ in range(numbers.randrange(6))}
    return numbers.choice(kinds)


def _throw(server: Web, count: int, number: int) -> None:
    """Send any JSON, and what is nearly JSON, to everything that takes a body."""
    numbers = random.Random(number)
    document = _document()
    paths = [
        (method.upper(), path)
        for path, node in document["paths"].items()
        for method, one in node.items()
        if "requestBody" in one
    ]
    with httpx2.Client(base_url=server.url.removesuffix("/mcp"), timeout=PATIENCE) as client:
        note = client.post("/api/notes/", json={"title": "n", "content": "a b"}).json()["id"]
        client.post("/api/prompts/", json={"name": "p", "content": "a b"})
        for _ in range(count):
            method, path = numbers.choice(paths)
            address = path.format(id=note, name="p", tag="t", type="note", version=1, link=f"{note}.{note}")
            sent = numbers.choice(MANGLED)(json.dumps(_random(numbers)).encode())
            answer = client.request(method, address, content=sent, headers=JSON)
            told = (method, address, sent, answer.text)
            assert answer.status_code in _statuses(document, path, method), told
            assert answer.status_code < 500, told
            assert answer.status_code < 400 or _advice(answer.json()).isdisjoint(TOOLS), told


@pytest.mark.slow
def test_random_requests_break_nothing(workspace: Path) -> None:
    with listening("prompts", "notes", folder=workspace) as server:
        assert _try_all(server, most=6, number=1) > 60
        _throw(server, count=300, number=1)
        assert "Traceback" not in server.stderr


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_requests_break_nothing(
    workspace: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    more: Any = {"LACONIC_DATABASE": address_of(kind, request, workspace.parent)}
    with listening("prompts", "notes", folder=workspace, **more) as server:
        for number in range(5):
            _try_all(server, most=60, number=number)
            _throw(server, count=5_000, number=number)
        assert "Traceback" not in server.stderr
