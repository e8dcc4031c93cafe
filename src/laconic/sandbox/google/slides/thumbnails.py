"""Thumbnails: pictures of pages at addresses that anybody who knows them can read for half an hour."""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.decks.drawing import drawn
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.site.blobs import Blobs

__all__ = ["PICTURES", "picture", "thumbnail"]

PICTURES: Final = "thumbnails/"  # the beginning of their addresses
_WIDTHS: Final = {"SMALL": 200, "MEDIUM": 800, "LARGE": 1600, "WIDTH2000_PX": 2000}
_LIFE: Final = 30 * 60  # seconds


def thumbnail(asked: AskedGoogle, deck: dict[str, Any], page: dict[str, Any]) -> AnsweredGoogle:
    """Draw a page, and say where the picture is."""
    width = _WIDTHS.get(asked.given.get("thumbnailProperties.thumbnailSize", ""), 1600)
    content, height = drawn(deck, page, width)
    until = round(datetime.fromisoformat(asked.now).timestamp()) + _LIFE
    name = _name(until, content)
    asked.blobs.put(name, content)
    address = f"{asked.address}/{PICTURES}{name}"
    return AnsweredGoogle({"contentUrl": address, "width": width, "height": height})


def _name(until: int, content: bytes) -> str:
    """Return the name of a picture: nobody can guess it, or let it live longer."""
    return f"{until}-{sha256(b'%d ' % until + content).hexdigest()[:40]}"


def picture(blobs: Blobs, path: str, now: float) -> AnsweredGoogle:
    """Return the picture at an address, while it can be read."""
    name = path.removeprefix(PICTURES)
    until = re.match(r"(\d{1,12})-[0-9a-f]{40}$", name)
    content = blobs.get(name) if until and now <= int(until[1]) else b""
    if not until or not content or _name(int(until[1]), content) != name:
        raise GoogleRefusal(403, "forbidden", "The address of the picture is not valid any more.")
    return AnsweredGoogle(content=content, media="image/png")
