"""The tools for Docs, over HTTP against the practice instance."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import TestClient
from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.operations import DOC_KINDS
from laconic.sandbox.google.refusals import bad_request
from laconic.servers.google.api.access import Access
from laconic.servers.google.docs.markdown.whole import view_of
from laconic.servers.google.docs.reading import opening
from laconic.servers.google.docs.reading.document import Document, parse
from laconic.servers.google.docs.writing import carrying_out
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

PLAN = """# Plan

Boats pay fees. Berths pay fees, too.

## Costs

The crew pays no fees.

| Boat | Fee |
| --- | --- |
| Anna | 10 |

## Dates

- May
- June
"""


async def made(client: TestClient, markdown: str = PLAN, title: str = "Plan") -> str:
    """Create a document; its id."""
    done = await client.call("docs_createDocument", title=title, markdown=markdown)
    assert not done.failed, done.text
    return done.text.split()[1].rstrip(":")


def read(site: GoogleServer, id: str, **more: Any) -> Document:
    return parse(site.ask("GET", f"/v1/documents/{id}", includeTabsContent="true", **more).json())


def markdown(site: GoogleServer, id: str) -> str:
    return view_of(read(site, id)).text


def batches(site: GoogleServer) -> int:
    return len([one for one in site.asked if one.endswith(":batchUpdate")])


async def test_a_document_is_created_from_markdown(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        empty = await client.call("docs_createDocument", title="Empty", folder=site.id("Harbour"))
    assert markdown(site, id) + "\n" == PLAN and batches(site) == 1
    row = site.ask("GET", f"/drive/v3/files/{empty.text.split()[1].rstrip(':')}", fields="parents").json()
    assert row == {"parents": [site.id("Harbour")]}


async def test_a_document_that_cannot_be_filled_or_placed_is_told(site: GoogleServer, tmp_path: Path) -> None:
    files = len(site.app.state.rows("files"))
    async with serving(site, tmp_path) as client:
        nowhere = await client.call("docs_createDocument", title="Plan", markdown=PLAN, folder="1nowhere")
        assert nowhere.failed and len(site.app.state.rows("files")) == files
        picture = f"![pier](https://harbour.example/{'x' * 3000}.png)"
        empty = await client.call("docs_createDocument", title="Plan", markdown=picture)
    [made_id] = [id for id, row in site.app.state.rows("files").items() if row["name"] == "Plan"]
    assert empty.failed and f"The document {made_id} was created, but is empty: Google says" in empty.text
    assert "longer than 2048 bytes" in empty.text and "docs_writeMarkdown, or delete it" in empty.text
    assert "Part of it was done before it failed." in empty.text


async def test_the_places_of_a_text_are_found_with_their_sections(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        found = await client.call("docs_find", documentId=id, text="PAY")
        first = await client.call("docs_find", documentId=id, text="fees", limit=2)
        rest = await client.call("docs_find", documentId=id, cursor=first.cursor)
        none = await client.call("docs_find", documentId=id, text="Boats pays")
        data = await client.call("docs_find", documentId=id, text="PAY", response_format="json")
    assert found.text.startswith("3 places:") and "Plan/Costs" in found.text
    assert "Boats pay fees. Berths pay fees, too." in first.text and "The crew pays no fees." in rest.text
    assert [one["nth"] for one in json.loads(data.text)["items"]] == [1, 2, 3]
    assert "nth counts" not in found.text
    assert "'Boats pays' does not occur. Nearest: 'Boats pay" in none.text


@pytest.mark.parametrize("row", range(5))
async def test_a_place_that_was_found_is_the_one_that_is_edited_whatever_its_case(
    site: GoogleServer, tmp_path: Path, row: int
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "the quay\n\nThe pier and the crane\n\nTHE END and The İce\n\naaA")
        found = await client.call("docs_find", documentId=id, text="the", response_format="json")
        place = json.loads(found.text)["items"][row]
        before = markdown(site, id)
        first, last = (int(one) - 1 for one in place["range"].split("-"))
        spelling = before.replace("\n\n", "\n")[first:last]
        edit = {"find": spelling, "nth": place["nth"], "replace": "#"}
        await client.call("docs_edit", documentId=id, edits=[edit])
        odd = await client.call("docs_find", documentId=id, text="Aa", response_format="json")
    lines = before.replace("\n\n", "\n")
    assert markdown(site, id).replace("\n\n", "\n").replace("\\#", "#") == f"{lines[:first]}#{lines[last:]}"
    assert (
        "nth counts each spelling for itself, as docs_edit does: 'the' (2), 'The' (2), 'THE' (1)."
        in found.text
    )
    assert [one["nth"] for one in json.loads(odd.text)["items"]] == [1]


def long_markdown(size: int) -> str:
    """Markdown of so many characters, or a few more: headings, lists, styles, links, tables, code."""
    blocks, length, number = list[str](), 0, 0
    while length < size:
        number += 1
        text = (
            f"Line {number} with _styles_ and a [link](https://example.org/{number}). " + "Boats count. " * 40
        )
        kinds = {
            1: f"## Part {number}",
            5: "\n".join(f"{'  ' * level}- item {number}.{level} **bold**" for level in range(3)),
            9: f"| Boat | Berth |\n| --- | --- |\n| 👨‍👩‍👧 {number} | {number} |",
            13: f"```python\nberth = {number}\n```",
        }
        blocks.append(kinds.get(number % 20, text.rstrip()))
        length += len(blocks[-1]) + 2
    return "\n\n".join(blocks)


async def test_a_million_characters_of_markdown_are_one_batch_and_read_back_the_same(
    site: GoogleServer, tmp_path: Path
) -> None:
    text = long_markdown(1_000_000)
    async with serving(site, tmp_path) as client:
        id = await made(client, text)
        same = await client.call("docs_writeMarkdown", documentId=id, markdown=text)
    assert len(text) > 1_000_000 and batches(site) == 1 and markdown(site, id) == text
    assert same.text == "Nothing to change: it is like this already."


async def test_pages_of_places_are_of_one_version_and_own_edits_are_told(
    site: GoogleServer, tmp_path: Path, impatient: None
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        whole = await client.call("docs_find", documentId=id, text="fees")
        first = await client.call("docs_find", documentId=id, text="fees", limit=1)
        body = {"requests": [{"insertText": {"location": {"index": 1}, "text": "No fees. "}}]}
        assert site.ask("POST", f"/v1/documents/{id}:batchUpdate", body).status_code == 200
        second = await client.call("docs_find", documentId=id, cursor=first.cursor)
        await client.call("docs_edit", documentId=id, edits=[{"find": "May", "replace": "April"}])
        third = await client.call("docs_find", documentId=id, cursor=second.cursor)
    ranges = [re.findall(r"\b\d+-\d+\b", one.text) for one in (whole, first, second, third)]
    assert ranges[0][:2] == [*ranges[1], *ranges[2]] and "as they were then" in second.text
    assert "You changed the document since the page before" in third.text
    assert int(ranges[3][0].split("-")[0]) == int(ranges[0][1].split("-")[0]) + len("No fees. ")


async def test_edits_in_any_order_are_one_batch(site: GoogleServer, tmp_path: Path) -> None:
    edits = [
        {"find": "June", "after": " and July"},
        {"find": "fees", "nth": 2, "replace": "nothing"},
        {"section": "Costs", "find": "crew", "before": "whole "},
        {"find": "Boats", "style": "bold"},
        {"find": "10", "replace": "12"},
        {"section": "Dates", "before": "## Notes\n\nNone **yet**."},
        {"after": "The end."},
    ]
    async with serving(site, tmp_path) as client:
        id = await made(client)
        before = batches(site)
        dry = await client.call("docs_edit", documentId=id, edits=edits, dryRun=True)
        assert batches(site) == before
        done = await client.call("docs_edit", documentId=id, edits=edits[::-1])
    assert not done.failed and done.text.startswith("7 edits in "), done.text
    assert batches(site) == before + 1
    assert "-Boats pay fees. Berths pay fees, too." in dry.text and "+## Notes" in dry.text
    assert "updateTextStyle: 'Boats'" in dry.text
    assert markdown(site, id) == (
        "# Plan\n\n**Boats** pay fees. Berths pay nothing, too.\n\n"
        "## Costs\n\nThe whole crew pays no fees.\n\n"
        "| Boat | Fee |\n| --- | --- |\n| Anna | 12 |\n\n## Notes\n\nNone **yet**.\n\n## Dates\n\n- May\n"
        "- June and July\n\nThe end."
    )


async def test_anchors_that_are_not_clear_or_not_there_are_explained(
    site: GoogleServer, tmp_path: Path
) -> None:
    edits = [
        {"find": "fees", "replace": "x"},
        {"find": "Boats pays", "replace": "x"},
        {"find": "fees", "nth": 9, "replace": "x"},
        {"section": "Cost", "replace": "x"},
        {"find": "Anna\n10", "replace": "x"},
        {"find": "May"},
        {"find": "May", "replace": "x", "style": "bold"},
    ]
    async with serving(site, tmp_path) as client:
        id = await made(client)
        told = await client.call("docs_edit", documentId=id, edits=edits[:3])
        more = await client.call("docs_edit", documentId=id, edits=edits[3:])
        overlaps = [{"find": "Boats pay", "replace": "a"}, {"find": "pay fees.", "replace": "b"}]
        both = await client.call("docs_edit", documentId=id, edits=overlaps)
        tab = await client.call(
            "docs_edit", documentId=id, edits=[{"find": "May", "replace": ""}], tab="Tab 7"
        )
    all_of = "'fees' occurs 3 times. Pass nth, or more of the text (docs_replaceAllText through tools_write"
    assert told.failed and all_of in told.text
    assert "3. The crew pays no fees." in told.text and "There is no number 9" in told.text
    assert "Nearest: 'Boats pay" in told.text and "border of a table cell" in more.text
    assert "Near it: Plan/Costs" in more.text and "Say what to do" in more.text
    assert "Pass replace alone" in more.text
    assert "Edits 1 and 2 are about the same text" in both.text
    assert "There is no tab 'Tab 7'. Did you mean 'Tab 1'?" in tab.text
    assert markdown(site, id) + "\n" == PLAN


async def test_markdown_where_text_is_meant_is_explained(site: GoogleServer, tmp_path: Path) -> None:
    sought = ["## Costs", "The **crew**", "[Anna](x)", "- May", "Boats \\_pay"]
    async with serving(site, tmp_path) as client:
        id = await made(client)
        calls = [{"documentId": id, "edits": [{"find": one, "replace": "x"}]} for one in sought]
        told = [(await client.call("docs_edit", **one)).text for one in calls]
        edits = [{"find": "Anna", "replace": "**Berta** 2*3*4"}, {"find": "May", "after": " and a_b_c"}]
        dry = await client.call("docs_edit", documentId=id, edits=edits, dryRun=True)
        done = await client.call("docs_edit", documentId=id, edits=edits)
        plain = await client.call("docs_edit", documentId=id, edits=[{"find": "a_b_c", "replace": "d_e_f"}])
    for one, text in zip(told, ["Costs", "The crew", "Anna", "May"], strict=False):
        assert f"does not occur, but '{text}' does: pass text without markdown." in one
    assert "Nearest: 'Boats pay" in told[4]
    assert "not taken for markdown: '**Berta** 2*3*4' keeps its signs. Use style instead." in done.text
    assert "**Berta**" in dry.text and "Use style" in dry.text and "style" not in plain.text
    assert "\\*\\*Berta" in markdown(site, id)


async def test_text_that_suggestions_are_inside_of_is_explained(site: GoogleServer, tmp_path: Path) -> None:
    edits = [{"find": "Boats", "after": " always"}]
    async with serving(site, tmp_path) as client:
        id = await made(client)
        await client.call("docs_edit", documentId=id, edits=edits, suggest=True)
        told = await client.call(
            "docs_edit", documentId=id, edits=[{"find": "Boats pay fees", "style": "bold"}]
        )
        found = await client.call("docs_find", documentId=id, text="Boats pay fees")
        other = await client.call("docs_edit", documentId=id, edits=[{"find": "Ships pay", "style": "bold"}])
    for one in (told, found):
        assert "Nearest: 'Boats always pay fees" in one.text and "There are suggestions inside it" in one.text
    assert "suggestions" not in other.text


async def test_all_places_of_a_text_are_replaced_as_a_refusal_says(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        given = {"documentId": id, "containsText": {"text": "fees", "matchCase": True}, "replaceText": "dues"}
        done = await client.call("tools_write", name="docs_replaceAllText", arguments=given)
        mark = await client.call("docs_edit", documentId=id, edits=[{"find": "dues", "style": "bold"}])
    assert not done.failed and "3" in done.text, done.text
    assert markdown(site, id) + "\n" == PLAN.replace("fees", "dues")
    assert "'dues' occurs 3 times" in mark.text and "docs_replaceAllText" not in mark.text


async def test_markdown_replaces_only_what_differs(site: GoogleServer, tmp_path: Path) -> None:
    red = {"foregroundColor": {"color": {"rgbColor": {"red": 1}}}}
    style = {"range": {"startIndex": 6, "endIndex": 11}, "textStyle": red, "fields": "foregroundColor"}
    async with serving(site, tmp_path) as client:
        id = await made(client)
        raw = await client.call("docs_edit", documentId=id, requests=[{"updateTextStyle": style}])
        same = await client.call("docs_writeMarkdown", documentId=id, markdown=PLAN)
        costs = await client.call("docs_writeMarkdown", documentId=id, markdown="All free.", section="Costs")
        added = await client.call(
            "docs_writeMarkdown", documentId=id, markdown="1. One[^n]\n\n[^n]: Note", append=True
        )
        kept = view_of(read(site, id))
        other = {"documentId": id, "markdown": "# Plan\n\nNew.\n\n<u>x</u>"}
        dry = await client.call("docs_writeMarkdown", **other, dryRun=True)
        lost = await client.call("docs_writeMarkdown", **other)
    assert '"done":1' in raw.text and same.text == "Nothing to change: it is like this already."
    assert not costs.failed and not added.failed
    assert kept.text == (
        "# Plan\n\nBoats pay fees. Berths pay fees, too.\n\n## Costs\n\nAll free.\n\n"
        "## Dates\n\n- May\n- June\n\n"
        "1. One[^1]\n\n[^1]: Note"
    )
    assert kept.left_out == "coloured text (1)"
    assert "coloured text (1)" in lost.text and "HTML (2)" in lost.text
    assert lost.text.partition("Not kept")[2] in dry.text and "nothing was sent. Not kept" in dry.text
    assert markdown(site, id) == "# Plan\n\nNew.\n\nx"


async def test_an_index_beyond_the_end_is_answered_with_the_end_and_the_text(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client, "Short text.")
        insert = {"insertText": {"location": {"index": 99}, "text": "x"}}
        told = await client.call("docs_edit", documentId=id, requests=[insert])
        wrong = await client.call("docs_edit", documentId=id, requests=[{"insertTxt": {}}])
        deep = await client.call("docs_edit", documentId=id, requests=[{"insertText": {"txt": "a"}}])
    assert "The body ends at 13, before this batch." in told.text and "'Short text.\\n'" in told.text
    assert "Did you mean 'insertText'?" in wrong.text and "requests[0].insertText" in deep.text


async def test_headers_footers_footnotes_and_other_tabs_are_edited(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Harbour handbook")
    whole = read(site, id)
    texts = {part.kind: part.flow.text.strip() for _, part in whole.segments()}
    crew = whole.tabs[1].body.flow.text.split("\n")[0]
    edits = [
        {"find": texts["header"], "replace": "A header"},
        {"find": texts["footer"], "after": "!"},
        {"find": texts["footnote"], "replace": "A note"},
    ]
    async with serving(site, tmp_path) as client:
        done = [
            await client.call("docs_edit", documentId=id, edits=[edit], segment=kind)
            for edit, kind in zip(edits, ("header", "footer", "footnote"), strict=True)
        ]
        tab = await client.call("docs_edit", documentId=id, edits=[{"before": "First."}], tab="Crew")
    assert not any(one.failed for one in (*done, tab)), [one.text for one in (*done, tab)]
    after = read(site, id)
    now = {part.kind: part.flow.text.strip() for _, part in after.segments()}
    assert (
        now["header"] == "A header" and now["footer"] == texts["footer"] + "!" and now["footnote"] == "A note"
    )
    assert after.tabs[1].body.flow.text.startswith(f"First.\n{crew}")


async def test_somebody_else_may_change_other_places_meanwhile(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inserted = list[str]()

    async def read_slowly(access: Access, id: str) -> Document:
        """Somebody is faster once."""
        found = await opening.read(access, id)
        if inserted:
            place = {"location": {"index": 6}, "text": inserted.pop()}
            site.ask("POST", f"/v1/documents/{id}:batchUpdate", {"requests": [{"insertText": place}]})
        return found

    monkeypatch.setattr(carrying_out, "read", read_slowly)
    async with serving(site, tmp_path) as client:
        id = await made(client)
        inserted.append("Before. ")
        moved = await client.call("docs_edit", documentId=id, edits=[{"find": "Anna", "replace": "Berta"}])
        inserted.append("fees ")
        nth = {"find": "fees", "nth": 1, "replace": "x"}
        unclear = await client.call("docs_edit", documentId=id, edits=[nth])
        await client.call("docs_getDocument", documentId=id)
        inserted.append("new ")
        lost = await client.call("docs_writeMarkdown", documentId=id, markdown="Gone.")
    assert not moved.failed and "Before. Boats" in markdown(site, id) and "Berta" in markdown(site, id)
    assert unclear.failed and "changed meanwhile" in unclear.text
    assert lost.failed and "changed meanwhile" in lost.text and "+new fees" in lost.text


async def test_a_comment_is_anchored_to_one_place_of_a_phrase(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        third = {"find": "fees", "nth": 3, "comment": "Really?"}
        done = await client.call("docs_edit", documentId=id, edits=[third])
        nowhere = await client.call("docs_edit", documentId=id, edits=[{"section": "Costs", "comment": "Hm"}])
    assert done.text == "1 edit in 1 request done.", done.text
    view = {"suggestionsViewMode": "SUGGESTIONS_INLINE", "commentsViewMode": "COMMENTS_VIEW_MODE_INCLUDED"}
    whole = site.ask("GET", f"/v1/documents/{id}", includeTabsContent="true", **view).json()
    [anchor] = whole["tabs"][0]["documentTab"]["commentAnchors"].values()
    [range] = anchor["ranges"]
    flow = read(site, id).tabs[0].body.flow
    start, end = flow.offset(range["startIndex"]), flow.offset(range["endIndex"])
    assert flow.text[start:end] == "fees" and flow.text[:start].endswith("The crew pays no ")
    assert "needs find" in nowhere.text


async def test_a_project_without_comments_is_told_so(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(draft: Draft, given: dict[str, Any]) -> dict[str, Any]:
        raise bad_request("Unknown name \"insertComment\" at 'requests[0]': Cannot find field.")

    monkeypatch.setitem(DOC_KINDS, "insertComment", unknown)
    async with serving(site, tmp_path) as client:
        id = await made(client)
        told = await client.call("docs_edit", documentId=id, edits=[{"find": "Anna", "comment": "Who?"}])
    assert "feature may not be open to this Google project. drive_comment" in told.text


async def test_edits_can_be_suggestions(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        id = await made(client)
        edits = [{"find": "June", "replace": "July"}, {"find": "Anna", "after": " and Bert"}]
        done = await client.call("docs_edit", documentId=id, edits=edits, suggest=True)
        now = await client.call("docs_find", documentId=id, text="July")
    assert done.text.endswith(" suggested."), done.text
    view = view_of(read(site, id))
    assert view.text + "\n" == PLAN and "suggestions (" in view.left_out
    assert "July" in now.text


async def test_somebody_who_may_only_comment_suggests_markdown(site: GoogleServer, tmp_path: Path) -> None:
    new = (
        "# Plan\n\nBoats pay **no** fees.[^1]\n\n## Costs\n\n- Crew\n  1. Cook\n\n"
        "| Boat | Fee |\n| --- | --- |\n| Berta | 12 |\n\n```py\nfee = 0\n```\n\n[^1]: Until May."
    )
    async with serving(site, tmp_path) as client:
        id = await made(client)
    role = {"type": "user", "role": "commenter", "emailAddress": "bob@harbour.example"}
    assert site.ask("POST", f"/drive/v3/files/{id}/permissions", role).status_code == 200
    accounts = {"bob": {"key": site.key_file(tmp_path, "bob@harbour.example")}}
    paper = {"documentId": id, "markdown": new}
    async with serving(site, tmp_path, accounts=accounts) as client:
        refused = await client.call("docs_writeMarkdown", **paper)
        dry = await client.call("docs_writeMarkdown", **paper, suggest=True, dryRun=True)
        done = await client.call("docs_writeMarkdown", **paper, suggest=True)
        again = await client.call("docs_writeMarkdown", **paper, suggest=True)
        end = {"documentId": id, "markdown": "End.", "append": True}
        added = await client.call("docs_writeMarkdown", **end, suggest=True)
    assert refused.failed and "refused it to the account 'bob'" in refused.text
    assert "+Boats pay **no** fees.[^1]" in dry.text
    assert " suggested. Not kept" in done.text and "languages of code, in suggestions (1)" in done.text
    assert "has suggestions already: suggest." in again.text and "docs_acceptSuggestion" in again.text
    assert added.text.endswith(" suggested.")
    assert markdown(site, id) + "\n" == PLAN
    view = {"suggestionsViewMode": "SUGGESTIONS_INLINE", "commentsViewMode": "COMMENTS_VIEW_MODE_INCLUDED"}
    whole = site.ask("GET", f"/v1/documents/{id}", includeTabsContent="true", **view).json()
    accept = [{"acceptSuggestion": {"suggestionId": one["suggestionId"]}} for one in whole["suggestions"]]
    site.ask("POST", f"/v1/documents/{id}:batchUpdate", {"requests": accept})
    assert markdown(site, id) == new.replace("```py", "```").replace("\n\n[^1]:", "\n\nEnd.\n\n[^1]:")
