"""A library as a team leaves it, always the same: prompts and notes of a few hundred words each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, product
from random import Random
from typing import Any, Final

from laconic.stores import By, Draft

__all__ = ["COMMON", "ME", "RARE", "drafts", "words_of"]

ME: Final = By("bench", "bench")
COMMON: Final = ("review", "code", "write", "text", "answer", "list", "task", "change", "report", "summary")
RARE: Final = "heliotrope"  # in every thousandth item
_ARGUMENTS: Final = ("code", "language", "audience", "topic", "tone")
_SYLLABLES: Final = ["".join(parts) for parts in product("bcdfghjklmnprstvw", "aeiou", ("", "n", "rt"))]
_FLAT: Final = 100  # the larger, the less common the commonest words: here they are in 4 of 10 items


def words_of(kind: str) -> list[str]:
    """Return the words of a kind of item, the commonest first."""
    chance = Random(kind)
    made = ("".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(6000))
    return [*COMMON, *dict.fromkeys(made)]


def drafts(kind: str, count: int) -> Iterator[Draft]:
    """Return that many new items of a kind; some words are in many of them, most words in few."""
    chance = Random(f"{kind} texts")
    words = words_of(kind)
    weights = list(accumulate(1 / (rank + _FLAT) for rank in range(len(words))))
    for number in range(count):
        picked = chance.choices(words, cum_weights=weights, k=chance.randint(60, 360))
        if number % 1000 == 7:
            picked.append(RARE)
        yield _draft(kind, number, picked, chance)


def _draft(kind: str, number: int, words: list[str], chance: Random) -> Draft:
    lines = [" ".join(words[start : start + 12]) for start in range(8, len(words), 12)]
    argument = chance.choice(_ARGUMENTS)
    is_prompt = kind == "prompt"
    if is_prompt:
        lines.insert(len(lines) // 2, f"Here it is:\n{{{{ {argument} }}}}\n")
    extra: dict[str, Any] = {"arguments": [{"name": argument, "required": True}]} if is_prompt else {}
    return Draft(
        kind,
        f"{words[0]}-{words[1]}-{number}" if is_prompt else None,
        " ".join(words[:3]).capitalize(),
        " ".join(words[3:8]),
        "\n".join([*lines, f"Item {number}."]),
        extra=extra,
        terms=argument if is_prompt else "",
        tags=[chance.choice(COMMON), f"team-{number % 40}"],
    )
