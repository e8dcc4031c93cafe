"""Tags: text from outside, set apart so that it cannot pass for our own words."""

from __future__ import annotations

import re
from itertools import chain, count

__all__ = ["tagged"]


def tagged(name: str, text: str) -> str:
    """Return a text on lines of its own between two tags; its closing tag does not occur inside it.

    The line breaks next to the tags do not belong to the text. A text that has such a closing tag gets
    another: `<body-2>`.
    """
    closing = re.compile(rf"<\s*/\s*{re.escape(name)}\s*(-\s*\d+)?", re.IGNORECASE)
    used = {"".join((found[1] or "").split()) for found in closing.finditer(text)}
    number = next(number for number in chain([""], map("-{}".format, count(2))) if number not in used)
    return f"<{name}{number}>\n{text}\n</{name}{number}>"
