"""Content: the blocks an answer may have, such as text, images and links."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Audio", "Block", "Image", "Link", "Message", "Resource", "Text"]


@dataclass(frozen=True)
class Text:
    """Text for the model."""

    text: str


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
