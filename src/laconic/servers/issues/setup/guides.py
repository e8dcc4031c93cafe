"""The section of AGENTS.md and CLAUDE.md on using the tracker: its text, and where it goes.

The section is between two marker lines. All other bytes of a file stay as they are, and removing the section
restores the file as it was before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from laconic.kit import Conflict, Refused
from laconic.servers.issues.index.layout import Layout
from laconic.stores import StoreDown
from laconic.stores.durable import write_over

__all__ = ["GuideChange", "guide_changes", "section"]

_MAIN: Final = "AGENTS.md"
_OTHER: Final = "CLAUDE.md"  # only if it exists, and does not lead to the main one
_BEGIN: Final = "<!-- laconic:issues -->"
_END: Final = "<!-- /laconic:issues -->"
_TEXT: Final = """\
{begin}
## Issues

What is to be done here is in markdown files below `{folder}`, one per issue. Commit them with your work.

In the shell:

- `laconic issues ready` lists what can be started now, `laconic issues search WORDS` finds the rest.
- `laconic issues show ISS-000012` reads one.
- `laconic issues claim ISS-000012 --as NAME` takes one, before you start; if somebody has it, take another.
- `laconic issues new 'Title' --body 'Text'` creates one: for what you notice and leave alone, too.
- `laconic issues done ISS-000012 --note 'What changed'` closes one.

Through MCP, if Laconic is connected: `issues_list {{ready: true}}`, `issues_search {{query: WORDS}}`,
`issues_get {{id: ISS-000012}}`, `issues_update {{id: ISS-000012, claim: true, assignee: NAME}}`,
`issues_create {{title: Title, description: Text}}`, `issues_mark_complete {{id: ISS-000012}}`.
{end}
"""
_MARKS: Final = re.compile(rf"^(?:{_BEGIN}|{_END})(?=\r?$)".encode(), re.MULTILINE)
_IMPORT: Final = re.compile(rf"^@(?:\./)?{re.escape(_MAIN)}[ \t]*\r?$".encode(), re.MULTILINE)


def section(layout: Layout) -> str:
    """Return the section, markers included."""
    return _TEXT.format(begin=_BEGIN, end=_END, folder=layout.folders["issue"])


@dataclass(frozen=True)
class GuideChange:
    """One file before and after; None is a file that does not exist."""

    name: str
    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def has_section(self) -> bool:
        """True if the file has the section afterwards."""
        return bool(_MARKS.search(self.after or b""))

    def apply(self) -> None:
        """Write the file, unless somebody changed it meanwhile."""
        if _content(self.path, self.name) != self.before:
            raise Conflict(f"{self.name} has changed meanwhile.", advice="Run the command again.")
        if self.after is not None:
            write_over(self.path, self.after)
            return
        try:
            self.path.unlink()
        except OSError as error:
            raise StoreDown(f"{self.name} cannot be removed: {error.strerror}.") from error


def guide_changes(layout: Layout, *, remove: bool) -> list[GuideChange]:
    """Return what has to change for the section to be in its files, or in none."""
    return [change for change in _compared(layout, remove=remove) if change.before != change.after]


def _compared(layout: Layout, *, remove: bool) -> Iterator[GuideChange]:
    main, other = layout.at(_MAIN), layout.at(_OTHER)
    found = _content(main, _MAIN)
    new = section(layout).encode()
    yield GuideChange(_MAIN, main, found, _without(found, _MAIN) if remove else _with(found, new, _MAIN))
    found = None if main == other else _content(other, _OTHER)
    if found is not None:
        leads_there = bool(_IMPORT.search(found))
        after = _without(found, _OTHER) if remove or leads_there else _with(found, new, _OTHER)
        yield GuideChange(_OTHER, other, found, after)


def _with(found: bytes | None, new: bytes, name: str) -> bytes:
    text = found or b""
    line_end = b"\r\n" if text.partition(b"\n")[0].endswith(b"\r") else b"\n"
    new = new.replace(b"\n", line_end)
    span = _span(text, name)
    if span:
        return text[: span[0]] + new.removesuffix(line_end) + text[span[1] :]
    return text + (line_end if text else b"") + new


def _without(found: bytes | None, name: str) -> bytes | None:
    """Remove the section with the line end that separates it; a file with nothing else is removed."""
    span = _span(found or b"", name)
    if found is None or not span:
        return found
    before, after = found[: span[0]], re.sub(rb"^\r?\n", b"", found[span[1] :])
    shorter = re.sub(rb"\r?\n\Z", b"", before)
    is_apart = not after or not shorter or shorter.endswith(b"\n")
    return ((shorter if is_apart else before) + after) or None


def _span(text: bytes, name: str) -> tuple[int, int] | None:
    """Find the section, from its first marker to the end of its last."""
    marks = list(_MARKS.finditer(text))
    if not marks:
        return None
    if [mark[0].decode() for mark in marks] != [_BEGIN, _END]:
        raise Conflict(
            f"{name} must have the lines {_BEGIN} and {_END} once each, in this order.",
            advice="Correct it by hand.",
        )
    return marks[0].start(), marks[1].end()


def _content(path: Path, name: str) -> bytes | None:
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreDown(f"{name} cannot be read: {error.strerror}.") from error
    if b"\0" in found or found.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused(f"{name} is not UTF-8 text.", advice="Save it as UTF-8 first.")
    return found
