"""Folders: the library written as files, each whole, and none over what the library never had."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from laconic.kit import Window
from laconic.kit.errors import Failure
from laconic.servers.prompts.files.pages import PromptPage, page_of, read_page, write_page
from laconic.servers.prompts.files.skills import is_skill
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.models.names import is_name
from laconic.servers.prompts.service import Library, PromptQuery
from laconic.servers.prompts.store import ById
from laconic.stores import StoreError
from laconic.stores.durable import clear_drafts, write_over

__all__ = ["LINK", "UNMERGED", "Outcome", "all_prompts", "pages_in", "write_out", "write_skills"]

UNMERGED: Final = "Git has not merged it yet: resolve the conflict first."
LINK: Final = "It is a link, which is not followed."
_CHANGED: Final = "The library never had what it says: import it with --on-conflict replace, or delete it."
_FOREIGN: Final = "It was not exported from here: rename it, or the prompt."
_NOBODY: Final = "no active prompt has this name"


@dataclass(frozen=True)
class Outcome:
    """What was done with one file, or would be."""

    file: str
    action: Literal["written", "left", "new", "replaced", "renamed", "skipped", "unchanged", "refused"]
    name: str = ""
    why: str = ""


async def all_prompts(library: Library) -> list[Prompt]:
    """Return every active prompt with its template, by name."""
    found: list[Prompt] = []
    window = Window(size=100, most=100)
    position = None
    while True:
        page = await library.reading.find(
            window.at(position=position, limit=100, start=0, form=None), PromptQuery(sort="created_at")
        )
        found += [await library.reading.get(ById(prompt.id)) for prompt in page.items]
        if page.next is None:
            active = (prompt for prompt in found if prompt.state == "active")  # perhaps no longer
            return sorted(active, key=lambda prompt: prompt.name)
        position = page.next if isinstance(page.next, tuple) else None


async def write_out(library: Library, folder: Path, unmerged: Collection[str] = ()) -> list[Outcome]:
    """Write every active prompt into a folder, and tell which files there are of none.

    A file that says the same as its prompt is not touched, however it is written. One that says what no
    version of the prompt did is refused, as is one that git has not merged yet (`unmerged`).
    """
    clear_drafts(folder)  # of an export that was killed
    prompts = await all_prompts(library)
    done = [await _exported(library, folder / f"{prompt.name}.md", prompt, unmerged) for prompt in prompts]
    names = {outcome.file for outcome in done}
    others = [path.name for path in pages_in(folder) if path.name not in names and is_name(path.stem)]
    return done + [Outcome(name, "left", why=_NOBODY) for name in others]


async def _exported(library: Library, path: Path, prompt: Prompt, unmerged: Collection[str]) -> Outcome:
    page = page_of(prompt)
    try:
        there = _there(path, path.name, unmerged)
        if there is not None:
            known = _known(there, prompt.name)
            if known is not None and known.says(page):
                return Outcome(path.name, "unchanged")
            if not await _was(library, prompt, known):
                raise ValueError(_CHANGED)
        return _written(path, path.name, there, write_page(page))
    except Failure as failure:  # such as a prompt that was put away meanwhile
        return Outcome(path.name, "refused", why=failure.message)
    except (OSError, StoreError, ValueError) as error:
        return _refused(path.name, error)


def write_skills(folder: Path, files: Mapping[str, str], unmerged: Collection[str] = ()) -> list[Outcome]:
    """Write skills into a folder, and tell which there are of no prompt; those of others are refused."""
    for place in {(folder / name).parent for name in files}:
        clear_drafts(place)
    done = [_skilled(folder / name, name, text, unmerged) for name, text in files.items()]
    others = [name for name in _skills_in(folder) if name not in files]
    return done + [Outcome(name, "left", why=_NOBODY) for name in others]


def _skilled(path: Path, name: str, text: str, unmerged: Collection[str]) -> Outcome:
    try:
        there = _there(path, name, unmerged)
        if there is not None and not is_skill(there):
            raise ValueError(_FOREIGN)
        return _written(path, name, there, text)
    except (OSError, StoreError, ValueError) as error:
        return _refused(name, error)


def _skills_in(folder: Path) -> Iterator[str]:
    """Return the skills that were exported into a folder."""
    for path in sorted([*folder.glob("*.md"), *folder.glob("*/SKILL.md")]):
        with suppress(OSError):
            if is_skill(path.read_bytes()):
                yield path.relative_to(folder).as_posix()


def _there(path: Path, name: str, unmerged: Collection[str]) -> bytes | None:
    """Return what a file has; None if there is none.

    Raises:
        ValueError: it is not to be written over, whatever it has.
    """
    if name in unmerged:
        raise ValueError(UNMERGED)
    if path.is_symlink():
        raise ValueError(LINK)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _written(path: Path, name: str, there: bytes | None, text: str) -> Outcome:
    content = text.encode()
    if there == content:
        return Outcome(name, "unchanged")
    write_over(path, content)
    return Outcome(name, "written")


def _known(content: bytes, name: str) -> PromptPage | None:
    """Return what a file says; None if it is no prompt."""
    try:
        return read_page(content.decode(), name)
    except (Failure, StoreError, ValueError):
        return None


async def _was(library: Library, prompt: Prompt, page: PromptPage | None) -> bool:
    """True if an earlier version of a prompt says what a file does."""
    if page is None:
        return False
    for number in range(prompt.version, 0, -1):
        then = await library.reading.get(f"{prompt.name}@{number}")
        if page.is_same(page_of(then)):
            return True
    return False


def _refused(name: str, error: OSError | StoreError | ValueError) -> Outcome:
    why = f"It cannot be used: {error.strerror}." if isinstance(error, OSError) else str(error)
    return Outcome(name, "refused", why=why)


def pages_in(folder: Path) -> list[Path]:
    """Return the markdown files of a folder, by name, without hidden ones."""
    return sorted(path for path in folder.glob("[!.]*.md") if path.is_file() or path.is_symlink())
