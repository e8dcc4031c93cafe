"""Folders: the library written as files, and files brought into the library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

from laconic.kit import Window
from laconic.kit.errors import Failure
from laconic.servers.prompts.files.pages import PromptPage, page_of, read_page, write_page
from laconic.servers.prompts.models import Name, Prompt
from laconic.servers.prompts.service import Library, PromptChanges, PromptQuery
from laconic.stores import By, StoreError

__all__ = ["Outcome", "Policy", "all_prompts", "bring_in", "write_files", "write_out"]

Policy = Literal["skip", "replace", "rename"]
_NAME: Final = TypeAdapter(Name)
_MOST: Final = 1_000_000  # bytes of a file that is read


@dataclass(frozen=True)
class Outcome:
    """What was done with one file, or would be."""

    file: str
    action: Literal["written", "new", "replaced", "renamed", "skipped", "unchanged", "refused"]
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


async def write_out(library: Library, folder: Path) -> list[Outcome]:
    """Write every active prompt into a folder; files that would stay the same are not touched."""
    prompts = await all_prompts(library)
    return write_files(folder, {f"{prompt.name}.md": write_page(page_of(prompt)) for prompt in prompts})


def write_files(folder: Path, files: Mapping[str, str]) -> list[Outcome]:
    """Write files whole, each only if it differs from what is there."""
    outcomes = []
    for name, text in files.items():
        path, content = folder / name, text.encode()
        if path.is_file() and path.read_bytes() == content:
            outcomes.append(Outcome(name, "unchanged"))
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".laconic-{os.urandom(8).hex()}.tmp")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        outcomes.append(Outcome(name, "written"))
    return outcomes


async def bring_in(
    library: Library, folder: Path, by: By, *, on_conflict: Policy = "skip", dry_run: bool = False
) -> list[Outcome]:
    """Bring the markdown files of a folder into the library; one that cannot be is told, and stops no other.

    A prompt that includes another one of the folder is tried again when that one is there.
    """
    importing = _Import(library, by, on_conflict, dry_run)
    waiting = _pages_in(folder)
    done: dict[Path, Outcome] = {}
    while waiting:
        for path in waiting:
            done[path] = await importing.bring(path)
        left = [path for path in waiting if done[path].action == "refused"]
        if dry_run or len(left) == len(waiting):
            break
        waiting = left
    return [done[path] for path in sorted(done)]


class _Import:
    """Brings files into the library, one after another."""

    def __init__(self, library: Library, by: By, policy: Policy, dry_run: bool) -> None:
        self._library, self._by, self._policy, self._dry_run = library, by, policy, dry_run

    async def bring(self, path: Path) -> Outcome:
        try:
            page = read_page(_content(path))
            return await self._saved(path.name, _name(path), page)
        except Failure as failure:
            return Outcome(path.name, "refused", why=failure.message)
        except (StoreError, OSError, UnicodeDecodeError, ValueError) as error:
            return Outcome(path.name, "refused", why=str(error))

    async def _saved(self, file: str, name: str, page: PromptPage) -> Outcome:
        present = await self._present(name)
        if present is None:
            await self._create(name, page)
            return Outcome(file, "new", name)
        if page.is_same(page_of(present)):
            return Outcome(file, "unchanged", name)
        if self._policy == "skip":
            return Outcome(file, "skipped", name, "the library has another one of this name")
        if self._policy == "replace":
            await self._replace(name, page)
            return Outcome(file, "replaced", name)
        free = await self._free(name)
        await self._create(free, page)
        return Outcome(file, "renamed", free)

    async def _present(self, name: str) -> Prompt | None:
        try:
            return await self._library.reading.get(name)
        except Failure as failure:
            if failure.category == "not_found":
                return None
            raise

    async def _free(self, name: str) -> str:
        number = 2
        while await self._present(f"{name}-{number}") is not None:
            number += 1
        return f"{name}-{number}"

    async def _create(self, name: str, page: PromptPage) -> None:
        if self._dry_run:
            await self._check(name, page)
            return
        await self._library.editing.create(
            name,
            page.content,
            self._by,
            title=page.title,
            description=page.description,
            arguments=page.arguments,
            tags=page.tags,
        )

    async def _replace(self, name: str, page: PromptPage) -> None:
        if self._dry_run:
            await self._check(name, page)
            return
        wanted = PromptChanges(
            title=page.title,
            description=page.description,
            content=page.content,
            arguments=page.arguments,
            tags=page.tags,
        )
        await self._library.editing.change(name, wanted, self._by)

    async def _check(self, name: str, page: PromptPage) -> None:
        """Check what can be known before anything is saved: another file may bring what it includes."""
        try:
            await self._library.templates.check(name, page.content, given=page.arguments)
        except Failure:
            if "include" not in page.content:
                raise


def _pages_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.md") if path.is_file())


def _content(path: Path) -> str:
    if path.stat().st_size > _MOST:
        raise ValueError(f"It is larger than {_MOST:,} bytes.")
    return path.read_bytes().decode()


def _name(path: Path) -> str:
    try:
        return str(_NAME.validate_python(path.name.removesuffix(".md")))
    except ValidationError as error:
        raise ValueError(f"Its name is no name of a prompt. {error.errors()[0]['ctx']['error']}.") from None
