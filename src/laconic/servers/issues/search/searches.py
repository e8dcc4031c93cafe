"""The searches of a workspace: one at a time, each with all issues as they are now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from laconic.kit import OutsideWorkspace, later
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.index import Index
from laconic.servers.issues.index.reading import decode, description_of
from laconic.servers.issues.search.text_search import Hit, Search
from laconic.servers.issues.search.texts import Texts
from laconic.servers.issues.search.titles import TitleIndex

FIELDS: Final = ("title", "description", "labels")


class Searches:
    """Finds issues by their words, and keeps their texts for the next search."""

    def __init__(self, index: Index, folder: Path | None) -> None:
        """Search the files of an index; texts are kept in a folder."""
        self._index = index
        self._texts = Texts(folder, self._content)
        self._is_gathering = False
        self._titles: tuple[int, TitleIndex] | None = None  # with the generation they belong to
        self._searching = threading.Lock()

    def hits(
        self, query: str, fields: Collection[str] | None, keep: Callable[[Entry], bool] | None
    ) -> list[Hit]:
        """Find issues that contain the query or, if none does, all of its words; last changed first."""
        search = Search(query, FIELDS if fields is None else fields, self._description)
        with self._searching:
            try:
                hits = self._hits(search, keep)
            except OSError:  # another process merged segments meanwhile
                self._texts.forget()
                hits = self._hits(search, keep)
            if self._texts.are_unkept and not self._is_gathering:
                self._is_gathering = later(self.gathering())
            return hits

    def gathering(self) -> Iterator[None]:
        """Keep the texts that the last search read from files, so that the next one is faster; in steps."""
        steps, is_left = self._texts.gather(), True
        try:
            while is_left:
                with self._searching:
                    is_left = next(steps, self) is None
                yield
        finally:
            self._is_gathering = False

    def _hits(self, search: Search, keep: Callable[[Entry], bool] | None) -> list[Hit]:
        generation = self._index.generation
        if self._titles is None or self._titles[0] != generation:
            self._titles = generation, TitleIndex(self._index.entries())
        titles = self._titles[1]
        if "description" in search.fields:
            self._texts.follow(titles.entries, generation)
        return search.hits(self._texts, titles, keep)

    def _content(self, entry: Entry) -> bytes | None:
        try:
            return self._index.contents.read(entry.path).data
        except (OSError, OutsideWorkspace):
            return None

    def _description(self, entry: Entry) -> str:
        return description_of(decode(self._content(entry) or b"")[0])
