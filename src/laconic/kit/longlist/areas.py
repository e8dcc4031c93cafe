"""Areas: what the tools of each toolset are about, with counts, so that a long list can be browsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from laconic.kit.longlist.finding.words import name_words, plain_words, singular
from laconic.text import estimate_tokens

__all__ = ["areas_of", "areas_text"]

_SHARED = 0.8  # a word in so many names is no area
_NOT_NOUNS = frozenset(
    plain_words(
        "create add new make insert update change edit modify set delete remove get read show list search "
        "find open a an the to of in on by for from with and or my me all"
    )
)


def areas_of(names: Sequence[str]) -> dict[str, int]:
    """Return the areas of tools with their counts, largest first.

    An area is the word that a tool's name shares with the most other names, verbs left out.
    """
    nouns = [_nouns(name) for name in names]
    often = Counter(noun for one in nouns for noun in one)
    shared = {noun for noun, times in often.items() if times >= _SHARED * len(names)}
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for one in nouns:
        own = [noun for noun in one if noun not in shared] or list(one)
        area = max(own, key=lambda noun: often[noun])
        counts[written.setdefault(area, one[area])] += 1
    return dict(counts.most_common())


def _nouns(name: str) -> dict[str, str]:
    """Return the words of a name that are no general verbs, by their singular."""
    words = name_words(name) or [name]
    nouns = [word for word in words if word not in _NOT_NOUNS]
    return {singular(word): word for word in nouns or words[:1]}


def areas_text(toolsets: Mapping[str, Sequence[str]], most_tokens: int) -> str:
    """Return one line per toolset with its areas, as many of them as fit."""
    areas = {toolset: areas_of(names) for toolset, names in toolsets.items()}
    most = max((len(one) for one in areas.values()), default=0)
    lines = _lines(areas, most)
    while most and not _fit(lines, most_tokens):
        most -= 1
        lines = _lines(areas, most)
    while len(lines) > 1 and not _fit(lines, most_tokens):
        lines = [*lines[:-2], f"… {len(areas) - len(lines) + 2} more toolsets"]
    return "\n".join(lines)


def _fit(lines: Sequence[str], most_tokens: int) -> bool:
    return estimate_tokens("\n".join(lines)) <= most_tokens


def _lines(areas: Mapping[str, Mapping[str, int]], most: int) -> list[str]:
    return [_line(toolset, one, most) for toolset, one in areas.items()]


def _line(toolset: str, areas: Mapping[str, int], most: int) -> str:
    shown = [f"{area} {count}" for area, count in list(areas.items())[:most]]
    rest = len(areas) - len(shown)
    more = [f"{rest} more"] if rest else []
    return f"{toolset} {sum(areas.values())}" + (f": {', '.join([*shown, *more])}" if shown else "")
