"""Spans as markdown: styles as signs where CommonMark reads them as such, as tags elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from laconic.servers.google.docs.reading.blocks import BREAK, Span

_SIGNS: Final = {"bold": "**", "italic": "_", "strike": "~~"}
_TAGS: Final = {"bold": "strong", "italic": "em", "strike": "del"}
_STYLES: Final = ("link", "bold", "italic", "strike")
_SPECIAL: Final = re.compile(r"[\\`*_\[\]<&~!]")
_ENTITY: Final = re.compile(r"&(?:#\w+|\w+);")
_URL_SPECIAL: Final = re.compile(r"[\\<>]|&(?=#?\w+;)")
_UNSAFE_URL: Final = re.compile(r"[\s()\x00-\x1f]")
_TICKS: Final = re.compile(r"`+")

NoteSign = Callable[[tuple[Span, ...]], str]
Part = tuple[str, str]  # what it is (a text, or a style that opens or closes), and its text


def inline(spans: Sequence[Span], note: NoteSign) -> str:
    """Return spans as markdown; line breaks stay as they are. `note` returns the sign of a footnote."""
    if len(spans) == 1 and spans[0] == Span(spans[0].text):
        return escaped(spans[0].text, is_last=True)
    parts: list[Part] = []
    _write(spans, 0, len(spans), frozenset(), parts, note)
    return _joined(parts)


def _write(
    spans: Sequence[Span], at: int, end: int, active: frozenset[str], parts: list[Part], note: NoteSign
) -> None:
    while at < end:
        wanted = [style for style in _STYLES if style not in active and getattr(spans[at], style)]
        if not wanted:
            parts.append(("text", _leaf(spans[at], at == len(spans) - 1, "link" in active, note)))
            at += 1
            continue
        reach = {style: _reach(spans, at, end, style) for style in wanted}
        style = max(wanted, key=reach.__getitem__)
        link = url(spans[at].link) if style == "link" else ""
        parts.append(("text", "[") if link else ("open", style))
        _write(spans, at, reach[style], active | {style}, parts, note)
        parts.append(("text", f"]({link})") if link else ("close", style))
        at = reach[style]


def _reach(spans: Sequence[Span], at: int, end: int, style: str) -> int:
    value, last = getattr(spans[at], style), at + 1
    while last < end and getattr(spans[last], style) == value:
        last += 1
    return last


def _leaf(span: Span, is_last: bool, is_linked: bool, note: NoteSign) -> str:
    if span.note is not None:
        return note(span.note)
    if span.image:
        return (
            f"![{escaped(span.text, is_last=False, is_linked=True).replace(BREAK, ' ')}]({url(span.image)})"
        )
    return _code(span.text) if span.code else escaped(span.text, is_last=is_last, is_linked=is_linked)


def _code(text: str) -> str:
    fence = "`" * (1 + max((len(one) for one in _TICKS.findall(text)), default=0))
    if len(fence) > 1 and max(map(len, _TICKS.findall(text))) and "`" not in (text[0], text[-1]):
        return f"{fence}{text}{fence}"
    return f"{fence} {text} {fence}" if "`" in (text[0], text[-1]) else f"{fence}{text}{fence}"


def url(address: str) -> str:
    """Return an address as the target of a link."""
    found = _URL_SPECIAL.sub(lambda sign: "\\" + sign[0], re.sub(r"[\x00-\x1f\x7f]", _percent, address))
    return f"<{found}>" if _UNSAFE_URL.search(found) else found


def _percent(sign: re.Match[str]) -> str:
    return f"%{ord(sign[0]):02X}"


def escaped(text: str, *, is_last: bool, is_linked: bool = False) -> str:
    """Return a text so that nothing in it is a sign of markdown."""
    if not _SPECIAL.search(text):
        return text

    def sign(found: re.Match[str]) -> str:
        at = found.start()
        before, one, after = text[at - 1 : at], found[0], text[at + 1 : at + 2]
        return "\\" + one if _is_sign(one, before, after, text, at, is_last, is_linked) else one

    return _SPECIAL.sub(sign, text)


def _is_sign(one: str, before: str, after: str, text: str, at: int, is_last: bool, is_linked: bool) -> bool:
    match one:
        case "*":
            return not (before.isspace() and after.isspace())
        case "_":
            return not (before.isalnum() and after.isalnum())
        case "~":
            return not before or not after or "~" in (before, after)
        case "]":
            return is_linked
        case "<":
            return not after or after.isalpha() or after in "/!?"
        case "&":
            return bool(_ENTITY.match(text, at)) or (not after and not is_last)
        case "!":
            return not after and not is_last
    return True


def _joined(parts: list[Part]) -> str:
    """Write the styles: a pair of signs, or of tags where the signs would not be read as such."""
    opened: list[int] = []
    is_sign = [False] * len(parts)
    for at, (kind, style) in enumerate(parts):
        if kind == "open":
            opened.append(at)
        elif kind == "close":
            first = opened.pop()
            is_sign[first] = is_sign[at] = _opens(parts, first, style) and _closes(parts, at, style)
    return "".join(
        text
        if kind == "text"
        else _SIGNS[text]
        if is_sign[at]
        else f"<{'/' if kind == 'close' else ''}{_TAGS[text]}>"
        for at, (kind, text) in enumerate(parts)
    )


def _opens(parts: list[Part], at: int, style: str) -> bool:
    before, after = _last_sign(parts, at - 1), _first_sign(parts, at + 1)
    if style == "italic":
        return before in "sp" and after != "s"
    return after == "o" or (before in "sp" and after != "s")


def _closes(parts: list[Part], at: int, style: str) -> bool:
    before, after = _last_sign(parts, at - 1), _first_sign(parts, at + 1)
    if style == "italic":
        return after in "sp" and before != "s"
    return before == "o" or (after in "sp" and before != "s")


def _last_sign(parts: list[Part], at: int) -> str:
    if at < 0:
        return "s"
    return _class(parts[at][1][-1:]) if parts[at][0] == "text" else "p"


def _first_sign(parts: list[Part], at: int) -> str:
    if at >= len(parts):
        return "s"
    return _class(parts[at][1][:1]) if parts[at][0] == "text" else "p"


def _class(sign: str) -> str:
    """Return whether a character is white space, punctuation, another one, or unclear."""
    if not sign or sign.isspace():
        return "s"
    if sign.isalnum():
        return "o"
    return "p" if sign.isascii() else "u"
