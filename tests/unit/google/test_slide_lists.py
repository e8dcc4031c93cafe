"""Lists on slides: what an outline shows as a list can be written back as one."""

from pathlib import Path

import pytest

from laconic.servers.google.slides.listing import blocks_of
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

DECK = "Harbour plan"


@pytest.mark.parametrize(
    "text",
    [
        "- North pier\n- Crane",
        "Why:\n- North pier ⚓\n  - guests\n    - many\n  - boats\n- Crane\nThen",
        "1. dig\n2. build\n3. rest",
        "- one\nbetween\n- two\nthen\n1. dig\n2. build",
        "No list - at all\n-5 degrees\n1. Januar",
    ],
)
async def test_a_text_with_lists_is_read_as_it_was_written(
    site: GoogleServer, tmp_path: Path, text: str
) -> None:
    id = site.id(DECK)
    async with serving(site, tmp_path) as client:
        for place in (
            {"setText": {"object": "plan_body", "text": text}},
            {"setNotes": {"slide": 2, "text": text}},
        ):
            done = await client.call("slides_edit", presentationId=id, requests=[place])
            assert not done.failed, done.text
        read = await client.call("slides_getPresentation", presentationId=id, slide="2")
    body, _, notes = read.text.partition("plan_body BODY")[2].partition("notes SLIDES")
    for part in (body, notes):
        shown = [line[2:].partition(" ")[2] for line in part.splitlines()[1:]]  # after the index
        assert "\n".join(shown) == text


async def test_marks_become_lists_and_nothing_else_does(site: GoogleServer, tmp_path: Path) -> None:
    id = site.id(DECK)
    text = "- North pier\n  - guests\n\\- no item\n1. Januar"
    requests = [
        {"setText": {"object": "plan_body", "text": text}},
        {"setText": {"object": "cost_table", "row": 1, "column": 1, "text": "- 5"}},
    ]
    async with serving(site, tmp_path) as client:
        await client.call("slides_edit", presentationId=id, requests=requests)
    slides = site.ask("GET", f"/v1/presentations/{id}").json()["slides"]
    body = next(one for one in slides[1]["pageElements"] if one["objectId"] == "plan_body")
    elements = body["shape"]["text"]["textElements"]
    levels = [
        one["paragraphMarker"].get("bullet", {}).get("nestingLevel", 0)
        if "bullet" in one["paragraphMarker"]
        else None
        for one in elements
        if "paragraphMarker" in one
    ]
    said = "".join(one["textRun"]["content"] for one in elements if "textRun" in one)
    table = next(one for one in slides[2]["pageElements"] if one["objectId"] == "cost_table")["table"]
    cell = table["tableRows"][1]["tableCells"][1]["text"]["textElements"]
    assert levels == [0, 1, None, None]
    assert said == "North pier\nguests\n- no item\n1. Januar\n"
    assert [one["textRun"]["content"] for one in cell if "textRun" in one] == ["- 5\n"]
    assert all("bullet" not in one.get("paragraphMarker", {}) for one in cell)


def test_an_item_is_at_most_one_level_deeper_than_the_one_before() -> None:
    found = blocks_of("      - a\n      - b\n\t\t\t- c\ntext\n    - d")
    assert [(one.kind, one.level) for one in found] == [
        ("item", 0),
        ("item", 1),
        ("item", 2),
        ("paragraph", 0),
        ("item", 0),
    ]
