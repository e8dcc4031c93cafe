"""The pages of the docs, split into code blocks, commands, headings and links."""

import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FILE = re.compile(r"file: (\S+)")
_INSTALL = re.compile(r"install: (\S+)")
_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, whether and why it is not run, its file name, and its first line."""

    language: str
    is_marked: bool
    reason: str
    file: str
    text: str
    line: int
    installs: str = ""  # from what, where the block installs Laconic


@dataclass(frozen=True)
class Command:
    """One command line, and the output that the page shows; None if it shows none."""

    words: list[str]
    prints: str | None
    line: int

    @property
    def is_ours(self) -> bool:
        return self.words[0] in ("laconic", "./laconic")


@dataclass(frozen=True)
class Page:
    """A page of markdown."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def blocks(self, *languages: str) -> list[Block]:
        """The blocks in the given languages, or all blocks, in order."""
        found = []
        for match in _BLOCK.finditer(self.text):
            if not languages or match[1] in languages:
                _, marked, reason = match[2].partition("no-run:")
                line = self.text.count("\n", 0, match.start()) + 2
                file = _FILE.search(match[2])
                name = file[1] if file else ""
                installs = _INSTALL.search(match[2])
                found.append(
                    Block(
                        match[1],
                        bool(marked),
                        reason.strip(),
                        name,
                        match[3],
                        line,
                        installs[1] if installs else "",
                    )
                )
        return found

    def links(self) -> list[str]:
        """The targets of links to other pages, outside code."""
        prose = re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", self.text))
        return [
            target
            for target in _LINK.findall(prose)
            if "://" not in target and not target.startswith("mailto:")
        ]

    def anchors(self) -> set[str]:
        """The headings as links name them."""
        return {_slug(heading) for heading in _HEADING.findall(_BLOCK.sub("", self.text))}


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def pages() -> list[Page]:
    """The pages at the top of the repository, and everything in docs."""
    return [Page(path) for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]]


def commands(block: Block) -> list[Command]:
    """The command lines of a block: in sh every line, in console those after `$ ` with their output."""
    if block.language == "console":
        return _session(block)
    joined = block.text.replace("\\\n", "  ")
    split = [(shlex.split(line, comments=True), number) for number, line in enumerate(joined.splitlines())]
    return [Command(words, None, block.line + number) for words, number in split if words]


def _session(block: Block) -> list[Command]:
    found: list[Command] = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, printed = part.partition("\n")
        found.append(Command(shlex.split(line, comments=True), printed, block.line))
    return found
