"""The files of sessions, in `.wrangler/sessions/<id>/`: read tolerantly, written atomically."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.kit import NotFound, OutsideWorkspace
from laconic.servers.issues.sessions.audit import Audit, AuditEntry, init_line
from laconic.servers.issues.tolerant import as_word, parsed, written
from laconic.stores import Folder, Missing, StoreDown, StoreError
from laconic.stores.durable import clear_drafts
from laconic.stores.errors import nothing_written
from laconic.stores.locks import file_lock
from laconic.text import nearest

FILES: Final = ("context.json", "audit.jsonl", "checkpoint.json", "blocker.json")
_ID: Final = re.compile(r"(?!\.)[^/\\:\x00-\x1f\x7f\ud800-\udfff]+")  # one part of a path, not hidden
_LONGEST: Final = 255  # bytes of a file name


class SessionFolder:
    """The files of one session; each is read on first use, and a damaged one only causes a warning."""

    def __init__(self, folder: Folder, session_id: str) -> None:
        self.id = session_id
        self.warnings: list[str] = []
        self._folder = folder
        self._damaged: set[str] = set()

    @cached_property
    def audit(self) -> Audit:
        """audit.jsonl."""
        found = Audit(self._path("audit.jsonl"), self._read("audit.jsonl") or "")
        self.warnings += [
            f"audit.jsonl: line {number} is damaged and was left out." for number in found.damaged
        ]
        return found

    @cached_property
    def context(self) -> dict[str, Any]:
        """context.json; rebuilt from the other files if it is missing or damaged."""
        found = self._json("context.json")
        if found is None:
            self.warnings.append("context.json was rebuilt from the other files.")
            return _rebuilt(self.id, self.audit, self.checkpoint or {})
        return {**found, "id": self.id}

    @cached_property
    def checkpoint(self) -> dict[str, Any] | None:
        """checkpoint.json."""
        return self._json("checkpoint.json")

    @cached_property
    def blocker(self) -> str | None:
        """What the workflow engine reported as blocking, unless the session was resumed since."""
        found = self._json("blocker.json")
        if found is None:
            return None
        at = as_word(found.get("timestamp"))
        is_past = any(entry.status == "resumed" and entry.timestamp > at for entry in self.audit.entries)
        return None if is_past else as_word(found.get("details")) or "blocker.json gives no details"

    def update(self, changes: Mapping[str, Any], at: str) -> None:
        """Change keys of context.json, None removes a key; nothing is written if nothing changes."""
        kept = {**self.context, **changes}
        kept = {name: value for name, value in kept.items() if value is not None or name not in changes}
        is_whole = "context.json" not in self._damaged and self._path("context.json").exists()
        if kept != self.context or not is_whole:
            self.context = {**kept, "updatedAt": at}
            self.write("context.json", self.context)

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Replace one of the files; a damaged one is kept under another name, so it can be fixed by hand."""
        path = self._path(name)
        if name in self._damaged and path.exists():
            path.rename(path.with_name(f"{name}.damaged-{os.urandom(4).hex()}"))
            self._damaged.discard(name)
        text = written(content, indent=2) + "\n"
        self._folder.write(f"{self.id}/{name}", text.encode(errors="backslashreplace").decode())

    def _path(self, name: str) -> Path:
        return self._folder.root / self.id / name

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
        found = parsed(text) if text is not None else None
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

    def all(self) -> list[SessionFolder]:
        """Return all sessions; links and folders without session files do not count."""
        folder = self._folder
        try:
            with os.scandir(folder.root) as found:
                names = [one.name for one in found if _fits(one.name) and one.is_dir(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StoreDown(f".wrangler/sessions cannot be listed: {error.strerror}.") from error
        return [SessionFolder(folder, name) for name in sorted(names) if _has_files(folder.root / name)]

    def one(self, session_id: str) -> SessionFolder:
        """Return one session.

        Raises:
            OutsideWorkspace: the id is a path.
            NotFound: no such session.
        """
        folder = self._folder
        place = folder.root / session_id
        if not _fits(session_id) or not Path(os.path.realpath(place)).is_relative_to(folder.root):
            advice = "Pass an id that session_status lists."
            raise OutsideWorkspace(
                f"{session_id[:80]!r} is not a session id.", field="sessionId", advice=advice
            )
        if not _has_files(place):
            raise NotFound("Session", session_id, near=nearest(session_id, [kept.id for kept in self.all()]))
        return SessionFolder(folder, session_id)

    @contextmanager
    def changing(self, session_id: str) -> Iterator[SessionFolder]:
        """Lock one session, and return it."""
        self.one(session_id)
        place = self._folder.root / session_id
        with ExitStack() as held:
            with nothing_written():
                held.enter_context(file_lock(place))
                clear_drafts(place)
                session = self.one(session_id)
            yield session

    def reserve(self, session_id: str) -> bool:
        """Reserve an id; False if it is taken."""
        try:
            (self._folder.root / session_id).mkdir(parents=True)
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreDown(f"The session's folder cannot be created: {error.strerror}.") from error
        return True

    def release(self, session_id: str) -> None:
        """Release a reserved id if nothing was written under it."""
        with suppress(OSError):
            (self._folder.root / session_id).rmdir()

    def fill(self, session_id: str, context: Mapping[str, Any]) -> None:
        """Write the files of a new session, the audit log first: the context can be rebuilt from it."""
        kept = SessionFolder(self._folder, session_id)
        kept.audit.note(init_line(context))
        kept.write("context.json", context)


def _fits(session_id: str) -> bool:
    return bool(_ID.fullmatch(session_id)) and len(session_id.encode()) <= _LONGEST


def _has_files(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in FILES)


def _rebuilt(session_id: str, audit: Audit, point: Mapping[str, Any]) -> dict[str, Any]:
    """Rebuild the content of context.json from the other files."""
    entries = audit.entries
    about = next((entry.more for entry in entries if entry.phase == "init"), {})
    last = audit.last_step or AuditEntry(as_word(point.get("currentPhase")), "", "", {})
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
