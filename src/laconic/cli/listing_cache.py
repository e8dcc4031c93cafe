"""Tool lists kept in files, named by the content of the modules and the settings they come from."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.listing import Listing, key_of

if TYPE_CHECKING:
    from laconic.cli.toolsets import Reference
    from laconic.kit.settings import Settings
    from laconic.kit.toolset import Toolset

__all__ = ["listing_of"]

_KEPT: Final = 32
_INSTALLED: Final = {"site-packages", "dist-packages"}


def listing_of(
    found: Sequence[Reference], settings: Settings, folder: Path, load: Callable[[], Sequence[Toolset]]
) -> Listing:
    """The listing kept for this content and these settings, else a new one, kept for the next time."""
    own = [one.module for one in found if _is_own(one.module)]
    strangers = [one.module for one in found if not _is_own(one.module)]
    key = key_of(own, _shape(found, settings, strangers))
    # Which files a stranger's modules consist of is known once they were imported; it is noted then.
    noted = folder / f"{key}.sources"
    files = _read(noted) if strangers else []
    kept = None if files is None else Listing.load(_path(folder, key, files))
    if kept is not None:
        return kept
    listing = _build(load(), settings)
    files = sorted(_sources(strangers)) if strangers else []
    with suppress(OSError):  # a folder that cannot be written to is no failure
        folder.mkdir(parents=True, exist_ok=True)
        if strangers:
            noted.write_text(json.dumps(files), encoding="utf-8")
        listing.save(_path(folder, key, files))
        _drop_old(folder)
    return listing


def _is_own(module: str) -> bool:
    return module.startswith("laconic.")


def _shape(found: Sequence[Reference], settings: Settings, strangers: Sequence[str]) -> dict[str, Any]:
    """What a listing depends on beside the modules; two folders may each have a `tools` of their own."""
    return {
        "toolsets": [f"{one.module}:{one.attribute}" for one in found],
        "output": settings.output,
        "read_only": settings.read_only,
        "dotted_names": settings.dotted_names,
        "prefixes": dict(settings.prefixes),
        "reads_on": settings.budget > 0,
        "long_list": settings.long_list,
        "pinned": list(settings.pinned),
        "folder": str(Path.cwd()) if strangers else "",
    }


def _path(folder: Path, key: str, files: Sequence[str]) -> Path:
    digest = hashlib.blake2b(key.encode(), digest_size=16)
    for file in files:
        with suppress(OSError):  # gone: another digest
            digest.update(file.encode() + b"\0" + Path(file).read_bytes())
    return folder / f"{digest.hexdigest()}.json"


def _read(noted: Path) -> list[str] | None:
    try:
        return list(json.loads(noted.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _build(loaded: Sequence[Toolset], settings: Settings) -> Listing:
    from laconic.kit.endpoint import Endpoint

    return Endpoint(loaded, settings=settings).listing


def _sources(strangers: Sequence[str]) -> Iterator[str]:
    """The files of these modules and of all they imported from nearby, and the texts beside them."""
    packages = {module.partition(".")[0] for module in strangers}
    folders: set[Path] = set()
    for name, module in list(sys.modules.items()):
        file, top = getattr(module, "__file__", None), name.partition(".")[0]
        if file and top != "laconic" and top not in sys.stdlib_module_names:
            path = Path(file)
            if top in packages or not _INSTALLED.intersection(path.parts):
                folders.add(path.parent)
                yield str(path)
    for folder in folders:
        yield from map(str, folder.glob("*.md"))


def _drop_old(folder: Path) -> None:
    kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[_KEPT:]:
        path.unlink(missing_ok=True)
