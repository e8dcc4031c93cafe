"""Sketches: a tool's signature in one line, `job_get(id: string) read: Read one job in full.`"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laconic.kit.arguments.notation import Notation
from laconic.kit.longlist.finding.words import name_words, plain_words, stem

__all__ = ["first_sentence", "sketch"]

Schema = Mapping[str, Any]

_DEEPEST = 2  # objects inside objects
_COMMON_WORDS = frozenset(
    map(stem, plain_words("a an the of its it this that to for new which only one optional"))
)


def sketch(name: str, effect: str, description: str, schema: Schema) -> str:
    """Return a tool's name, arguments, effect and description in one line."""
    known = {*name_words(name), *plain_words(description)}

    def about(argument: str, node: Schema, depth: int) -> str:
        return _about(argument, node, () if depth else known)

    arguments = Notation(schema.get("$defs", {}), deepest=_DEEPEST, about=about).fields(schema)
    return f"{name}({arguments}) {effect}: {description}"


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence, cut to at most so many words."""
    end = next(
        (n for n, letter in enumerate(text) if letter in ".!?" and text[n + 1 : n + 2] in ("", " ")), None
    )
    words = (text if end is None else text[: end + 1]).split()
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + " …"


def _about(name: str, node: Schema, known: Iterable[str]) -> str:
    """Return the description of an argument if it adds something to the names."""
    text = str(node.get("description", "")).rstrip(".")
    stems = {stem(word) for word in (*known, *name_words(name))} | _COMMON_WORDS
    adds = any(stem(word) not in stems for word in plain_words(text))
    return f" ({text})" if adds else ""
