"""Sections: what is below a heading, as it can be written back: with its footnotes, without other parts."""

from __future__ import annotations

import re
from typing import Final

_LINE: Final = re.compile(
    r"^(?:(?P<fence>`{3,})(?P<info>.*)|<!-- (?:tab|header|footer) \S+?(?:: .*)? -->)$", re.MULTILINE
)
_NOTE: Final = re.compile(r"\[\^(\d+)\]: .*")
_SIGN: Final = re.compile(r"\[\^(\d+)\]")


def section_text(text: str, start: int, end: int) -> str:
    """Return the section that begins at a heading, with the texts of the footnotes that it refers to."""
    part = text[start : _part_end(text, start)].rstrip("\n")
    notes, rest = _notes(part)
    section = part[: min(end - start, rest)].rstrip("\n")
    wanted = set(_SIGN.findall(section))
    found = [note for name, note in notes if name in wanted]
    return "\n\n".join([section, *(["\n".join(found)] if found else [])])


def _part_end(text: str, start: int) -> int:
    """Return where the next tab, header or footer begins, outside of code."""
    fence = ""
    for line in _LINE.finditer(text, start):
        if fence:
            is_end = (line["fence"] or "").startswith(fence) and not line["info"].strip()
            fence = "" if is_end else fence
        elif line["fence"]:
            fence = line["fence"]
        else:
            return line.start()
    return len(text)


def _notes(part: str) -> tuple[list[tuple[str, str]], int]:
    """Return the footnotes at the end of a part, by their names, and where they begin."""
    found: list[tuple[str, str]] = []
    end = len(part)
    while end > 0:
        begin = part.rfind("\n", 0, end) + 1
        note = _NOTE.fullmatch(part, begin, end)
        if note is None:
            break
        found.append((note[1], note[0]))
        end = begin - 1
    return found[::-1], max(0, end)
