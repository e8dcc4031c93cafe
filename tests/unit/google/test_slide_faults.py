"""What slides cannot keep is said, and a fault in the middle is told as what is there already."""

from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.slides.drafts import drafts_of, not_kept
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

NOTED = "# One\n\nNotes: Hello.\n\n# Two\n\nNotes: Goodbye."
PATH = "v1/presentations/"


def fail_notes(site: GoogleServer, what: Any, **more: Any) -> None:
    """Let the batch of notes go wrong; the batch of slides before it is done."""
    site.app.faults.add("hang", method="POST", path=PATH, seconds=0.01)
    site.app.faults.add(what, method="POST", path=PATH, **more)


def notes(site: GoogleServer, id: str) -> list[int]:
    slides = site.ask("GET", f"/v1/presentations/{id}").json()["slides"]
    return [str(one["slideProperties"]["notesPage"]).count("'content': 'Hello.") for one in slides]


async def test_a_deck_whose_notes_are_missing_is_not_called_empty(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        fail_notes(site, "bad_gateway", times=2)
        told = await client.call("slides_createPresentation", title="Noted", markdown=NOTED)
    id = site.id("Noted")
    assert told.failed and f"Created {id} with 2 slides" in told.text
    assert "But not the notes of 2 slides" in told.text and "slides were not" not in told.text
    assert "Do not repeat what is done" in told.text and "setNotes" in told.text
    assert "addSlides" not in told.text and "Part of it was done" in told.text
    assert len(site.ask("GET", f"/v1/presentations/{id}").json()["slides"]) == 2


async def test_slides_that_were_added_without_their_notes_are_told(
    site: GoogleServer, tmp_path: Path
) -> None:
    id, add = site.id("Harbour plan"), [{"addSlides": {"markdown": NOTED}}]
    async with serving(site, tmp_path) as client:
        fail_notes(site, "bad_gateway", times=2)
        told = await client.call("slides_edit", presentationId=id, requests=add)
    assert told.failed and "Created new1_001, new1_002." in told.text
    assert "But not the notes of 2 slides" in told.text and "Do not repeat what is done" in told.text
    assert "It is not known whether anything was changed" not in told.text


@pytest.mark.parametrize("after", [False, True])
async def test_notes_are_written_once_after_a_fault(site: GoogleServer, tmp_path: Path, after: bool) -> None:
    async with serving(site, tmp_path) as client:
        fail_notes(site, "cut", after=after)
        done = await client.call("slides_createPresentation", title="Noted", markdown=NOTED)
    assert not done.failed and "2 with notes" in done.text, done.text
    assert notes(site, site.id("Noted")) == [1, 0]


async def test_a_deck_of_which_it_is_not_known_whether_it_was_filled_is_looked_at_first(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        site.app.faults.add("cut", method="POST", path=f"{PATH}1", after=True)
        told = await client.call("slides_createPresentation", title="Half", markdown="# One")
    assert told.failed and "was created, but perhaps not its slides" in told.text
    assert "Look at it with slides_getPresentation." in told.text


LOST = """# ![](https://pictures.harbour.example/a.png) One

![boat](boat.png)

| Work | ![](https://pictures.harbour.example/b.png) |
|------|------|
| Piles[^1] | 42 |

Notes: ![](https://pictures.harbour.example/c.png)

| a |
|---|
| b |

[^1]: of oak
"""


async def test_what_slides_cannot_have_of_markdown_is_said(site: GoogleServer, tmp_path: Path) -> None:
    add = [{"addSlides": {"markdown": LOST}}]
    async with serving(site, tmp_path) as client:
        made = await client.call("slides_createPresentation", title="Lost", markdown=LOST)
        id = made.text.split()[1]
        seen = await client.call("slides_getPresentation", presentationId=id)
        dry = await client.call("slides_edit", presentationId=id, requests=add, dryRun=True)
        done = await client.call("slides_edit", presentationId=id, requests=add)
        fine = await client.call("slides_createPresentation", title="Fine", markdown=NOTED)
    for told in (made, dry, done):
        assert "Not kept: " in told.text and "images that are not on the web (1)" in told.text
        for words in ("images in tables (1)", "images in notes (1)", "tables in notes (1)"):
            assert words in told.text
    assert "Not kept" not in fine.text and "https://pictures.harbour.example/a.png" in seen.text
    assert "Piles (of oak) | 42" in seen.text


def test_a_description_of_an_image_is_kept() -> None:
    losses = Losses()
    [draft] = drafts_of("# A\n\n![A boat](https://x.example/a.png)", losses)
    assert draft.images == [("https://x.example/a.png", "A boat")] and not_kept(losses) == ""


async def test_a_slide_in_place_of_a_text_is_answered_with_what_is_on_it(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Harbour plan")
    raw = {"insertText": {"objectId": "plan_slide", "text": "x"}}
    async with serving(site, tmp_path) as client:
        form = await client.call(
            "slides_edit", presentationId=id, requests=[{"setText": {"object": "plan_slide", "text": "x"}}]
        )
        google = await client.call("slides_edit", presentationId=id, requests=[raw])
    assert "plan_slide is a slide, which has no text of its own. On it: plan_title (TITLE)" in form.text
    assert google.failed and "Did you mean 'plan_slide'" not in google.text


async def test_a_placeholder_that_a_new_slide_does_not_need_is_not_called_deleted(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Harbour plan")
    add = {"addSlides": {"markdown": "## A\n\ntext\n\n![](https://pictures.harbour.example/a.png)"}}
    gone = {"deleteObject": {"objectId": "view_image"}}
    async with serving(site, tmp_path) as client:
        done = await client.call("slides_edit", presentationId=id, requests=[add, gone])
    assert "Created new1_001, new1_001_image1." in done.text and "Deleted view_image." in done.text
