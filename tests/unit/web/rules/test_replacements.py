"""Replacing a text, one rule after the other: where it is found, and what the answers are."""

from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.web.collections.notes import NoteItems
from laconic.web.collections.prompts import PromptItems
from tests.unit.web.making import KINDS, make, on_one_database, path_of

pytestmark = on_one_database

# The content, the text to replace and its replacement: how it was found, on which line, and the content then.
REPLACED: list[tuple[str, str, str, str, int, str]] = [
    ("Hello world", "world", "universe", "exact", 1, "Hello universe"),
    ("keep\nremove me\nkeep2", "remove me\n", "", "exact", 2, "keep\nkeep2"),
    ("alpha  \nbeta\ngamma", "alpha\nbeta", "A", "whitespace_normalized", 1, "A\ngamma"),
    ("alpha\r\nbeta\r\n", "alpha\nbeta", "A", "whitespace_normalized", 1, "A\r\n"),
    ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "whitespace_normalized", 1, "x\r\ny\r\nc\r\n"),
]


@pytest.mark.parametrize("row", REPLACED, ids=[repr(row[0]) for row in REPLACED])
async def test_a_text_that_occurs_once_is_replaced(served: AsyncClient, row: Any) -> None:
    content, old, new, match, line, then = row
    item = await make(served, "notes", content=content)
    done = await served.patch(path_of("notes", item, "/str-replace"), json={"old_str": old, "new_str": new})
    assert (done.json()["match_type"], done.json()["line"]) == (match, line)
    assert (await served.get(path_of("notes", item))).json()["content"] == then


# The content and the text: the lines and contexts of its places; none if it occurs nowhere.
REFUSED: list[tuple[str, str, list[tuple[int, str]]]] = [
    (
        "a\nb\nfoo\nc\nd\nfoo\ne",
        "foo",
        [(3, "a\nb\nfoo\nc\nd"), (6, "c\nd\nfoo\ne")],
    ),
    (
        "alpha \nbeta\nalpha  \nbeta",
        "alpha\nbeta",
        [(1, "alpha \nbeta\nalpha  \nbeta"), (3, "alpha \nbeta\nalpha  \nbeta")],
    ),
    ("aaa", "aa", [(1, "aaa"), (1, "aaa")]),
    ("x x", "x", [(1, "x x"), (1, "x x")]),
    ("Hello World", "hello", []),
    ("tab\there", "tab here", []),
    ("category dog", "cat ", []),
    ("hello", "\t", []),
    ("hello", " \n ", []),
    ("  indented", "   indented", []),
    ("caf\u00e9", "cafe\u0301", []),
]


@pytest.mark.parametrize(("content", "old", "places"), REFUSED, ids=[f"{c!r} {o!r}" for c, o, _ in REFUSED])
async def test_a_text_that_occurs_nowhere_or_often_is_refused(
    served: AsyncClient, content: str, old: str, places: list[tuple[int, str]]
) -> None:
    item = await make(served, "notes", content=content)
    path = path_of("notes", item)
    refused = await served.patch(f"{path}/str-replace", json={"old_str": old, "new_str": "X"})
    detail = refused.json()["detail"]
    assert refused.status_code == 400 and detail["message"] and detail["suggestion"]
    assert detail["error"] == ("multiple_matches" if places else "no_match")
    found = [(one["line"], one["context"]) for one in detail.get("matches", [])]
    assert found == places
    assert {one["field"] for one in detail.get("matches", [])} <= {"content"}
    assert detail.get("total_matches", 0) == len(places)
    assert (await served.get(path)).json() == item


@pytest.mark.parametrize("kind", KINDS)
async def test_a_text_that_occurs_thousands_of_times_is_counted_and_not_listed_to_the_end(
    served: AsyncClient, kind: str
) -> None:
    item = await make(served, kind, content="ab\n" * 3_000)
    path = path_of(kind, item, "/str-replace")
    refused = await served.patch(path, json={"old_str": "ab", "new_str": "X"})
    assert refused.status_code == 400, refused.text
    detail = refused.json()["detail"]
    assert (detail["error"], detail["total_matches"]) == ("multiple_matches", 3_000)
    assert [one["line"] for one in detail["matches"]] == list(range(1, 1_001))


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"old_str": "", "new_str": "x"}, "old_str"),
    ({"new_str": "x"}, "old_str"),
    ({"old_str": "x"}, "new_str"),
    ({"old_str": "x", "new_str": None}, "new_str"),
    ({"old_str": 1, "new_str": "x"}, "old_str"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("sent", "field"), WRONG, ids=[str(row[0]) for row in WRONG])
async def test_a_replacement_needs_both_texts(
    served: AsyncClient, kind: str, sent: dict[str, Any], field: str
) -> None:
    item = await make(served, kind)
    refused = await served.patch(path_of(kind, item, "/str-replace"), json=sent)
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, field)


@pytest.mark.parametrize("kind", ["notes", "bookmarks"])
async def test_an_item_without_content_says_so(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, content=None)
    refused = await served.patch(path_of(kind, item, "/str-replace"), json={"old_str": "a", "new_str": ""})
    detail = refused.json()["detail"]
    assert (refused.status_code, detail["error"]) == (400, "content_empty")
    assert detail["message"] and detail["suggestion"]


@pytest.mark.parametrize("kind", KINDS)
async def test_the_answer_is_small_or_the_whole_item(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, content="one two")
    path = path_of(kind, item, "/str-replace")
    small = (await served.patch(path, json={"old_str": "one", "new_str": "1"})).json()
    now = (await served.get(path_of(kind, item))).json()
    data = {"id": item["id"], "updated_at": now["updated_at"]}
    assert small == {"response_type": "minimal", "match_type": "exact", "line": 1, "data": data}
    asked = {"include_updated_entity": "true"}
    full = (await served.patch(path, json={"old_str": "two", "new_str": "2"}, params=asked)).json()
    assert (full["response_type"], full["data"]["content"]) == ("full", "1 2")
    assert full["data"] == (await served.get(path_of(kind, item))).json()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_small_answer_is_about_this_replacement_though_somebody_was_faster_after_it(
    served: AsyncClient, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await make(served, kind, content="one two")
    path, collection = path_of(kind, item), PromptItems if kind == "prompts" else NoteItems
    replace, read = collection.replace, {}

    async def then_another(*given: Any) -> Any:
        done = await replace(*given)
        read["own"] = (await served.get(path)).json()
        await served.patch(path, json={"title": "Another"})
        return done

    monkeypatch.setattr(collection, "replace", then_another)
    done = await served.patch(f"{path}/str-replace", json={"old_str": "one", "new_str": "1"})
    assert done.json()["data"]["updated_at"] == read["own"]["updated_at"]
    for sent, how, status in (
        ({"title": "Lost"}, {"If-Match": done.headers["etag"]}, 412),
        ({"title": "Lost", "expected_updated_at": done.json()["data"]["updated_at"]}, {}, 409),
    ):
        assert (await served.patch(path, json=sent, headers=how)).status_code == status
    assert (await served.get(path)).json()["title"] == "Another"


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_the_same_afterwards_is_no_change(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind)
    sent = {"old_str": "e", "new_str": "e"} if kind == "prompts" else {"old_str": "text", "new_str": "text"}
    if kind == "prompts":
        sent = {"old_str": "Hello", "new_str": "Hello"}
    done = await served.patch(path_of(kind, item, "/str-replace"), json=sent)
    assert done.json()["data"]["updated_at"] == item["updated_at"]
    assert (await served.get(path_of(kind, item, "/history"))).json()["total"] == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_replacement_expects_no_time_of_change(served: AsyncClient, kind: str) -> None:
    item = await make(served, kind, content="one")
    sent = {"old_str": "one", "new_str": "two", "expected_updated_at": "2020-01-01T00:00:00Z"}
    done = await served.patch(path_of(kind, item, "/str-replace"), json=sent)
    assert done.status_code == 200, done.text
    assert (await served.get(path_of(kind, item))).json()["content"] == "two"


@pytest.mark.parametrize("kind", KINDS)
async def test_a_replacement_in_what_is_not_there_is_not_found(served: AsyncClient, kind: str) -> None:
    lost = f"/api/{kind}/0190aaaa-0000-7000-8000-000000000000/str-replace"
    refused = await served.patch(lost, json={"old_str": "one", "new_str": "two"})
    assert refused.status_code == 404


# The replacement in `{{ a }} and {{ b }}`, the arguments with it, and the names that are kept, or the status.
WITH_ARGUMENTS: list[tuple[str, str, list[str] | None, Any]] = [
    ("{{ b }}", "{{ c }}", ["a", "c"], ["a", "c"]),
    ("and", "or", ["b", "a"], ["b", "a"]),
    ("and", "or", None, ["a", "b"]),
    ("{{ b }}", "{{ c }}", None, ["a", "c"]),
    ("{{ b }}", "{{ c }}", ["a", "b"], 400),
    ("{{ b }}", "{{ c", ["a", "c"], 400),
    ("and", "or", ["a", "b", "b"], 422),
    ("and", "or", ["A", "b"], 422),
]


@pytest.mark.parametrize(
    ("old", "new", "names", "kept"), WITH_ARGUMENTS, ids=[f"{r[1]} {r[2]}" for r in WITH_ARGUMENTS]
)
async def test_arguments_change_with_the_text_or_not_at_all(
    served: AsyncClient, old: str, new: str, names: list[str] | None, kept: Any
) -> None:
    prompt = await make(served, "prompts", content="{{ a }} and {{ b }}")
    path = path_of("prompts", prompt)
    sent = {"old_str": old, "new_str": new}
    more = {} if names is None else {"arguments": [{"name": name} for name in names]}
    done = await served.patch(f"{path}/str-replace", json=sent | more)
    now = (await served.get(path)).json()
    if isinstance(kept, int):
        assert done.status_code == kept, done.text
        assert now == prompt
        if kept == 400:
            assert done.json()["detail"].startswith("This would make the template invalid.")
    else:
        assert [one["name"] for one in now["arguments"]] == kept and new in now["content"]


async def test_a_replacement_that_makes_a_template_too_long_changes_nothing(served: AsyncClient) -> None:
    prompt = await make(served, "prompts", content="short")
    path = path_of("prompts", prompt)
    long = {"old_str": "short", "new_str": "x" * 100_001}
    refused = await served.patch(f"{path}/str-replace", json=long)
    assert refused.status_code == 400 and "100,000" in refused.json()["error"]["message"]
    assert (await served.get(path)).json() == prompt
