"""Documents of any length: first what they are, then by section, by part and by search, never mixed."""

import json
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.contract.read_back import inside
from laconic.kit.testing import TestClient
from laconic.servers.google.docs.reading.opening import CHANGED, GONE
from laconic.servers.google.kept import texts
from laconic.servers.google.reading.parts import part_of
from laconic.stores import SqliteStore
from laconic.text import estimate_tokens
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

SENTENCE = "The harbour master counts boats and writes them down. "
BOB = "bob@harbour.example"
SECTION_TOKENS = 1_200  # of finding and reading one section of 200 pages


def handbook(pages: int) -> str:
    """A document of so many pages, ten in each part."""
    blocks: list[str] = []
    for page in range(1, pages + 1):
        blocks += [f"# Part {page // 10 + 1}"] if page % 10 == 1 else []
        blocks += [f"## Page {page}: berths", *(f"{part} {SENTENCE * 9}".strip() for part in "abcd")]
    return "\n\n".join(blocks)


async def upload(client: TestClient, site: GoogleServer, folder: Path, text: str) -> str:
    """Make a document of a text; its id."""
    (folder / "workspace" / "handbook.md").write_text(text, encoding="utf-8")
    made = await client.call("drive_createFile", name="Handbook", type="document", path="handbook.md")
    assert not made.failed, made.text
    return site.id("Handbook")


def insert(site: GoogleServer, id: str, text: str) -> None:
    """Somebody else writes at the beginning of a document."""
    body = {"requests": [{"insertText": {"location": {"index": 1}, "text": text}}]}
    assert site.ask("POST", f"/v1/documents/{id}:batchUpdate", body).status_code == 200


def reads(site: GoogleServer) -> int:
    """How often a whole document was asked for."""
    return sum(
        one.path.startswith("v1/documents/") and "revisionId" not in str(one.query) for one in site.app.seen
    )


async def test_one_section_of_200_pages_takes_two_calls_and_few_tokens(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await upload(client, site, tmp_path, handbook(200))
        outline = await client.call("docs_getDocument", documentId=id)
        section = await client.call("docs_getDocument", documentId=id, section="Page 137")
    assert outline.text.startswith("'Handbook': ") and "220 sections.\n1 Part 1\n" in outline.text
    assert section.text.count(SENTENCE.strip()) == 36 and "## Page 137: berths" in section.text
    assert estimate_tokens(outline.text) + estimate_tokens(section.text) <= SECTION_TOKENS
    assert reads(site) == 1


@pytest.mark.requirement("004-P1-4")
async def test_a_summary_has_its_keys_for_programs_and_a_link_in_the_text(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path, output="both") as client:
        id = await upload(client, site, tmp_path, handbook(20))
        summary = await client.call("docs_getDocument", documentId=id)
        data = await client.call("docs_getDocument", documentId=id, response_format="json")
    found: dict[str, Any] = summary.result.structured_content
    assert {name for name, value in found.items() if value is not None} == {
        *("title", "documentId", "characterCount", "sectionCount", "resourceUri", "hint")
    }
    assert (
        found["resourceUri"] == f"gdrive://docs/{id}/chunk/{{start}}-{{end}}" and found["sectionCount"] == 22
    )
    [link] = [block for block in summary.result.content if block.type == "resource_link"]
    assert str(link.uri) == f"gdrive://docs/{id}/chunk/0-5000"
    assert json.loads(data.result.content[0].text)["characterCount"] == found["characterCount"]


async def test_a_small_document_comes_whole_at_once(site: GoogleServer, tmp_path: Path) -> None:
    async with serving(site, tmp_path) as client:
        minutes = await client.call("docs_getDocument", documentId=site.id("Minutes October"))
        data = await client.call(
            "docs_getDocument", documentId=site.id("Minutes October"), response_format="json"
        )
    assert "Fees stay as they are until spring." in minutes.text and "</content>" in minutes.text
    found = json.loads(data.text)
    assert found["content"].startswith("# Minutes of the harbour council\n")
    assert found["resourceUri"].endswith("/chunk/{start}-{end}") and "all of it" in found["hint"]


async def test_a_small_export_has_the_keys_of_a_summary_and_its_content(
    site: GoogleServer, tmp_path: Path
) -> None:
    id = site.id("Minutes October")
    async with serving(site, tmp_path) as client:
        small = await client.call("drive_exportFile", fileId=id, response_format="json")
        full = await client.call("drive_exportFile", fileId=id, returnMode="full", response_format="json")
    found, whole = json.loads(small.text), json.loads(full.text)
    keys = ["title", "documentId", "characterCount", "sectionCount", "resourceUri", "hint", "content"]
    assert list(found) == keys and found["sectionCount"] == 4
    assert found["resourceUri"] == f"gdrive://files/{id}/content/{{start}}-{{end}}"
    assert found["content"] == whole["content"] and "hint" not in whole


async def test_sections_are_found_by_heading_path_and_number_and_near_ones_named(
    site: GoogleServer, tmp_path: Path
) -> None:
    one = {"documentId": site.id("Minutes October")}
    async with serving(site, tmp_path) as client:
        heading = await client.call("docs_getDocument", section="Crane", **one)
        number = await client.call("docs_getDocument", section="3", **one)
        wrong = await client.call("docs_getDocument", section="Crame", **one)
    assert "booked twice in May" in heading.text and heading.text == number.text
    assert "Did you mean Minutes of the harbour council/Crane?" in wrong.text and wrong.failed
    assert "Without section, the outline is shown." in wrong.text


@pytest.mark.requirement("004-P1-4")
async def test_every_address_is_a_template_and_is_read_by_hosts_and_by_tool(
    site: GoogleServer, tmp_path: Path
) -> None:
    minutes, plan, budget = (site.id(name) for name in ("Minutes October", "Pier plan.txt", "Budget 2026"))
    addresses = {
        f"gdrive://docs/{minutes}/content": "# Minutes of the harbour council",
        f"gdrive://docs/{minutes}/chunk/0-40": "# Minutes of the harbour council",
        f"gdrive://docs/{minutes}/structure": "## Crane",
        f"gdrive://sheets/{budget}/values/Months!A1:B2": "January\t1500",
        f"gdrive://files/{plan}/content/0-23": "North pier",
        f"gdrive:///{plan}": "North pier",
    }
    async with serving(site, tmp_path) as client:
        templates = (await client.client.list_resource_templates()).resource_templates
        for uri, words in addresses.items():
            assert words in (await client.call("read_on", uri=uri)).text, uri
            [content] = (await client.client.read_resource(uri)).contents
            assert words in content.text, uri
    assert {one.uri_template for one in templates if one.uri_template.startswith("gdrive:")} == {
        "gdrive://docs/{id}/content",
        "gdrive://docs/{id}/chunk/{start}-{end}",
        "gdrive://docs/{id}/structure",
        "gdrive://sheets/{id}/values/{+range}",
        "gdrive://files/{id}/content/{start}-{end}",
        "gdrive:///{id}",
    }


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("gdrive://docs/{id}/chunk/90000-95000", "There are no characters 90000 to 95000: it has"),
        ("gdrive://docs/{id}/chunk/10-5", "There are no characters 10 to 5"),
        ("gdrive://docs/{id}/chunk/a-b", "start"),
        ("gdrive://docs/{id}/chunks/0-5", "Unknown resource"),
        ("gdrive://docs/nothing/content", "does not see it"),
        ("gdrive://sheets/{id}/values/A1:B2", "not supported for this document"),
    ],
)
async def test_wrong_addresses_are_errors_in_words(
    site: GoogleServer, tmp_path: Path, uri: str, words: str
) -> None:
    async with serving(site, tmp_path) as client:
        told = await client.call("read_on", uri=uri.format(id=site.id("Minutes October")))
    assert told.failed and words in told.text


def test_parts_that_meet_join_to_the_text_and_no_block_is_cut() -> None:
    table = "\n".join(
        ["| boat | berth |", "| --- | --- |", *(f"| boat {n} 👨‍👩‍👧 | {n} |" for n in range(40))]
    )
    code = "```python\n" + "a = 1\n\n" * 30 + "```"
    text = "\n\n".join([handbook(3), table, code, "# End", "x" * 9_000, "- a\n- b"])
    for size in (3_000, 5_000, 20_000):
        parts = [part_of(text, start, start + size) for start in range(0, len(text), size)]
        assert "".join(parts) == text
        for part in parts:
            assert part.count("```") % 2 == 0
            assert ("| boat |" in part) == ("| boat 39 👨‍👩‍👧 |" in part)
    assert part_of(text, 40, 60) == part_of(text, 30, 31)  # a block


async def test_an_edit_by_others_between_two_parts_is_said_and_never_mixed(
    site: GoogleServer, tmp_path: Path, impatient: None
) -> None:
    async with serving(site, tmp_path) as client:
        id = await upload(client, site, tmp_path, handbook(20))
        chunk = f"gdrive://docs/{id}/chunk"
        first = await client.call("read_on", uri=f"{chunk}/0-5000")
        before = await client.call("read_on", uri=f"{chunk}/5000-10000")
        insert(site, id, "News: " + SENTENCE * 10 + "\n")
        after = await client.call("read_on", uri=f"{chunk}/5000-10000")
        again = await client.call("read_on", uri=f"{chunk}/0-5000")
        rest = await client.call("read_on", uri=f"{chunk}/5000-10000")
        mark = rest.text.partition("add ?at=")[2].partition(" ")[0]
        named = await client.call("read_on", uri=f"{chunk}/5000-10000?at={mark}")
        wrong = await client.call("read_on", uri=f"{chunk}/5000-10000?at=nothing")
    assert "News" not in first.text and "News" in again.text and "changed" not in before.text + again.text
    assert inside(after.text) == inside(before.text) == inside(named.text) != inside(rest.text)
    assert CHANGED in after.text and CHANGED in named.text and CHANGED not in rest.text
    assert wrong.failed and GONE in wrong.text


async def test_a_version_that_is_not_kept_any_longer_is_said_and_reading_begins_again(
    site: GoogleServer, tmp_path: Path
) -> None:
    async with serving(site, tmp_path) as client:
        id = await upload(client, site, tmp_path, handbook(20))
        chunk = f"gdrive://docs/{id}/chunk"
        await client.call("read_on", uri=f"{chunk}/0-5000")
        await client.call("docs_edit", documentId=id, edits=[{"find": "Part 1", "replace": "Part one"}])
        gone = await client.call("read_on", uri=f"{chunk}/5000-10000")
        again = await client.call("read_on", uri=f"{chunk}/0-5000")
        rest = await client.call("read_on", uri=f"{chunk}/5000-10000")
    assert gone.failed and GONE in gone.text and "Begin again: with its outline, or at 0." in gone.text
    assert "# Part one" in again.text and not rest.failed


async def test_parts_are_bound_to_a_version_in_every_process_and_for_everyone_who_may_only_read(
    site: GoogleServer, tmp_path: Path, impatient: None
) -> None:
    async with serving(site, tmp_path) as owner:
        id = await upload(owner, site, tmp_path, handbook(20))
        share = {"fileId": id, "who": "bob@harbour.example", "role": "reader"}
        assert not (await owner.send("drive_share", share)).failed
    chunk, accounts = f"gdrive://docs/{id}/chunk", {"bob": {"key": site.key_file(tmp_path, BOB)}}
    state = tmp_path / "shared.sqlite"
    async with serving(site, tmp_path, state=SqliteStore(state), accounts=accounts) as one:
        first = await one.call("read_on", uri=f"{chunk}/0-5000")
        second = await one.call("read_on", uri=f"{chunk}/5000-10000")
    async with serving(site, tmp_path, state=SqliteStore(state), accounts=accounts) as other:
        insert(site, id, "News: " + SENTENCE * 10 + "\n")
        after = await other.call("read_on", uri=f"{chunk}/5000-10000")
    assert not first.failed and CHANGED not in second.text
    assert inside(after.text) == inside(second.text) and CHANGED in after.text


async def test_a_revision_is_asked_for_instead_of_the_whole(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = site.id("Minutes October")
    async with serving(site, tmp_path) as client:
        for _ in range(3):
            await client.call("docs_getDocument", documentId=id)
        assert len(site.asked) == 1  # seconds ago
        monkeypatch.setattr(texts, "_FRESH", 0.0)
        await client.call("docs_getDocument", documentId=id)
    assert reads(site) == 1 and len(site.asked) == 2


async def test_own_writes_drop_what_was_kept_of_that_file_alone(site: GoogleServer, tmp_path: Path) -> None:
    id, other = site.id("Minutes October"), site.id("Budget 2026")
    move = {
        "tool": "docs_insertText",
        "arguments": {"documentId": id, "text": "Now: ", "location": {"index": 1}},
    }
    async with serving(site, tmp_path) as client:
        await client.call("docs_getDocument", documentId=id)
        await client.call("drive_exportFile", fileId=other)
        assert not (await client.send("tools_write", move)).failed
        after = await client.call("docs_getDocument", documentId=id)
        exports = len([one for one in site.asked if one.endswith("/export")])
        await client.call("drive_exportFile", fileId=other)
    assert "# Now: Minutes" in after.text
    assert len([one for one in site.asked if one.endswith("/export")]) == exports == 1


OWN_WRITES: dict[str, dict[str, Any]] = {
    "tools_write": {"tool": "docs_insertText", "arguments": {"text": "x", "location": {"index": 1}}},
    "docs_edit": {"edits": [{"find": "Page 12", "replace": "Side 12"}]},
    "docs_writeMarkdown": {"markdown": "The end.", "append": True},
    "drive_updateFile": {"content": "All new."},
}


@pytest.mark.parametrize("tool", OWN_WRITES)
@pytest.mark.parametrize("by", ["{id}", "https://docs.google.com/document/d/{id}/edit"])
async def test_a_long_answer_that_was_kept_ends_with_an_own_write(
    site: GoogleServer, tmp_path: Path, tool: str, by: str
) -> None:
    async with serving(site, tmp_path) as client:
        id = await upload(client, site, tmp_path, handbook(20))
        full = await client.call("docs_getDocument", documentId=by.format(id=id), returnMode="full")
        handle = full.text.partition("handle='")[2].partition("'")[0]
        read = await client.call("read_on", handle=handle, section="Page 11")
        write, name = OWN_WRITES[tool], "fileId" if tool == "drive_updateFile" else "documentId"
        inner = {**write.get("arguments", {}), name: id}
        done = await client.send(
            tool, {**write, "arguments": inner} if "tool" in write else {**write, name: id}
        )
        stale = await client.call("read_on", handle=handle, section="Page 11")
    assert not done.failed, done.text
    assert read.text.count(SENTENCE.strip()) == 36
    assert stale.failed and "was changed since" in stale.text


async def test_many_values_are_summed_up_and_few_come_at_once(site: GoogleServer, tmp_path: Path) -> None:
    book = {"spreadsheetId": site.id("Boats and berths")}
    async with serving(site, tmp_path, output="both") as client:
        many = await client.call("sheets_batchGetValues", **book)
        full = await client.call("sheets_batchGetValues", returnMode="full", response_format="json", **book)
        few = await client.call("sheets_batchGetValues", ranges=["Boats!A1:C3"], **book)
        about = await client.call("sheets_getSpreadsheet", **book)
        data = await client.call("sheets_getSpreadsheet", returnMode="full", response_format="json", **book)
    found = many.result.structured_content
    assert found["title"] == "Boats and berths" and found["resourceUri"].endswith("/values/{range}")
    assert found["pagination"]["count"] == 5 and many.cursor and "1 Boat\tBerth\tLength\n" in many.text
    page = json.loads(full.result.content[0].text)
    assert page["pagination"]["count"] == len(page["items"]) == 100 and page["pagination"]["has_more"]
    assert page["items"][1]["cells"][0] == "Albatross"
    assert "2 Albatross" in few.text and about.result.structured_content["sectionCount"] == 1
    assert json.loads(data.result.content[0].text)["sheets"][0]["properties"]["title"] == "Boats"
