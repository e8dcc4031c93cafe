"""Bodies that cannot be read or kept: every operation that takes one says what is wrong with it, as 422."""

import gzip
from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.web.document import whole_application
from tests.unit.web.making import body, on_one_database

pytestmark = on_one_database
JSON = {"Content-Type": "application/json"}
ID = "0190aaaa-0000-7000-8000-000000000000"
FILLED = {"id": ID, "name": "some-name", "tag": "some-tag", "link": f"{ID}.{ID}"}
UNREADABLE = [
    (b'{"name": "caf\xe9"}', "Expected: JSON in UTF-8, not compressed."),
    (gzip.compress(b'{"name": "x"}', mtime=0), "Expected: JSON in UTF-8, not compressed."),
    (b"[" * 100_000, "The body is nested too deeply."),
    (b'{"a":' * 100_000, "The body is nested too deeply."),
    (b'{"name": ' + b"9" * 5_000 + b"}", "The body has a number that is too long."),
    (b'{"content": "\\ud800"}', "The body has half of a surrogate pair, which is no character."),
    (b'{"arguments": {"x": ["\\uDFFF"]}}', "The body has half of a surrogate pair, which is no character."),
    (b'{"\\ud800": 1}', "The body has half of a surrogate pair, which is no character."),
    (b'{"arguments": {"x": "\xed\xa0\x80"}}', "Expected: JSON in UTF-8, not compressed."),
    ('{"arguments": {"x": "\\ud800"}}'.encode("utf-16"), "Expected: JSON in UTF-8, not compressed."),
]


def taking_a_body() -> list[tuple[str, str]]:
    """Every operation that takes a body, with an address."""
    paths: dict[str, dict[str, dict[str, Any]]] = whole_application().openapi()["paths"]
    found = [(method, path, of) for path, node in paths.items() for method, of in node.items()]
    return [(method, path.format(**FILLED)) for method, path, of in found if "requestBody" in of]


@pytest.mark.parametrize(("sent", "said"), UNREADABLE)
async def test_a_body_that_cannot_be_read_is_told_why(api: AsyncClient, sent: bytes, said: str) -> None:
    operations = taking_a_body()
    assert len(operations) > 20
    for method, path in operations:
        refused = await api.request(method, path, content=sent, headers=JSON)
        assert (path, refused.status_code, refused.text[:9]) == (path, 422, '{"error":')
        found = refused.json()
        assert (found["error"]["message"], found["error"]["field"]) == (said, "body")
        assert [one["type"] for one in found["detail"]] == ["json_invalid"]


async def test_a_mark_of_utf_8_before_a_body_means_nothing(api: AsyncClient) -> None:
    made = await api.post("/api/notes/", content=b'\xef\xbb\xbf{"title": "x"}', headers=JSON)
    assert (made.status_code, made.json()["title"]) == (201, "x")


async def test_a_whole_pair_is_a_character_like_any_other(api: AsyncClient) -> None:
    sent = b'{"title": "\\ud83d\\ude00 \\u00e9"}'
    made = await api.post("/api/notes/", content=sent, headers=JSON)
    assert (made.status_code, made.json()["title"]) == (201, "\U0001f600 é")


# A list of very many wrong values, how many problems are told of it, and the last of them.
LONG: list[tuple[str, dict[str, Any], int, str]] = [
    ("notes", {"tags": [1] * 1_000}, 101, "And 900 more problems."),
    ("notes", {"relationships": [{}] * 101}, 101, "And 1 more problems."),
    ("prompts", {"arguments": [{}] * 100}, 100, "arguments.99.name is missing."),
    ("notes", {"tags": [1] * 1_001}, 1, ""),
    ("notes", {"tags": ["a"] * 1_001}, 1, ""),
    ("notes", {"relationships": [1] * 1_001}, 1, ""),
    ("prompts", {"arguments": [1] * 2_001}, 1, ""),
    ("prompts", {"arguments": [{"name": "x", "choices": [1] * 100_000}]}, 1, ""),
]


@pytest.mark.parametrize(
    ("kind", "given", "told", "last"), LONG, ids=[f"{r[0]} {[*r[1]]} {r[2]}" for r in LONG]
)
async def test_of_very_many_problems_the_first_are_told(
    api: AsyncClient, kind: str, given: dict[str, Any], told: int, last: str
) -> None:
    refused = await api.post(f"/api/{kind}/", json=body(kind, **given))
    error = refused.json()["error"]
    problems = error.get("problems", [error])
    assert (refused.status_code, len(problems)) == (422, told)
    assert last in problems[-1]["message"] and len(refused.json()["detail"]) == min(told, 100)


async def test_of_very_many_unknown_values_the_first_are_told(api: AsyncClient) -> None:
    values = {f"v{number}": "x" for number in range(1_000)}
    refused = await api.post("/api/prompts/render", json={"content": "x", "arguments": values})
    assert (refused.status_code, len(refused.json()["error"]["problems"])) == (400, 20)


@pytest.mark.parametrize(
    ("kind", "given", "most"),
    [
        ("prompts", {"content": "x" * 100_001}, 100_000),
        ("notes", {"title": "x" * 501}, 500),
        ("notes", {"description": "x" * 2_001}, 2_000),
        ("bookmarks", {"content": "x" * 512_001}, 512_000),
    ],
)
async def test_a_text_that_is_too_long_is_told_in_characters(
    api: AsyncClient, kind: str, given: dict[str, Any], most: int
) -> None:
    refused = await api.post(f"/api/{kind}/", json=body(kind, **given))
    (field,) = given
    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == (
        f"Invalid {field}. String should have at most {most} characters."
    )
    assert refused.json()["detail"][0]["type"] == "string_too_long"


async def test_no_text_of_an_argument_may_have_a_nul_character(api: AsyncClient) -> None:
    for more in ({"description": "a\0"}, {"default": "a\0"}, {"choices": ["a\0"]}):
        given = {"content": "{{ x }}", "arguments": [{"name": "x", "required": False, **more}]}
        for path in ("/api/prompts/", "/api/prompts/check"):
            refused = await api.post(path, json=body("prompts", **given))
            assert (more, refused.status_code) == (more, 422)
            assert refused.json()["error"]["field"] == "arguments"


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
async def test_a_time_at_the_end_of_the_calendar_is_refused_as_every_other_wrong_one(
    api: AsyncClient, date: str
) -> None:
    for name in ("start_date", "end_date"):
        refused = await api.get("/api/history/", params={name: date})
        assert (refused.status_code, refused.json()["error"]["field"]) == (422, name)


async def test_an_address_that_is_none_is_told_once(api: AsyncClient) -> None:
    refused = await api.post("/api/bookmarks/", json={"url": "nowhere"})
    assert refused.json()["error"]["message"] == (
        "Invalid url. Expected: an address such as https://example.com/page."
    )
