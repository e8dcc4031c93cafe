"""Folders that take many git commands to make: made once in each process, then copied."""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

__all__ = ["copy_of"]


def copy_of(make: Callable[[Path], object], folder: Path) -> None:
    """Put into a folder what `make` would put there; a clone's path to its origin follows the copy."""
    template = _made(make)
    shutil.copytree(template, folder, symlinks=True, dirs_exist_ok=True)
    for config in folder.glob("*/.git/config"):
        told = config.read_text(encoding="utf-8")
        config.write_text(told.replace(str(template), str(folder)), encoding="utf-8")


@cache
def _made(make: Callable[[Path], object]) -> Path:
    folder = tempfile.mkdtemp(prefix="laconic-template-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make(Path(folder))
    return Path(folder)
