"""Rules of changes to slides that a small mistake in the code would break, each by the state afterwards."""

from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.slides.deck import SlideDeck
from laconic.servers.google.slides.texts import plain
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


@pytest.mark.parametrize(
    ("slides", "to", "order"),
    [([1], 3, [2, 3, 1, 4]), ([1], 4, [2, 3, 4, 1]), ([3, 2], 1, [2, 3, 1, 4]), ([4, 1], 2, [2, 1, 4, 3])],
)
async def test_slides_are_moved_to_any_place(
    site: GoogleServer, tmp_path: Path, slides: list[int], to: int, order: list[int]
) -> None:
    async with serving(site, tmp_path) as client:
        made = await client.call(
            "slides_createPresentation", title="Four", markdown="# 1\n\n# 2\n\n# 3\n\n# 4"
        )
        id = made.text.split()[1]
        done = await client.call(
            "slides_edit", presentationId=id, requests=[{"moveSlides": {"slides": slides, "to": to}}]
        )
    assert not done.failed, done.text
    now = site.ask("GET", f"/v1/presentations/{id}").json()["slides"]
    assert [one["objectId"] for one in now] == [f"slide_{number:03}" for number in order]


async def test_the_answer_names_no_revision_that_is_past(site: GoogleServer, tmp_path: Path) -> None:
    deck = {"presentationId": site.id("Harbour plan")}
    new = {"addSlides": {"markdown": "# One\n\nNotes: Say it.", "at": 1}}
    async with serving(site, tmp_path) as client:
        noted = await client.call("slides_edit", **deck, requests=[new])
        moved = await client.call("slides_edit", **deck, requests=[{"moveSlides": {"slides": [1], "to": 2}}])
        revision = moved.text.partition("Revision ")[2].rstrip(".")
        again = [{"setNotes": {"slide": 1, "text": "x"}}]
        done = await client.call("slides_edit", **deck, requests=again, revision=revision)
    assert "Wrote the notes of 1 slide." in noted.text and "Revision" not in noted.text
    assert revision and not done.failed
    slide = site.ask("GET", f"/v1/presentations/{deck['presentationId']}").json()["slides"][1]
    layouts = site.ask("GET", f"/v1/presentations/{deck['presentationId']}").json()["layouts"]
    names = {one["objectId"]: one["layoutProperties"]["name"] for one in layouts}
    assert names[slide["slideProperties"]["layoutObjectId"]] == "SECTION_HEADER", (
        "only a deck has a title slide"
    )


@pytest.mark.parametrize("slides", [{}, {"slides": [2]}])
async def test_a_dry_run_counts_what_would_be_replaced(
    site: GoogleServer, tmp_path: Path, slides: dict[str, Any]
) -> None:
    deck = {"presentationId": site.id("Harbour plan")}
    request = {"replaceText": {"find": "crane", "replace": "lift", **slides}}  # in notes; a body has Crane
    async with serving(site, tmp_path) as client:
        dry = await client.call("slides_edit", **deck, requests=[request], dryRun=True)
        done = await client.call("slides_edit", **deck, requests=[request])
    count = done.text.partition("Replaced ")[2].partition(".")[0]
    assert count and f"{count} of 'crane'" in dry.text, (dry.text, done.text)


def slides_of(site: GoogleServer, id: str) -> list[dict[str, Any]]:
    """The slides as they are now."""
    found: list[dict[str, Any]] = site.ask("GET", f"/v1/presentations/{id}").json()["slides"]
    return found


@pytest.mark.parametrize(
    ("requests", "order"),
    [
        (
            [
                {"createSlide": {"objectId": "fresh", "insertionIndex": 0}},
                {"moveSlides": {"slides": [2], "to": 2}},
            ],
            ["fresh", "plan_slide", "p", "cost_slide", "view_slide"],
        ),
        (
            [{"createSlide": {"objectId": "fresh"}}, {"moveSlides": {"slides": [1], "to": 5}}],
            ["plan_slide", "cost_slide", "view_slide", "fresh", "p"],
        ),
        (
            [{"deleteObject": {"objectId": "p"}}, {"addSlides": {"markdown": "# Last"}}],
            ["plan_slide", "cost_slide", "view_slide", "new1_001"],
        ),
        (
            [{"deleteObject": {"objectId": "plan_title"}}, {"addSlides": {"markdown": "# Last"}}],
            ["p", "plan_slide", "cost_slide", "view_slide", "new1_001"],
        ),
        (
            [
                {"deleteObject": {"objectId": "p"}},
                {"createSlide": {"objectId": "p"}},
                {"moveSlides": {"slides": [1], "to": 1}},
            ],
            ["p", "plan_slide", "cost_slide", "view_slide"],
        ),
    ],
)
async def test_forms_count_the_slides_that_requests_before_them_made_and_deleted(
    site: GoogleServer, tmp_path: Path, requests: list[dict[str, Any]], order: list[str]
) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        done = await client.call("slides_edit", presentationId=id, requests=requests)
    assert [one["objectId"] for one in slides_of(site, id)] == order, done.text


async def test_slides_made_without_an_id_are_counted_each(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    requests: list[dict[str, Any]] = [
        {"createSlide": {"insertionIndex": 0}},
        {"createSlide": {}},
        {"moveSlides": {"slides": [1], "to": 6}},
        {"addSlides": {"markdown": "# Last"}},
    ]
    async with serving(site, tmp_path) as client:
        done = await client.call("slides_edit", presentationId=id, requests=requests)
    known = ["plan_slide", "cost_slide", "view_slide", "p", "new1_001"]
    now = [one["objectId"] for one in slides_of(site, id)]
    assert [known.index(one) if one in known else None for one in now] == [None, 0, 1, 2, None, 3, 4], (
        done.text
    )


@pytest.mark.parametrize(
    "form",
    [
        {"moveSlides": {"slides": [2], "to": 1}},
        {"moveSlides": {"slides": [1, "plan_slide"], "to": 1}},
        {"duplicateSlide": {"slide": 2}},
        {"setNotes": {"slide": 2, "text": "Say it."}},
        {"replaceText": {"find": "a", "replace": "b", "slides": [2]}},
    ],
)
async def test_a_slide_that_a_request_before_deleted_is_refused_by_name(
    site: GoogleServer, tmp_path: Path, form: dict[str, Any]
) -> None:
    id = site.id("Harbour plan")
    requests = [{"deleteObject": {"objectId": "plan_slide"}}, form]
    async with serving(site, tmp_path) as client:
        done = await client.call("slides_edit", presentationId=id, requests=requests)
    told = f"requests[1].{next(iter(form))}: Slide 2 plan_slide was deleted by a request before this one."
    assert done.failed and told in done.text
    assert "plan_slide" in [one["objectId"] for one in slides_of(site, id)]


@pytest.mark.parametrize(
    "before",
    [
        {"deleteText": {"textRange": {"type": "ALL"}}},
        {"deleteText": {"textRange": {"type": "FIXED_RANGE", "startIndex": 0, "endIndex": 4}}},
        {"deleteText": {"textRange": {"type": "FROM_START_INDEX", "startIndex": 0}}},
        {"deleteText": {"textRange": {"type": "ALL"}}, "insertText": {"text": "Draft"}},
    ],
    ids=["emptied", "shortened", "emptied from its start", "emptied and filled"],
)
@pytest.mark.parametrize(
    "place", [{"object": "plan_title"}, {"object": "cost_table", "row": 1, "column": 0}], ids=["box", "cell"]
)
async def test_a_text_is_set_whatever_requests_before_it_left_there(
    site: GoogleServer, tmp_path: Path, before: dict[str, Any], place: dict[str, Any]
) -> None:
    id = site.id("Harbour plan")
    target: dict[str, Any] = {"objectId": place["object"]}
    if "row" in place:
        target["cellLocation"] = {"rowIndex": place["row"], "columnIndex": place["column"]}
    requests = [{kind: {**target, **given}} for kind, given in before.items()]
    async with serving(site, tmp_path) as client:
        done = await client.call(
            "slides_edit", presentationId=id, requests=[*requests, {"setText": {**place, "text": "Quays"}}]
        )
        seen = await client.call("slides_getPresentation", presentationId=id)
    wanted = "|   Quays | " if "row" in place else "2 plan_slide: Quays (plan_title)\n"
    assert wanted in seen.text, (done.text, seen.text)


@pytest.mark.parametrize("text", ["Quays", ""])
@pytest.mark.parametrize("word", ["build", "build and repair"])
async def test_a_text_is_set_after_a_range_that_may_be_all_of_it_was_deleted(
    site: GoogleServer, tmp_path: Path, word: str, text: str
) -> None:
    id, old = site.id("Harbour plan"), "What we build"
    whole = {"type": "FIXED_RANGE", "startIndex": 0, "endIndex": len(old)}
    requests = [
        {"replaceText": {"find": "build", "replace": word}},
        {"deleteText": {"objectId": "plan_title", "textRange": whole}},
        {"setText": {"object": "plan_title", "text": text}},
    ]
    async with serving(site, tmp_path) as client:
        done = await client.call("slides_edit", presentationId=id, requests=requests)
    assert not done.failed, done.text
    title = SlideDeck({"slides": slides_of(site, id)}).slide("plan_slide").heading
    assert title is not None and plain(title.content) == text, done.text


BOX = {"objectId": "new1_001", "shapeType": "TEXT_BOX", "elementProperties": {"pageObjectId": "p"}}


@pytest.mark.parametrize(
    ("first", "then", "made"),
    [
        ({"addSlides": {"markdown": "# One"}}, {"addSlides": {"markdown": "# Two"}}, "new2_001"),
        ({"duplicateSlide": {"slide": 1}}, {"duplicateSlide": {"slide": 1}}, "new2_copy1"),
        ({"createShape": BOX}, {"addSlides": {"markdown": "# One"}}, "new2_001"),
    ],
    ids=["added", "copied", "drawn"],
)
async def test_slides_are_added_beside_those_of_an_edit_before(
    site: GoogleServer, tmp_path: Path, first: dict[str, Any], then: dict[str, Any], made: str
) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        before = await client.call("slides_edit", presentationId=id, requests=[first])
        after = await client.call("slides_edit", presentationId=id, requests=[then])
    assert not before.failed and f"Created {made}." in after.text, (before.text, after.text)


@pytest.mark.parametrize("text", ["", "Beside them\n\n"])
async def test_several_objects_of_a_slide_are_below_each_other_with_space_between(
    site: GoogleServer, tmp_path: Path, text: str
) -> None:
    picture = "![Boat](https://pictures.harbour.example/boat.png)"
    table = "| Work | Cost |\n| --- | --- |\n| Piles | 42 |"
    async with serving(site, tmp_path) as client:
        markdown = f"## Much\n\n{text}{table}\n\n{picture}\n\n{picture}"
        made = await client.call("slides_createPresentation", title="Much", markdown=markdown)
    deck = site.ask("GET", f"/v1/presentations/{made.text.split()[1]}").json()
    objects = [one for one in deck["slides"][0]["pageElements"] if "table" in one or "image" in one]
    tops = [one["transform"]["translateY"] for one in objects]
    ends = [
        top + one["size"]["height"]["magnitude"] * one["transform"]["scaleY"]
        for top, one in zip(tops, objects, strict=True)
    ]
    assert len(objects) == 3, made.text
    assert all(end < top for end, top in zip(ends, tops[1:], strict=False)), (tops, ends)
    assert (
        abs((tops[2] - tops[1]) - (tops[1] - tops[0])) <= 1
        and ends[2] < deck["pageSize"]["height"]["magnitude"]
    )
    middle = deck["pageSize"]["width"]["magnitude"] / 2
    assert all((one["transform"]["translateX"] > middle) == bool(text) for one in objects)
