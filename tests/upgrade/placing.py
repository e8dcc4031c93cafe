"""Puts what an earlier version left behind where the present version looks for it.

What names a folder of the machine, or depends on the time, is worked out here by the rules of version 0.1.0,
written down again on purpose: if the present version followed other rules, it would not find its old files.
"""

import json
import os
import shutil
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from tests.process.speaking import SOURCES, Stdio, serving

HERE = Path(__file__).resolve().parent
VERSIONS = sorted(path.parent.name for path in HERE.glob("*/given.json"))
PLACES = ("workspace", "state", "cache")
_PATHS, _STAMPS = 0, 15  # columns of an index of format 1


@dataclass(frozen=True)
class Left:
    """What a version left behind, in a folder of this machine."""

    base: Path
    given: dict[str, Any]

    @property
    def workspace(self) -> Path:
        return self.base / "workspace"

    @property
    def state(self) -> Path:
        """The state of this workspace."""
        return self.base / "state" / _folder_for(self.workspace)

    @property
    def index(self) -> Path:
        return self.texts / "entries.json"

    @property
    def texts(self) -> Path:
        """The folder of the index and of what is kept for searching."""
        return self.base / "cache" / "issues" / _folder_for(self.workspace)

    @property
    def variables(self) -> dict[str, str]:
        return {
            "LACONIC_STATE": str(self.base / "state"),
            "LACONIC_CACHE": str(self.base / "cache"),
            "LACONIC_BUDGET": str(self.given["budget"]),
            "PYTHONPATH": os.pathsep.join((str(SOURCES), str(HERE.parents[1]))),
        }

    @contextmanager
    def serving(self, *servers: str) -> Iterator[Stdio]:
        """The present version in a process of its own."""
        with serving(*(servers or ("issues",)), folder=self.workspace, **self.variables) as server:
            yield server


def placed(version: str, base: Path) -> Left:
    """Copy what a version left, as if it had been written here just now."""
    given = json.loads((HERE / version / "given.json").read_text(encoding="utf-8"))
    left = Left(base, given)
    for name in PLACES:
        shutil.copytree(HERE / version / name, base / name)
    (base / "state" / "workspace").rename(left.state)
    (base / "cache" / "issues" / "workspace").rename(left.texts)
    _name_folders(base)
    for name, changed in given["changed"].items():
        os.utime(left.workspace / name, ns=(changed, changed))
    for path in left.state.iterdir():
        path.chmod(0o600)
    _stamp(left)
    _install(left)
    for store in left.state.glob("*.db"):
        _renew(store, time.time() - given["written"])
    return left


def rewrite_index(left: Left, content: list[Any]) -> None:
    """Write the index with its checksum."""
    data = json.dumps(content, separators=(",", ":")).encode()
    left.index.write_bytes(b"%08x\n" % zlib.crc32(data) + data)


def read_index(left: Left) -> list[Any]:
    content: list[Any] = json.loads(left.index.read_bytes().partition(b"\n")[2])
    return content


def _folder_for(path: Path) -> str:
    """The folder that is kept for another one."""
    return f"{path.name}-{blake2b(str(path).encode(), digest_size=6).hexdigest()}"


def _name_folders(base: Path) -> None:
    """Put the folders of this machine in place of their names."""
    for path in [path for name in PLACES for path in (base / name).rglob("*") if path.is_file()]:
        data = path.read_bytes()
        for name in ("workspace", "state"):
            data = data.replace(b"{%s}" % name.encode(), str(base / name).encode())
        path.write_bytes(data)


def _stamp(left: Left) -> None:
    """Give the index the stamps of the copied files: to it, they have not changed."""
    content = read_index(left)
    if content[0][0] == 1:  # another format is not known here: it is rebuilt, or its version adds a line
        files = [(left.workspace / path).stat() for path in content[2][_PATHS]]
        content[2][_STAMPS] = [
            [file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns] for file in files
        ]
        rewrite_index(left, content)


def _install(left: Left) -> None:
    """Name the record of an installation after the host's file, and note what that file holds."""
    host = left.given["host"]
    path = left.workspace / host["file"]
    (old,) = (left.base / "state" / "installs").iterdir()
    record = json.loads(old.read_text(encoding="utf-8"))
    record["digest"] = sha256(path.read_bytes()).hexdigest()
    name = sha256(f"{path}\0laconic".encode()).hexdigest()[:16]
    old.unlink()
    old.with_name(f"{host['name']}-{name}.json").write_text(json.dumps(record), encoding="utf-8")


def _renew(store: Path, seconds: float) -> None:
    """Let entries expire as long after now as they would have expired after they were written."""
    with closing(sqlite3.connect(store)) as db, db:
        db.execute("UPDATE entries SET expires = expires + ?", (seconds,))
