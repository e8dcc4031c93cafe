"""The section [notes] of the configuration."""

from typing import Annotated

from pydantic import Field

from laconic.kit import UserOnly
from laconic.library.trash import TrashSettings
from laconic.upstream import Reach


class NotesSettings(TrashSettings):
    """Whether and how pages of bookmarks are read; a repository must not decide that."""

    fetch: Annotated[bool, UserOnly()] = True
    fetch_seconds: Annotated[float, Field(gt=0, le=60), UserOnly()] = 10.0

    @property
    def reach(self) -> Reach | None:
        """How pages are fetched; None: not at all."""
        return Reach(seconds=self.fetch_seconds) if self.fetch else None
