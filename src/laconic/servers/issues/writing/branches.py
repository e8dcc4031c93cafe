"""Branches: files on other branches and in other clones, as far as the repository has heard of them."""

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
_MOST: Final = 500  # branches, the last changed ones first
_PATIENCE: Final = 3.0  # seconds: whoever makes an issue waits for it


class Branches:
    """Local branches and what was fetched of others'; nothing is fetched here."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._seen: set[tuple[str, str]] = set()  # folders, by what git calls their content

    def state(self) -> int:
        """Tell whether a branch has moved, without asking git; 0 outside a repository."""
        home = git_common_dir(self._layout.root)
        if home is None:
            return 0
        known = repr(sorted(_moments(home))).encode(errors="surrogateescape")
        return int.from_bytes(blake2b(known, digest_size=6).digest(), "big")

    def files(self) -> Iterator[str]:
        """Name the collections' files on every branch, from the workspace, but for those named before."""
        for folder, tree in self._trees():
            if (folder, tree) not in self._seen:
                self._seen.add((folder, tree))
                names = self._ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree) or ""
                yield from (f"{folder}/{name}" for name in names.split("\0") if name)

    def _trees(self) -> list[tuple[str, str]]:
        """Find the collections on each branch, each content once."""
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
        """Name each collection from the workspace, and as git does."""
        top = git_top(self._layout.root) or self._layout.root
        above = self._layout.root.relative_to(top)
        named = [(folder, (above / folder).as_posix()) for folder in self._layout.folders.values()]
        return [(folder, path) for folder, path in named if "\n" not in path]  # that would be two questions

    def _ask(self, *words: str, given: str = "") -> str | None:
        return ask_git(self._layout.root, *words, given=given, patience=_PATIENCE)


def _moments(home: Path) -> Iterator[tuple[str, int]]:
    """Look when branches last moved: git renames a file in their folder then, which its time shows."""
    left = [home / place for place in _PLACES]
    while left:
        place = left.pop()
        with suppress(OSError):
            yield str(place), place.stat().st_mtime_ns
            if place.is_dir():
                with scandir(place) as entries:
                    left += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
