"""Schema: a set of tables that is migrated together, and what is known of its migrations without alembic."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

__all__ = ["Schema"]

_SCRIPT: Final = re.compile(r"m(\d{4})_\w+\.py")


@dataclass(frozen=True)
class Schema:
    """Tables with a name of their own, and the folder of their migrations: `m0001_items.py` and so on.

    The number in a file's name is its revision. The last one applied is in the table `NAME_version`.
    """

    name: str
    folder: Path

    @property
    def table(self) -> str:
        """The table with the revision that was applied last."""
        return f"{self.name}_version"

    @cached_property
    def revisions(self) -> tuple[str, ...]:
        """All revisions that this program knows, oldest first."""
        names = (_SCRIPT.fullmatch(path.name) for path in self.folder.iterdir())
        return tuple(sorted(name[1] for name in names if name))

    def missing(self, applied: str | None) -> tuple[str, ...]:
        """Return the revisions after the one applied last; None means an empty database."""
        return self.revisions if applied is None else self.revisions[self.revisions.index(applied) + 1 :]
