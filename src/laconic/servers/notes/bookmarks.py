"""Bookmarks: one form for each address, and what a page says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from pydantic import HttpUrl, TypeAdapter, ValidationError

from laconic.kit import BadArguments
from laconic.servers.notes.markup import Markup
from laconic.upstream import FetchedPage

__all__ = ["BookmarkPage", "facts_of", "one_form"]

_LONGEST: Final = 2048
_CONTENT: Final = 512_000  # characters
_URL: Final = TypeAdapter(HttpUrl)


def one_form(url: str) -> str:
    """Return the form in which an address is kept, so that one page has one bookmark.

    Raises:
        BadArguments: it is no address of a web page.
    """
    try:
        tidy = str(_URL.validate_python(url.strip()))
        parts = urlsplit(tidy)
    except (ValidationError, ValueError):
        raise _refused(url, "an address such as https://example.com/page") from None
    if parts.username or parts.password:
        raise _refused("", "an address without a user name or password")
    if len(tidy) > _LONGEST:
        raise _refused(url, f"an address of at most {_LONGEST:,} characters")
    return tidy


def _refused(url: str, expected: str) -> BadArguments:
    given = {"given": url} if url else {}
    return BadArguments(f"Invalid url. Expected: {expected}.", field="url", **given)


@dataclass(frozen=True)
class BookmarkPage:
    """What a page says about itself; empty is what it does not say."""

    final_url: str = ""
    title: str = ""
    description: str = ""
    content: str = ""


def facts_of(page: FetchedPage) -> BookmarkPage:
    """Return the title, the description and the text of a page."""
    if page.media == "text/plain":
        first = page.text.strip().partition("\n")[0]
        return BookmarkPage(page.url, first[:500].strip(), "", page.text.replace("\0", "")[:_CONTENT])
    markup = Markup(page.text)
    named = markup.named
    return BookmarkPage(
        page.url,
        _line(named.get("og:title") or markup.title)[:500],
        _line(named.get("description") or named.get("og:description", ""))[:2000],
        markup.text.replace("\0", "")[:_CONTENT],
    )


def _line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())
