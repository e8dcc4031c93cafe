"""The secret that signs cursors, handles and request state: one file for its owner only, a line a secret."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.kit.errors import BadConfiguration

__all__ = ["FILE_NAME", "keys", "rotate"]

FILE_NAME: Final = "secret"
_KEPT: Final = 2  # the one that signs, and the one before: cursors live a day
_SHORTEST: Final = 16


def keys(folder: Path, given: Sequence[str] = (), *, lasting: bool = True) -> list[bytes]:
    """The keys in force, the signing one first: those given, else the file's, made when there is none.

    Raises:
        BadConfiguration: one is too short to be a secret, or the file cannot be read or made.
    """
    if given:
        return [_checked(one) for one in given]
    if not lasting:
        return [_fresh().encode()]
    path = folder / FILE_NAME
    try:
        return [_checked(line) for line in _read(path) or _make(path)]
    except OSError as error:
        raise BadConfiguration(
            f"The secret in the state folder cannot be used: {error.strerror}.",
            advice="Set LACONIC_STATE to a folder you may write to, or run 'laconic doctor'.",
        ) from None


def rotate(folder: Path) -> int:
    """Put a new secret first and keep the former, so that cursors at large still work; count both."""
    path = folder / FILE_NAME
    lines = [_fresh(), *(_read(path) or [])][:_KEPT]
    Path(_written(path, lines)).replace(path)
    return len(lines)


def _checked(secret: str) -> bytes:
    if len(secret) < _SHORTEST:
        raise BadConfiguration(
            f"A secret has {len(secret)} characters; {_SHORTEST} are the least.",
            advice="Make one with: openssl rand -hex 32",
        )
    return secret.encode()


def _fresh() -> str:
    return os.urandom(32).hex()


def _read(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return []


def _make(path: Path) -> list[str]:
    """Make the file whole; of two who try at once, both use the one that came first."""
    ready = Path(_written(path, [_fresh()]))
    try:
        with suppress(FileExistsError):
            _put_new(ready, path)
    finally:
        ready.unlink(missing_ok=True)
    return _read(path)


def _put_new(ready: Path, path: Path) -> None:
    if os.name == "nt":
        ready.rename(path)  # refuses to replace a file there
    else:
        path.hardlink_to(ready)


def _written(path: Path, lines: Sequence[str]) -> str:
    import tempfile  # only the first time

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return name
