"""Pictures of slides: asked for at Google, and fetched where it puts them, without the account's token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal
from urllib.parse import urlsplit

from laconic.kit import Image, Text, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.slides.deck import SlideDeck
from laconic.upstream import ApiRequest, ApiSession, UpstreamError

Unsigned = Callable[[str], ApiSession]
PictureSize = Literal["small", "medium", "large"]
_HOSTS: Final = (".googleusercontent.com", ".google.com")
_MOST: Final = 10_000_000  # bytes


async def picture_of(
    access: Access, id: str, slide: str, size: PictureSize, root: str, unsigned: Unsigned
) -> list[Text | Image]:
    """Return a picture of a slide; `root` is where the API is, `unsigned` opens a session without a token.

    Raises:
        Failure: there is no such slide, or no picture of it.
    """
    deck = SlideDeck(await access.call("slides_get", presentationId=id, fields="slides.objectId"))
    found = deck.slide(slide)
    arguments = {"presentationId": id, "pageObjectId": found.id}
    arguments["thumbnailProperties.thumbnailSize"] = size.upper()
    about = await access.run("slides_pages_getThumbnail", arguments)
    data = await _fetched(root, unsigned, str(about.get("contentUrl", "")))
    pixels = f"{about.get('width')} x {about.get('height')}"
    return [Text(f"Slide {found.number} of {len(deck.slides)}, {found.id}: {pixels}."), Image(data)]


async def _fetched(own: str, unsigned: Unsigned, address: str) -> bytes:
    """Fetch a picture from one of Google's hosts, or from where the API itself is."""
    parts = urlsplit(address)
    root = f"{parts.scheme}://{parts.netloc}"
    is_google = parts.scheme == "https" and (parts.hostname or "").endswith(_HOSTS)
    if not is_google and root != own:
        raise UpstreamDown("Google sent a picture's address that is not one of its own; it was not opened.")
    session = unsigned(root)
    try:
        reply = await session.send(ApiRequest(path=address, reads="bytes", most=_MOST))
    except UpstreamError as error:
        raise UpstreamDown(f"The picture could not be fetched: {error}", advice="Try again.") from error
    finally:
        await session.close()
    if not isinstance(reply.data, bytes) or not reply.data.startswith(b"\x89PNG"):
        raise UpstreamDown("Google sent something that is no picture.", advice="Try again.")
    return reply.data
