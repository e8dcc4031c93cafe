"""Importing: the files of a folder brought into the library."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

from laconic.kit import Window
from laconic.kit.errors import Failure
from laconic.library.limits import refuse_long_words
from laconic.servers.prompts.files.folders import LINK, UNMERGED, Outcome, pages_in
from laconic.servers.prompts.files.pages import PromptPage, page_of, read_page
from laconic.servers.prompts.models import Name, Prompt
from laconic.servers.prompts.service import Library, PromptChanges, PromptQuery
from laconic.stores import By, StoreDown, StoreError
from laconic.stores.database.texts import refuse_bad_values

__all__ = ["Policy", "bring_in"]

Policy = Literal["skip", "replace", "rename"]
_NAME: Final = TypeAdapter(Name)
_ABOUT: Final = "it is about the folder, like every file with a name in capitals"
_MOST: Final = 1_000_000  # bytes of a file that is read


async def bring_in(
    library: Library,
    folder: Path,
    by: By,
    *,
    on_conflict: Policy = "skip",
    dry_run: bool = False,
    unmerged: Collection[str] = (),
) -> list[Outcome]:
    """Bring the markdown files of a folder into the library; one that cannot be is told, and stops no other.

    A prompt that includes another one of the folder is tried again when that one is there. Files that git
    has not merged yet are refused; a README is left.

    Raises:
        StoreDown: the library cannot be used; what was brought in before stays.
    """
    importing = _Import(library, by, on_conflict, dry_run)
    done = {path: Outcome(path.name, "refused", why=UNMERGED) for path in pages_in(folder)}
    for path in done:
        if path.stem.isupper():
            done[path] = Outcome(path.name, "left", why=_ABOUT)
    waiting = [path for path in done if path.name not in unmerged and done[path].action != "left"]
    if dry_run:
        await importing.look_at(waiting)
    while waiting:
        for path in waiting:
            done[path] = await importing.bring(path)
        left = [path for path in waiting if done[path].action == "refused"]
        if dry_run or len(left) == len(waiting):
            break
        waiting = left
    return [done[path] for path in sorted(done)]


@dataclass(frozen=True)
class _Import:
    """Brings files into the library, one after another."""

    library: Library
    by: By
    policy: Policy
    dry_run: bool
    drafts: dict[str, str] = field(default_factory=dict)  # templates that a dry run would save

    async def look_at(self, paths: Sequence[Path]) -> None:
        """Note what a dry run would save, since the files may include each other."""
        for path in paths:
            with suppress(Failure, StoreError, ValueError, OSError):  # it is told when it is brought
                name = _name(path)
                if await self._would_be_saved(name):
                    self.drafts[name] = read_page(_content(path), name).content

    async def _would_be_saved(self, name: str) -> bool:
        if await self._present(name) is not None:
            return self.policy == "replace"
        return not await self._is_archived(name)

    async def bring(self, path: Path) -> Outcome:
        """Bring in one file, and say what came of it.

        Raises:
            StoreDown: the library cannot be used.
        """
        try:
            name = _name(path)
            return await self._saved(path.name, name, read_page(_content(path), name))
        except Failure as failure:
            return Outcome(path.name, "refused", why=failure.message)
        except StoreDown:  # no other file would fare better, and each might wait as long
            raise
        except (StoreError, ValueError) as error:
            return Outcome(path.name, "refused", why=str(error))
        except OSError as error:
            return Outcome(path.name, "refused", why=f"It cannot be read: {error.strerror}.")

    async def _saved(self, file: str, name: str, page: PromptPage) -> Outcome:
        present = await self._present(name)
        if present is None:
            await self._create(name, page)
            return Outcome(file, "new", name)
        if page.is_same(page_of(present)):
            return Outcome(file, "unchanged", name)
        if self.policy == "skip":
            return Outcome(file, "skipped", name, "the library has another one of this name")
        if self.policy == "replace":
            await self._replace(name, page)
            return Outcome(file, "replaced", name)
        free, is_there = await self._free(name, page)
        if is_there:
            return Outcome(file, "unchanged", free)
        await self._create(free, page)
        return Outcome(file, "renamed", free)

    async def _present(self, name: str) -> Prompt | None:
        try:
            return await self.library.reading.get(name)
        except Failure as failure:
            if failure.category == "not_found":
                return None
            raise

    async def _free(self, name: str, page: PromptPage) -> tuple[str, bool]:
        """Return a name that is free, or the one that an earlier import has given it."""
        for number in count(2):
            other = f"{name}-{number}"
            if (present := await self._present(other)) is None:
                if not await self._is_archived(other):
                    return other, False
            elif page.is_same(page_of(present)):
                return other, True
        raise AssertionError("numbers have no end")

    async def _is_archived(self, name: str) -> bool:
        query = PromptQuery(f'"{name}"', states=("archived",))
        return name in [prompt.name for prompt in (await self.library.reading.find(Window(), query)).items]

    async def _create(self, name: str, page: PromptPage) -> None:
        if self.dry_run:
            if await self._is_archived(name):
                raise ValueError(f"An archived prompt called {name} already exists.")
            await self._check(name, page)
            return
        await self.library.editing.create(
            name,
            page.content,
            self.by,
            title=page.title,
            description=page.description,
            arguments=page.arguments,
            tags=page.tags,
        )

    async def _replace(self, name: str, page: PromptPage) -> None:
        if self.dry_run:
            await self._check(name, page)
            return
        wanted = PromptChanges(
            title=page.title,
            description=page.description,
            content=page.content,
            arguments=page.arguments,
            tags=page.tags,
        )
        await self.library.editing.change(name, wanted, self.by)

    async def _check(self, name: str, page: PromptPage) -> None:
        """Check it as if it were to be saved, with what it includes from other files."""
        refuse_bad_values([page.title, page.description, page.content])
        refuse_long_words(page.title, page.description)
        await self.library.templates.check(name, page.content, given=page.arguments, drafts=self.drafts)


def _content(path: Path) -> str:
    """Return the text of a file; a link that strangers put there could lead to any file of the user."""
    if path.is_symlink():
        raise ValueError(LINK)
    if path.stat().st_size > _MOST:
        raise ValueError(f"It is larger than {_MOST:,} bytes.")
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise ValueError("It is no text in UTF-8.") from None


def _name(path: Path) -> str:
    try:
        return str(_NAME.validate_python(path.stem))
    except ValidationError as error:
        raise ValueError(f"Its name is no name of a prompt. {error.errors()[0]['ctx']['error']}.") from None
