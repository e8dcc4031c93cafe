"""Requests with conditions, one rule after the other: ETags that a client has, and those that it expects."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from tests.unit.web.making import KINDS, make, on_one_database, path_of

pytestmark = on_one_database
OLD = '"1-000000000000000000000000"'

# What a client has, with its present ETag as `{}`, and whether it has the answer already.
KNOWN: list[tuple[str, bool]] = [
    ("{}", True),
    ("W/{}", True),
    ('"other", {}', True),
    ('W/"other",W/{}', True),
    ('"a, b",  {}', True),
    ("*", True),
    (" * ", True),
    ('"other"', False),
    (OLD, False),
    ("", False),
    ("nonsense", False),
]


@pytest.mark.parametrize(("sent", "known"), KNOWN, ids=[row[0] for row in KNOWN])
async def test_an_answer_that_a_client_has_is_not_sent_again(
    served: AsyncClient, sent: str, known: bool
) -> None:
    item = await make(served, "notes")
    for path in (path_of("notes", item), path_of("notes", item, "/metadata"), "/api/notes/", "/api/tags/"):
        first = await served.get(path)
        asked = {"If-None-Match": sent.replace("{}", first.headers["etag"])}
        for method in ("GET", "HEAD"):
            again = await served.request(method, path, headers=asked)
            assert again.status_code == (304 if known else 200)
            same = ("etag", "cache-control", "vary")
            assert [again.headers[name] for name in same] == [first.headers[name] for name in same]
            assert not known or again.content == b""


# What a client expects, with the present ETag as `{}`, and the status of a change.
EXPECTED: list[tuple[str, int]] = [
    ("{}", 200),
    (f"{OLD}, {{}}", 200),
    ('"other",{}', 200),
    ('"77-abc", {}, "nonsense"', 200),
    ("*", 200),
    ("W/{}", 412),
    ("W/{}, {}", 200),
    ('"other"', 412),
    (f'{OLD}, "77-abc"', 412),
    ("nonsense", 412),
    ('"9999999999999999999999-abc"', 412),
]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_change_is_made_only_to_one_of_the_versions_that_are_named(
    served: AsyncClient, kind: str
) -> None:
    item = await make(served, kind, content="Some text 0.")
    path, number = path_of(kind, item), 0
    await served.patch(path, json={"title": "Second"})
    for sent, status in EXPECTED:
        for end, body in (("", {"title": f"{sent} {status}"}), ("/str-replace", {"old_str": f"{number}"})):
            now = await served.get(path)
            more: Any = {**body, "new_str": f"{number + 1}"} if end else body
            asked = {"If-Match": sent.replace("{}", now.headers["etag"])}
            answer = await served.patch(path + end, json=more, headers=asked)
            assert (sent, answer.status_code) == (sent, status), answer.text
            number += bool(end) and status == 200
            if status == 412:
                assert (await served.get(path)).json() == now.json()
                assert "ETag as If-Match" in answer.json()["error"]["next"]
            else:
                assert answer.headers["etag"] != now.headers["etag"]


@pytest.mark.parametrize("kind", KINDS)
async def test_every_change_of_one_item_takes_conditions(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    path = path_of(kind, item)
    await served.patch(path, json={"title": "Second"})
    versions = f"/api/history/{kind[:-1]}/{item['id']}/restore/1"
    for method, address, sent in (
        ("PATCH", path, {"title": "x"}),
        ("PATCH", f"{path}/str-replace", {"old_str": "e", "new_str": "x"}),
        ("POST", f"{path}/archive", None),
        ("POST", f"{path}/unarchive", None),
        ("POST", f"{path}/restore", None),
        ("POST", versions, None),
        ("DELETE", path, None),
        ("DELETE", f"{path}?permanent=true", None),
    ):
        refused = await served.request(method, address, json=sent, headers={"If-Match": OLD})
        assert (address, refused.status_code) == (address, 412)


async def test_what_is_not_there_is_not_found_whatever_is_expected(served: AsyncClient) -> None:
    lost = "/api/notes/0190aaaa-0000-7000-8000-000000000000"
    for sent in ("*", OLD):
        answer = await served.patch(lost, json={"title": "x"}, headers={"If-Match": sent})
        assert answer.status_code == 404
