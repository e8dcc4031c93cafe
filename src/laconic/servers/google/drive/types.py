"""Types: short words for the types that Google has names for, and what each can be converted to."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from laconic.kit import BadArguments, Problem
from laconic.text import did_you_mean, nearest

GOOGLE: Final = "application/vnd.google-apps."
FOLDER: Final = f"{GOOGLE}folder"
_WORDS: Final = (
    "folder",
    "document",
    "spreadsheet",
    "presentation",
    "drawing",
    "form",
    "shortcut",
    "script",
    "site",
)
_OOXML: Final = "application/vnd.openxmlformats-officedocument."
MEDIA: Final = {  # by the word that callers use
    "markdown": "text/markdown",
    "text": "text/plain",
    "html": "text/html",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "pdf": "application/pdf",
    "docx": f"{_OOXML}wordprocessingml.document",
    "xlsx": f"{_OOXML}spreadsheetml.sheet",
    "pptx": f"{_OOXML}presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "rtf": "application/rtf",
    "epub": "application/epub+zip",
    "zip": "application/zip",
    "png": "image/png",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "json": "application/vnd.google-apps.script+json",
}
EXPORTS: Final = {  # by the word of a Google type, the usual one first
    "document": ("markdown", "text", "html", "pdf", "docx", "odt", "rtf", "epub", "zip"),
    "spreadsheet": ("csv", "tsv", "xlsx", "ods", "pdf", "zip"),
    "presentation": ("text", "pptx", "odp", "pdf"),
    "drawing": ("png", "jpg", "svg", "pdf"),
    "script": ("json",),
}
_ENDINGS: Final = {"md": "markdown", "txt": "text", "htm": "html", "jpeg": "jpg"}  # the others are the words
_READABLE: Final = ("application/json", "application/xml", "application/javascript", "application/x-yaml")


def word_of(media: str) -> str:
    """Return the short word for a type; others are as they are."""
    word = media.removeprefix(GOOGLE)
    return word if word in _WORDS and media.startswith(GOOGLE) else media


def media_of(word: str) -> str:
    """Return the type that a word is short for; a type stays as it is.

    Raises:
        BadArguments: it is no known word.
    """
    if "/" in word:
        return word
    if word in _WORDS:
        return f"{GOOGLE}{word}"
    if word not in MEDIA:
        hint = did_you_mean(nearest(word, (*_WORDS, *MEDIA)))
        message = f"Unknown type '{word[:40]}'.{hint} Pass a word such as folder or pdf, or a media type."
        raise BadArguments([Problem("type", message, word)])
    return MEDIA[word]


def type_of_ending(path: str) -> str | None:
    """Return the word for the type that a file of this name has, if there is one."""
    ending = PurePath(path).suffix.removeprefix(".").lower()
    word = _ENDINGS.get(ending, ending)
    return word if word in MEDIA else None


def is_google(media: str) -> bool:
    """True for files that have no bytes of their own."""
    return media.startswith(GOOGLE)


def is_text(media: str) -> bool:
    """True if a model can read what is of this type."""
    plain = media.partition(";")[0]
    return plain.startswith("text/") or plain in _READABLE or plain.endswith(("+json", "+xml"))
