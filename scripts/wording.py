"""Finds words that make our English hard to read; part of scripts/check.

Each entry below is a pattern and what to write instead. A line that needs the word carries `wording: ok`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

_THINGS = "line|file|word|call|name|step|page|row|answer|test|tool|record|key|problem|event|command|minute"

EVERYWHERE: Mapping[str, str] = {
    r"mend(s|ed|ing)?": "fix, repair",
    r"anew": "again",
    r"lies": "is, are in",
    r"stands": "is, appears",
    r"stood": "was, appeared",
    r"begun": "started",
    r"spelt": "spelled",
    r"parted": "split",
    r"told apart": "distinguished",
    r"tells? apart": "distinguish",
    r"in good order": "cleanly",
    r"by and by": "later",
    r"thrice|whence|thereby|herein|wherein|whither|aught|naught|nought": "a modern word",
    rf"an? ({_THINGS}) an? ({_THINGS})": "one … per …",
}

# Metaphors of our own: a reader of the docs must not have to learn them.
IN_DOCS: Mapping[str, str] = {
    r"rooms?": "package, module; space",
    r"corridors?": "folder",
    r"dress(es)?": "envelope",
    r"seeds?": "requirement",
}

_CODE = (".py", ".toml", ".sh", "")
_LEFT_OUT = ("tests/snapshots/", "tests/upgrade/", "scripts/wording.py", "requirements")
_EXCUSE = "wording: ok"
_SPAN = re.compile(r"`[^`]*`")  # names in code may be old ones


def main(root: Path = Path()) -> int:
    count = 0
    for path in tracked(root):
        for number, word, better in complaints((root / path).read_text(encoding="utf-8"), _words_for(path)):
            count += 1
            print(f"{path}:{number}: '{word}': write {better}")
    if count:
        print(f"{count} words to replace; a line that needs one carries '{_EXCUSE}'.")
    return 1 if count else 0


def tracked(root: Path) -> list[str]:
    """Return the text files that people read."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [
        name
        for name in names
        if (name.endswith(".md") or Path(name).suffix in _CODE)
        and not name.startswith(_LEFT_OUT)
        and (root / name).is_file()
    ]


def complaints(text: str, words: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Yield the line number, the word found and what to write instead."""
    patterns = [(re.compile(rf"\b({word})\b", re.IGNORECASE), better) for word, better in words.items()]
    for number, line in enumerate(text.splitlines(), 1):
        if _EXCUSE in line:
            continue
        for pattern, better in patterns:
            for found in pattern.finditer(_SPAN.sub("", line)):
                yield number, found[0], better


def _words_for(path: str) -> Mapping[str, str]:
    return {**EVERYWHERE, **IN_DOCS} if path.endswith(".md") else EVERYWHERE


if __name__ == "__main__":
    sys.exit(main())
