"""A document far too long for one answer, read by section.

The tool returns all of it. The kit stores it, answers with its beginning and its outline, and adds the tool
`read_on`, which returns any section, lines, or the places where words occur.

    laconic call --server examples.document:toolset manual_read
    laconic serve examples.document:toolset
"""

from random import Random

from laconic.kit import Toolset

PAGES = 200
TOPICS = ("Anchors", "Bearings", "Compasses", "Draughts", "Fenders", "Gales", "Harbours", "Knots", "Lights")
WORDS = ("the", "crew", "must", "keep", "watch", "wind", "tide", "near", "land", "at", "night", "in", "fog")


def manual() -> str:
    """Write the same two hundred pages every time, ten per chapter."""
    chance = Random(2026)
    lines = ["# The manual", "", "What a crew must know, in twenty chapters."]
    for number in range(1, PAGES + 1):
        if number % 10 == 1:
            lines += ["", f"## Chapter {number // 10 + 1}"]
        words = " ".join(chance.choices(WORDS, k=150))
        lines += ["", f"### Page {number}: {TOPICS[number % len(TOPICS)]}", "", f"{words.capitalize()}."]
    return "\n".join(lines) + "\n"


toolset = Toolset("document", "A long manual.")


@toolset.read(subject="manual")
async def manual_read() -> str:
    """Read the manual. It is long: read on by section."""
    return manual()
