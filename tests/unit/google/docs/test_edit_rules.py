"""Rules of edits to documents that a small mistake in the code would break, each by the text afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest

from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading.document import Document, parse
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving


async def edited(
    site: GoogleServer, folder: Path, markdown: str, edit: dict[str, Any]
) -> tuple[str, Document]:
    """What the server says to an edit of a new document, and the document afterwards."""
    async with serving(site, folder) as client:
        made = await client.call("docs_createDocument", title="Rules", markdown=markdown)
        id = made.text.split()[1].rstrip(":")
        told = await client.call("docs_edit", documentId=id, edits=[edit])
    return told.text, parse(site.ask("GET", f"/v1/documents/{id}", includeTabsContent="true").json())


@pytest.mark.parametrize(
    ("markdown", "after"),
    [
        ("Old\n\n# Head", "One\n\nTwo Head"),
        ("# Old\n\nnext", "# One\n\n# Two next"),
        ("Old\n\n**next**", "One\n\nTwo **next**"),
        ("- Old\n\nnext", "- One\n- Two next"),
    ],
)
async def test_text_in_place_of_a_line_and_its_break_looks_like_that_line(
    site: GoogleServer, tmp_path: Path, markdown: str, after: str
) -> None:
    told, now = await edited(site, tmp_path, markdown, {"find": "Old\n", "replace": "One\nTwo "})
    assert view_of(now).text == after, told


@pytest.mark.parametrize(("nth", "after"), [(-1, "a a b"), (-2, "a b a"), (-3, "b a a")])
async def test_a_negative_number_counts_places_from_the_last(
    site: GoogleServer, tmp_path: Path, nth: int, after: str
) -> None:
    told, now = await edited(site, tmp_path, "a a a", {"find": "a", "nth": nth, "replace": "b"})
    assert view_of(now).text == after, told


@pytest.mark.parametrize("nth", [-4, 0])
async def test_a_place_before_the_first_is_refused_with_those_there_are(
    site: GoogleServer, tmp_path: Path, nth: int
) -> None:
    told, now = await edited(site, tmp_path, "a a a", {"find": "a", "nth": nth, "replace": "b"})
    assert f"'a' occurs 3 times. There is no number {nth}: 1. a a a" in told
    assert view_of(now).text == "a a a"


async def test_the_last_line_break_is_refused_with_what_to_do_instead(
    site: GoogleServer, tmp_path: Path
) -> None:
    told, now = await edited(site, tmp_path, "May\n\nJune", {"find": "June\n", "replace": ""})
    assert "The last line break of a document cannot be replaced: leave it out of find." in told
    assert view_of(now).text == "May\n\nJune"


@pytest.mark.parametrize(
    ("find", "new", "after"),
    [
        ("June\n", "July\n", "May\nJuly\n"),
        ("June\n", "July\r\n", "May\nJuly\n"),
        ("June\n", "June\nJuly\n", "May\nJune\nJuly\n"),
        ("June\n", "\n", "May\n\n"),
        ("June\n", "July\n\n", "May\nJuly\n\n"),
        ("May\nJune\n", "July\n", "July\n"),
    ],
)
async def test_the_last_line_break_stays_where_both_texts_end_with_one(
    site: GoogleServer, tmp_path: Path, find: str, new: str, after: str
) -> None:
    told, now = await edited(site, tmp_path, "May\n\nJune", {"find": find, "replace": new})
    assert now.tabs[0].body.flow.text == after, told


async def test_a_line_break_before_the_last_is_replaced(site: GoogleServer, tmp_path: Path) -> None:
    told, now = await edited(site, tmp_path, "May\n\nJune", {"find": "May\n", "replace": "May and "})
    assert view_of(now).text == "May and June", told


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("May\n", {"after": "June"}, "May\nJune\n"),
        ("May", {"after": "June"}, "May\nJune\n"),
        ("May\n", {"before": "April"}, "April\nMay\n\n"),
    ],
)
async def test_an_empty_last_line_is_filled_by_what_is_added_after_it_alone(
    site: GoogleServer, tmp_path: Path, text: str, edit: dict[str, str], after: str
) -> None:
    async with serving(site, tmp_path) as client:
        made = await client.call("docs_createDocument", title="Rules")
        id = made.text.split()[1].rstrip(":")
        insert = {"insertText": {"location": {"index": 1}, "text": text}}
        await client.call("docs_edit", documentId=id, requests=[insert])
        told = await client.call("docs_edit", documentId=id, edits=[edit])
    now = parse(site.ask("GET", f"/v1/documents/{id}", includeTabsContent="true").json())
    assert now.tabs[0].body.flow.text == after, told.text


@pytest.mark.parametrize(
    ("style", "after"),
    [
        ("https://x.example/title", "See [May](https://x.example/title) there"),
        ("https://x.example/normal,heading 1?a,title", None),  # a space ends an address
        ("https://x.example/a,b, bold", "See [**May**](https://x.example/a,b) there"),
        ("bold,https://x.example/heading1", "See [**May**](https://x.example/heading1) there"),
        ("mailto:title@x.example", "See [May](mailto:title@x.example) there"),
        ("Heading 2, Bold", "## See **May** there"),
        ("heading2", "## See May there"),
        ("heading 7", None),
        ("subtitles", None),
    ],
)
async def test_an_address_is_a_link_whatever_words_are_in_it(
    site: GoogleServer, tmp_path: Path, style: str, after: str | None
) -> None:
    told, now = await edited(site, tmp_path, "See May there", {"find": "May", "style": style})
    assert view_of(now).text == (after or "See May there"), told
    assert after or "is no style. Styles: bold, italic" in told


async def test_a_range_that_ends_too_late_is_answered_with_the_text_at_its_end(
    site: GoogleServer, tmp_path: Path
) -> None:
    text = "Beginning. " + "Middle of it. " * 20 + "The very end."
    delete = {"deleteContentRange": {"range": {"startIndex": 3, "endIndex": 9_999}}}
    async with serving(site, tmp_path) as client:
        made = await client.call("docs_createDocument", title="Rules", markdown=text)
        id = made.text.split()[1].rstrip(":")
        told = await client.call("docs_edit", documentId=id, requests=[delete])
    assert "The text near 9999, from " in told.text and "The very end." in told.text


async def test_a_dry_run_of_requests_does_not_claim_to_know_indices(
    site: GoogleServer, tmp_path: Path
) -> None:
    insert = {"insertText": {"location": {"index": 9_999}, "text": "x"}}
    async with serving(site, tmp_path) as client:
        made = await client.call("docs_createDocument", title="Rules", markdown="May")
        id = made.text.split()[1].rstrip(":")
        dry = await client.call("docs_edit", documentId=id, requests=[insert], dryRun=True)
    assert dry.text.startswith("1 request would be sent; nothing was. ")
    assert dry.text.endswith("only Google checks indices.")


async def test_markdown_of_a_whole_document_is_not_written_into_one_part_of_it(
    site: GoogleServer, tmp_path: Path
) -> None:
    one = {"documentId": site.id("Harbour handbook")}
    before = site.row("Harbour handbook")["version"]
    async with serving(site, tmp_path) as client:
        read = await client.call("docs_getDocument", response_format="json", **one)
        whole = json.loads(read.text)["content"]
        told = await client.call("docs_writeMarkdown", markdown=whole, **one)
        edit = await client.call("docs_edit", edits=[{"section": "Berths", "replace": whole}], **one)
        first = whole.partition("<!-- header")[0]
        same = await client.call("docs_writeMarkdown", markdown=first, **one)
        code = f"{first}\n\n```\n<!-- header nobody -->\n```"
        fine = await client.call("docs_writeMarkdown", markdown=code, dryRun=True, **one)
    for refused in (told, edit):
        assert refused.failed and "(header kix.header, footer kix.footer, tab t.crew)" in refused.text
    assert same.text == "Nothing to change: it is like this already." and not fine.failed
    assert site.row("Harbour handbook")["version"] == before
