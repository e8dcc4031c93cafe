"""Entry: what is known of an issue without its text, read from its file with much tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.reading import TolerantReader, decode, readable
from laconic.servers.issues.index.stamps import Stamp
from laconic.servers.issues.models import Issue

_UNTITLED: Final = "Untitled Issue"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: told apart by identity, which is fast
class Entry:
    """An issue without its text; times are microseconds since 1970, which sort fast."""

    path: str  # from the workspace
    id: str
    title: str
    type: str
    status: str
    priority: str
    labels: tuple[str, ...]
    assignee: str | None
    project: str | None
    created: int | None
    updated: int | None
    closed: int | None
    blocked_by: tuple[str, ...]
    context: Mapping[str, Any] | None
    flaws: tuple[Flaw, ...]
    stamp: Stamp
    digest: int  # of the whole file

    @property
    def created_at(self) -> datetime | None:
        """When it was made."""
        return _moment(self.created)

    @property
    def updated_at(self) -> datetime | None:
        """When it was last changed, by its own word."""
        return _moment(self.updated)

    @property
    def closed_at(self) -> datetime | None:
        """When it was closed."""
        return _moment(self.closed)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The flaws of its file, in words."""
        return tuple(flaw.sentence for flaw in self.flaws)

    @property
    def stem(self) -> str:
        """The name of its file, without folder and ending."""
        return PurePosixPath(self.path).stem

    @property
    def is_readme(self) -> bool:
        """Whether it only tells about its folder: a README without a header, which is no work to do."""
        return (
            self.title == _UNTITLED
            and self.updated is None
            and self.created is None
            and self.stem.upper() == "README"
        )

    @property
    def parent(self) -> str | None:
        """The task it is part of."""
        found = (self.context or {}).get("parentTaskId")
        return found if isinstance(found, str) else None

    def issue(self, description: str = "") -> Issue:
        """Make the record of it."""
        return Issue(
            id=self.id,
            title=self.title,
            description=description,
            type=self.type,
            status=self.status,
            priority=self.priority,
            labels=list(self.labels),
            assignee=self.assignee,
            project=self.project,
            created_at=self.created_at,
            updated_at=self.updated_at,
            closed_at=self.closed_at,
            blocked_by=list(self.blocked_by),
            wrangler_context=dict(self.context) if self.context is not None else None,
            warnings=list(self.warnings),
            path=readable(self.path),
        )


class Parsed(NamedTuple):
    """A file's entry and its text."""

    entry: Entry
    description: str

    @property
    def issue(self) -> Issue:
        """The whole record."""
        return self.entry.issue(self.description)


def parse(path: str, content: bytes, kind: str, stamp: Stamp, trouble: Flaw | None = None) -> Parsed:
    """Read a file of a collection; whatever is in it, it is an issue."""
    text, flaw = decode(content)
    said = TolerantReader(text, [one for one in (trouble, flaw) if one])
    entry = Entry(
        path=path,
        id=said.word("id") or readable(PurePosixPath(path).stem),
        title=said.word("title") or _UNTITLED,
        type=said.word("type") or kind,
        status=said.word("status") or "open",
        priority=said.word("priority") or "medium",
        labels=said.words("labels"),
        assignee=said.word("assignee"),
        project=said.word("project"),
        created=_microseconds(said.moment("createdAt")),
        updated=_microseconds(said.moment("updatedAt")),
        closed=_microseconds(said.moment("closedAt")),
        blocked_by=said.words("blockedBy"),
        context=said.mapping("wranglerContext"),
        flaws=tuple(said.flaws),
        stamp=stamp,
        digest=digest_of(content),
    )
    return Parsed(entry, said.description)


def digest_of(content: bytes) -> int:
    """Tell contents apart."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)


def _microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND
