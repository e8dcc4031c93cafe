"""Content: the blocks an answer may have, such as text, images and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from laconic.text import tagged

__all__ = ["Audio", "Block", "Image", "Link", "Message", "Resource", "Text", "Verbatim"]


@dataclass(frozen=True)
class Text:
    """Text for the model."""

    text: str


_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Verbatim:
    """A whole text by someone else: the model sees it between tags, programs get it as it is."""

    text: str
    name: str = "text"  # of the tags, and of the value for programs

    def __post_init__(self) -> None:
        """Refuse a name that is no tag."""
        if not _TAG.fullmatch(self.name):
            raise ValueError(f"A tag cannot be called {self.name!r}.")

    @property
    def block(self) -> Text:
        """The text between its tags."""
        return Text(tagged(self.name, self.text))


@dataclass(frozen=True)
class Image:
    """An image the model can see."""

    data: bytes
    mime: str = "image/png"


@dataclass(frozen=True)
class Audio:
    """A sound."""

    data: bytes
    mime: str = "audio/wav"


@dataclass(frozen=True)
class Resource:
    """A document inside the answer, with its own address."""

    uri: str
    content: str | bytes
    mime: str = "text/plain"


@dataclass(frozen=True)
class Link:
    """The address of a document to read when needed."""

    uri: str
    name: str
    mime: str | None = None
    description: str | None = None


Block = Text | Image | Audio | Resource | Link


@dataclass(frozen=True)
class Message:
    """One message of a prompt."""

    content: Block
    role: str = "user"
