"""Names: their case, and which known name was probably meant."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def to_camel(name: str) -> str:
    """Turn snake_case into camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def case_of(name: str, case: str) -> str:
    """Spell a Python name in the wire's case: "camel" or "snake"."""
    return to_camel(name) if case == "camel" else name


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def _likeness(a: str, b: str) -> float:
    plain_a, plain_b = "".join(_words(a)) or a.lower(), "".join(_words(b)) or b.lower()
    if plain_a == plain_b:
        return 1.0
    ratio = SequenceMatcher(None, plain_a, plain_b).ratio()
    shorter, longer = sorted((plain_a, plain_b), key=len)
    if len(shorter) >= 3 and (longer.startswith(shorter) or longer.endswith(shorter)):
        ratio = max(ratio, 0.8)
    shared = set(_words(a)) & set(_words(b))
    if shared:
        ratio = max(ratio, 0.5 + 0.4 * len(shared) / max(len(_words(a)), len(_words(b))))
    return ratio


def nearest(name: str, known: Iterable[str], *, most: int = 1, least: float = 0.62) -> list[str]:
    """Name the known names most like this one, best first; none when none is near."""
    scored = sorted(((-_likeness(name, other), other) for other in known), key=lambda pair: pair)
    return [other for score, other in scored[:most] if -score >= least]
