"""Slides: outlines, pictures, decks from markdown, and edits that say what they change."""

import struct
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import TestClient, tool_tokens
from laconic.servers.google.slides.drafts import drafts_of
from laconic.servers.google.slides.texts import units
from laconic.servers.google.slides.wording import worded
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

SLIDES_TOKENS = 500  # of the four tools together
MARKDOWN = """# Harbour 2027

For the council

## Plans

- North **pier** 😀
  - six berths
  - *six* [more](https://harbour.example)
- Crane

1. first
2. second

Notes: Say hello.

And goodbye.

## Costs

| Work | Cost |
|------|------|
| Piles | 42 |

---

Text and picture

![A boat](https://pictures.harbour.example/boat.png)

# End
"""


async def outline(client: TestClient, id: str) -> str:
    """A presentation without the line that names its revision."""
    reply = await client.call("slides_getPresentation", presentationId=id)
    lines = reply.text.splitlines()
    return "\n".join([*lines[:1], *lines[2:]])


async def test_a_presentation_is_read_as_an_outline_by_object_id(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        reply = await client.call("slides_getPresentation", presentationId=site.id("Harbour plan"))
        deck = f"https://docs.google.com/presentation/d/{site.id('Harbour plan')}/edit#slide=id.p"
        one = await client.call("slides_getPresentation", presentationId=deck, slide="plan_slide")
        none = await client.call("slides_getPresentation", presentationId=deck, slide="plan_side")
    first, head, *lines = reply.text.splitlines()
    assert first == "4 slides:" and head.startswith("'Harbour plan', revision ")
    assert lines == [
        "1 p: Harbour plan 2027 (i0)",
        "| i1: For the council, ⚓ 12 October",
        "2 plan_slide: What we build (plan_title)",
        "| plan_body:",
        "|   - North pier: 12 berths",
        "|     - Six for guests",
        "|     - Six for fishing boats",
        "|   - Crane moves in May",
        "|   - Fees stay",
        "| notes:",
        "|   Say that the guests pay for their own berths.",
        "|   Ask Bob about the crane.",
        "3 cost_slide: What it costs (cost_title)",
        "| cost_table: 3 x 3 table",
        "|   Work | Weeks | Cost",
        "|   Piles | 6 | 42,000",
        "|   Deck | 4 | 18,500",
        "4 view_slide: The view from the pier (view_title)",
        "| view_image: image 'Boats at the north pier'",
    ]
    assert "\nplan_title TITLE 25,35 671x45 pt\n  0 What we build\nplan_body BODY" in one.text
    assert "\n  22   - Six for guests\n  37   - Six for fishing boats\n" in one.text
    assert one.text.endswith(
        "  0 Say that the guests pay for their own berths.\n  46 Ask Bob about the crane."
    )
    assert "Did you mean 'plan_slide'? Slides: 1 p, 2 plan_slide, 3 cost_slide, 4 view_slide." in none.text


async def test_an_outline_is_data_on_request_and_comes_in_pages(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        data = await client.call("slides_getPresentation", presentationId=id, response_format="json")
        one = await client.call(
            "slides_getPresentation", presentationId=id, slide="3", response_format="json"
        )
        first = await client.call("slides_getPresentation", presentationId=id, limit=3)
        rest = await client.call("slides_getPresentation", presentationId=id, cursor=first.cursor)
    assert '"id":"cost_table","kind":"table","rows":[["Work","Weeks","Cost"]' in data.text
    assert '"notes":"Say that the guests' in data.text
    assert '"box":[25,94,570,90]' in one.text
    assert "4 view_slide" not in first.text and "4 view_slide: The view" in rest.text and not rest.cursor


async def test_a_long_text_in_an_outline_says_how_long_it_is(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    text = "\n".join(f"Line {n}" for n in range(100))
    async with serving(site, tmp_path) as client:
        await client.call(
            "slides_edit", presentationId=id, requests=[{"setText": {"object": "plan_body", "text": text}}]
        )
        short = await outline(client, id)
        whole = await client.call("slides_getPresentation", presentationId=id, slide="2")
    assert "|   Line 7\n|   … (789 characters in all)" in short and "Line 99" not in short
    assert "  782 Line 99" in whole.text


async def test_a_slide_is_seen_as_a_picture_without_the_token(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        reply = await client.call("slides_getThumbnail", presentationId=id, slide="3")
        large = await client.call("slides_getThumbnail", presentationId=id, slide="p", size="large")
    words, image = reply.result.content
    assert words.text == "Slide 3 of 4, cost_slide: 800 x 450." and image.mime_type == "image/png"
    assert struct.unpack(">II", _bytes(image)[16:24]) == (800, 450)
    assert struct.unpack(">II", _bytes(large.result.content[1])[16:24]) == (1600, 900)
    [fetched, _] = [one for one in site.app.seen if one.path.startswith("thumbnails/")]
    assert "authorization" not in fetched.headers


def _bytes(image: Any) -> bytes:
    from base64 import b64decode

    return b64decode(image.data)


async def test_an_800_pixel_picture_passes_and_a_larger_one_is_refused_with_advice(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        usual = await client.call("slides_getThumbnail", presentationId=id, slide="2", budget=500)
    size = len(_bytes(usual.result.content[1]))
    assert 500 < size < 1_500_000 and not usual.failed
    async with serving(site, tmp_path, image_bytes=size - 1) as client:
        large = await client.call("slides_getThumbnail", presentationId=id, slide="2")
        small = await client.call("slides_getThumbnail", presentationId=id, slide="2", size="small")
    assert large.failed or large.result.content[1].mime_type == "image/jpeg"
    assert not small.failed


async def test_a_picture_is_only_fetched_from_google(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from laconic.sandbox.google.answering import AnsweredGoogle
    from laconic.sandbox.google.slides import operations

    elsewhere = AnsweredGoogle({"contentUrl": "http://127.0.0.1:1/x.png", "width": 1, "height": 1})
    monkeypatch.setattr(operations, "thumbnail", lambda *_: elsewhere)
    async with serving(site, tmp_path) as client:
        reply = await client.call("slides_getThumbnail", presentationId=site.id("Harbour plan"), slide="1")
    assert reply.failed and "not one of its own; it was not opened" in reply.text


async def test_a_deck_is_made_from_markdown_in_two_batches(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        made = await client.call(
            "slides_createPresentation", title="New", markdown=MARKDOWN, idempotencyKey="one"
        )
        again = await client.call(
            "slides_createPresentation", title="New", markdown=MARKDOWN, idempotencyKey="one"
        )
        id = made.text.split()[1]
        seen = await outline(client, id)
        empty = await client.call("slides_createPresentation", title="Empty")
        nothing = await client.call("slides_createPresentation", title="None", markdown="\n")
    assert made.text.startswith(f"Created {id} with 5 slides, slide_001 to slide_005, 1 with notes: https://")
    assert again.text.startswith(made.text) and sum(one.endswith(":batchUpdate") for one in site.asked) == 2
    assert seen.splitlines() == [
        "5 slides:",
        "1 slide_001: Harbour 2027 (slide_001_centered_title)",
        "| slide_001_subtitle: For the council",
        "2 slide_002: Plans (slide_002_title)",
        "| slide_002_body:",
        "|   - North pier 😀",
        "|     - six berths",
        "|     - six more",
        "|   - Crane",
        "|   1. first",
        "|   2. second",
        "| notes:",
        "|   Say hello.",
        "|   And goodbye.",
        "3 slide_003: Costs (slide_003_title)",
        "| slide_003_table1: 2 x 2 table",
        "|   Work | Cost",
        "|   Piles | 42",
        "4 slide_004: Text and picture",
        "| slide_004_body: Text and picture",
        "| slide_004_image1: image 'A boat'",
        "5 slide_005: End (slide_005_title)",
    ]
    assert empty.text.startswith("Created ") and "begin one with a heading" in nothing.text
    body = site.ask("GET", f"/v1/presentations/{id}/pages/slide_002").json()["pageElements"][1]
    runs = [one["textRun"] for one in body["shape"]["text"]["textElements"] if "textRun" in one]
    styled = {one["content"].strip(): one["style"] for one in runs if one["style"]}
    assert styled["pier"] == {"bold": True} and styled["six"] == {"italic": True}
    assert styled["more"]["link"] == {"url": "https://harbour.example"}


async def test_a_deck_that_cannot_be_filled_is_named(site: GoogleServer, tmp_path: Path) -> None:
    wrong = "# A\n\n![x](http://localhost/x.png)"
    async with serving(site, tmp_path) as client:
        told = await client.call("slides_createPresentation", title="Half", markdown=wrong)
    assert (
        told.failed
        and f"The presentation {site.id('Half')} was created, but its slides were not" in told.text
    )
    assert "problem retrieving the image" in told.text


def test_markdown_becomes_drafts_at_headings_and_rules() -> None:
    drafts = drafts_of(
        "Intro\n\n# A\n## B\n### deep\n\n> said\n\n```\ncode\n```\n---\n---\nlast[^1]\n\n[^1]: note"
    )
    titles = ["".join(span.text for span in draft.title) for draft in drafts]
    assert titles == ["", "A", "B", ""]
    assert [block.plain for block in drafts[2].body] == ["deep", "said", "code"]
    assert drafts[2].body[0].spans[0].bold and drafts[3].body[0].plain == "last (note)"


def test_lists_are_made_from_the_last_to_the_first_because_tabs_go() -> None:
    text = worded(drafts_of("# x\n\n1. a\n   - b😀\n\nthen\n\n- c **d**")[0].body)
    assert text.text == "a\n\tb😀\nthen\nc d"
    assert [(start, end, mark) for start, end, mark in text.lists] == [(0, 6, "1."), (12, 15, "-")]
    kinds = [
        (kind, one.get("textRange", {}).get("startIndex"))
        for part in text.requests({})
        for kind, one in part.items()
    ]
    assert kinds == [
        ("insertText", None),
        ("updateTextStyle", 14),
        ("createParagraphBullets", 12),
        ("createParagraphBullets", 0),
    ]
    assert units("a😀") == 3


FORMS: list[dict[str, Any]] = [
    {"setNotes": {"slide": 1, "text": "Hi"}},
    {"setNotes": {"slide": 2, "text": "Ho"}},
    {"setText": {"object": "plan_title", "text": "New title"}},
    {"fillTable": {"table": "cost_table", "rows": [["A", None, ""], [None, 7]]}},
    {"duplicateSlide": {"slide": 2, "to": 1}},
    {"moveSlides": {"slides": [4, "p"], "to": 2}},
    {"replaceText": {"find": "pier", "replace": "quay"}},
    {"replaceImage": {"imageObjectId": "view_image", "url": "https://pictures.harbour.example/new.png"}},
    {"addSlides": {"markdown": "## More\n\n- a\n\nNotes: n", "at": 1}},
]


async def test_forms_and_requests_are_done_together(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        dry = await client.call("slides_edit", presentationId=id, requests=FORMS, dryRun=True)
        assert not any(one.startswith("POST") for one in site.asked)
        done = await client.call("slides_edit", presentationId=id, requests=FORMS)
        seen = await outline(client, id)
        image = await client.call("slides_getPresentation", presentationId=id, slide="view_slide")
    assert "text of plan_title: 'What we build' -> 'New title'" in dry.text
    assert "text of cost_table row 0 column 0: 'Work' -> 'A'" in dry.text
    assert "replaceAllText: 2 occurrences of 'pier'" in dry.text and "nothing was sent" in dry.text
    assert "Created new1_copy1, new1_001." in done.text and "Replaced 3 occurrences." in done.text
    assert "Changed " in done.text and "Wrote the notes of 1 slide." in done.text
    heads = [line for line in seen.splitlines() if line[:1].isdigit()]
    assert [line.split(":")[0] for line in heads[1:]] == [
        "1 new1_001",
        "2 new1_copy1",
        "3 p",
        "4 view_slide",
        "5 plan_slide",
        "6 cost_slide",
    ]
    assert "| notes: n\n" in seen and "| notes: Hi\n" in seen and "| notes: Ho\n" in seen
    assert "|   A | Weeks | \n|   Piles | 7 | 42,000" in seen and "North quay" in seen
    assert "https://pictures.harbour.example/new.png" in image.text


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"setNote": {}}, "Did you mean 'setNotes'? Forms: replaceText {find, replace}, setText"),
        ({"insertTxt": {}}, "Did you mean 'insertText'?"),
        ({"setNotes": {"slide": 1}}, "requests[0].setNotes: text is missing."),
        ({"setNotes": {"slide": 1, "txt": "x"}}, "Unknown argument 'txt'. Did you mean 'text'?"),
        (
            {"setText": {"id": "x", "text": "a"}},
            "Unknown argument 'id'. Arguments: object, text, row, column.",
        ),
        ({"setNotes": {"slide": 9, "text": "x"}}, "There is no slide '9'. Slides: 1 p, 2 plan_slide"),
        ({"setText": {"object": "cost_table", "text": "x"}}, "is a table: pass row and column"),
        (
            {"setText": {"object": "plan_titel", "text": "x"}},
            "Did you mean 'plan_title'? Objects by slide: 1 p:",
        ),
        (
            {"fillTable": {"table": "plan_body", "rows": []}},
            "There is no table 'plan_body'. Tables: cost_table.",
        ),
        ({"fillTable": {"table": "cost_table", "rows": [[1, 2, 3, 4]]}}, "it has 3 rows and 3 columns"),
        ({"moveSlides": {"slides": [1], "to": 9}}, "to must be a number from 1 to 4."),
        ({"addSlides": {"markdown": "# x", "at": 9}}, "at must be a number from 1 to 5."),
        (
            {"insertText": {"objectID": "x", "text": "y"}},
            "requests[0].insertText: Unknown argument 'objectID'",
        ),
        ({"createSlide": {"objectId": "ab"}}, "an object id has 5 to 50 letters"),
        ({"createShape": {"shapeType": "CLOUD"}}, "elementProperties.pageObjectId, the slide, is missing"),
        (
            {
                "createShape": {
                    "shapeType": "CLOUD",
                    "elementProperties": {"pageObjectId": "p", "transform": {"unit": "PT", "translateX": 3}},
                }
            },
            "the transform needs scaleX and scaleY",
        ),
        (
            {"createShape": {"shapeType": "CLOUD", "elementProperties": {"pageObjectId": "plan"}}},
            "Slides: 1 p, 2 plan_slide, 3 cost_slide, 4 view_slide.",
        ),
        (
            {"insertText": {"objectId": "plan_title", "text": "x", "insertionIndex": 99}},
            "plan_title: Its text has 13 units: 'What we build'.",
        ),
        (
            {
                "insertText": {
                    "objectId": "cost_table",
                    "text": "x",
                    "cellLocation": {"rowIndex": 1, "columnIndex": 2},
                    "insertionIndex": 9,
                }
            },
            "cost_table has 3 rows and 3 columns, counted from 0. That cell: Its text has 6 units: '42,000'.",
        ),
        ({"createSlide": {"slideLayoutReference": {"layoutId": "none"}}}, "Its layouts: BIG_NUMBER, BLANK,"),
    ],
)
async def test_what_does_not_fit_is_answered_with_what_there_is(
    site: GoogleServer, tmp_path: Path, request_: dict[str, Any], words: str
) -> None:
    id = site.id("Harbour plan")
    version = site.row("Harbour plan")["version"]
    async with serving(site, tmp_path) as client:
        told = await client.call("slides_edit", presentationId=id, requests=[request_])
    assert told.failed and words in told.text, told.text
    assert site.row("Harbour plan")["version"] == version


async def test_an_edit_can_require_a_revision(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    async with serving(site, tmp_path) as client:
        read = await client.call("slides_getPresentation", presentationId=id)
        revision = read.text.splitlines()[1].removesuffix(".").split()[-1]
        call: dict[str, Any] = {"presentationId": id, "requests": [{"createSlide": {}}], "revision": revision}
        done = await client.call("slides_edit", **call)
        stale = await client.call("slides_edit", **call)
    now = done.text.removesuffix(".").split()[-1]
    assert f"The presentation is at revision {now}, not {revision}." in stale.text
    assert "Read it again, then repeat the change." in stale.text


async def test_a_dry_run_finds_objects_that_will_not_exist(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id("Harbour plan")
    new = {"createSlide": {"objectId": "brand_new"}}
    page = {"pageObjectId": "brand_new"}
    box = {"createShape": {"objectId": "new_box", "shapeType": "TEXT_BOX", "elementProperties": page}}
    text = {"insertText": {"objectId": "new_box", "text": "x"}}
    async with serving(site, tmp_path) as client:
        fine = await client.call("slides_edit", presentationId=id, requests=[new, box, text], dryRun=True)
        early = await client.call("slides_edit", presentationId=id, requests=[text, new, box], dryRun=True)
    assert not fine.failed and "Would send 3 requests" in fine.text
    assert "requests[0].insertText: There is no object 'new_box'." in early.text


async def test_a_reader_reads_and_is_refused_to_write(site: GoogleServer, tmp_path: Path) -> None:
    site.row("Harbour plan")["permissions"].append(
        {"id": "x", "type": "user", "role": "reader", "emailAddress": "bob@harbour.example"}
    )
    accounts = {"bob": {"key": site.key_file(tmp_path, "bob@harbour.example")}}
    id = site.id("Harbour plan")
    async with serving(site, tmp_path, accounts=accounts) as client:
        read = await client.call("slides_getPresentation", presentationId=id)
        write = await client.call(
            "slides_edit", presentationId=id, requests=[{"setNotes": {"slide": 1, "text": "x"}}]
        )
        sheet = await client.call("slides_getPresentation", presentationId=site.id("Ferry timetable"))
    assert "'Harbour plan', you may not change it." in read.text
    assert write.failed and "sufficient permissions" in write.text
    assert "This operation is not supported for this document" in sheet.text


async def test_the_tools_are_listed_in_their_profiles_and_stay_small(
    site: GoogleServer, tmp_path: Path
) -> None:
    wanted = {"slides_getPresentation", "slides_getThumbnail", "slides_createPresentation", "slides_edit"}
    for tools in ({}, {"google": "slides"}):
        async with serving(site, tmp_path, tools=tools) as client:
            found = [tool for tool in await client.tools() if tool["name"].startswith("slides_")]
        assert {tool["name"] for tool in found} == wanted
        assert sum(map(tool_tokens, found)) <= SLIDES_TOKENS
