"""A document of a million and a half characters is read to its end while another process edits it."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from laconic.kit.contract.read_back import inside
from laconic.kit.testing import TestClient
from laconic.servers.google.docs.reading.opening import CHANGED
from laconic.servers.google.kept import texts
from tests.google_server import GoogleServer
from tests.unit.google.serving import serving

LINE = " ".join(["The harbour master counts boats and writes them down."] * 8)
NEWS = "News of edit"
EDITOR = r"""
import sys, time, httpx2
url, token, id, pause = sys.argv[1:]
number = 0
with httpx2.Client(timeout=120, headers={"authorization": "Bearer " + token}) as http:
    while True:
        number += 1
        text = f"News of edit {number:06}: boats.\n"
        add = {"insertText": {"location": {"index": 1}, "text": text}}
        drop = {"deleteContentRange": {"range": {"startIndex": 1, "endIndex": len(text) + 1}}}
        requests = [add] if number == 1 else [drop, add]
        answer = http.post(f"{url}/v1/documents/{id}:batchUpdate", json={"requests": requests})
        print(number, answer.status_code, flush=True)
        time.sleep(float(pause))
"""


def book(sections: int, size: int) -> str:
    """A document of so many sections, each of at least so many characters, each line unlike others."""
    lines = -(-size // (len(LINE) + 14))
    blocks: list[str] = []
    for section in range(1, sections + 1):
        blocks.append(f"## Section {section}")
        blocks += [f"{section}.{line} Berth {line}. {LINE}" for line in range(lines)]
    return "\n\n".join(blocks)


@contextmanager
def edited(site: GoogleServer, id: str, pause: float) -> Iterator[None]:
    """Another process edits a document all the time, until the block ends; each edit is done."""
    given = [sys.executable, "-c", EDITOR, site.url, site.token(), id, str(pause)]
    with subprocess.Popen(given, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "1 200\n"
        try:
            yield
        finally:
            process.terminate()
        assert {line.split()[1] for line in process.stdout} == {"200"}


def edits(site: GoogleServer) -> int:
    """How many edits there were so far."""
    return len([one for one in site.asked if one.endswith(":batchUpdate")])


def number_of(text: str) -> set[str]:
    return set(re.findall(rf"{NEWS} (\d+)", text))


def without_news(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if NEWS not in line).strip()


async def by_parts(client: TestClient, id: str, size: int) -> tuple[str, int]:
    """Read all parts as a host does; the text, and how often a change was said."""
    parts, told, start, end = list[str](), 0, 0, 1
    while start < end:
        found = await client.client.read_resource(f"gdrive://docs/{id}/chunk/{start}-{start + size}")
        text, *words = [one.text for one in found.contents]
        parts.append(text)
        told += any(CHANGED in one for one in words)
        start += size
        end = start + 1 if len(text) > size // 2 else 0
    return "".join(parts), told


async def at_once(client: TestClient, id: str) -> str:
    """Read the address of the whole, and then what it says about the rest."""
    first, about = (await client.client.read_resource(f"gdrive://docs/{id}/content")).contents
    shown = f"[{len(first.text):,} of "
    assert about.text.startswith(shown) and f"gdrive://docs/{id}/chunk/START-END?at=" in about.text
    address = about.text.partition("Read on: ")[2].partition(",")[0]
    rest, *_ = (await client.client.read_resource(address)).contents
    size = int(about.text.removeprefix(shown).partition(" ")[0].replace(",", ""))
    mark = about.text.partition("?at=")[2].partition(",")[0]
    part = await client.client.read_resource(f"gdrive://docs/{id}/chunk/{len(first.text)}-{size}?at={mark}")
    assert part.contents[0].text.startswith(rest.text[:1_000])
    tool = await client.call("read_on", uri=f"gdrive://docs/{id}/content")
    assert "Read on: read_on with handle='" in tool.text and "?at=" in tool.text
    found = await client.call("read_on", uri=f"gdrive://docs/{id}/content", find=LINE[-20:])
    assert found.text.startswith("Found ")
    return str(first.text + part.contents[0].text)


async def by_sections(client: TestClient, id: str, count: int, budget: int) -> tuple[list[str], int]:
    """Read all sections; what each says, and how often a change was said."""
    found, told = list[str](), 0
    for number in range(1, count + 1):
        call = {"documentId": id, "section": f"Section {number}", "budget": budget}
        reply = await client.send("docs_getDocument", call)
        assert not reply.failed, reply.text
        [text] = inside(reply.text)
        found.append(text.strip())
        told += "has changed since you last read it" in reply.text
    return found, told


async def by_search(client: TestClient, id: str, word: str) -> tuple[list[str], int]:
    """Find all places; their numbers, and how often a change was said."""
    reply = await client.send(
        "docs_find", {"documentId": id, "text": word, "limit": 40, "response_format": "json"}
    )
    found, told = list[str](), 0
    while True:
        assert not reply.failed, reply.text
        data = json.loads(reply.text)
        found += [row["range"] for row in data["items"]]
        told += CHANGED in reply.text
        if not data["pagination"]["has_more"]:
            return found, told
        cursor = data["pagination"]["next_cursor"]
        reply = await client.send("docs_find", {"cursor": cursor, "documentId": id})


async def read_all(
    site: GoogleServer, folder: Path, monkeypatch: pytest.MonkeyPatch, sections: int, passes: int
) -> None:
    """Read a document in each way while it is edited; every pass ends with one version of it."""
    text = book(sections, 1_520_000 // sections)
    (folder / "workspace").mkdir()
    (folder / "workspace" / "book.md").write_text(text, encoding="utf-8")
    async with serving(site, folder) as client:
        made = await client.call("drive_createFile", name="Book", type="document", path="book.md")
        assert not made.failed, made.text
        id = site.id("Book")
        with edited(site, id, 0.05):
            for _ in range(passes):
                began = edits(site)
                monkeypatch.setattr(texts, "_FRESH", 0.0)
                whole, told = await by_parts(client, id, 100_000)
                assert len(whole) > 1_500_000 and without_news(whole) == text
                assert len(number_of(whole)) == 1 and told >= 10  # one version, and it was said
                assert without_news(await at_once(client, id)) == text
                places, told = await by_search(client, id, "Berth 7.")
                assert len(places) == len(set(places)) == sections and told
                monkeypatch.undo()
                parts, told = await by_sections(client, id, sections, 2_000_000 // sections)
                assert "\n\n".join(parts) == text and told
                assert edits(site) > began + 10


@pytest.mark.requirement("004-success.1")
async def test_a_long_document_is_read_to_its_end_while_another_process_edits_it(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_all(site, tmp_path, monkeypatch, sections=60, passes=1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_it_is_read_again_and_again_for_minutes(
    site: GoogleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_all(site, tmp_path, monkeypatch, sections=400, passes=5)
