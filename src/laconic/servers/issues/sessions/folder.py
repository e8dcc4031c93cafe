"""The files of one session: read tolerantly, written atomically."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from laconic.servers.issues.sessions.audit import Audit, AuditEntry
from laconic.servers.issues.tolerant import as_word, parsed, written
from laconic.stores import Folder, Missing, StoreError

FILES: Final = ("context.json", "audit.jsonl", "checkpoint.json", "blocker.json")


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

    @property
    def place(self) -> Path:
        """The folder with its files, perhaps in another work tree."""
        return self._folder.root / self.id

    @property
    def workspace(self) -> Path:
        """The workspace that it was started in."""
        return self._folder.root.parents[1]

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
        return self.place / name

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
