"""Entries: issues without their texts, parsed tolerantly from their files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from laconic.data import dataclass
from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.reading import TolerantReader, decode, readable
from laconic.servers.issues.index.stamps import Stamp
from laconic.servers.issues.models import PRIORITIES, STATUSES, Issue
from laconic.stores.header.header import Header

_UNTITLED: Final = "Untitled Issue"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


# Not frozen, since that makes loading three times as slow; eq=False: compared by identity, which is fast.
@dataclass(slots=True, eq=False)
class Entry:
    """An issue without its text, never changed; times are microseconds since 1970, which sort fast."""

    path: str  # relative to the workspace
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
    is_note: bool  # it has no header, such as a README: it is listed, but it is no work to do

    @property
    def created_at(self) -> datetime | None:
        """When the issue was created."""
        return _moment(self.created)

    @property
    def updated_at(self) -> datetime | None:
        """When the issue was last changed, according to its header."""
        return _moment(self.updated)

    @property
    def closed_at(self) -> datetime | None:
        """When the issue was closed."""
        return _moment(self.closed)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The flaws of the file as sentences."""
        return tuple(flaw.sentence for flaw in self.flaws)

    @property
    def stem(self) -> str:
        """The file name without folder and suffix."""
        return PurePosixPath(self.path).stem

    @property
    def parent(self) -> str | None:
        """The id of the parent task, if there is one."""
        found = (self.context or {}).get("parentTaskId")
        return found if isinstance(found, str) else None

    def issue(self, description: str = "") -> Issue:
        """Make the record."""
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
            version=f"{self.digest & 0xFFFFFF:06x}",
            path=readable(self.path),
        )


class Parsed(NamedTuple):
    """The entry and the text of a file, and its header, so that an edit need not parse it again."""

    entry: Entry
    description: str
    header: Header

    @property
    def issue(self) -> Issue:
        """The whole record."""
        return self.entry.issue(self.description)


def parse(
    path: str,
    content: bytes,
    kind: str,
    stamp: Stamp,
    trouble: Flaw | None = None,
    header: Header | None = None,
) -> Parsed:
    """Parse a file of a collection; any content makes an issue. If its header is known, YAML is not read."""
    text, flaw = decode(content)
    said = TolerantReader(text, [one for one in (trouble, flaw) if one], header)
    entry = Entry(
        path=path,
        id=said.word("id") or readable(PurePosixPath(path).stem),
        title=said.word("title") or _UNTITLED,
        type=said.word("type") or kind,
        status=said.choice("status", STATUSES, "open"),
        priority=said.choice("priority", PRIORITIES, "medium"),
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
        is_note=said.is_note,
    )
    return Parsed(entry, said.description, said.header)


def digest_of(content: bytes) -> int:
    """Return a digest of the content."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)


def _microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND
