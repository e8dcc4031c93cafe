"""A cache of tool lists in files, keyed by the files and the settings they come from."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.listing import Listing, key_of

if TYPE_CHECKING:
    from laconic.cli.toolsets import Reference
    from laconic.kit.settings import Settings
    from laconic.kit.toolset import Toolset

__all__ = ["is_own", "listing_of"]

_KEPT: Final = 32
_INSTALLED: Final = {"site-packages", "dist-packages"}


def listing_of(
    found: Sequence[Reference],
    settings: Settings,
    folder: Path,
    load: Callable[[], Sequence[Toolset]],
    configured: Callable[[Sequence[Toolset]], Settings],
) -> Listing:
    """Return the cached listing for this content and these settings, or build and cache one.

    `configured` completes the settings once the toolsets are loaded.
    """
    own = [one.module for one in found if is_own(one.module)]
    foreign = [one.module for one in found if not is_own(one.module)]
    key = key_of(own, _shape(found, settings))
    # The files of foreign modules are known only after importing them, so they are recorded then.
    recorded = folder / f"{key}.sources"
    files = _read(recorded) if foreign else []
    cached = None if files is None else Listing.load(_path(folder, key, files))
    if cached is not None:
        return cached
    loaded = load()
    listing = _build(loaded, configured(loaded))
    data = [file for toolset in loaded for file in toolset.data]
    files = sorted({*_sources(foreign), *data}) if foreign else []
    with suppress(OSError):  # a cache folder that is not writable is not an error
        folder.mkdir(parents=True, exist_ok=True)
        if foreign:
            recorded.write_text(json.dumps(files), encoding="utf-8")
        listing.save(_path(folder, key, files))
        _drop_old(folder)
    return listing


def is_own(module: str) -> bool:
    """True if a module comes with Laconic."""
    return module.startswith("laconic.")


def _shape(found: Sequence[Reference], settings: Settings) -> dict[str, Any]:
    """Return what a listing depends on besides the modules; two folders may each have their own `tools`."""
    return {
        "toolsets": [f"{one.folder}/{one.module}:{one.attribute}" for one in found],
        "output": settings.output,
        "read_only": settings.read_only,
        "dotted_names": settings.dotted_names,
        "prefixes": dict(settings.prefixes),
        "reads_on": settings.budget > 0,
        "long_list": settings.long_list,
        "pinned": list(settings.pinned),
        "permitted": [list(settings.allow), list(settings.deny)],
        "tools": dict(settings.tools),
        "sandbox": bool(settings.sandbox),
        "sections": _outline(settings.sections),
    }


def _outline(value: Any) -> Any:
    """Return which keys are configured, with numbers and switches; no texts, which may be secrets.

    A variable has a list as `a,b` and a table as JSON: of these, how many there are and which keys.
    """
    if isinstance(value, Mapping):
        return {key: _outline(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_outline(inner) for inner in value]
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        with suppress(ValueError, RecursionError):
            return _outline(json.loads(value))
    if isinstance(value, str):
        return value.count(",")
    return value if isinstance(value, int) else None


def _path(folder: Path, key: str, files: Sequence[str]) -> Path:
    digest = hashlib.blake2b(key.encode(), digest_size=16)
    for file in files:
        with suppress(OSError):  # a missing file changes the digest
            digest.update(file.encode() + b"\0" + Path(file).read_bytes())
    return folder / f"{digest.hexdigest()}.json"


def _read(recorded: Path) -> list[str] | None:
    try:
        return list(json.loads(recorded.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _build(loaded: Sequence[Toolset], settings: Settings) -> Listing:
    from laconic.kit.endpoint import Endpoint

    return Endpoint(loaded, settings=settings).listing


def _sources(foreign: Sequence[str]) -> Iterator[str]:
    """Yield the files of these modules, of others that are not installed, and the markdown next to them."""
    packages = {module.partition(".")[0] for module in foreign}
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
