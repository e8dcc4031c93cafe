"""Folders: the library written as files, each whole and only if it differs from what is there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from laconic.kit import Window
from laconic.servers.prompts.files.pages import page_of, write_page
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.models.names import is_name
from laconic.servers.prompts.service import Library, PromptQuery
from laconic.stores.durable import clear_drafts, write_over

__all__ = ["UNMERGED", "Outcome", "all_prompts", "pages_in", "write_files", "write_out"]

UNMERGED: Final = "Git has not merged it yet: resolve the conflict first."


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
        found += [await library.reading.get(prompt.name) for prompt in page.items]
        if page.next is None:
            return sorted(found, key=lambda prompt: prompt.name)
        position = page.next if isinstance(page.next, tuple) else None


async def write_out(library: Library, folder: Path, unmerged: Collection[str] = ()) -> list[Outcome]:
    """Write every active prompt into a folder, and tell which files there are of none."""
    prompts = await all_prompts(library)
    pages = {f"{prompt.name}.md": write_page(page_of(prompt)) for prompt in prompts}
    done = write_files(folder, pages, unmerged)
    others = [path.name for path in pages_in(folder) if path.name not in pages and is_name(path.stem)]
    return done + [Outcome(name, "left", why="no active prompt has this name") for name in others]


def write_files(folder: Path, files: Mapping[str, str], unmerged: Collection[str] = ()) -> list[Outcome]:
    """Write files whole, each only if it differs from what is there.

    Those that git has not merged yet (`unmerged`) are refused: they have texts that the library lacks.

    Raises:
        StoreDown: one cannot be written.
    """
    for place in {(folder / name).parent for name in files}:
        clear_drafts(place)  # of an export that was killed
    return [
        Outcome(name, "refused", why=UNMERGED)
        if name in unmerged
        else Outcome(name, _written(folder / name, text.encode()))
        for name, text in files.items()
    ]


def _written(path: Path, content: bytes) -> Literal["written", "unchanged"]:
    if path.is_file() and path.read_bytes() == content:
        return "unchanged"
    write_over(path, content)
    return "written"


def pages_in(folder: Path) -> list[Path]:
    """Return the markdown files of a folder, by name."""
    return sorted(path for path in folder.glob("*.md") if path.is_file() or path.is_symlink())
