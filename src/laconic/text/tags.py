"""Tags: text from outside, set apart so that it cannot pass for our own words; and which texts could."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import Final

from laconic.lazily import regex

__all__ = ["is_like_ours", "tagged"]

_SPACE: Final = regex(
    r"[\s\u00ad\u115f\u1160\u180e\u200b-\u200f\u2060-\u206f\u2800\u3164\ufeff]+"
)  # or unseen
_MARK: Final = regex(r"[:.\[<\ua789\u2236\u3002\uff0e\uff1a\uff1c\uff3b]")
_MANY_WORDS: Final = 4  # fewer are a name


def tagged(name: str, text: str) -> str:
    """Return a text on lines of its own between two tags; its closing tag does not occur inside it.

    The line breaks next to the tags do not belong to the text. A text that has such a closing tag gets
    another: `<body-2>`.
    """
    closing = re.compile(rf"<\s*/\s*{re.escape(name)}\s*(-\s*\d+)?", re.IGNORECASE)
    used = {"".join((found[1] or "").split()) for found in closing.finditer(text)}
    number = next(number for number in chain([""], map("-{}".format, count(2))) if number not in used)
    return f"<{name}{number}>\n{text}\n</{name}{number}>"


def is_like_ours(text: str) -> bool:
    """True if a text that begins a line could pass for a line of ours: a sentence, a heading or a tag."""
    if text.isascii() and text.replace("-", "").isalnum():  # one word, as most are
        return False
    words = [word for word in _SPACE.split(text) if word]
    is_sentence = len(words) > 1 and (len(words) >= _MANY_WORDS or _MARK.search(text) is not None)
    return is_sentence or text.endswith((":", "\uff1a")) or (words != [] and words[0][0] in "<[\uff1c\uff3b")
