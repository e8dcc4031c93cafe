"""Generated workspaces of issues, always the same: 90 % issues, 6 % specifications of 40 KB, 4 % ideas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Final

__all__ = ["COMMON", "PHRASE", "VERY_COMMON", "fill", "rare"]

COMMON: Final = "session"  # in most of the texts
PHRASE: Final = "alstapreed braex"  # two rare words, adjacent in some texts
VERY_COMMON: Final = "cache index"  # both words in almost every text, adjacent in few

_PLAIN: Final = [
    "the",
    "a",
    "of",
    "to",
    "and",
    "in",
    "is",
    "for",
    "that",
    "with",
    "as",
    "on",
    "be",
    "by",
    "this",
    "it",
    "or",
    "from",
    "are",
    "an",
    "at",
    "not",
    "will",
    "can",
    "use",
    "when",
    "file",
    "issue",
    "test",
    "error",
    "list",
    "data",
    "agent",
    "tool",
    "cache",
    "index",
    "write",
    "read",
    "update",
    "status",
    "user",
    "server",
    "task",
    "session",
]
_SYLLABLES: Final = [
    "ka",
    "ro",
    "ti",
    "men",
    "sta",
    "ver",
    "lo",
    "pre",
    "con",
    "ing",
    "er",
    "al",
    "ed",
    "de",
    "re",
    "in",
    "ter",
    "ex",
    "port",
    "sion",
    "able",
    "ful",
    "ness",
    "ge",
    "tor",
    "mar",
    "lin",
    "pas",
    "cu",
    "bra",
    "qui",
    "ost",
    "und",
]
_FOLDERS: Final = {"issue": "issues", "specification": "specifications", "idea": "ideas"}
_PREFIXES: Final = {"issue": "ISS", "specification": "SPEC", "idea": "IDEA"}
_LONG: Final = 40_000  # characters


def rare(number: int) -> str:
    """Return a word that is in the text of only one issue."""
    return f"unique-{number:06d}-token"


def fill(root: Path, count: int, seed: int = 5) -> list[str]:
    """Write that many files and return their ids."""
    random = Random(seed)
    sentences = list(_sentences(random, 60_000))
    folder = root / ".wrangler"
    for name in _FOLDERS.values():
        (folder / name / "archived").mkdir(parents=True, exist_ok=True)
    numbers, ids = dict.fromkeys(_FOLDERS, 0), []
    for number in range(count):
        kind = _kind(number)
        numbers[kind] += 1
        id = f"{_PREFIXES[kind]}-{numbers[kind]:06d}"
        title = random.choice(sentences)[: random.randint(25, 70)].rpartition(" ")[0]
        is_closed = random.random() < 0.5
        head = _head(random, id, title, kind, is_closed)
        size = _LONG if kind == "specification" else random.randint(2_000, 8_000)
        place = folder / _FOLDERS[kind] / ("archived" if is_closed else "")
        name = f"{id}-{'-'.join(title.lower().split())[:50]}.md"
        place.joinpath(name).write_text(head + _body(random, sentences, size, number), encoding="utf-8")
        ids.append(id)
    return ids


def _kind(number: int) -> str:
    place = number % 100
    return "issue" if place < 90 else "specification" if place < 96 else "idea"


def _sentences(random: Random, count: int) -> Iterator[str]:
    """Yield sentences with natural word frequencies: the nth word is about 1/n as frequent."""
    words = list(_PLAIN)
    while len(words) < 6_000:
        words.append("".join(random.choices(_SYLLABLES, k=random.randint(1, 4))))
    weights = list(accumulate(1 / (place + 3) for place in range(len(words))))
    for _ in range(count):
        yield " ".join(random.choices(words, cum_weights=weights, k=random.randint(8, 18))).capitalize() + "."


def _head(random: Random, id: str, title: str, kind: str, is_closed: bool) -> str:
    status = random.choice(
        ("closed", "closed", "cancelled") if is_closed else ("open", "open", "in_progress")
    )
    labels = "".join(f"\n  - label-{random.randrange(200)}" for _ in range(random.randint(0, 4)))
    month, day, second = random.randint(1, 12), random.randint(1, 28), random.randrange(86_400)
    at = f"2025-{month:02d}-{day:02d}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.000Z"
    lines = [
        f"id: {id}\ntitle: {title}\ntype: {kind}\nstatus: {status}",
        f"priority: {random.choice(('low', 'medium', 'high', 'critical'))}\nlabels:{labels or ' []'}",
        f"createdAt: '{at}'\nupdatedAt: '{at}'",
    ]
    if random.random() < 0.6:
        lines.append(f"project: project-{random.randint(1, 26)}")
    if random.random() < 0.3:
        lines.append(f"assignee: user-{random.randint(1, 9)}")
    if random.random() < 0.4:
        lines.append(f"wranglerContext:\n  agentId: agent-{random.randint(1, 40)}\n  parentTaskId: {id}")
    return "\n".join(("---", *lines, "---", ""))


def _body(random: Random, sentences: list[str], size: int, number: int) -> str:
    parts, length = [f"# Heading {number}\n\n{rare(number)}\n"], 0
    while length < size:
        at = random.randrange(len(sentences) - 8)
        text = " ".join(sentences[at : at + random.randint(3, 8)])
        parts.append(f"{text} `{random.getrandbits(32):08x}`\n\n## {sentences[at - 1][:40]}\n")
        length += len(parts[-1])
    return "\n".join(parts)
