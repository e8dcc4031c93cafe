"""The files of sessions: `.wrangler/sessions/<id>/`, read whoever wrote them, written whole."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.kit import NotFound, OutsideWorkspace
from laconic.servers.issues.session_models import as_word, written
from laconic.stores import Folder, Missing, StoreDown, StoreError
from laconic.stores.durable import clear_drafts
from laconic.stores.locks import file_lock
from laconic.text import nearest

FILES: Final = ("context.json", "audit.jsonl", "checkpoint.json", "blocker.json")
_ID: Final = re.compile(r"(?!\.)[^/\\:\x00-\x1f\x7f\ud800-\udfff]+")  # one part of a path, and no hidden one
_LONGEST: Final = 255  # bytes of a file's name
_MOST_METADATA: Final = 300  # characters of it in a line
_BASE: Final = frozenset({"phase", "step", "status", "timestamp"})
_BOOKKEEPING: Final = frozenset({"init", "checkpoint", "complete"})  # what they hold stands elsewhere too
_VOLATILE: Final = frozenset({"timestamp", "duration_ms"})
_STEPS: Final[Mapping[str, str]] = {
    "started": "{} (in progress)",
    "resumed": "{} (in progress)",
    "complete": "{} just completed, waiting for next step",
    "failed": "{} FAILED",
}
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)  # not on Windows


@dataclass(frozen=True)
class AuditEntry:
    """A line of audit.jsonl in either dialect: `phase`, or the workflow engine's `step`."""

    phase: str
    status: str
    timestamp: str
    more: Mapping[str, Any]

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> AuditEntry:
        """Read a line; the engine says `completed` and keeps its details in `metadata`."""
        status = as_word(raw.get("status"))
        more = {name: value for name, value in raw.items() if name not in _BASE}
        if "phase" not in raw and isinstance(more.get("metadata"), dict):
            more = {**more.pop("metadata"), **more}
        return cls(
            phase=as_word(raw.get("phase")) or as_word(raw.get("step")) or "unknown",
            status="complete" if status == "completed" else status or "unknown",
            timestamp=as_word(raw.get("timestamp")),
            more=more,
        )

    @property
    def is_checkpoint(self) -> bool:
        """Whether it says only that a checkpoint was saved, and not where the session is."""
        return self.phase == "checkpoint" and "checkpoint_id" in self.more

    def line(self) -> str:
        """The entry on one line; long metadata is left in the file, and said to be."""
        said = written(self.more) if self.more and self.phase not in _BOOKKEEPING else ""
        if len(said) > _MOST_METADATA:
            said = f"({len(said):,} characters of metadata in audit.jsonl: {', '.join(self.more)})"
        return " ".join(f"{self.timestamp} {self.phase} {self.status} {said}".split())


def _last_step(entries: Sequence[AuditEntry]) -> AuditEntry | None:
    return next((entry for entry in reversed(entries) if not entry.is_checkpoint), None)


def active_step(entries: Sequence[AuditEntry]) -> str:
    """What the session is doing now, or what it ended in."""
    last = _last_step([entry for entry in entries if entry.phase != "complete"])
    return _STEPS.get(last.status, "{} ({})").format(last.phase, last.status) if last else "unknown"


def phases_done(entries: Sequence[AuditEntry]) -> list[str]:
    """The phases of the work that are complete, by name."""
    done = {one.phase for one in entries if one.status == "complete"}
    return sorted(done - _BOOKKEEPING - {"task", "error"})


class Kept:
    """What is kept of one session; a file is read when it is asked for, and a bad one only warns."""

    def __init__(self, folder: Folder, session_id: str) -> None:
        self.id = session_id
        self.warnings: list[str] = []
        self._folder = folder
        self._damaged: set[str] = set()

    @cached_property
    def audit(self) -> list[dict[str, Any]]:
        """The lines that can be read, as they stand."""
        found: list[dict[str, Any]] = []
        for number, line in enumerate((self._read("audit.jsonl") or "").split("\n"), start=1):
            raw = _parsed(line) if line.strip() else {}
            if not isinstance(raw, dict):
                self.warnings.append(f"audit.jsonl: line {number} is damaged and was left out.")
            elif raw:
                found.append(raw)
        return found

    @property
    def entries(self) -> list[AuditEntry]:
        """The same, in one dialect."""
        return [AuditEntry.of(raw) for raw in self.audit]

    @cached_property
    def context(self) -> dict[str, Any]:
        """context.json; worked out from the other files where it is missing or damaged."""
        found = self._json("context.json")
        if found is None:
            self.warnings.append("context.json is worked out from the files beside it.")
            return _rebuilt(self.id, self.entries, self.checkpoint or {})
        return {**found, "id": self.id}

    @cached_property
    def checkpoint(self) -> dict[str, Any] | None:
        """checkpoint.json."""
        return self._json("checkpoint.json")

    @cached_property
    def blocker(self) -> str | None:
        """What the workflow engine said stands in the way, unless the session was resumed since."""
        found = self._json("blocker.json")
        if found is None:
            return None
        at = as_word(found.get("timestamp"))
        is_past = any(entry.status == "resumed" and entry.timestamp > at for entry in self.entries)
        return None if is_past else as_word(found.get("details")) or "blocker.json gives no details"

    def note(self, line: dict[str, Any]) -> str:
        """Add a line to the audit unless the last one says the same; give the time of the one that stands."""
        steps = [raw for raw in self.audit if not AuditEntry.of(raw).is_checkpoint]
        for last in (*self.audit[-1:], *steps[-1:]):
            if _steady(last) == _steady(line) and isinstance(last.get("timestamp"), str):
                return str(last["timestamp"])
        data = (written(line) + "\n").encode(errors="backslashreplace")
        _append(self._folder.root / self.id / "audit.jsonl", data)
        self.audit.append(line)
        return str(line["timestamp"])

    def update(self, changes: Mapping[str, Any], at: str) -> None:
        """Change keys of context.json, None taking one away; nothing is written where nothing changes."""
        kept = {**self.context, **changes}
        kept = {name: value for name, value in kept.items() if value is not None or name not in changes}
        is_whole = (
            "context.json" not in self._damaged and (self._folder.root / self.id / "context.json").exists()
        )
        if kept != self.context or not is_whole:
            self.context = {**kept, "updatedAt": at}
            self.write("context.json", self.context)

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Replace one of the files; a damaged one is kept beside it, since somebody may want to mend it."""
        path = self._folder.root / self.id / name
        if name in self._damaged and path.exists():
            path.rename(path.with_name(f"{name}.damaged-{os.urandom(4).hex()}"))
            self._damaged.discard(name)
        text = written(content, indent=2) + "\n"
        self._folder.write(f"{self.id}/{name}", text.encode(errors="backslashreplace").decode())

    def _read(self, name: str) -> str | None:
        try:
            return self._folder.read(f"{self.id}/{name}")
        except Missing:
            return None
        except StoreError as error:
            self._damaged.add(name)
            self.warnings.append(str(error))
            return None

    def _json(self, name: str) -> dict[str, Any] | None:
        text = self._read(name)
        found = _parsed(text) if text is not None else None
        if isinstance(found, dict):
            return found
        if text is not None:
            self._damaged.add(name)
            self.warnings.append(f"{name} is damaged and was left out.")
        return None


class SessionFiles:
    """The sessions of one workspace."""

    def __init__(self, workspace: Path) -> None:
        self.workspace: Final = Path(os.path.realpath(workspace))

    @property
    def _folder(self) -> Folder:
        folder = Folder(self.workspace / ".wrangler" / "sessions", "*.json*", depth=1)
        if not folder.root.is_relative_to(self.workspace):
            raise OutsideWorkspace(".wrangler/sessions leads out of the workspace.")
        return folder

    def all(self) -> list[Kept]:
        """Every session; links and folders without any of its files are none."""
        folder = self._folder
        try:
            with os.scandir(folder.root) as found:
                names = [one.name for one in found if _fits(one.name) and one.is_dir(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StoreDown(f".wrangler/sessions cannot be listed: {error.strerror}.") from error
        return [Kept(folder, name) for name in sorted(names) if _has_files(folder.root / name)]

    def one(self, session_id: str) -> Kept:
        """Look at one session.

        Raises:
            OutsideWorkspace: that is no id but a path.
            NotFound: there is no such session.
        """
        folder = self._folder
        place = folder.root / session_id
        if not _fits(session_id) or not Path(os.path.realpath(place)).is_relative_to(folder.root):
            advice = "Pass an id as session_status lists them."
            raise OutsideWorkspace(f"{session_id[:80]!r} is no session id.", field="sessionId", advice=advice)
        if not _has_files(place):
            raise NotFound("Session", session_id, near=nearest(session_id, [kept.id for kept in self.all()]))
        return Kept(folder, session_id)

    @contextmanager
    def changing(self, session_id: str) -> Iterator[Kept]:
        """Look at one session while nobody else changes it."""
        self.one(session_id)
        place = self._folder.root / session_id
        with file_lock(place):
            clear_drafts(place)
            yield self.one(session_id)

    def reserve(self, session_id: str) -> bool:
        """Take an id; False when it is taken."""
        try:
            (self._folder.root / session_id).mkdir(parents=True)
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreDown(f"The session's folder cannot be made: {error.strerror}.") from error
        return True

    def release(self, session_id: str) -> None:
        """Give back an id under which nothing was written."""
        with suppress(OSError):
            (self._folder.root / session_id).rmdir()

    def fill(self, session_id: str, first: dict[str, Any], context: Mapping[str, Any]) -> None:
        """Write the files of a new session, the audit first: a context can be worked out from it."""
        kept = Kept(self._folder, session_id)
        kept.note(first)
        kept.write("context.json", context)


def _fits(session_id: str) -> bool:
    return bool(_ID.fullmatch(session_id)) and len(session_id.encode()) <= _LONGEST


def _has_files(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in FILES)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _steady(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in _VOLATILE}


def _append(path: Path, line: bytes) -> None:
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINK, 0o666)
        try:
            end = os.lseek(handle, 0, os.SEEK_END)
            if end and os.lseek(handle, end - 1, os.SEEK_SET) >= 0 and os.read(handle, 1) != b"\n":
                line = b"\n" + line  # the last writer was killed: its torn line stays by itself
            if os.write(handle, line) != len(line):
                raise StoreDown("audit.jsonl could not be written whole: is the disk full?")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreDown(f"audit.jsonl cannot be written: {error.strerror}.") from error


def _rebuilt(session_id: str, entries: Sequence[AuditEntry], point: Mapping[str, Any]) -> dict[str, Any]:
    """Work out what context.json said, from the files beside it."""
    about = next((entry.more for entry in entries if entry.phase == "init"), {})
    last = _last_step(entries) or AuditEntry(as_word(point.get("currentPhase")), "", "", {})
    status = "paused" if last.status == "paused" else "running"
    if last.phase == "complete":
        status = "failed" if last.status == "failed" else "completed"
    done = [one.phase for one in entries if one.status == "complete" and not one.is_checkpoint]
    known = {
        "id": session_id,
        "specFile": about.get("spec_file"),
        "status": status,
        "currentPhase": last.phase,
        "worktreePath": about.get("worktree"),
        "branchName": about.get("branch"),
        "phasesCompleted": list(dict.fromkeys(done)),
        "tasksCompleted": point.get("tasksCompleted", []),
        "tasksPending": point.get("tasksPending", []),
        "startedAt": entries[0].timestamp if entries else point.get("createdAt"),
        "updatedAt": entries[-1].timestamp if entries else point.get("createdAt"),
    }
    return {name: value for name, value in known.items() if value is not None}
