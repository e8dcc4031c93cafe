"""The kept list: the first page of prompts, which most hosts ask for right after the start.

As long as the library has the revision that the list was made at, no database has to be opened for it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from laconic.kit import Home, PromptEntry
from laconic.stores.durable import write_over
from laconic.stores.errors import StoreDown
from laconic.stores.shelf.glance import revision_of

__all__ = ["KeptList", "first_prompts"]

_FORMAT: Final = 1
_KINDS: Final = ("prompt",)


class KeptList:
    """The first prompts of one library, in a file that may be deleted at any time."""

    def __init__(self, database: str, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._file = folder / f"listed-{blake2b(database.encode(), digest_size=8).hexdigest()}.json"
        self._now = now

    def read(self, count: int) -> list[PromptEntry] | None:
        """Return the first prompts; None if something has changed since they were kept."""
        revision = revision_of(self._database, _KINDS)
        if revision == 0:
            return []
        try:
            kept = json.loads(self._file.read_bytes())
            if kept["format"] != _FORMAT or kept["revision"] != revision or revision is None:
                return None
            if count > kept["count"] or (kept["until"] is not None and self._now() >= kept["until"]):
                return None
            return [PromptEntry(*fields) for fields in kept["entries"]][:count]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, entries: Sequence[PromptEntry], count: int, revision: int, until: float | None) -> None:
        """Keep the first `count` prompts, as they are at a revision and until a time."""
        listed = [[one.name, one.description, one.arguments, one.title] for one in entries]
        kept = {"format": _FORMAT, "revision": revision, "until": until, "count": count, "entries": listed}
        with suppress(StoreDown):
            write_over(self._file, json.dumps(kept).encode(), private=True)  # noqa: TID251  # no answer


def first_prompts(home: Home, count: int) -> list[PromptEntry] | None:
    """Return the first prompts if they are kept; None if the library has to be asked.

    From then on changes are heard that other processes make.
    """
    known = KeptList(home.database, home.cache).read(count)
    if known is not None:
        home.changes.of(home.data)
    return known
