"""Names: their case, which known name was probably meant, and the folder name for a path."""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import PurePath

from laconic.lazily import regex

_WORDS = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NUMBER = regex(r"0*(\d+)$")
SUGGESTION = "Did you mean"

# Words that callers use interchangeably, one group per row. A word may be in several rows.
_ROWS = """
query q search text term terms keyword keywords words find
id identifier key uid ref number
name title subject summary heading label
notes note body content text description details message comment
labels label tags tag keywords categories category
status state stage
priority severity importance urgency level
assignee owner user username assigned responsible person
limit count max size top first take rows lines
cursor page token next after offset
from start since begin after
to end until before
due deadline
confirm force yes sure
fields columns properties select attributes
format view mode style detail verbosity
type kind mode sort category
version revision etag
seconds duration time timeout delay
path file filename location
items entries drafts records rows list
field property attribute column name
equals value is eq
every all and
some any or
create add new make insert
delete remove destroy erase drop
update edit modify change set patch
get read show fetch view retrieve open
list index all browse enumerate
search find query lookup filter
assign give allocate
import load upload
copy duplicate clone
folder directory dir
image picture photo
permission permissions share sharing access see
person people user member
color colour
document doc text
spreadsheet sheet workbook tab
presentation slides deck
chart graph diagram plot
column columns field
comment remark note
reply answer respond
report summary summarise
wait sleep pause
"""


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    same: dict[str, set[str]] = {}
    for row in _ROWS.strip().splitlines():
        words = row.split()
        for word in words:
            same.setdefault(word, {word}).update(words)
    return {word: frozenset(words) for word, words in same.items()}


def synonyms_of(word: str) -> frozenset[str]:
    """Return the words that callers use in place of this one."""
    return _synonyms().get(word, frozenset())


def to_camel(name: str) -> str:
    """Turn snake_case into camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def case_of(name: str, case: str) -> str:
    """Convert a Python name to the case of the wire: "camel" or "snake"."""
    return to_camel(name) if case == "camel" else name


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def _likeness(a: str, b: str) -> float:
    words_a, words_b = _words(a), _words(b)
    plain_a, plain_b = "".join(words_a) or a.lower(), "".join(words_b) or b.lower()
    if plain_a == plain_b:
        return 1.0
    from difflib import SequenceMatcher  # here: only needed for a wrong name

    ratio = SequenceMatcher(None, plain_a, plain_b).ratio()
    shorter, longer = sorted((plain_a, plain_b), key=len)
    if len(shorter) >= 3 and (longer.startswith(shorter) or longer.endswith(shorter)):
        ratio = max(ratio, 0.8)
    return max(ratio, _shared(words_a, words_b), _numbered(a, b))


def _shared(words_a: list[str], words_b: list[str]) -> float:
    """Score the words that two names have in common; a synonym counts a little less."""
    if not words_a or not words_b:
        return 0.0
    found = sum(_alike(word, words_b) for word in words_a)
    return 0.5 + 0.45 * found / max(len(words_a), len(words_b)) if found else 0.0


def _alike(word: str, others: list[str]) -> float:
    if word in others or word.rstrip("s") in {other.rstrip("s") for other in others}:
        return 1.0
    return 0.8 if _synonyms().get(word, frozenset()) & set(others) else 0.0


def _numbered(a: str, b: str) -> float:
    """Score equal numbers: `17`, `#17` and `ISSUE-17` all mean ISS-000017."""
    one, other = _NUMBER.search(a), _NUMBER.search(b)
    return 0.85 if one and other and one[1] == other[1] else 0.0


def nearest(name: str, known: Iterable[str], *, most: int = 1, least: float = 0.62) -> list[str]:
    """Return the known names most similar to this one, best first; empty if none is similar."""
    scored = sorted((-_likeness(name, other), other) for other in known)
    return [other for score, other in scored[:most] if -score >= least]


def did_you_mean(near: Iterable[str], *, quote: str = "", otherwise: str = "") -> str:
    """Return the sentence that ends a message about an unknown name, after a space; may be empty."""
    names = " or ".join(f"{quote}{name}{quote}" for name in near)
    sentence = f"{SUGGESTION} {names}?" if names else otherwise
    return f" {sentence}" if sentence else ""


def folder_name(path: PurePath) -> str:
    """Return a readable folder name for a path that no other path shares."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name).strip("-.")[:40] or "root"
    return f"{readable}-{blake2b(str(path).encode(errors='surrogateescape'), digest_size=6).hexdigest()}"
