"""Reading: tabs and segments, sections by heading, path and number, and every place of a text."""

from typing import Any

import pytest

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading.document import Document, parse
from laconic.servers.google.docs.reading.finding import places_of
from laconic.servers.google.docs.reading.outline import find_section, outline
from laconic.text import NoSection
from tests.google_server import GoogleServer
from tests.unit.google.docs.paper import Paper

HANDBOOK = """# Costs

Fees rise.

## Boats

Boats pay fees.

## Berths

Berths pay fees, too.

# Crew

No fees here.
"""


def handbook(site: GoogleServer, **more: Any) -> Document:
    path = f"/v1/documents/{site.id('Harbour handbook')}"
    return parse(site.ask("GET", path, **more).json())


def written(markdown: str) -> Document:
    paper = Paper()
    paper.write(parse_markdown(markdown))
    return paper.read()


def test_tabs_headers_footers_and_footnotes_are_read(site: GoogleServer) -> None:
    whole = handbook(site, includeTabsContent="true")
    assert [tab.title for tab in whole.tabs] == ["Rules", "Crew"] and whole.revision
    assert {segment.kind for _, segment in whole.segments()} == {"body", "header", "footer", "footnote"}
    first = handbook(site)
    assert len(first.tabs) == 1 and first.tabs[0].id == "" and first.tabs[0].body.flow.text
    view = view_of(whole)
    assert "<!-- tab " in view.text and "<!-- header " in view.text and "[^1]: " in view.text


def test_sections_are_found_by_heading_path_and_number() -> None:
    document = written(HANDBOOK)
    sections = outline(document)
    assert [(one.number, one.level, one.path) for one in sections] == [
        *((1, 1, "Costs"), (2, 2, "Costs/Boats"), (3, 2, "Costs/Berths"), (4, 1, "Crew")),
    ]
    boats = find_section(document, "boats")
    assert boats == find_section(document, "Costs/Boats") == find_section(document, "2")
    assert view_of(document, boats).text == "## Boats\n\nBoats pay fees."
    assert boats.characters == boats.end - boats.start == len("Boats\nBoats pay fees.\n")
    assert view_of(document, find_section(document, "Costs")).text.endswith("Berths pay fees, too.")
    with pytest.raises(NoSection) as missing:
        find_section(document, "Bots")
    assert "Costs/Boats" in missing.value.candidates


def test_every_place_of_a_text_is_found_with_its_indices() -> None:
    document = written(HANDBOOK)
    found = list(places_of(document, "fees"))
    assert [place.excerpt for place in found] == ["Boats pay fees.", "Berths pay fees, too.", "No fees here."]
    for place in found:
        start, end = place.range
        assert place.segment.flow.text[place.segment.flow.offset(start) :][:4] == "fees" and end - start == 4
    assert len(list(places_of(document, "FEES", case=False))) == 4


def test_what_markdown_cannot_say_is_named() -> None:
    paper = Paper()
    paper.write(parse_markdown("Some words\n\nMore"))
    range = paper.read().tabs[0].body.range(1, 5)
    red = {
        "foregroundColor": {"color": {"rgbColor": {"red": 1}}},
        "fontSize": {"magnitude": 20, "unit": "PT"},
    }
    paper.send(
        [{"updateTextStyle": {"range": range, "textStyle": red, "fields": "foregroundColor,fontSize"}}]
    )
    view = view_of(paper.read())
    assert view.text == "Some words\n\nMore"
    assert view.left_out == "coloured text (1), font sizes (1)"
