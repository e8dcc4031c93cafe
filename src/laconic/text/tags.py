"""Tags: text from outside, set apart so that it cannot pass for our own words."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import chain, count

__all__ = ["tagged"]


def tagged(name: str, text: str, *, not_as: Collection[str] = ()) -> str:
    """Return a text on lines of its own between two tags; its closing tag does not occur inside it.

    The line breaks next to the tags do not belong to the text.

    Args:
        name: of the tags; a number is added if the text has such a closing tag.
        text: from outside.
        not_as: names that something else in the answer has.
    """
    closing = re.compile(rf"<\s*/\s*{re.escape(name)}\s*(\d*)", re.IGNORECASE)
    used = {*(name + found[1] for found in closing.finditer(text)), *not_as}
    tag = next(tag for tag in chain([name], (f"{name}{number}" for number in count(2))) if tag not in used)
    return f"<{tag}>\n{text}\n</{tag}>"
