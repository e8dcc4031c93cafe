"""The secret that signs cursors, handles and request state: a private file, one secret per line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.kit.errors import BadConfiguration

__all__ = ["FILE_NAME", "keys", "rotate"]

FILE_NAME: Final = "secret"
_KEPT: Final = 2  # the signing one and the previous one: cursors are valid for a day
_SHORTEST: Final = 16


def keys(folder: Path, given: Sequence[str] = (), *, lasting: bool = True) -> list[bytes]:
    """Return the keys in use, the signing one first: those given, else those of the file, created if missing.

    Raises:
        BadConfiguration: a secret is too short, or the file cannot be read or created.
    """
    if given:
        return [_checked(one) for one in given]
    if not lasting:
        return [_new_secret().encode()]
    path = folder / FILE_NAME
    try:
        return [_checked(line) for line in _read(path) or _create(path)]
    except OSError as error:
        raise BadConfiguration(
            f"The secret in the state folder cannot be used: {error.strerror}.",
            advice="Set LACONIC_STATE to a folder that is writable, or run 'laconic doctor'.",
        ) from None


def rotate(folder: Path) -> int:
    """Put a new secret first, keep the previous one for cursors in use, and return how many there are."""
    path = folder / FILE_NAME
    lines = [_new_secret(), *(_read(path) or [])][:_KEPT]
    Path(_written(path, lines)).replace(path)
    return len(lines)


def _checked(secret: str) -> bytes:
    if len(secret) < _SHORTEST:
        raise BadConfiguration(
            f"A secret has {len(secret)} characters; the minimum is {_SHORTEST}.",
            advice="Create one with: openssl rand -hex 32",
        )
    return secret.encode()


def _new_secret() -> str:
    return os.urandom(32).hex()


def _read(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return []


def _create(path: Path) -> list[str]:
    """Create the file atomically; two processes that try at once both use the first file."""
    ready = Path(_written(path, [_new_secret()]))
    try:
        with suppress(FileExistsError):
            _put_new(ready, path)
    finally:
        ready.unlink(missing_ok=True)
    return _read(path)


def _put_new(ready: Path, path: Path) -> None:
    if os.name == "nt":
        ready.rename(path)  # fails if the file exists
    else:
        path.hardlink_to(ready)


def _written(path: Path, lines: Sequence[str]) -> str:
    import tempfile  # needed only the first time

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return name
