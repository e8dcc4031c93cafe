"""The sessions of a workspace, in `sessions/<id>/` of its folder, and those of its other work trees."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from laconic.kit import NotFound, OutsideWorkspace
from laconic.lazily import regex
from laconic.servers.issues.git.worktrees import beside
from laconic.servers.issues.places import HOME, check_there
from laconic.servers.issues.sessions.audit import init_line
from laconic.servers.issues.sessions.folder import FILES, SessionFolder
from laconic.servers.issues.tolerant import as_word
from laconic.stores import Folder, StoreDown
from laconic.stores.durable import clear_drafts
from laconic.stores.errors import nothing_written
from laconic.stores.locks import file_lock
from laconic.text import nearest

_ID: Final = regex(r"(?!\.)[^/\\:\x00-\x1f\x7f\ud800-\udfff]+")  # one part of a path, not hidden
_LONGEST: Final = 255  # bytes of a file name


class SessionFiles:
    """The sessions of one workspace; each is kept in the work tree that started it, and found from all."""

    def __init__(self, workspace: Path, home: str = HOME) -> None:
        self.workspace: Final = Path(os.path.realpath(workspace))
        self.name: Final = f"{home}/sessions"

    @property
    def _folder(self) -> Folder:
        return _folder(self.workspace, self.name)

    def own(self) -> list[SessionFolder]:
        """Return the sessions of this work tree; links and folders without session files do not count."""
        check_there(self.workspace)
        return _sessions(self._folder, self.name)

    def all(self) -> list[SessionFolder]:
        """Return the sessions of all work trees of the clone; of copies of one, the last changed."""
        found: dict[str, SessionFolder] = {}
        for session in [*self.own(), *self._others()]:
            found[session.id] = _newer(found.get(session.id), session)
        return [found[name] for name in sorted(found)]

    def one(self, session_id: str) -> SessionFolder:
        """Return one session of any work tree.

        Raises:
            OutsideWorkspace: the id is a path.
            NotFound: no such session.
        """
        check_there(self.workspace)
        place = self._folder.root / session_id
        if not _fits(session_id) or not Path(os.path.realpath(place)).is_relative_to(self._folder.root):
            advice = "Pass an id that session_status lists."
            raise OutsideWorkspace(
                f"{session_id[:80]!r} is not a session id.", field="sessionId", advice=advice
            )
        found = SessionFolder(self._folder, session_id) if _has_files(place) else None
        for other in self._others():
            if other.id == session_id:
                found = _newer(found, other)
        if found is None:
            raise NotFound("Session", session_id, near=nearest(session_id, [kept.id for kept in self.all()]))
        return found

    def _others(self) -> Iterator[SessionFolder]:
        """Return the sessions of the other work trees; what cannot be read there is their own trouble."""
        for _, workspace in beside(self.workspace):
            with suppress(OutsideWorkspace, StoreDown):
                yield from _sessions(_folder(workspace, self.name), self.name)

    @contextmanager
    def changing(self, session_id: str) -> Iterator[SessionFolder]:
        """Lock one session, and return it."""
        place = self.one(session_id).place
        with ExitStack() as held:
            with nothing_written():
                held.enter_context(file_lock(place))
                clear_drafts(place)
                session = self.one(session_id)
            yield session

    def reserve(self, session_id: str) -> bool:
        """Reserve an id; False if it is taken in any work tree."""
        if any(other.id == session_id for other in self._others()):
            return False
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


def _folder(workspace: Path, name: str) -> Folder:
    folder = Folder(workspace / name, "*.json*", depth=1)
    if not folder.root.is_relative_to(workspace):
        raise OutsideWorkspace(f"{name} leads out of the workspace.")
    return folder


def _sessions(folder: Folder, shown: str) -> list[SessionFolder]:
    try:
        with os.scandir(folder.root) as found:
            names = [one.name for one in found if _fits(one.name) and one.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StoreDown(f"{shown} cannot be listed: {error.strerror}.") from error
    return [SessionFolder(folder, name) for name in sorted(names) if _has_files(folder.root / name)]


def _newer(one: SessionFolder | None, other: SessionFolder) -> SessionFolder:
    """Return the copy that was changed last: git may have brought an old one into another work tree."""
    if one is None:
        return other
    times = [as_word(found.context.get("updatedAt")) for found in (one, other)]
    return other if times[1] > times[0] else one


def _fits(session_id: str) -> bool:
    return bool(_ID.fullmatch(session_id)) and len(session_id.encode()) <= _LONGEST


def _has_files(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in FILES)
