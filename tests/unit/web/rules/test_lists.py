"""Lists and search, one rule after the other: every parameter, every order, and finding within an item."""

import asyncio
import threading
from typing import Any

import pytest
from httpx2 import AsyncClient

from laconic.library.finding import places_in
from laconic.text import unified_diff
from tests.unit.web.making import KINDS, make, on_one_database, path_of

PATHS = [*(f"/api/{kind}/" for kind in KINDS), "/api/content/"]

# A parameter with values that are taken, and values that are refused with 422.
PARAMETERS: list[tuple[str, list[str], list[str]]] = [
    ("q", ["", "word", "{{", "%", "_", '"a phrase"', "a OR b", "-a", "a" * 1000], ["a" * 1001, "\0"]),
    ("tags", ["a", "A "], ["a b", "_"]),
    ("tag_match", ["all", "any"], ["none", ""]),
    (
        "sort_by",
        ["created_at", "updated_at", "last_used_at", "title", "archived_at", "deleted_at", "relevance"],
        ["size", "name", ""],
    ),
    ("sort_order", ["asc", "desc"], ["up", ""]),
    ("offset", ["0", "1000000"], ["-1", "x", ""]),
    ("limit", ["1", "100"], ["0", "101", "x"]),
    ("view", ["active", "archived", "deleted"], ["all", ""]),
]


@on_one_database
@pytest.mark.parametrize("path", PATHS)
async def test_every_parameter_takes_its_values_and_no_others(served: AsyncClient, path: str) -> None:
    for name, taken, refused in PARAMETERS:
        for value in taken:
            found = await served.get(path, params={name: value})
            assert (name, value, found.status_code) == (name, value, 200)
            assert found.json().keys() == {"items", "total", "offset", "limit", "has_more"}
        for value in refused:
            wrong = await served.get(path, params={name: value})
            assert (name, value, wrong.status_code) == (name, value, 422)
            assert wrong.json()["error"]["field"].split(".")[0] == name


async def test_a_list_is_fifty_of_the_newest_unless_it_is_told_otherwise(api: AsyncClient) -> None:
    made = [(await make(api, "notes"))["id"] for _ in range(52)]
    page = (await api.get("/api/notes/")).json()
    assert [one["id"] for one in page["items"]] == made[:1:-1]
    assert {name: page[name] for name in ("total", "offset", "limit", "has_more")} == {
        "total": 52,
        "offset": 0,
        "limit": 50,
        "has_more": True,
    }
    last = (await api.get("/api/notes/?offset=50")).json()
    assert ([one["id"] for one in last["items"]], last["has_more"]) == (made[1::-1], False)


@pytest.fixture
async def shelf(api: AsyncClient) -> AsyncClient:
    """Three prompts in each order another first: made a, b, c; changed b last; used c last."""
    ids = {}
    for name, title in (("a", "Zebra"), ("b", None), ("c", "apple")):
        ids[name] = (await make(api, "prompts", name=name, title=title))["id"]
        await asyncio.sleep(0.001)
    await api.patch("/api/prompts/name/b", json={"description": "changed"})
    await api.post(f"/api/prompts/{ids['c']}/track-usage")
    return api


# An order, and the names then.
ORDERS: list[tuple[str, str]] = [
    ("", "cba"),
    ("sort_by=created_at", "cba"),
    ("sort_by=created_at&sort_order=asc", "abc"),
    ("sort_by=updated_at", "bca"),
    ("sort_by=last_used_at", "cba"),
    ("sort_by=title", "cba"),
    ("sort_by=title&sort_order=asc", "cba"),
    ("sort_by=title&sort_order=desc", "abc"),
    ("sort_by=relevance", "cba"),
    ("sort_order=asc", "abc"),
    ("q=hello&sort_by=created_at&sort_order=asc", "abc"),
]


async def test_a_list_has_the_order_that_was_asked_for(shelf: AsyncClient) -> None:
    for query, wanted in ORDERS:
        found = (await shelf.get(f"/api/prompts/?{query}")).json()["items"]
        assert (query, "".join(one["name"] for one in found)) == (query, wanted)


@pytest.mark.parametrize("kind", ["prompts", "bookmarks"])
async def test_without_a_title_the_name_or_the_address_decides(api: AsyncClient, kind: str) -> None:
    field, values = ("name", ["b", "d"]) if kind == "prompts" else ("url", ["b://", "d://"])
    values = values if kind == "prompts" else ["https://b.example/", "https://d.example/"]
    for value in reversed(values):
        await make(api, kind, **{field: value})
    for title in ("C", "Ice", "a"):
        await make(api, kind, title=title)
    found = (await api.get(f"/api/{kind}/?sort_by=title")).json()["items"]
    shown = [one["title"] or one[field] for one in found]
    assert shown == sorted(shown, key=str.lower)


async def test_archived_and_deleted_times_are_orders_of_their_own(api: AsyncClient) -> None:
    items = [await make(api, "notes", title=title) for title in "abc"]
    for item in (items[1], items[0], items[2]):
        await api.post(path_of("notes", item, "/archive"))
    found = (await api.get("/api/notes/?view=archived&sort_by=archived_at")).json()["items"]
    assert [one["title"] for one in found] == ["c", "a", "b"]
    for item in (items[2], items[1], items[0]):
        await api.delete(path_of("notes", item))
    found = (await api.get("/api/notes/?view=deleted&sort_by=deleted_at")).json()["items"]
    assert [one["title"] for one in found] == ["a", "b", "c"]


# What is asked of four notes, and the titles that are found, the best first.
FOUND: list[tuple[str, list[str]]] = [
    ("running", ["Runs daily"]),
    ("fox", ["The fox", "Described", "Written"]),
    ("quick fox", ["Written"]),
    ('"brown fox"', ["Written"]),
    ('"fox brown"', []),
    ("daily OR described", ["Runs daily", "Described"]),
    ("fox -brown", ["The fox", "Described"]),
    ("{{", ["Described"]),
    ("100%", ["Runs daily"]),
    ("1_0", []),
    ("FOX", ["The fox", "Described", "Written"]),
    ("escri", ["Described"]),
    ("nothing", []),
]


async def test_a_search_finds_words_and_parts_of_words_the_best_first(api: AsyncClient) -> None:
    await make(api, "notes", title="Runs daily", content="At 100% each day.")
    await make(api, "notes", title="Written", content="The quick brown fox.")
    await make(api, "notes", title="Described", description="A fox in {{ braces }}.", content=None)
    await make(api, "notes", title="The fox", content=None)
    for query, wanted in FOUND:
        found = (await api.get("/api/notes/", params={"q": query})).json()
        titles = [one["title"] for one in found["items"]]
        same = titles if query != "daily OR described" else sorted(titles, reverse=True)
        assert (query, same, found["total"]) == (query, wanted, len(wanted))


async def test_what_is_archived_counts_half_beside_what_is_active(api: AsyncClient) -> None:
    best = await make(api, "notes", title="Fox")
    await make(api, "notes", title="x", description="Fox")
    await make(api, "notes", title="y", content="Fox")
    before = (await api.get("/api/notes/?q=fox")).json()["items"]
    await api.post(path_of("notes", best, "/archive"))
    both = (await api.get("/api/notes/?q=fox&view=active&view=archived")).json()["items"]
    assert [one["title"] for one in before] == ["Fox", "x", "y"]
    assert [(one["title"], one["state"]) for one in both] == [
        ("x", "active"),
        ("Fox", "archived"),
        ("y", "active"),
    ]
    alone = (await api.get("/api/notes/?q=fox&view=archived")).json()["items"]
    assert [one["title"] for one in alone] == ["Fox"]


async def test_names_and_titles_count_most_and_addresses_least(api: AsyncClient) -> None:
    await make(api, "bookmarks", url="https://a.example/quokka")
    await make(api, "bookmarks", url="https://b.example/", content="A quokka.")
    await make(api, "bookmarks", url="https://c.example/", description="A quokka.")
    await make(api, "bookmarks", url="https://d.example/", title="A quokka")
    found = (await api.get("/api/bookmarks/?q=quokka")).json()["items"]
    assert [one["url"][8] for one in found] == ["d", "c", "b", "a"]
    await make(api, "prompts", name="quokka", content="Text.")
    await make(api, "prompts", name="other", content="A quokka.")
    found = (await api.get("/api/prompts/?q=quokka")).json()["items"]
    assert [one["name"] for one in found] == ["quokka", "other"]


async def test_the_best_is_first_whatever_order_is_asked_for(api: AsyncClient) -> None:
    for given in (
        {"title": "x", "content": "A fox."},
        {"title": "A fox"},
        {"title": "y", "description": "Fox"},
    ):
        await make(api, "notes", **given)
    for query in ("", "&sort_by=relevance", "&sort_by=relevance&sort_order=asc", "&sort_order=asc"):
        found = (await api.get(f"/api/notes/?q=fox{query}")).json()["items"]
        assert (query, [one["title"] for one in found]) == (query, ["A fox", "y", "x"])


@pytest.mark.parametrize("query", ["the", "of the", "{{ }}", "=>", "?"])
async def test_words_and_signs_that_say_nothing_are_found_as_they_are_written(
    api: AsyncClient, query: str
) -> None:
    await make(api, "notes", title=f"What {query} means")
    await make(api, "notes", title="Nothing", content=None)
    found = (await api.get("/api/notes/", params={"q": query})).json()["items"]
    assert [one["title"] for one in found] == [f"What {query} means"]


async def test_equal_items_have_one_order_on_all_pages(api: AsyncClient) -> None:
    made = [(await make(api, "notes", title="Same"))["id"] for _ in range(7)]
    for query, wanted in (
        ("sort_by=title", made),
        ("sort_by=title&sort_order=desc", made[::-1]),
        ("q=same", made[::-1]),
    ):
        pages = [
            (await api.get(f"/api/notes/?{query}&limit=3&offset={n}")).json()["items"] for n in (0, 3, 6)
        ]
        found = [one["id"] for page in pages for one in page]
        assert (query, found) == (query, wanted)


async def test_lists_of_several_kinds_carry_the_fields_of_each(api: AsyncClient) -> None:
    for kind in KINDS:
        await make(api, kind, title="Same")
    found = {one["type"]: one for one in (await api.get("/api/content/")).json()["items"]}
    assert found["prompt"].keys() - found["note"].keys() == {"name", "arguments"}
    assert found["bookmark"].keys() - found["note"].keys() == {"url"}
    for query, types in (
        ("content_types=note", ["note"]),
        ("content_types=note&content_types=bookmark", ["bookmark", "note"]),
    ):
        some = (await api.get(f"/api/content/?{query}")).json()["items"]
        assert sorted(one["type"] for one in some) == types
    assert (await api.get("/api/content/?content_types=page")).status_code == 422


# How an item is searched, and the places that are found as field, line and context; or the status.
WITHIN: list[tuple[dict[str, Any], Any]] = [
    ({"q": "two", "context_lines": 0}, [("content", 2, "two"), ("content", 3, "Two three")]),
    ({"q": "two", "case_sensitive": "true"}, [("content", 2, "one\ntwo\nTwo three\nfour")]),
    ({"q": "Two", "case_sensitive": "true"}, [("content", 3, "one\ntwo\nTwo three\nfour\nfive")]),
    ({"q": "four", "context_lines": 0}, [("content", 4, "four")]),
    ({"q": "o\nt", "context_lines": 0, "case_sensitive": "true"}, []),
    ({"q": "three\nfour", "context_lines": 1}, [("content", 3, "two\nTwo three\nfour\nfive")]),
    ({"q": "numbers", "fields": "title"}, [("title", None, "Numbers and more")]),
    ({"q": "from one", "fields": "title,description"}, [("description", None, "From one.")]),
    ({"q": "nowhere"}, []),
    ({"q": ".*"}, []),
    ({"q": "x", "fields": "name"}, 400),
    ({"q": "x", "fields": "content,tags"}, 400),
    ({"q": ""}, 422),
    ({}, 422),
    ({"q": "x", "context_lines": 11}, 422),
    ({"q": "x", "context_lines": -1}, 422),
    ({"q": "x", "case_sensitive": "maybe"}, 422),
]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_text_is_found_within_an_item(served: AsyncClient, kind: str) -> None:
    text = "one\ntwo\nTwo three\nfour\nfive"
    item = await make(served, kind, content=text, title="Numbers and more", description="From one.")
    for query, wanted in WITHIN:
        answer = await served.get(path_of(kind, item, "/search"), params=query)
        if isinstance(wanted, int):
            assert (query, answer.status_code) == (query, wanted)
            continue
        found = answer.json()
        places = [(one["field"], one["line"], one["context"]) for one in found["matches"]]
        assert (query, places) == (query, wanted)
        assert found["total_matches"] == len(found["matches"])


async def test_lines_are_right_after_letters_that_grow_in_lower_case(served: AsyncClient) -> None:
    item = await make(served, "notes", content="\u0130\u0130\u0130\nneedle\n")
    found = (await served.get(path_of("notes", item, "/search"), params={"q": "NEEDLE"})).json()
    assert [one["line"] for one in found["matches"]] == [2]


# The content, and how many of its 2,000 places with the letter are told.
MANY: list[tuple[str, int]] = [
    ("x\n" * 2_000, 1_000),
    ("x" * 2_000 + "-" * 8_000, 100),
    ("-" * 30_000 + "\n" + "x" * 2_000, 31),
    ("x" * 2_000 + "-" * 490_000, 2),
]


@on_one_database
@pytest.mark.parametrize(("content", "told"), MANY, ids=[str(told) for _, told in MANY])
async def test_of_very_many_places_the_first_are_told_and_all_are_counted(
    served: AsyncClient, content: str, told: int
) -> None:
    item = await make(served, "notes", content=content)
    answer = await served.get(path_of("notes", item, "/search"), params={"q": "X"})
    found = answer.json()
    assert (len(found["matches"]), found["total_matches"]) == (told, 2_000)
    assert len(answer.content) < 1_200_000


@on_one_database
async def test_a_single_place_is_told_however_long_its_lines_are(served: AsyncClient) -> None:
    content = "x" + "-" * 499_000
    item = await make(served, "notes", content=content)
    found = (await served.get(path_of("notes", item, "/search"), params={"q": "x"})).json()
    assert found == {"matches": [{"field": "content", "line": 1, "context": content}], "total_matches": 1}


@on_one_database
async def test_a_search_and_a_comparison_of_long_texts_hold_up_nobody_else(
    served: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noting(function: Any) -> Any:
        def noted(*given: Any, **more: Any) -> Any:
            threads.append(function.__name__)
            assert threading.current_thread() is not threading.main_thread()
            return function(*given, **more)

        return noted

    monkeypatch.setattr("laconic.web.routes.items.places_in", noting(places_in))
    monkeypatch.setattr("laconic.web.routes.history.unified_diff", noting(unified_diff))
    note = await make(served, "notes", content="one")
    await served.patch(path_of("notes", note), json={"content": "two"})
    found = await served.get(path_of("notes", note, "/search"), params={"q": "t"})
    compared = await served.get(f"/api/history/note/{note['id']}/version/2/diff")
    assert (found.json()["total_matches"], "+two" in compared.json()["diff"]) == (1, True)
    assert threads == ["places_in", "unified_diff"]


@on_one_database
async def test_places_in_the_same_lines_share_them_in_memory(served: AsyncClient) -> None:
    made = await make(served, "notes", content="before\nx and x\nafter")
    item = await served.library.shelf.read(lambda desk: desk.get(made["id"]))  # type: ignore[attr-defined]
    first, second = places_in(item, "x", ["content"])
    assert first.context is second.context and first.context == "before\nx and x\nafter"
