"""The file of claims, beside git's own files; writers hold the lock of the repository, readers none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from laconic.data import dataclass
from laconic.servers.issues.index.stamps import Stamp, stamp_of
from laconic.stores import StoreDown
from laconic.stores.durable import clear_drafts, write_over

_NAME: Final = "issue-claims.json"
Claimed = dict[str, "Claim"]
"""Claims by the id of their issue."""


@dataclass(frozen=True)
class Claim:
    """One issue, taken by somebody in a work tree."""

    holder: str
    worktree: str  # git's name for it; empty for the main one
    made: int  # which work tree of that name
    path: str  # the issue's file in the workspace
    at: str  # when it was taken
    seen: str  # when the holder last changed the issue

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Claim:
        """Read a claim; raises an error of Python if it is not one."""
        words = {name: raw[name] for name in ("holder", "worktree", "path", "at", "seen")}
        if not all(isinstance(word, str) for word in words.values()):
            raise ValueError
        _moment(words["at"]), _moment(words["seen"])
        return cls(made=int(raw["made"]), **words)

    def age(self, now: datetime) -> float:
        """Return how many seconds ago it was taken; a clock that was set back counts as no time."""
        return max(0.0, (now - _moment(self.at)).total_seconds())

    def silence(self, now: datetime) -> float:
        """Return how many seconds ago its holder last changed the issue."""
        return max(0.0, (now - _moment(self.seen)).total_seconds())


class ClaimsFile:
    """The claims of one workspace; the file has those of every workspace in the repository."""

    def __init__(self, common: Path, workspace: str) -> None:
        self._path = common / "laconic" / _NAME
        self._workspace = workspace
        self._known: tuple[Stamp, dict[str, Claimed]] | None = None

    def read(self) -> Claimed:
        """Return the claims; if the file has not changed, that costs one look at it.

        Raises:
            StoreDown: the file is damaged or cannot be read.
        """
        return dict(self._all().get(self._workspace, {}))

    def write(self, claims: Claimed) -> None:
        """Replace the claims of the workspace; the caller must hold the repository's lock.

        Raises:
            StoreDown: they cannot be written.
        """
        kept = {**self._all(), self._workspace: claims}
        content = {
            name: {id: asdict(one) for id, one in found.items()} for name, found in kept.items() if found
        }
        clear_drafts(self._path.parent)
        write_over(self._path, json.dumps(content, indent=1).encode())  # noqa: TID251  # a file, not an answer

    def _all(self) -> dict[str, Claimed]:
        try:
            stamp = stamp_of(self._path.stat())
            if self._known is None or self._known[0] != stamp:
                self._known = stamp, _parsed(self._path.read_bytes())
            return self._known[1]
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise StoreDown(f"{_NAME} cannot be read: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError, AttributeError):
            said = f"{_NAME} in git's folder laconic is damaged, so nobody can tell who holds what."
            raise StoreDown(f"{said} Repair or delete it.") from None


def _parsed(content: bytes) -> dict[str, Claimed]:
    found = json.loads(content)
    return {
        str(name): {str(id): Claim.of(raw) for id, raw in claims.items()} for name, claims in found.items()
    }


def _moment(stamped: str) -> datetime:
    moment = datetime.fromisoformat(stamped)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
