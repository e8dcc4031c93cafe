"""A toolset whose tools are made from data: texts, and types that refer to each other."""

from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

from laconic.kit import Caller, Described, NotFound, Toolset


class Texts:
    """Texts by id."""

    def __init__(self) -> None:
        self.texts = {"T-1": "Hello"}


TYPES: dict[str, dict[str, Any]] = {
    "Place": {
        "type": "object",
        "properties": {"index": {"type": "integer", "minimum": 0}, "segmentId": {"type": "string"}},
        "required": ["index"],
    },
    "Range": {
        "type": "object",
        "properties": {"start": {"$ref": "Place"}, "end": {"$ref": "Place"}},
        "required": ["start", "end"],
    },
    "Style": {
        "type": "object",
        "properties": {
            "weight": {"type": "string", "enum": ["thin", "bold"]},
            "size": {"type": "number", "exclusiveMinimum": 0},
            "below": {"$ref": "Style"},
        },
    },
}
ID = {"type": "string", "description": "Of the text.", "minLength": 1}

places = Toolset("places", "Texts, changed at places.", case="camel", provides=(Texts,))


@places.factory
async def open_places(section: Mapping[str, Any]) -> AsyncIterator[Texts]:
    """Open the texts."""
    yield Texts()


async def run(operation: str, texts: Texts, caller: Caller, arguments: Mapping[str, Any]) -> str:
    """Run an operation."""
    id = arguments["textId"]
    if id not in texts.texts:
        raise NotFound("Text", id, near=list(texts.texts))
    if operation == "insert":
        at, text = arguments["location"]["index"], texts.texts[id]
        texts.texts[id] = text[:at] + arguments["text"] + text[at:]
    return f"{operation} {texts.texts[id]} {dict(arguments)}"


places.add(
    "update",
    "texts_insert",
    "Insert text at a place.",
    Described(
        {
            "textId": ID,
            "text": {"type": "string", "description": "What to insert.", "maxLength": 20},
            "location": {"$ref": "Place", "description": "Where."},
            "thumbnailProperties.mimeType": {"type": "string", "enum": ["image/png", "image/gif"]},
        },
        required=["textId", "text", "location"],
        types=TYPES,
    ),
    partial(run, "insert"),
    idempotent=False,
    because="it inserts again",
    subject="text:{textId}",
    hint="texts_read",
)
places.add(
    "update",
    "texts_style",
    "Change how a part looks.",
    Described(
        {
            "textId": ID,
            "range": {"$ref": "#/$defs/Range", "description": "Which part."},
            "style": {"$ref": "Style", "description": "How."},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "description": "Words."},
            "after": {
                "anyOf": [{"type": "integer"}, {"$ref": "Place"}],
                "description": "Only from here on.",
            },
        },
        required=["textId", "range"],
        types=TYPES,
        depth=1,
    ),
    partial(run, "style"),
    unlisted=["after"],
    hint="texts_read",
)
places.add(
    "read",
    "texts_read",
    "Read a text.",
    Described({"textId": ID}, required=["textId"]),
    partial(run, "read"),
    subject="text:{textId}",
    hint="The text T-1 always exists.",
)
places.add(
    "delete",
    "texts_drop",
    "Drop a text.",
    Described({"textId": ID}, required=["textId"]),
    partial(run, "drop"),
    confirm="Drop {textId}?",
    hint="texts_read",
)
