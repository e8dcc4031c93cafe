"""Content: the blocks an answer may have, such as text, images and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any, Final

from laconic.data import dataclass
from laconic.text import tagged

__all__ = [
    "Audio",
    "Beside",
    "Block",
    "Image",
    "Link",
    "Message",
    "Resource",
    "Text",
    "Verbatim",
    "block_data",
]

Span = tuple[int, int]
_PLACES: Final = 20  # where a body may begin that are looked at


@dataclass(frozen=True)
class Text:
    """Text for the model.

    `bodies` are the spans of whole texts inside it. Of a long answer, such a text is kept alone: then its
    lines are counted from its own first line.
    """

    text: str
    bodies: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    @staticmethod
    def around(text: str, bodies: Iterable[str]) -> Text:
        """Return a text that has these whole texts in it, each on lines of its own; others are ignored."""
        spans: list[Span] = []
        for body in filter(None, bodies):
            after = spans[-1][1] if spans else 0  # most often they come in the order of the text
            span = _apart(text, body, after, spans) or _apart(text, body, 0, spans)
            spans += [span] if span else []
        return Text(text, tuple(sorted(spans)))


def _apart(text: str, body: str, after: int, taken: Sequence[Span]) -> Span | None:
    """Return where a body is on lines of its own, outside of others; None if nowhere among its first places.

    Others wrote it: a text that nearly repeats itself thousands of times must not take long.
    """
    start = after - 1
    for _ in range(_PLACES):
        start = text.find(body, start + 1)
        if start > 0 and text[start - 1] != "\n":
            start = text.find(f"\n{body}", start) + 1
        if start < 0 or (start == 0 and not text.startswith(body)):
            return None
        end = start + len(body)
        is_free = all(end <= first or start >= last for first, last in taken)
        if is_free and text[end : end + 1] in ("", "\n"):
            return start, end
    return None


_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Verbatim:
    """A whole text by someone else: the model sees it between tags, programs get it as it is."""

    text: str
    name: str = "text"  # of the tags, and of the value for programs
    remark: str = ""  # what there is to say about it, which is never part of it

    def __post_init__(self) -> None:
        """Refuse a name that is no tag."""
        if not _TAG.fullmatch(self.name):
            raise ValueError(f"A tag cannot be called {self.name!r}.")

    @property
    def block(self) -> Text:
        """The text between its tags, and the remark after them."""
        words = tagged(self.name, self.text)
        return Text.around(f"{words}\n{self.remark}" if self.remark else words, [self.text])


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
Beside = Image | Audio | Resource | Link
"""What a record cannot hold, and a tool may return beside one."""


def block_data(block: Block | Verbatim) -> Any:
    """Return what programs get of a block: a text as it is, of others what they are, without their bytes."""
    match block:
        case Text() | Verbatim():
            return block.text
        case Link():
            facts = {"uri": block.uri, "name": block.name, "mime": block.mime}
            return _some(**facts, description=block.description)
        case Resource(content=str()):
            return {"uri": block.uri, "mime": block.mime, "text": block.content}
        case Resource():
            return {"uri": block.uri, "mime": block.mime, "bytes": len(block.content)}
    return {"mime": block.mime, "bytes": len(block.data)}


def _some(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Message:
    """One message of a prompt."""

    content: Block
    role: str = "user"
