"""A bookmark's page is read only when somebody asks for it, and only on the public internet."""

from pathlib import Path

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.notes.bookmarks import facts_of
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import Notes
from laconic.servers.notes.store import KINDS
from laconic.stores import By, Database, Shelf
from laconic.upstream import FetchedPage
from tests.unit.upstream.servers import answering, raw, reply
from tests.unit.upstream.test_reaching import html, reach

ME = By("ada", "test")
PAGE = b"""<html><head><title>Bread &amp; butter</title>
<meta name="description" content="All > nothing"><script>if (a<b) "no"</script></head>
<body><nav>menu</nav><p>Flour <b>and</b> water, 1 < 2.</p><p>Salt.</p></body></html>"""
URL = "http://page.test/"


def facts(text: bytes, media: str = "text/html") -> tuple[str, str, str]:
    found = facts_of(FetchedPage(URL, media, text, is_cut=False))
    return found.title, found.description, found.content


def test_a_page_says_its_title_its_description_and_its_text() -> None:
    assert facts(PAGE) == ("Bread & butter", "All > nothing", "Flour and water, 1 < 2.\nSalt.")


def test_a_page_without_a_head_or_an_end_is_read_as_far_as_it_goes() -> None:
    assert facts(b"<p>Words<!-- never closed") == ("", "", "Words")
    assert facts(b"<head><title>T</title><body>Words <a href='x") == ("T", "", "Words")
    assert facts(b"First\nSecond", "text/plain") == ("First", "", "First\nSecond")


@pytest.mark.parametrize(
    "piece", [b"<a ", b"<!--", b"<a b='", b"<?", b"&", b"</a", b"<script>", b"<title>", b"<![CDATA["]
)
def test_a_hostile_page_ends(piece: bytes) -> None:
    facts(piece * (1_000_000 // len(piece)) + b">")  # the standard library's parser takes hours for some


async def test_what_is_not_given_comes_from_the_page_if_it_is_asked_for(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.db", [Shelf.schema])
    async with raw(answering(html(PAGE))) as server:
        notes = Notes(Shelf(database, KINDS), Pages(reach(server.port)))
        url = f"http://page.test:{server.port}/"
        quiet = await notes.create_bookmark(f"{url}quiet", ME)
        assert server.seen == [] and (await notes.get(quiet.id)).title is None

        made = await notes.create_bookmark(url, ME, title="Mine", fetch=True)

        read = await notes.get(made.id)
        assert (read.title, read.description, read.content) == (
            "Mine",
            "All > nothing",
            "Flour and water, 1 < 2.\nSalt.",
        )
        assert len(server.seen) == 1
    await notes.close()
    await database.close()


async def test_a_page_that_cannot_be_read_is_told_and_its_bookmark_is_kept(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.db", [Shelf.schema])
    async with raw(answering(reply(404))) as server:
        notes = Notes(Shelf(database, KINDS), Pages(reach(server.port)))
        made = await notes.create_bookmark(f"http://page.test:{server.port}/", ME, fetch=True)
    assert "The page was not read" in made.remarks[0] and made.version == 1
    await notes.close()
    await database.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest"])
async def test_a_private_address_is_kept_but_never_asked(client: TestClient, url: str) -> None:
    made = await client.call("create_bookmark", url=url, fetch=True)

    assert not made.failed and "is not on the public internet" in made.text


async def test_an_address_that_is_known_is_refused_before_its_page_is_asked(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.db", [Shelf.schema])
    async with raw(answering(html(PAGE))) as server:
        notes = Notes(Shelf(database, KINDS), Pages(reach(server.port)))
        url = f"http://page.test:{server.port}/"
        await notes.create_bookmark(url, ME)
        with pytest.raises(Exception, match="has this url already"):
            await notes.create_bookmark(url, ME, fetch=True)
        assert server.seen == []
    await notes.close()
    await database.close()
