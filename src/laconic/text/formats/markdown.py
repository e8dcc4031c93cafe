"""Sections of markdown: headings and the text below them, found by path or by part of a heading."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from laconic.data import dataclass
from laconic.text.formats.blocks import Blocks, HeadingMark
from laconic.text.lines import Span
from laconic.text.names import nearest

_SEPARATOR = re.compile(r"\s*[/\u203a\u00bb]\s*|\s+>\s+")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_MARKUP = re.compile(r"[*_`~]+")
_NUMBER = re.compile(r"^(?:§\s*)?(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.)]|[a-z][.)])\s+")
_GOES_ON = re.compile(r"[.,\-\u2019']?\w")
_INDEX = re.compile(r"\[\d+\]$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and its section, which ends at the next heading of the same or a higher level."""

    level: int
    title: str
    names: tuple[str, ...]
    start: int
    end: int
    line: int

    @property
    def path(self) -> str:
        """The titles from the top down; equal titles under one heading are numbered: `Notes/Day[2]`."""
        return "/".join(self.names)


class NoSection(LookupError):
    """No section, or more than one, matches the path."""

    def __init__(self, path: str, candidates: list[str], *, ambiguous: bool = False) -> None:
        self.path = path
        self.candidates = candidates
        self.ambiguous = ambiguous
        problem = f'"{path}" names {len(candidates)} sections' if ambiguous else f'no section "{path}"'
        super().__init__(f"{problem}: {', '.join(candidates[:10]) or 'there are no headings'}")


def headings(text: str) -> list[Heading]:
    """Find the headings of a markdown text, in order."""
    return headings_of(Blocks(text).headings, len(text))


def headings_of(marks: list[HeadingMark], length: int) -> list[Heading]:
    """Return headings with their paths and sections, from where they are in something of that length."""
    parents = _parents(marks)
    ends = _ends(marks, length)
    names = _names(marks, parents)
    return [
        Heading(mark.level, mark.title, names[number], mark.start, ends[number], mark.line)
        for number, mark in enumerate(marks)
    ]


def _parents(marks: list[HeadingMark]) -> list[int]:
    """Return the number of each heading's parent; -1 for none."""
    parents: list[int] = []
    for number, mark in enumerate(marks):
        parent = number - 1
        while parent >= 0 and marks[parent].level >= mark.level:
            parent = parents[parent]
        parents.append(parent)
    return parents


def _ends(marks: list[HeadingMark], length: int) -> list[int]:
    ends = [length] * len(marks)
    open_ones: list[int] = []
    for number, mark in enumerate(marks):
        while open_ones and marks[open_ones[-1]].level >= mark.level:
            ends[open_ones.pop()] = mark.start
        open_ones.append(number)
    return ends


def _names(marks: list[HeadingMark], parents: list[int]) -> list[tuple[str, ...]]:
    titles = [(parent, mark.title.casefold()) for parent, mark in zip(parents, marks, strict=True)]
    total, seen = Counter(titles), Counter[tuple[int, str]]()
    names: list[tuple[str, ...]] = []
    for title, mark, parent in zip(titles, marks, parents, strict=True):
        seen[title] += 1
        name = mark.title or "(untitled)"
        name = f"{name}[{seen[title]}]" if total[title] > 1 else name
        names.append((*(names[parent] if parent >= 0 else ()), name))
    return names


def section(text: str, path: str) -> Span:
    """Find a section by its path, the end of its path or its title; "" is the text before the first heading.

    Raises:
        NoSection: no heading, or more than one, matches the path.
    """
    found = headings(text)
    if not path.strip(" /#"):
        return 0, found[0].start if found else len(text)
    fitting = chosen_heading(found, path)
    return fitting.start, fitting.end


def chosen_heading(found: list[Heading], path: str) -> Heading:
    """Find a heading by its path, the end of its path or its title.

    Raises:
        NoSection: no heading, or more than one, matches the path.
    """
    for matches in _ways(path.strip()):
        fitting = [heading for heading in found if matches(heading)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise NoSection(path, [heading.path for heading in fitting], ambiguous=True)
    raise NoSection(path, _near(path, found))


def _ways(path: str) -> Iterator[Callable[[Heading], bool]]:
    """Yield ways to match, strictest first: exact, the path, its end, without numbers, the first words."""
    plain = _plain(path.lstrip("# "))
    bare = "/".join(map(_bare, plain.split("/")))
    yield lambda heading: heading.path == path
    yield lambda heading: _plain(heading.path) == plain
    yield lambda heading: plain in _tails(map(_plain, heading.names))
    yield lambda heading: bare in _tails(map(_bare, heading.names))
    yield lambda heading: bare in _tails(_INDEX.sub("", _bare(name)) for name in heading.names)
    if bare.endswith("…"):  # outlines shorten titles like this
        yield lambda heading: any(_begins(tail, bare[:-1]) for tail in _tails(map(_bare, heading.names)))
    else:
        yield lambda heading: any(_begins_whole(tail, plain) for tail in _tails(map(_plain, heading.names)))
        yield lambda heading: any(_begins_whole(tail, bare) for tail in _tails(map(_bare, heading.names)))


def _begins(tail: str, path: str) -> bool:
    return tail.startswith(path) and "/" not in tail[len(path) :]


def _begins_whole(tail: str, path: str) -> bool:
    """True if the path is the first words of a title: `Page 13` of `Page 13: pumps`, not of `Page 137`."""
    return _begins(tail, path) and not _GOES_ON.match(tail, len(path))


def _tails(names: Iterable[str]) -> list[str]:
    parts = list(names)
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _plain(name: str) -> str:
    return _SEPARATOR.sub("/", " ".join(name.split())).casefold()


def _bare(name: str) -> str:
    """Return a title without its number and markup."""
    plain = _MARKUP.sub("", _LINK.sub(r"\1", _plain(name)))
    return _NUMBER.sub("", plain.strip()).strip(" :#") or plain


def _near(path: str, found: list[Heading]) -> list[str]:
    titles = {heading.title: heading.path for heading in reversed(found)}
    paths = [heading.path for heading in found]
    near = nearest(path, paths, most=5) + [titles[title] for title in nearest(path, titles, most=5)]
    return list(dict.fromkeys(near)) or [heading.path for heading in found if len(heading.names) == 1][:10]
