"""Issue files on other branches and in other clones, as far as the local repository knows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from os import scandir
from pathlib import Path
from typing import Final

from laconic.servers.issues.git.asking import ask_git
from laconic.servers.issues.index.layout import Layout
from laconic.stores.locks import git_common_dir, git_top

_PLACES: Final = ("refs/heads", "refs/remotes", "packed-refs", "reftable/tables.list")
_MOST: Final = 500  # branches, last changed first
_PATIENCE: Final = 3.0  # seconds: the creation of an issue waits for it


class Branches:
    """Local and remote-tracking branches; nothing is fetched."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._seen: set[tuple[str, str]] = set()  # folders with the hash of their content

    def state(self) -> int:
        """Return a number that changes when a branch moves, without running git; 0 outside a repository."""
        home = git_common_dir(self._layout.root)
        if home is None:
            return 0
        known = repr(sorted(_times(home))).encode(errors="surrogateescape")
        return int.from_bytes(blake2b(known, digest_size=6).digest(), "big")

    def files(self) -> Iterator[str]:
        """List the collections' files on all branches, relative to the workspace, each content once."""
        for folder, tree in self._trees():
            if (folder, tree) not in self._seen:
                self._seen.add((folder, tree))
                names = self._ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree) or ""
                yield from (f"{folder}/{name}" for name in names.split("\0") if name)

    def _trees(self) -> list[tuple[str, str]]:
        """Find the collections on each branch, each distinct content once."""
        said = self._ask(
            *("for-each-ref", "--sort=-committerdate", f"--count={_MOST}", "--format=%(objectname)"),
            *("refs/heads", "refs/remotes"),
        )
        places = self._places()
        questions = [
            (folder, f"{tip}:{path}\n") for tip in {*(said or "").split()} for folder, path in places
        ]
        asked = "".join(question for _, question in questions)
        answers = self._ask("cat-file", "--batch-check=%(objectname) %(objecttype)", given=asked) or ""
        found = [
            (folder, answer.removesuffix(" tree"))
            for (folder, _), answer in zip(questions, answers.splitlines(), strict=False)
            if answer.endswith(" tree")
        ]
        return list(dict.fromkeys(found))

    def _places(self) -> list[tuple[str, str]]:
        """Return each collection's path relative to the workspace, and to the repository."""
        top = git_top(self._layout.root) or self._layout.root
        above = self._layout.root.relative_to(top)
        named = [(folder, (above / folder).as_posix()) for folder in self._layout.folders.values()]
        return [
            (folder, path) for folder, path in named if "\n" not in path
        ]  # a line break would make two questions

    def _ask(self, *words: str, given: str = "") -> str | None:
        return ask_git(self._layout.root, *words, given=given, patience=_PATIENCE)


def _times(home: Path) -> Iterator[tuple[str, int]]:
    """Return when branches last moved: git then renames a file in their folder, which changes its time."""
    left = [home / place for place in _PLACES]
    while left:
        place = left.pop()
        with suppress(OSError):
            yield str(place), place.stat().st_mtime_ns
            if place.is_dir():
                with scandir(place) as entries:
                    left += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
