"""Graphemes: where a text may be cut without splitting what a reader sees as one character.

Follows UAX 29 as far as `unicodedata` allows; in doubt, a position does not count as a boundary.
"""

import unicodedata

_REACH = 300  # nobody sees more than this as one character
_ZWJ = "\u200d"
_FLAG_HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))
# Not marks by category, but part of what precedes them: ZWNJ, Thai and Lao AM, halfwidth voicing marks.
_JOINING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
# Characters that belong to what follows them.
_LEADING = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd"
    "\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a\U00011a84\U00011a85\U00011a86\U00011a87"
    "\U00011a88\U00011a89\U00011d46\U00011f02"
)


def boundary(text: str, index: int, floor: int = 0) -> int:
    """Find the nearest position at or before an index where the text may be cut.

    `floor` is a known boundary; the search never goes below it.
    """
    index = max(floor, min(index, len(text)))
    for place in range(index, max(floor, index - _REACH), -1):
        if is_boundary(text, place, floor):
            return place
    return floor if index - floor <= _REACH else index


def next_boundary(text: str, index: int, floor: int = 0) -> int:
    """Find the nearest position at or after an index where the text may be cut."""
    index = max(floor, min(index, len(text)))
    for place in range(index, min(len(text), index + _REACH)):
        if is_boundary(text, place, floor):
            return place
    return len(text) if len(text) - index <= _REACH else index


def is_boundary(text: str, index: int, floor: int = 0) -> bool:
    """True if the text may be cut before this index."""
    if index <= floor or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < "\x7f" and after < "\x7f":
        return before != "\r" or after != "\n"
    if _is_surrogate_pair(before, after):
        return False
    if _is_control(before) or _is_control(after):
        return True
    if _extends(after) or before == _ZWJ or before in _LEADING or _is_one_syllable(before, after):
        return False
    if _is_flag_half(before) and _is_flag_half(after):
        return _flag_halves(text, index, floor) % 2 == 0
    return not _is_conjunct(text, index, floor)


def _is_surrogate_pair(before: str, after: str) -> bool:
    return "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"


def _is_control(letter: str) -> bool:
    category = unicodedata.category(letter)
    if category == "Cf":
        return letter not in _JOINING and letter not in _LEADING and not _is_tag(letter)
    return category in {"Cc", "Zl", "Zp"}


def _is_tag(letter: str) -> bool:
    return "\U000e0020" <= letter <= "\U000e007f"


def _extends(letter: str) -> bool:
    """Marks, joiners, skin tones and tags belong to what precedes them."""
    if unicodedata.category(letter)[0] == "M":
        return True
    return letter in _JOINING or "\U0001f3fb" <= letter <= "\U0001f3ff" or _is_tag(letter)


def _is_one_syllable(before: str, after: str) -> bool:
    """Hangul: leading letters take what follows, vowels and trailing letters join what precedes."""
    syllable = "\uac00" <= after <= "\ud7a3"
    if _is_leading_jamo(before) and (syllable or _is_leading_jamo(after)):
        return True
    inner = "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb"
    return inner and ("\u1100" <= before <= "\u11ff" or "\ua960" <= before <= "\ud7fb")


def _is_leading_jamo(letter: str) -> bool:
    return "\u1100" <= letter <= "\u115f" or "\ua960" <= letter <= "\ua97c"


def _is_flag_half(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _flag_halves(text: str, index: int, floor: int) -> int:
    return index - floor - len(text[floor:index].rstrip(_FLAG_HALVES))


def _is_conjunct(text: str, index: int, floor: int) -> bool:
    """An Indic consonant after a virama is joined to the one before."""
    if unicodedata.category(text[index]) != "Lo":
        return False
    while index > floor and _extends(text[index - 1]):
        index -= 1
        if unicodedata.combining(text[index]) == 9:
            return True
    return False
