"""A section that is read can be written back: it has its footnotes, and nothing of other parts."""

from pathlib import Path
from typing import Any

from hypothesis import given, settings

from laconic.kit.contract.read_back import inside
from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading.blocks import Block
from laconic.servers.google.docs.reading.outline import find_section, outline
from laconic.servers.google.docs.writing.planning import planned
from laconic.servers.google.models.docs import DocEdit
from laconic.servers.google.reading.sections import section_text
from laconic.text import NoSection, headings
from tests.google_server import GoogleServer
from tests.unit.google.docs.paper import Paper
from tests.unit.google.docs.random_blocks import BLOCKS
from tests.unit.google.docs.test_tools import made, markdown
from tests.unit.google.serving import serving

NOTED = """# A

## One

Text with a note[^1] here.

## Two

| Other[^2] | text |
| --- | --- |

## Three

End.

[^1]: First note.
[^2]: Second note."""


@settings(max_examples=40, deadline=None)
@given(BLOCKS)
def test_every_section_that_is_read_is_written_back_without_a_change(blocks: list[Block]) -> None:
    paper = Paper()
    paper.write(blocks)
    document = paper.read()
    text = view_of(document).text
    sections, read = outline(document), headings(text)
    levels = [(one.level, len(one.heading.names)) for one in sections]
    assert levels == [(one.level, len(one.names)) for one in read]
    scope = [(document.tabs[0], document.tabs[0].body)]
    for number, one in enumerate(read, 1):
        try:
            if find_section(document, str(number)).number != number:
                continue  # another one begins with this number
        except NoSection:
            continue  # several do
        edit = DocEdit(section=str(number), replace=section_text(text, one.start, one.end))
        assert planned(document, [edit], scope).requests == [], edit.replace


async def test_a_section_is_read_with_its_footnotes_and_keeps_them_when_it_is_written(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, NOTED)
        for section in ("One", "Two", "Three", "A"):
            paper = {"documentId": id, "section": section}
            [text] = inside((await client.call("docs_getDocument", **paper)).text)
            same = await client.call("docs_writeMarkdown", **paper, markdown=text)
            assert same.text == "Nothing to change: it is like this already.", text
        assert text.strip() == NOTED
        lost = await client.call(
            "docs_writeMarkdown", documentId=id, section="Two", markdown="| Another[^2] | text |\n|-|-|"
        )
        other = await client.call(
            "docs_writeMarkdown", documentId=id, section="Three", markdown="The[^9] end."
        )
    assert lost.failed and "footnotes without their texts" in lost.text and "shows them" in lost.text
    assert "footnotes without a text (1)" in other.text
    assert markdown(site, id) == NOTED.replace("End.", "The\\[^9] end.")


async def test_sections_of_several_tabs_and_headers_have_one_name_for_reading_and_writing(
    site: GoogleServer, tmp_path: Path
) -> None:
    tab: dict[str, Any] = {"addDocumentTab": {"tabProperties": {"title": "More"}}}
    header = {"createHeader": {"type": "DEFAULT"}}
    code = "```\n<!-- tab x: y -->\n```"
    async with serving(site, tmp_path) as client:
        id = await made(client, f"# Day\n\nFirst.\n\n{code}")
        raw = await client.call("docs_edit", documentId=id, requests=[tab, header])
        assert not raw.failed, raw.text
        heads = [{"replace": "# Head"}]
        days = [{"replace": "# Day\n\nSecond.\n\n# Day\n\nThird."}]
        await client.call("docs_edit", documentId=id, edits=heads, segment="header")
        await client.call("docs_edit", documentId=id, edits=days, tab="More")
        read = {}
        for name in ("Day[1]", "Day[2]", "Day[3]", "1", "2", "3", "4", "Head"):
            [read[name]] = inside((await client.call("docs_getDocument", documentId=id, section=name)).text)
            edit = {"documentId": id, "markdown": f"{read[name].strip()}\n\nNew.", "section": name}
            done = await client.call("docs_writeMarkdown", **edit, dryRun=True)
            assert "+New." in done.text and done.text.count("\n-") == 0, done.text
        unclear = await client.call("docs_writeMarkdown", documentId=id, section="Day", markdown="x")
        found = await client.call("docs_find", documentId=id, text="Third")
    assert read["Day[1]"].strip() == read["1"].strip() == f"# Day\n\nFirst.\n\n{code}"
    assert read["Day[2]"] == read["3"] and "Second." in read["3"] and read["Head"].strip() == "# Head"
    assert "'Day' names 3 sections: Day[1]; Day[2]; Day[3]. Pass one path." in unclear.text
    assert "More: Day[3]" in found.text


def test_a_heading_in_a_list_is_a_heading() -> None:
    paper = Paper()
    paper.send([{"insertText": {"location": {"index": 1}, "text": "A\nb"}}])
    style = {"range": {"startIndex": 1, "endIndex": 2}, "fields": "namedStyleType"}
    named = {"paragraphStyle": {"namedStyleType": "HEADING_2"}}
    where = {"range": {"startIndex": 1, "endIndex": 5}, "bulletPreset": "NUMBERED_DECIMAL_ALPHA_ROMAN"}
    paper.send([{"updateParagraphStyle": {**style, **named}}, {"createParagraphBullets": where}])
    view = view_of(paper.read())
    assert view.text == "## A\n\n1. b" and view.losses["headings in lists"] == 1
